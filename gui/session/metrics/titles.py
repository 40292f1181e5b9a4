"""How metrics and human measures are called in tables and plots, in the words of the window."""

from collections.abc import Mapping
from typing import Final

from awase.core.errors import InputError
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.registry import METRICS, options_of
from awase.gui.kit.texts.i18n import aside, listed, mark, shows_codes, tr

_TITLES: Final = {
    "precision": mark("Precision"),
    "coverage": mark("Coverage"),
    "weighted-coverage": mark("Weighted coverage"),
}


def metric_title(title: str) -> str:
    """Returns how a column of scores is called.

    Args:
        title: As reports have it: a metric, its component after a dot, and after a colon the
            options that set it apart.
    """
    name = title.partition(":")[0]
    known = _TITLES.get(name)
    shown = tr(known) if known is not None else name
    options = options_in_words(title)
    if not options:
        return title.replace(name, shown, 1)
    return aside(shown, listed(f"{option} = {value}" for option, value in options))


def options_in_words(title: str) -> list[tuple[str, str]]:
    """Returns the options of a title as the fields of the window call them; none in English."""
    name, _, told = title.partition(":")
    metric = name.partition(".")[0]
    if not told or metric not in METRICS or shows_codes():
        return []
    # It brings the extractors, which English does without.
    from awase.gui.kit.texts.spelled_options import words_of

    options = {one.name: one for one in options_of(metric)}
    values = _values(f"{metric}:{told}")
    return [words_of(options[one], values[one], tr) for one in values if one in options]


def measure_title(measure: str) -> str:
    """Returns how a human measure is called beside metrics, which may have the same name."""
    return tr("{measure} (people)", measure=measure)


def _values(text: str) -> Mapping[str, str]:
    try:
        return dict(MetricRequest.parse(text).options)
    except InputError:
        return {}
