"""Scores as tidy rows, one a score: for CSV, JSON, Parquet, Excel and data frames."""

from collections.abc import Mapping
from typing import Final

from awase.core.formats.scores.score_lines import REASON_COLUMN, SPREAD_COLUMNS
from awase.core.metrics.tables.columns import MetricColumn, column_of
from awase.core.metrics.tables.scores import Scores
from awase.core.records.score import Score

ScoreField = str | float | int | bool | None

TIDY_COLUMNS: Final = (
    "topic", "length", "system", "metric", "value", "signature", "provisional", "n_topics",
)  # fmt: skip
FRAME_COLUMNS: Final = (
    "topic", "length", "system", "metric", "value", "provisional", "n_topics", "reason",
    "signature",
)  # fmt: skip
"""Columns of Parquet, Excel and the library's data frames."""
STATISTICS_COLUMNS: Final = ("low", "high", "difference", "p", "p_holm", "n_common")


def columns_of_rows(made: Scores, columns: tuple[str, ...] = TIDY_COLUMNS) -> tuple[str, ...]:
    """Returns these columns, and behind them those that some score asks for."""
    has_statistics = made.intervals is not None or made.comparisons is not None
    has_spread = any(score.spread is not None for score in made.table.scores)
    has_reason = any(score.reason is not None for score in made.table.scores)
    more = (
        *(STATISTICS_COLUMNS if has_statistics else ()),
        *(SPREAD_COLUMNS if has_spread else ()),
        *((REASON_COLUMN,) if has_reason else ()),
    )
    return (*columns, *(name for name in more if name not in columns))


def row_of(
    score: Score, made: Scores, columns: tuple[str, ...], names: Mapping[MetricColumn, str]
) -> list[ScoreField]:
    """Returns what stands in these columns; None = nothing."""
    fields = fields_of(score, names) | statistics_of(score, made)
    return [fields[name] for name in columns]


def fields_of(score: Score, names: Mapping[MetricColumn, str]) -> dict[str, ScoreField]:
    """Returns a score by column, without what was made of it; None = nothing.

    Args:
        score: The score.
        names: Of the metrics' columns, unlike each other; one that is not there is the metric's.
    """
    low, high = (None, None) if score.spread is None else map(float, score.spread)
    return {
        "topic": score.topic,
        "length": score.length,
        "system": score.system,
        "metric": names.get(column_of(score), score.metric),
        "value": None if score.value is None else float(score.value),
        "signature": score.signature,
        "provisional": score.provisional,
        "n_topics": score.n_topics,
        SPREAD_COLUMNS[0]: low,
        SPREAD_COLUMNS[1]: high,
        REASON_COLUMN: None if score.reason is None else str(score.reason),
    }


def statistics_of(score: Score, made: Scores) -> dict[str, ScoreField]:
    """Returns what was made of a mean, by the names of `STATISTICS_COLUMNS`; None = nothing."""
    bounds, compared = made.interval_of(score), made.comparison_of(score)
    return {
        "low": None if bounds is None else bounds.low,
        "high": None if bounds is None else bounds.high,
        "difference": None if compared is None else compared.difference,
        "p": None if compared is None else compared.p,
        "p_holm": None if compared is None else compared.adjusted_p,
        "n_common": None if compared is None else compared.n_topics,
    }
