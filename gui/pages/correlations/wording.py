"""What a study rests on, in words."""

from collections.abc import Mapping
from typing import Final

from awase.core.statistics.correlation.levels import Level
from awase.core.statistics.correlation.study import Study
from awase.gui.kit.texts.i18n import mark, tr

LEVELS: Final = {
    Level.SYSTEM: mark("Means of systems"),
    Level.TOPIC: mark("Each topic, averaged"),
    Level.GLOBAL: mark("All scores at once"),
}
_SHOWN = 6


def facts_text(study: Study, far: Mapping[str, float]) -> str:
    """Returns everything that decides the values, and which systems stand out."""
    request = study.request
    text = tr(
        "{human}; level: {level}; left out: {names}; intervals and test resample systems and "
        "topics, N = {n}, seed {seed}; * p ≤ 0.05 after Holm's correction",
        human=study.human_signature, level=tr(LEVELS[request.level]),
        names=_listed(request.excluded) or tr("none"), n=request.n_resamples, seed=request.seed,
    )  # fmt: skip
    if far:
        names = [f"{name} ({distance:.1f})" for name, distance in far.items()]
        text += "\n" + tr(
            "Far from the others, in MADs from the median (limit 2.5), and left in: {names}",
            names=_listed(names),
        )
    return text


def _listed(names: tuple[str, ...] | list[str]) -> str:
    more = f", … ({len(names)})" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
