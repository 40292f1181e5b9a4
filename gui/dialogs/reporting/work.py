"""The report itself, made on another thread: scored, inspected, written."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from awase.core.metrics.registry import requests_of
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.version import VERSION
from awase.gui.kit.texts.i18n import language, tr
from awase.gui.kit.writing import write_text
from awase.gui.session.scoring import (
    StatisticsPlan,
    Subset,
    Supplying,
    compute_table,
    with_statistics,
)

if TYPE_CHECKING:
    from awase.core.reports.content import ReportContent


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPlan:
    """What a report is about, and where it goes.

    Attributes:
        path: The file, replaced when it exists.
        metrics: As `awase score` spells them.
        subset: Which topics and systems.
        has_intervals: Whether means get intervals.
    """

    path: Path
    metrics: tuple[str, ...]
    subset: Subset
    has_intervals: bool = True


def write_report(
    corpus: Corpus, plan: ReportPlan, supplies: Supplying, made: datetime, reporter: Reporter
) -> str:
    """Writes the report in the window's language and returns its path.

    Raises:
        InputError: A metric cannot be had.
        EnvironmentProblem: The file cannot be written, or what a metric needs not be read.
        Cancelled: The reporter asked to stop; nothing is written.
    """
    from awase.core.reports.html_report import html_report

    content = report_content(corpus, plan, supplies, made, reporter)
    write_text(plan.path, html_report(content, tr, language()))
    return str(plan.path)


def report_content(
    corpus: Corpus, plan: ReportPlan, supplies: Supplying, made: datetime, reporter: Reporter
) -> "ReportContent":
    """Returns what the report says.

    Raises:
        InputError: A metric cannot be had.
        EnvironmentProblem: What a metric needs cannot be read.
        Cancelled: The reporter asked to stop.
    """
    from awase.core.reports.composing import composed

    requests = requests_of(plan.metrics)
    table = compute_table(corpus, plan.metrics, plan.subset, reporter, supplies)
    scores = with_statistics(table, StatisticsPlan(has_intervals=plan.has_intervals), reporter)
    return composed(
        plan.subset.of(corpus),
        requests,
        table,
        made=f"{made:%Y-%m-%d %H:%M}, Awase {VERSION}",
        reporter=reporter,
        intervals=scores.intervals,
        interval_note="; ".join(scores.resampling),
    )
