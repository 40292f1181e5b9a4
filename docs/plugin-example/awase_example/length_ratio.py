"""How long a text is, as a share of the mean length of its references: 1 = as long as they."""

from collections.abc import Sequence

from awase.plugins import (
    Case,
    Choice,
    Corpus,
    Metric,
    MetricRequest,
    PlainRequest,
    Reporter,
    ScoreTable,
    Supplies,
    pick,
    score_each_text,
)

UNIT = pick(
    "unit",
    Choice(value="words", what="words between blanks"),
    Choice(value="characters", what="characters"),
    what="what is counted",
)
LENGTHS = {"words": lambda text: len(text.split()), "characters": len}

METRIC = Metric(
    name="length-ratio",
    what="length as a share of the mean length of the references",
    family="awase_example.length_ratio",
    options=(UNIT,),
)


def score(
    corpus: Corpus, requests: Sequence[MetricRequest], reporter: Reporter, supplies: Supplies
) -> ScoreTable:
    """Returns the scores of every output, by topic and as means."""
    asked = [PlainRequest.of(request, METRIC.options) for request in requests]
    return score_each_text(corpus, asked, reporter, ratio)


def ratio(case: Case, request: PlainRequest) -> float | None:
    """Returns the value of one text; None = it has no reference with anything in it."""
    length = LENGTHS[request.chosen[UNIT]]
    references = [length(" ".join(text)) for text in case.references]
    if not sum(references):
        return None
    return length(" ".join(case.text)) * len(references) / sum(references)
