"""Pruned ROUGE and pruned BE: what can be asked of them."""

from typing import Any, Final

from awase.core.errors import Problem
from awase.core.metrics.kit.metric import Metric
from awase.core.metrics.kit.options.option import Choice, Option, decimal, pick
from awase.core.metrics.kit.options.shared import (
    LABELS,
    LIMIT,
    PARSER,
    STOP,
    TOKENS,
    VECTORS,
    WORDS,
)

PRUNE: Final = pick(
    "prune",
    Choice(value="none", what="nothing"),
    Choice(value="cnt", what="repetitions: a unit counts once"),
    Choice(value="cls", what="differences of wording: words of one cluster are one"),
    Choice(value="cnt+cls", what="both"),
    what="what is pruned",
    default="cnt+cls",
)
RATIO: Final = decimal(
    "ratio",
    lambda value: value <= 1,
    what="how many clusters there are, as a share of the words",
    form_what="a number from 0 to 1",
    examples=("0.95", "0.9", "1"),
    refusal=Problem(
        what="ratio={value} is more than all words.", hint="Choose 0 to 1, such as ratio=0.95."
    ),
)
DISTANCE: Final = pick(
    "distance",
    Choice(value="cosine", what="by the angle of their vectors"),
    Choice(value="euclidean", what="by the straight line between their vectors"),
    what="how far words are from each other",
)
VOCABULARY: Final = pick(
    "vocabulary",
    Choice(value="pair", what="those of a summary and its references"),
    Choice(value="topic", what="those of all summaries and references of the topic"),
    what="which words are clustered together",
)
LOOKUP: Final = pick(
    "lookup",
    Choice(value="form", what="as they stand in the element"),
    Choice(value="lemma", what="their lemma where that is not there"),
    what="under which spelling words of elements are looked up among the vectors",
)


def _metric(
    name: str, ratio: str, *own: Option[Any], needs: tuple[str, ...] = (), what: str
) -> Metric:
    """Returns a metric; `own` are the options of its kind of unit."""
    return Metric(
        name=name,
        what=what,
        family="awase.core.metrics.pruned.family",
        options=(PRUNE, RATIO.by_default(ratio), DISTANCE, VOCABULARY, *own, VECTORS),
        page="pruned",
        needs=needs,
    )


METRICS: Final = (
    _metric(
        "prouge-1",
        "0.95",
        STOP.by_default("yes"),
        LIMIT,
        TOKENS,
        what="different words shared with references, words of nearly one meaning being one",
    ),
    _metric(
        "prouge-2",
        "0.95",
        STOP,
        LIMIT,
        TOKENS,
        what="as prouge-1, of pairs of neighbouring words",
    ),
    _metric(
        "pbe",
        "0.975",
        WORDS,
        LABELS,
        LOOKUP,
        PARSER,
        needs=("parses",),
        what="different head-modifier-relation triples shared with references, likewise",
    ),
)
