"""What the Scores page shows, computed on another thread and, where it is much, by processes."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from awase.core.errors import Problem
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies import NO_SUPPLIES, Supplies
from awase.core.metrics.kit.workers import Processes
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.metrics.tables.significance import (
    CellKey,
    Comparison,
    Interval,
    PairedTest,
    Resampling,
    comparisons,
    intervals,
    partial_comparisons,
)
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.score import ScoreTable

DEFAULT_METRICS: Final = ("tsc3",)

Supplying = Callable[[Corpus, Sequence[MetricRequest], Reporter], Supplies]
"""Returns what metrics need besides the corpus."""


def _without_supplies(
    _corpus: Corpus, _requests: Sequence[MetricRequest], _reporter: Reporter
) -> Supplies:
    return NO_SUPPLIES


@dataclass(frozen=True, slots=True, kw_only=True)
class Subset:
    """Which topics and systems are scored; None = all, later ones too."""

    topics: tuple[str, ...] | None = None
    systems: tuple[str, ...] | None = None

    def of(self, corpus: Corpus) -> Corpus:
        """Returns the chosen part of the corpus; what is gone from it is passed over."""
        topics = corpus.topics
        if self.topics is not None:
            topics = tuple(topic for topic in topics if topic.id in self.topics)
        if self.systems is not None:
            kept = frozenset(self.systems)
            topics = tuple(
                replace(topic, outputs=tuple(o for o in topic.outputs if o.system in kept))
                for topic in topics
            )
        return replace(corpus, topics=topics, human_scores=())


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsPlan:
    """What is made of the scores besides means.

    Attributes:
        has_intervals: Whether each mean gets an interval.
        baseline: System that the others are tested against; empty = no tests.
        test: Which test.
        resampling: How often, from which seed.
    """

    has_intervals: bool = False
    baseline: str = ""
    test: PairedTest = PairedTest.RANDOMISATION
    resampling: Resampling = field(default_factory=Resampling)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Scores with what was made of them.

    Attributes:
        table: As core made it.
        intervals: Of the means, if asked for.
        comparisons: With the baseline, if asked for.
        resampling: Lines that tell how intervals and tests were made.
        baseline: The system compared with; empty = none.
        warnings: Of the comparisons.
    """

    table: ScoreTable
    intervals: Mapping[CellKey, Interval] = field(default_factory=dict)
    comparisons: Mapping[CellKey, Comparison] = field(default_factory=dict)
    resampling: tuple[str, ...] = ()
    baseline: str = ""
    warnings: tuple[Problem, ...] = ()


def compute_table(
    corpus: Corpus,
    metrics: tuple[str, ...],
    subset: Subset,
    reporter: Reporter,
    supplies: Supplying = _without_supplies,
) -> ScoreTable:
    """Returns the scores that `metrics` ask for, as the command line spells them.

    Raises:
        InputError: A metric cannot be had in this way.
        EnvironmentProblem: What a metric needs cannot be read.
        Cancelled: The reporter asked to stop.
    """
    requests = requests_of(metrics)
    chosen = subset.of(corpus)
    given = replace(
        supplies(chosen, requests, reporter), workers=Processes(os.cpu_count() or 1, time.monotonic)
    )
    return score_corpus(chosen, requests, reporter, given)


def with_statistics(table: ScoreTable, plan: StatisticsPlan, reporter: Reporter) -> Scores:
    """Returns the scores with the intervals and tests asked for.

    A baseline that has no scores is passed over.

    Raises:
        Cancelled: The reporter asked to stop.
    """
    lines = []
    bounds: Mapping[CellKey, Interval] = {}
    compared: Mapping[CellKey, Comparison] = {}
    warnings: tuple[Problem, ...] = ()
    resampling = plan.resampling
    if plan.has_intervals:
        bounds = intervals(table, resampling, reporter)
        lines.append(resampling.interval_signature())
    baseline = plan.baseline
    if baseline not in {score.system for score in table.scores}:
        baseline = ""
    if baseline:
        compared = comparisons(table, baseline, plan.test, resampling, reporter)
        n_tests = sum(one.p is not None for one in compared.values())
        lines.append(resampling.test_signature(plan.test, baseline, n_tests))
        warnings = partial_comparisons(compared, table, baseline)
    return Scores(
        table=table,
        intervals=bounds,
        comparisons=compared,
        resampling=tuple(lines),
        baseline=baseline,
        warnings=warnings,
    )
