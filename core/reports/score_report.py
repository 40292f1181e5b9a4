"""A table of scores as people read it: headings, cells, notes; and the means of a ScoreTable so."""

from collections.abc import Mapping
from typing import Final

from awase.core.metrics.tables.columns import MetricColumn, column_of, titles_of
from awase.core.metrics.tables.significance import ALPHA, CellKey, Comparison, Interval
from awase.core.records.score import Score, ScoreTable
from awase.core.reports.grid import BETTER, PROVISIONAL, WORSE, Cell, Grid, columns_of

UNDEFINED: Final = "—"
SPREAD_LEGEND: Final = "{low–high} range over annotators; the value is their mean"


_Row = tuple[str | None, str]


def report_of_means(
    table: ScoreTable,
    *,
    intervals: Mapping[CellKey, Interval] | None = None,
    comparisons: Mapping[CellKey, Comparison] | None = None,
    baseline: str = "",
    resampling: tuple[str, ...] = (),
) -> Grid:
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
        head = [Cell(text=length or "")] if has_lengths else []
        values = [
            _cell(scores.get(column), column, most, best, intervals or {}, comparisons or {})
            for column in columns
        ]
        n_topics = max(score.n_topics for score in scores.values())
        count = Cell(text=str(n_topics), value=n_topics)
        cells.append((*head, Cell(text=system), *values, count))
    names = ("length", "system") if has_lengths else ("system",)
    return Grid(
        columns=columns_of((*names, *titles_of(columns), "topics"), len(names)),
        rows=tuple(cells),
        notes=(
            *legend_of([*cells], baseline),
            *dict.fromkeys(s.signature for s in means),
            *resampling,
        ),
    )


def spread_of(score: Score) -> tuple[float, float] | None:
    """Returns the range over annotators; None where the score is not a mean over several."""
    return None if score.spread is None else (float(score.spread[0]), float(score.spread[1]))


def legend_of(rows: list[tuple[Cell, ...]], baseline: str = "") -> tuple[str, ...]:
    """Returns a line for each mark that stands in the rows."""
    cells = [cell for row in rows for cell in row]
    marks = [
        (any(cell.text == UNDEFINED for cell in cells),
         f"{UNDEFINED} undefined, or no output"),
        (any(cell.is_provisional for cell in cells),
         f"{PROVISIONAL} provisional: the annotation it rests on is not finished"),
        (any(cell.spread is not None for cell in cells), SPREAD_LEGEND),
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
) -> Cell:
    if score is None or score.value is None:
        return Cell(text=UNDEFINED)
    place = score.length, column
    key = CellKey(system=score.system, length=score.length, column=column)
    bounds, compared = intervals.get(key), comparisons.get(key)
    is_partial = score.n_topics < most[place]
    return Cell(
        text=f"{float(score.value):.4f}",
        value=float(score.value),
        interval=None if bounds is None else (bounds.low, bounds.high),
        spread=spread_of(score),
        n_topics=score.n_topics if is_partial else None,
        is_provisional=score.provisional,
        direction=0 if compared is None else compared.direction,
        is_best=not is_partial and float(score.value) == best.get(place),
    )
