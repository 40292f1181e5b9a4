"""The BE metric: what can be asked of it."""

from typing import Final

from awase.core.metrics.kit.metric import Metric
from awase.core.metrics.kit.options.option import Choice, Option
from awase.core.metrics.kit.options.shared import (
    ALPHA,
    AVERAGE,
    LABELS,
    PARSER,
    REFS,
    STEM,
    WORDS,
)

_MODES = (
    Choice(value="h", what="heads of elements without a modifier"),
    Choice(value="hm", what="head and modifier, where there is a modifier"),
    Choice(value="hmr", what="all three parts, where there is a relation"),
    Choice(value="hm1", what="head and modifier of every element"),
    Choice(value="hmr1", what="all three parts, where there is a modifier"),
    Choice(value="hmr2", what="all three parts of every element"),
)


def _mode(text: str) -> str:
    """Returns the mode in small letters; ROUGE-1.5.5 has it in capitals."""
    if text.lower() not in {mode.value for mode in _MODES}:
        raise ValueError(text)
    return text.lower()


MODE: Final[Option[str]] = Option(
    name="mode",
    what="which parts of basic elements are compared",
    default="hmr",
    choices=_MODES,
    read=_mode,
)

METRICS: Final = (
    Metric(
        name="be",
        what="head-modifier-relation triples of parses shared with references, as ROUGE-1.5.5 -3",
        family="awase.core.metrics.be.family",
        options=(MODE, WORDS, LABELS, STEM, REFS, ALPHA, AVERAGE, PARSER),
        needs=("parses",),
    ),
)
