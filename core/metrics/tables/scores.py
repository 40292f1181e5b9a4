"""Scores with what was made of them: what every table and picture of scores starts from."""

from collections.abc import Mapping
from dataclasses import dataclass

from awase.core.errors import Problem
from awase.core.metrics.tables.columns import MetricColumn, column_of, names_of, titles_of
from awase.core.metrics.tables.significance import BaselineComparison, CellKey, MeanInterval
from awase.core.records.score import Score, ScoreTable


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreArrays:
    """Scores with what was made of them.

    Attributes:
        intervals: Of the means; None = not asked for.
        comparisons: With the baseline; None = not asked for.
        baseline: The system compared with; empty = none.
        columns: Of scores that are not in the table, as they are made while they are written.
    """

    table: ScoreTable
    intervals: Mapping[CellKey, MeanInterval] | None = None
    comparisons: Mapping[CellKey, BaselineComparison] | None = None
    resampling: tuple[str, ...] = ()
    baseline: str = ""
    warnings: tuple[Problem, ...] = ()
    columns: tuple[MetricColumn, ...] = ()

    def names(self) -> Mapping[MetricColumn, str]:
        """Returns what each column is called: its metric, and options in which others differ."""
        if self.columns:
            return dict(zip(self.columns, titles_of(self.columns), strict=True))
        return names_of(self.table.scores)

    def interval_of(self, score: Score) -> MeanInterval | None:
        """Returns the interval of a mean; None = it has none, or this is no mean."""
        if self.intervals is None or score.topic is not None:
            return None
        return self.intervals.get(key_of(score))

    def comparison_of(self, score: Score) -> BaselineComparison | None:
        """Returns how a mean compares with the baseline; None = it was not compared."""
        if self.comparisons is None or score.topic is not None:
            return None
        return self.comparisons.get(key_of(score))


def key_of(score: Score) -> CellKey:
    """Returns where what was made of a mean is found."""
    return CellKey(system=score.system, length=score.length, column=column_of(score))
