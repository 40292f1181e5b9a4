"""Contents of a report."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from awase.core.agreement.results import AgreementStudy
from awase.core.analysis.inspection import Inspection, inspect_topic, joined
from awase.core.errors import Problem
from awase.core.metrics.extracts.requests import parse_request
from awase.core.metrics.extracts.scorers import Tsc3Options
from awase.core.metrics.kit.annotators import FIRST_ANNOTATOR, AnnotatorChoice
from awase.core.metrics.kit.signature import MetricRequest, option_text
from awase.core.metrics.registry import GROUPS
from awase.core.metrics.significance import CellKey, MeanInterval
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.score import ScoreTable

Say = Callable[[str], str]  # translates the report's own texts
Tell = Callable[[Problem], str]  # formats a warning or the reason of an undefined value


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Language and texts of a report."""

    say: Say = str
    tell: Tell = str
    metric: Say = str
    language: str = "en"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportContent:
    """Contents of a report."""

    corpus: Corpus
    table: ScoreTable
    inspection: Inspection  # of the same topics; empty where nothing was inspected
    made: str
    inspection_note: str = ""
    intervals: Mapping[CellKey, MeanInterval] = field(default_factory=dict)
    interval_note: str = ""
    agreement: AgreementStudy | None = None  # None = no agreement


_NO_INTERVALS: Mapping[CellKey, MeanInterval] = {}


def composed(
    corpus: Corpus,
    requests: Sequence[MetricRequest],
    table: ScoreTable,
    *,
    made: str,
    reporter: Reporter,
    intervals: Mapping[CellKey, MeanInterval] = _NO_INTERVALS,
    interval_note: str = "",
) -> ReportContent:
    """Returns the content of a report about every topic of `corpus`."""
    annotator, options = inspected_as(requests, corpus)

    def each() -> Iterator[Inspection]:
        for at, topic in enumerate(corpus.topics):
            reporter.advance(at, len(corpus.topics), topic.id)
            yield replace(inspect_topic(topic, annotator, options), h={})  # reports do not use h

    return ReportContent(
        corpus=corpus,
        table=table,
        inspection=joined(each()),
        inspection_note=f"coverage:first={options.first},annotator={option_text(annotator)}",
        made=made,
        intervals=intervals,
        interval_note=interval_note,
    )


def inspected_as(requests: Sequence[MetricRequest], corpus: Corpus) -> tuple[str, Tsc3Options]:
    """Returns the annotators and the cut of extracts that the report inspects.

    Those of the first TSC-3 metric; by default, and for all annotators, the first ones.
    """
    for request in requests:
        if request.name in GROUPS["tsc3"]:
            known = parse_request(request, corpus.rank_weights)
            is_of_all = known.annotators.choice is AnnotatorChoice.ALL
            return FIRST_ANNOTATOR if is_of_all else known.annotator, Tsc3Options(
                first=known.options.first
            )
    return FIRST_ANNOTATOR, Tsc3Options()
