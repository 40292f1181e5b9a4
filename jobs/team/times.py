"""How long annotators worked: the lines of a report, and their figures as files hold them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from awase.core.annotation.times import LoggedTime, TimesBy, TimeSpent, times, total_of
from awase.core.progress import Reporter
from awase.core.records.topic import Topic, annotators_of
from awase.jobs.subset import check_known

NAMES: Final = {
    TimesBy.SENTENCE: ("topic", "abstract", "n", "annotator"),
    TimesBy.TOPIC: ("topic",),
    TimesBy.ANNOTATOR: ("annotator",),
}
"""What a line is about, by attributes of `TimeSpent`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeReport:
    """How long annotators worked.

    Attributes:
        by: What a line is about.
        lines: The lines.
        total: Everything together.
    """

    by: TimesBy
    lines: Sequence[TimeSpent]
    total: TimeSpent


def report_times(
    topics: Sequence[Topic],
    log: Sequence[LoggedTime],
    by: TimesBy,
    reporter: Reporter,
    *,
    annotator: str | None = None,
) -> TimeReport:
    """Returns the report.

    Args:
        topics: Of the corpus.
        log: Of its edits.
        by: What a line is about.
        reporter: Told of the topics.
        annotator: Count this one's work only; None = everybody's.

    Raises:
        Cancelled: The reporter asked to stop.
        InputError: Nobody of that name aligned or logged anything.
    """
    if annotator is not None:
        people = chain(annotators_of(topics), (line.annotator for line in log))
        check_known("annotator", (annotator,), [*dict.fromkeys(people)])
    return TimeReport(
        by=by,
        lines=times(topics, log, by, reporter, annotator=annotator),
        total=total_of(log, annotator=annotator),
    )


def figures_of(line: TimeSpent) -> dict[str, int | float | None]:
    """Returns what a line counts, times in seconds to the millisecond; None = undefined."""
    return {
        "edits": line.n_edits,
        "seconds": _seconds(line.active_ms),
        "sentences": line.n_sentences,
        "seconds_per_sentence": _seconds(line.mean_ms),
    }


def _seconds(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else round(milliseconds / 1000, 3)
