"""Entry of BLEU, chrF and BERTScore; options are named as in the packages' signatures."""

import re
from typing import Any, Final

from awase.core.errors import Problem
from awase.core.metrics.kit.metric import (
    ANY_PACKAGE,
    Choice,
    Metric,
    Option,
    decimal,
    pick,
    switch,
    whole,
)

MOST_ORDER: Final = 99
AUTO: Final = "auto"
NO_BASELINE: Final = "none"
_ORDER = r"(?:0{0,8}[1-9]|0{0,7}[1-9][0-9])"
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,4})?")


def _bad_order(least: int) -> Problem:
    return Problem(
        what="{option}={value} is not a length of n-grams.",
        hint="Use a whole number from {least} to {most}.",
        fields={"least": least, "most": MOST_ORDER},
    )


CASE: Final = pick(
    "case",
    Choice(value="mixed", what="they differ"),
    Choice(value="lc", what="they are the same"),
    what="whether capitals differ from small letters",
)
TOKENS: Final[Option[str]] = Option(
    name="tokens",
    what="what text is cut into",
    default="13a",
    choices=(
        Choice(value="13a", what="words and marks, as WMT's mteval-v13a"),
        Choice(value="intl", what="words and marks of any script, as mteval-v14"),
        Choice(value="zh", what="Chinese characters; other text as 13a"),
        Choice(value="ja", what="words of Japanese"),
        Choice(value="char", what="single characters, marks included"),
        Choice(value="none", what="at its blanks only"),
    ),
    form_what="the version of its rules named, as in signatures",
)
SMOOTH: Final = pick(
    "smooth",
    Choice(value="exp", what="1/2, 1/4, … of a match, as NIST's mteval"),
    Choice(value="floor", what="0.1 of a match"),
    Choice(value="add-k", what="1 is added to the counts of longer runs"),
    Choice(value="none", what="nothing: the score is 0"),
    what="what stands for a precision of 0",
)
NC: Final = whole(
    "nc",
    _ORDER,
    what="up to how many characters a run has",
    form_what="a whole number from 1 to 99",
    examples=("6",),
    refusal=_bad_order(1),
)
NW: Final = whole(
    "nw",
    rf"0{{1,9}}|{_ORDER}",
    what="up to how many words a run has; 2 makes chrF++",
    form_what="a whole number from 0 to 99",
    examples=("0", "2"),
    refusal=_bad_order(0),
)
BETA: Final = decimal(
    "beta",
    lambda value: value == value.to_integral_value() and 1 <= value <= MOST_ORDER,
    what="how much more recall weighs than precision",
    form_what="a whole number from 1 to 99",
    examples=("2", "1", "3"),
    refusal=Problem(
        what="beta={value} is not a weight of recall.",
        hint="Use a whole number from 1 to {most}.",
        fields={"most": MOST_ORDER},
    ),
)
SPACE: Final = switch(
    "space",
    Choice(value="no", what="they are left out"),
    Choice(value="yes", what="they count"),
    what="whether blanks count as characters",
)
AVERAGE: Final = pick(
    "average",
    Choice(value="plain", what="the mean of the topics' scores"),
    Choice(value="corpus", what="no mean: counts are summed over all topics first"),
    what="how topics make a system's score",
)
SACREBLEU: Final[Option[str]] = Option(
    name="sacrebleu",
    what="which version and settings of sacrebleu are asked for",
    default=ANY_PACKAGE,
    choices=(Choice(value=ANY_PACKAGE, what="those that follow from the other options"),),
    form_what="its own signature, as ours have it",
)

MODEL: Final[Option[str]] = Option(
    name="model",
    what="which language model makes the vectors",
    default="roberta-large",
    form_what="the folder of a model, or its name when this machine keeps it",
    examples=("roberta-large", "bert-base-multilingual-cased"),
)
LAYERS: Final = whole(
    "layers",
    _ORDER,
    Choice(value=AUTO, what="the one that the package chose for the model"),
    what="which layer of the model is looked at",
    form_what="a number from 1",
    examples=("9",),
    refusal=Problem(
        what="layers={value} is not a layer of a model.",
        hint="Use layers=auto, or a number from 1.",
    ),
)


def _baseline(text: str) -> str | None:
    if text == NO_BASELINE:
        return None
    if not _LANGUAGE.fullmatch(text):
        raise ValueError(text)
    return text


BASELINE: Final[Option[str | None]] = Option(
    name="baseline",
    what="whether scores are stretched by the package's baseline for a language",
    default=NO_BASELINE,
    choices=(Choice(value=NO_BASELINE, what="they are not"),),
    form_what="a language such as en",
    examples=("en",),
    read=_baseline,
    spell=lambda language: language or NO_BASELINE,
    refusal=Problem(
        what="baseline={value} is not a language.",
        hint="Use baseline=none, or a language such as en.",
    ),
)
PACKAGE: Final[Option[str]] = Option(
    name="package",
    what="which version and settings of bert-score are asked for",
    default=ANY_PACKAGE,
    choices=(Choice(value=ANY_PACKAGE, what="those that follow from the other options"),),
    form_what="its own signature, as ours have it",
)


def _sacrebleu(name: str, *own: Option[Any], what: str) -> Metric:
    return Metric(
        name=name,
        what=what,
        family="awase.core.metrics.sacrebleu",
        options=(CASE, *own, AVERAGE, SACREBLEU),
        greatest=100.0,
    )


METRICS: Final = (
    _sacrebleu(
        "bleu",
        TOKENS,
        SMOOTH,
        what="precision of runs of 1 to 4 words, 0 to 100, by the package sacrebleu",
    ),
    _sacrebleu(
        "chrf",
        NC,
        NW,
        BETA,
        SPACE,
        what="F of runs of 1 to 6 characters, 0 to 100, by the package sacrebleu",
    ),
    Metric(
        name="bertscore",
        what="words matched by a language model's vectors in context, by the package bert-score",
        family="awase.core.metrics.bertscore",
        options=(MODEL, LAYERS, BASELINE, PACKAGE),
    ),
)
