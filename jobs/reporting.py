"""HTML report on systems: scores, inspection, agreement."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from awase.core.errors import Problem
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.score import ScoreTable
from awase.core.records.topic import annotators_of
from awase.core.version import VERSION
from awase.jobs.scoring import StatisticsPlan, check_not_empty, score, with_statistics
from awase.jobs.subset import ALL, Subset
from awase.jobs.supplies.gathering import Supplying, without_supplies

if TYPE_CHECKING:  # Reports bring plots, which load when one is written.
    from awase.core.agreement.results import AgreementStudy
    from awase.core.reports.html_report import ReportContent


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPlan:
    """Settings of a report."""

    requests: tuple[MetricRequest, ...]
    subset: Subset = ALL
    has_intervals: bool = True


def report(
    corpus: Corpus,
    plan: ReportPlan,
    reporter: Reporter,
    *,
    made: datetime,
    supplies: Supplying = without_supplies,
    found_reading: Sequence[Problem] = (),
) -> "ReportContent":
    """Returns the report's contents."""
    from awase.core.reports.html_report import composed

    chosen = plan.subset.part_of(corpus)
    table = ScoreTable(warnings=tuple(found_reading)) + score(
        corpus, plan.requests, reporter, subset=plan.subset, supplies=supplies
    )
    check_not_empty(chosen, table)
    statistics = StatisticsPlan(has_intervals=plan.has_intervals)
    scores = with_statistics(table, statistics, reporter)
    page = composed(
        chosen,
        plan.requests,
        replace(table, warnings=(*table.warnings, *scores.warnings)),
        made=f"{made.astimezone(UTC):%Y-%m-%d %H:%M} UTC, Awase {VERSION}",
        reporter=reporter,
        intervals=scores.intervals or {},
        interval_note="; ".join(scores.resampling),
    )
    return replace(page, agreement=_agreement(chosen, reporter))


def _agreement(corpus: Corpus, reporter: Reporter) -> "AgreementStudy | None":
    """Returns agreement; None with fewer than two annotators, or while blind."""
    from awase.core.agreement.results import AgreementRequest
    from awase.jobs.team.standing import study_agreement

    if corpus.is_blind or len(annotators_of(corpus.topics)) < 2:
        return None
    return study_agreement(corpus, AgreementRequest(), reporter)
