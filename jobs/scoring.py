"""Scoring of a corpus's systems, with statistics of the means, and reports about them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from awase.core.errors import Problem, Reporter, ScoringUndefinedError
from awase.core.metrics.kit.signature import MetricRequest, named
from awase.core.metrics.kit.supplies import Workers
from awase.core.metrics.registry import score_corpus
from awase.core.metrics.significance import (
    BaselineComparison,
    CellKey,
    MeanInterval,
    PairedTest,
    Resampling,
    ScoreArrays,
    comparisons,
    intervals,
    partial_comparisons,
    without_interval,
)
from awase.core.packages import VERSION, version_of_code
from awase.core.records.corpus import Corpus
from awase.core.records.score import ScoreTable, Selection, by_topic_in, means_in
from awase.core.records.topic import annotators_of
from awase.jobs.subset import ALL, Subset
from awase.jobs.supplies.gathering import Supplying, gather, local_workers, without_supplies

if TYPE_CHECKING:  # Reports bring plots, which load when one is written.
    from awase.core.agreement.results import AgreementStudy
    from awase.core.reports.html_report import ReportContent


DEFAULT_METRICS: Final = ("tsc3",)  # those of a corpus for which none were chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsPlan:
    """Settings of intervals and tests."""

    has_intervals: bool = False  # whether each mean gets an interval
    baseline: str = ""  # system that the others are tested against; empty = no tests
    test: PairedTest = PairedTest.RANDOMISATION
    resampling: Resampling = field(default_factory=Resampling)

    def fitting(self, table: ScoreTable) -> "StatisticsPlan":
        """Returns the plan without a baseline that has no scores."""
        is_there = any(score.system == self.baseline for score in table.scores)
        return self if is_there else replace(self, baseline="")


def score(
    corpus: Corpus,
    requests: Sequence[MetricRequest],
    reporter: Reporter,
    *,
    subset: Subset = ALL,
    supplies: Supplying = without_supplies,
    workers: Workers | None = None,
) -> ScoreTable:
    """Returns the scores of the requests."""
    # A metric sees every system that its values depend on; other systems' rows are dropped
    # afterwards.
    scored = subset.scored_of(corpus, requests)
    gathered, refused = gather(supplies, scored, requests, reporter)
    supplied = replace(gathered, workers=workers or local_workers())
    table = score_corpus(scored, requests, reporter, supplied, refused)
    return subset.rows_of(table)


def with_statistics(table: ScoreTable, plan: StatisticsPlan, reporter: Reporter) -> ScoreArrays:
    """Returns the scores with intervals and tests; `table` has a score for each topic."""
    lines: list[str] = []
    bounds: Mapping[CellKey, MeanInterval] | None = None
    compared: Mapping[CellKey, BaselineComparison] | None = None
    warnings: tuple[Problem, ...] = ()
    resampling, baseline = plan.resampling, plan.baseline
    if plan.has_intervals:
        bounds = intervals(table, resampling, reporter)
        lines.append(resampling.interval_signature())
        warnings = without_interval(score.n_topics for score in means_in(table.scores))
    if baseline:
        compared = comparisons(table, baseline, plan.test, resampling, reporter)
        topics = named(one.topic or "" for one in by_topic_in(table.scores))
        n_tests = sum(one.p is not None for one in compared.values())
        systems = named(score.system for score in means_in(table.scores))
        lines.append(resampling.test_signature(plan.test, baseline, systems, topics, n_tests))
        warnings += partial_comparisons(compared, table, baseline)
    return ScoreArrays(
        table=table,
        intervals=bounds,
        comparisons=compared,
        resampling=tuple(lines),
        baseline=baseline,
        warnings=warnings,
    )


def check_not_empty(corpus: Corpus, table: ScoreTable) -> None:
    """Raises without any score."""
    if table.scores:
        return
    n_outputs = sum(len(topic.outputs) for topic in corpus.topics)
    missing = Problem(
        what="There is nothing to score: {outputs} {outputs:output, which matches no|outputs, none "
        "of which matches an} abstract.",
        hint="Import extracts, and an abstract of the same topic and length.",
        fields={"outputs": n_outputs},
    )
    error = ScoringUndefinedError([missing])
    error.warnings = table.warnings
    raise error


def selection_of(metrics: Sequence[str], subset: Subset) -> Selection:
    """Returns the `Selection` stored with scores."""
    return Selection(
        metrics=tuple(metrics),
        topics=subset.topics,
        systems=subset.systems,
        program=version_of_code(),
    )


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
    from awase.jobs.team.project_reports import study_agreement

    if corpus.is_blind or len(annotators_of(corpus.topics)) < 2:
        return None
    return study_agreement(corpus, AgreementRequest(), reporter)
