"""What a study rests on, in words."""

from collections.abc import Mapping
from typing import Final

from awase.core.errors import Listing
from awase.core.statistics.correlation.score_matrix import MAJORITY, MEAN, Level, Z
from awase.core.statistics.correlation.study import Study
from awase.gui.kit.texts.i18n import aside, listed, mark, ntr, tr

LEVELS: Final = {
    Level.SYSTEM: mark("Means of systems"),
    Level.TOPIC: mark("Each topic, averaged"),
    Level.GLOBAL: mark("All scores at once"),
}
JOININGS: Final = {
    MEAN: mark("Mean of annotators"),
    Z: mark("Mean of their z-scores"),
    MAJORITY: mark("What more than half say"),
    f"{MAJORITY}:2": mark("What 2 of them say"),
    f"{MAJORITY}:3": mark("What 3 of them say"),
}
"""How several annotators' judgements become one score, by how it is spelled."""
_SHOWN = 6


def facts_text(study: Study, far: Mapping[str, float]) -> str:
    """Returns everything that decides the values, and which systems stand out."""
    request = study.request
    text = tr(
        "Human scores: {human}; level: {level}; left out: {names}; intervals and test resample "
        "systems and topics, N = {n}, seed {seed}; * p ≤ 0.05 after Holm's correction",
        human=_human_text(study), level=_within(tr(LEVELS[request.level])),
        names=Listing(request.excluded, most=_SHOWN, is_counted=True) or tr("none"),
        n=request.n_resamples, seed=request.seed,
    )  # fmt: skip
    if far:
        names = [f"{name} ({distance:.1f})" for name, distance in far.items()]
        text += "\n" + tr(
            "Far from the others, in MADs from the median (limit 2.5), and left in: {names}",
            names=Listing(names, most=_SHOWN, is_counted=True),
        )
    return text


def _human_text(study: Study) -> str:
    """Returns the measure, and how the judgements of several annotators were joined."""
    told = study.human_signature.removeprefix(f"{study.human}:annotators=")
    n_annotators, _, joining = told.partition(",join=")
    if n_annotators == "1":
        return study.human
    who = ntr("{n} annotator", "{n} annotators", int(n_annotators))
    return aside(study.human, listed((who, _within(tr(JOININGS.get(joining, joining))))))


def _within(title: str) -> str:
    """Returns a title as it stands within a sentence."""
    return title[:1].lower() + title[1:]
