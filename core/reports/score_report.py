"""A table of scores as people read it: headings, cells, notes; and the means of a ScoreTable so."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from awase.core.metrics.tables.columns import MetricColumn, column_of, titles_of
from awase.core.metrics.tables.significance import ALPHA, CellKey, Comparison, Interval
from awase.core.records.score import Score, ScoreTable

UNDEFINED: Final = "—"
PROVISIONAL: Final = "*"
BETTER: Final = "▲"
WORSE: Final = "▼"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportCell:
    """What stands in a cell.

    Attributes:
        text: As people read it; for a value without interval and marks.
        value: The number; None = it is not one, or it is undefined.
        interval: Bounds of a mean.
        n_topics: Set where the mean rests on fewer topics than others.
        is_provisional: Whether it rests on unfinished annotation.
        direction: 1 = significantly over the baseline, -1 = under it, 0 = neither.
        is_best: Whether no other is higher.
    """

    text: str
    value: float | None = None
    interval: tuple[float, float] | None = None
    n_topics: int | None = None
    is_provisional: bool = False
    direction: int = 0
    is_best: bool = False

    def full_text(self) -> str:
        """Returns the text with interval and marks."""
        parts = [self.text + (PROVISIONAL if self.is_provisional else "")]
        if self.interval is not None:
            parts.append(f"[{self.interval[0]:.4f}, {self.interval[1]:.4f}]")
        if self.n_topics is not None:
            parts.append(f"({self.n_topics})")
        if self.direction:
            parts.append(BETTER if self.direction > 0 else WORSE)
        return " ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreReport:
    """A table with what explains it.

    Attributes:
        headings: Of the columns.
        n_names: How many columns at the left are names and not numbers.
        rows: A cell a column.
        notes: Signatures and the meaning of the marks, a line each.
    """

    headings: tuple[str, ...] = ()
    n_names: int = 1
    rows: tuple[tuple[ReportCell, ...], ...] = ()
    notes: tuple[str, ...] = ()


_Row = tuple[str | None, str]


def report_of_means(
    table: ScoreTable,
    *,
    intervals: Mapping[CellKey, Interval] | None = None,
    comparisons: Mapping[CellKey, Comparison] | None = None,
    baseline: str = "",
    resampling: tuple[str, ...] = (),
) -> ScoreReport:
    """Returns the means over topics: a row a length class and system, a column a metric."""
    means = [score for score in table.scores if score.topic is None]
    columns = tuple(dict.fromkeys(map(column_of, means)))
    rows: dict[_Row, dict[MetricColumn, Score]] = {}
    for score in means:
        rows.setdefault((score.length, score.system), {})[column_of(score)] = score
    has_lengths = any(length is not None for length, _ in rows)
    most = _most_topics(means)
    best = _best_values(means, most)
    cells = []
    for (length, system), scores in rows.items():
        head = [ReportCell(text=length or "")] if has_lengths else []
        values = [
            _cell(scores.get(column), column, most, best, intervals or {}, comparisons or {})
            for column in columns
        ]
        n_topics = max(score.n_topics for score in scores.values())
        count = ReportCell(text=str(n_topics), value=n_topics)
        cells.append((*head, ReportCell(text=system), *values, count))
    names = ("length", "system") if has_lengths else ("system",)
    return ScoreReport(
        headings=(*names, *titles_of(columns), "topics"),
        n_names=len(names),
        rows=tuple(cells),
        notes=(
            *legend_of([*cells], baseline),
            *dict.fromkeys(s.signature for s in means),
            *resampling,
        ),
    )


def legend_of(rows: list[tuple[ReportCell, ...]], baseline: str = "") -> tuple[str, ...]:
    """Returns a line for each mark that stands in the rows."""
    cells = [cell for row in rows for cell in row]
    marks = [
        (any(cell.text == UNDEFINED for cell in cells),
         f"{UNDEFINED} undefined, or no output"),
        (any(cell.is_provisional for cell in cells),
         f"{PROVISIONAL} provisional: the annotation it rests on is not finished"),
        (any(cell.n_topics is not None for cell in cells),
         "(n) mean over n topics only"),
        (any(cell.direction > 0 for cell in cells),
         f"{BETTER} better than {baseline}, p ≤ {ALPHA:g} after Holm"),
        (any(cell.direction < 0 for cell in cells),
         f"{WORSE} worse than {baseline}, p ≤ {ALPHA:g} after Holm"),
    ]  # fmt: skip
    return tuple(text for is_there, text in marks if is_there)


_Place = tuple[str | None, MetricColumn]


def _most_topics(means: list[Score]) -> dict[_Place, int]:
    most: dict[_Place, int] = {}
    for score in means:
        place = score.length, column_of(score)
        most[place] = max(most.get(place, 0), score.n_topics)
    return most


def _best_values(means: list[Score], most: Mapping[_Place, int]) -> dict[_Place, float]:
    """Returns the highest of several means of a column that are over as many topics as any."""
    values: dict[_Place, list[float]] = {}
    for score in means:
        place = score.length, column_of(score)
        if score.value is not None and score.n_topics == most[place]:
            values.setdefault(place, []).append(float(score.value))
    return {place: max(of_place) for place, of_place in values.items() if len(of_place) > 1}


def _cell(
    score: Score | None,
    column: MetricColumn,
    most: Mapping[_Place, int],
    best: Mapping[_Place, float],
    intervals: Mapping[CellKey, Interval],
    comparisons: Mapping[CellKey, Comparison],
) -> ReportCell:
    if score is None or score.value is None:
        return ReportCell(text=UNDEFINED)
    place = score.length, column
    key = CellKey(system=score.system, length=score.length, column=column)
    bounds, compared = intervals.get(key), comparisons.get(key)
    is_partial = score.n_topics < most[place]
    return ReportCell(
        text=f"{float(score.value):.4f}",
        value=float(score.value),
        interval=None if bounds is None else (bounds.low, bounds.high),
        n_topics=score.n_topics if is_partial else None,
        is_provisional=score.provisional,
        direction=0 if compared is None else compared.direction,
        is_best=not is_partial and float(score.value) == best.get(place),
    )
