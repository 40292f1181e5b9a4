"""Precision, Coverage and Weighted coverage: what can be asked of them."""

from typing import Final

from awase.core.errors import Problem
from awase.core.metrics.kit.metric import Metric
from awase.core.metrics.kit.options.option import Choice, Option, switch, whole
from awase.core.metrics.kit.options.shared import ANNOTATOR

CORPUS_WEIGHTS: Final = "corpus"
_FAMILY = "awase.core.metrics.extracts.family"

FIRST: Final = whole(
    "first",
    r"0*[1-9][0-9]{0,8}",
    Choice(value="h", what="the first h sentences, h the size of the minimal cover"),
    Choice(value="all", what="all of it"),
    what="which part of an extract counts",
    form_what="a number of sentences from 1",
    examples=("3",),
    refusal=Problem(
        what="first={value} is not a part of an extract.",
        hint="Use first=h, first=all or a number from 1 to 999999999.",
    ),
)
STRICT: Final = switch(
    "strict",
    Choice(value="no", what="the share of it that was extracted"),
    Choice(value="yes", what="nothing"),
    what="what a partly extracted alternative earns",
)
WEIGHTS: Final[Option[str]] = Option(
    name="weights",
    what="how much each rank of abstract sentences weighs",
    default=CORPUS_WEIGHTS,
    choices=(Choice(value=CORPUS_WEIGHTS, what="as the corpus says"),),
    form_what="one weight from 0 a rank, in order, with slashes between",
    examples=("1/0.5/0.3333",),
)

METRICS: Final = (
    Metric(
        name="precision",
        what="share of the counted part of an extract that is in some alternative",
        family=_FAMILY,
        options=(FIRST, ANNOTATOR),
        reads_sources=False,
    ),
    Metric(
        name="coverage",
        what="mean over abstract sentences of how far an extract fills the fullest alternative",
        family=_FAMILY,
        options=(FIRST, STRICT, ANNOTATOR),
        reads_sources=False,
    ),
    Metric(
        name="weighted-coverage",
        what="coverage, abstract sentences weighted by their ranks",
        family=_FAMILY,
        options=(FIRST, STRICT, WEIGHTS, ANNOTATOR),
        reads_sources=False,
    ),
)
