"""ROUGE-N, -L, -W, -S and -SU: what can be asked of them."""

from typing import Any, Final

from awase.core.errors import Problem
from awase.core.metrics.kit.metric import Metric
from awase.core.metrics.kit.options.option import Choice, Option, decimal, pick, whole
from awase.core.metrics.kit.options.shared import (
    ALPHA,
    AVERAGE,
    LIMIT,
    REFS,
    STEM,
    STOP,
    TOKENS,
)

ANY_GAP: Final = "*"
_LARGEST_WEIGHT = 10

GAP: Final = whole(
    "gap",
    r"[0-9]{1,9}",
    Choice(value=ANY_GAP, what="any number"),
    what="how many words may stand between the words of a pair",
    form_what="a number from 0",
    examples=("4",),
    refusal=Problem(
        what="gap={value} is not a number of words.",
        hint="Use gap=* for any number, or a number from 0 such as gap=4.",
    ),
)
WEIGHT: Final = decimal(
    "w",
    lambda value: 0 < value <= _LARGEST_WEIGHT,
    what="how much more consecutive words weigh",
    form_what="a number over 0 and up to 10",
    examples=("1.2", "2"),
    refusal=Problem(
        what="w={value} is no weight of ROUGE-W.",
        hint="Choose one over 0 and up to 10, such as w=1.2.",
    ),
)
FORM: Final = pick(
    "form",
    Choice(value="program", what="of whole summaries, as ROUGE-1.5.5"),
    Choice(value="paper", what="of two texts as one sentence each, as Lin (2004) defines it"),
    what="whose ROUGE-W it is",
)
LEVEL: Final = pick(
    "level",
    Choice(value="summary", what="each sentence of a reference, as ROUGE-1.5.5"),
    Choice(value="sentence", what="the whole text as one sentence"),
    what="what common subsequences are sought in",
)


def _metric(name: str, *own: Option[Any], what: str) -> Metric:
    return Metric(
        name=name,
        what=what,
        family="awase.core.metrics.rouge.family",
        options=(STEM, STOP, LIMIT, REFS, ALPHA, *own),
        page="rouge",
    )


METRICS: Final = (
    _metric(
        "rouge-1", TOKENS, AVERAGE, what="words shared with references, as ROUGE-1.5.5 counts"
    ),
    _metric("rouge-2", TOKENS, AVERAGE, what="pairs of neighbouring words shared with references"),
    *(
        _metric(
            f"rouge-{n}", TOKENS, AVERAGE, what="runs of so many words shared with references"
        )
        for n in range(3, 10)
    ),
    _metric(
        "rouge-l", TOKENS, AVERAGE, LEVEL,
        what="words in longest common subsequences with reference sentences",
    ),
    _metric(
        "rouge-w", WEIGHT, TOKENS, AVERAGE, FORM, what="as rouge-l, consecutive words weighing more"
    ),
    _metric("rouge-s", GAP, TOKENS, AVERAGE, what="ordered pairs of words shared with references"),
    _metric("rouge-su", GAP, TOKENS, AVERAGE, what="as rouge-s, and single words"),
)  # fmt: skip
