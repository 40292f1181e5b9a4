"""From scores to the content of a report: what is inspected, and as what."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from awase.core.inspection.sentences import Inspection, inspect_topic, joined
from awase.core.metrics.extracts.requests import understood
from awase.core.metrics.extracts.scorers import Tsc3Options
from awase.core.metrics.kit.annotators import FIRST_ANNOTATOR, Choice
from awase.core.metrics.kit.signature import MetricRequest, option_text
from awase.core.metrics.registry import GROUPS
from awase.core.metrics.tables.significance import CellKey, Interval
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.score import ScoreTable
from awase.core.reports.content import ReportContent

_NO_INTERVALS: Mapping[CellKey, Interval] = {}


def composed(
    corpus: Corpus,
    requests: Sequence[MetricRequest],
    table: ScoreTable,
    *,
    made: str,
    reporter: Reporter,
    intervals: Mapping[CellKey, Interval] = _NO_INTERVALS,
    interval_note: str = "",
) -> ReportContent:
    """Returns the content of a report about every topic of `corpus`.

    Args:
        corpus: The part that the report is about.
        requests: What was scored.
        table: The scores.
        made: When and by which version, in words.
        reporter: Told of each topic that is inspected.
        intervals: As in `ReportContent`.
        interval_note: How they were made.

    Raises:
        Cancelled: The reporter asked to stop.
    """
    annotator, options = inspected_as(requests, corpus)

    def each() -> Iterator[Inspection]:
        for at, topic in enumerate(corpus.topics):
            reporter.advance(at, len(corpus.topics), topic.id)
            yield replace(inspect_topic(topic, annotator, options), h={})  # no report asks for h

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
    """Returns whose alignments and which part of extracts the report looks at.

    They are those of the first TSC-3 metric asked for; without one, and where it asks for
    everybody's, the first ones, as scores are by default.
    """
    for request in requests:
        if request.name in GROUPS["tsc3"]:
            known = understood(request, corpus.rank_weights)
            is_of_all = known.annotators.choice is Choice.ALL
            return FIRST_ANNOTATOR if is_of_all else known.annotator, Tsc3Options(
                first=known.options.first
            )
    return FIRST_ANNOTATOR, Tsc3Options()
