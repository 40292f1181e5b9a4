"""Scores as people read them: arranged in rows and columns, with headings, cells and notes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from typing import Final

from awase.core.metrics.significance import (
    ALPHA,
    BaselineComparison,
    MeanInterval,
    MetricColumn,
    ScoreArrays,
    column_of,
    titles_of,
)
from awase.core.records.score import (
    REASON_COLUMN,
    SPREAD_COLUMNS,
    Score,
    ScoreTable,
    by_topic_in,
    means_in,
)
from awase.core.reports.grid import (
    BETTER,
    PROVISIONAL,
    UNDEFINED,
    WORSE,
    Cell,
    Column,
    Grid,
    RowsOnDemand,
    TableRows,
    Value,
)


class ViewKind(Enum):
    """Kinds of rows and columns."""

    MEANS = "means"  # systems by metrics, means over topics
    TOPIC = "topic"  # systems by metrics, in one topic
    SYSTEM = "system"  # topics by metrics, of one system
    METRIC = "metric"  # topics by systems, of one metric and length class
    LIST = "list"  # systems of each length class by metrics, means over topics
    LIST_BY_TOPIC = "list-by-topic"  # the same, and the systems of each topic


_LISTS = (ViewKind.LIST, ViewKind.LIST_BY_TOPIC)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Which part of the scores is shown."""

    kind: ViewKind = ViewKind.MEANS
    subject: str = ""  # the topic or the system; empty for the others
    length: str | None = None
    metric: MetricColumn | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreViewRow:
    """A row of scores."""

    name: str  # the system; the topic where one system or metric is viewed
    topic: str | None = None  # of the row's scores, in lists; None = means
    length: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreColumn:
    """A column of scores."""

    length: str | None  # length class of the abstracts; None in lists
    metric: MetricColumn | None  # the metric; None for the number of topics
    title: str = ""
    system: str = ""  # system of the column; empty where systems are rows


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreCell:
    """A score's cell."""

    score: Score | None  # the score; None where there is no output, and for numbers of topics
    n_topics: int
    # Whether no system has more on as many topics; in lists, of several such systems.
    is_best: bool = False
    is_partial: bool = False
    interval: MeanInterval | None = None  # of the mean, if requested
    comparison: BaselineComparison | None = None  # with the baseline, if requested
    earlier: Score | None = None

    @property
    def change(self) -> float | None:
        """The value minus the earlier one; None when one of them is missing or undefined."""
        if self.earlier is None or self.earlier.value is None or self.value is None:
            return None
        return self.value - float(self.earlier.value)

    @property
    def value(self) -> float | None:
        """The value as a number for bars and sorting; None when undefined."""
        return None if self.score is None or self.score.value is None else float(self.score.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrangement:
    """An arranged view."""

    view: View = field(default_factory=View)
    columns: tuple[ScoreColumn, ...] = ()
    rows: tuple[ScoreViewRow, ...] = ()
    cells: tuple[tuple[ScoreCell, ...], ...] = ()
    # (columns, signature), each signature once.
    signatures: tuple[tuple[tuple[ScoreColumn, ...], str], ...] = ()
    # (length class, h) for each length class; the mean over topics unless one is shown.
    h: tuple[tuple[str | None, Fraction], ...] = ()
    resampling: tuple[str, ...] = ()
    baseline: str = ""  # the system compared with; empty = none

    @property
    def has_systems_in_rows(self) -> bool:
        """Whether each row is a system."""
        return self.view.kind not in (ViewKind.SYSTEM, ViewKind.METRIC)

    @property
    def is_provisional(self) -> bool:
        """Whether any value rests on unfinished annotation."""
        return any(cell.score is not None and cell.score.provisional for cell in self._cells())

    @property
    def has_dash(self) -> bool:
        """Whether anything is undefined or missing."""
        return any(
            cell.value is None
            for row in self.cells
            for cell, column in zip(row, self.columns, strict=True)
            if column.metric is not None
        )

    @property
    def has_partial(self) -> bool:
        """Whether a mean is over fewer topics than others."""
        return any(cell.is_partial for cell in self._cells())

    @property
    def n_compared(self) -> int:
        """Number of cells compared with the baseline."""
        return sum(cell.comparison is not None for cell in self._cells())

    def _cells(self) -> Iterable[ScoreCell]:
        return (cell for row in self.cells for cell in row)


def arranged(scores: ScoreArrays, view: View, earlier: ScoreTable | None = None) -> Arrangement:
    """Arranges `view` of the scores, with the change since `earlier` if given."""
    chosen = _chosen(scores.table.scores, view)
    places, at_place = _places(chosen, view)
    columns = _columns(places, view)
    rows, found = _scores_by_row(chosen, at_place, view)
    of_columns = [places.get(_place_of(column)) for column in columns]
    # Of what the view shows alone: of a large corpus all scores of before do not fit.
    shown_before = [] if earlier is None else _chosen(earlier.scores, view)
    before = {_identity(score): score for score in shown_before}
    cells = tuple(
        tuple(
            _count(of_row, of_columns, column, columns)
            if column.metric is None
            else _cell(of_row.get(at), scores, before)
            for column, at in zip(columns, of_columns, strict=True)
        )
        for of_row in found
    )
    has_means = view.kind in (ViewKind.MEANS, *_LISTS)
    return Arrangement(
        view=view,
        columns=columns,
        rows=rows,
        cells=_with_best(cells, rows, columns, view),
        signatures=_signatures(chosen, at_place, dict(zip(of_columns, columns, strict=True))),
        h=_h(scores.table, view, {score.length for score in chosen}),
        resampling=scores.resampling if has_means else (),
        baseline=scores.baseline if has_means else "",
    )


_Place = tuple[str | None, MetricColumn | None, str]  # length class, metric and system of a column
_ByPlace = dict[int | None, Score]  # a row's scores by the numbers of their places


def _chosen(scores: Sequence[Score], view: View) -> list[Score]:
    match view.kind:
        case ViewKind.SYSTEM:
            return [*by_topic_in(scores, system=view.subject)]
        case ViewKind.METRIC:
            found = by_topic_in(scores, metric=view.metric.metric if view.metric else None)
            chosen = (score for score in found if score.length == view.length)
            return [score for score in chosen if column_of(score) == view.metric]
        case ViewKind.TOPIC:
            return [score for score in scores if score.topic == view.subject]
        case ViewKind.LIST_BY_TOPIC:
            return [*scores]
        case _:
            return means_in(scores)


def _identity(score: Score) -> tuple[object, ...]:
    return score.topic, score.length, score.system, column_of(score)


def _row(score: Score, view: View) -> ScoreViewRow:
    if view.kind in _LISTS:
        return ScoreViewRow(name=score.system, topic=score.topic, length=score.length)
    if view.kind in (ViewKind.SYSTEM, ViewKind.METRIC):
        return ScoreViewRow(name=score.topic or "")
    return ScoreViewRow(name=score.system)


def _place(score: Score, view: View) -> _Place:
    system = score.system if view.kind is ViewKind.METRIC else ""
    return None if view.kind in _LISTS else score.length, column_of(score), system


def _places(chosen: Sequence[Score], view: View) -> tuple[dict[_Place, int], list[int]]:
    """Returns the cells' positions, numbered, and each score's number."""
    numbers: dict[_Place, int] = {}
    known: dict[tuple[str | None, str, str, str], int] = {}
    found = []
    for score in chosen:
        told = score.length, score.metric, score.signature, score.system
        if told not in known:  # few among thousands: parsing a signature is slow
            known[told] = numbers.setdefault(_place(score, view), len(numbers))
        found.append(known[told])
    return numbers, found


def _scores_by_row(
    chosen: Sequence[Score], at_place: Sequence[int], view: View
) -> tuple[tuple[ScoreViewRow, ...], list[_ByPlace]]:
    numbers: dict[ScoreViewRow, int] = {}
    found: list[_ByPlace] = []
    for score, at in zip(chosen, at_place, strict=True):
        row = numbers.setdefault(_row(score, view), len(numbers))
        if row == len(found):
            found.append({})
        found[row][at] = score
    return tuple(numbers), found


def _place_of(column: ScoreColumn) -> _Place:
    return column.length, column.metric, column.system


def _columns(places: Iterable[_Place], view: View) -> tuple[ScoreColumn, ...]:
    if view.kind is ViewKind.METRIC:
        systems = dict.fromkeys(system for _, _, system in places)
        return tuple(
            ScoreColumn(length=view.length, metric=view.metric, title=system, system=system)
            for system in systems
        )
    lengths = dict.fromkeys(length for length, _, _ in places)
    metrics = tuple(dict.fromkeys(metric for _, metric, _ in places if metric is not None))
    titles = titles_of(metrics)
    result = []
    for length in lengths:
        result += [
            ScoreColumn(length=length, metric=metric, title=title)
            for metric, title in zip(metrics, titles, strict=True)
        ]
        if view.kind in (ViewKind.MEANS, *_LISTS):
            result.append(ScoreColumn(length=length, metric=None))
    return tuple(result)


def _count(
    of_row: _ByPlace,
    of_columns: Sequence[int | None],
    column: ScoreColumn,
    columns: Sequence[ScoreColumn],
) -> ScoreCell:
    """Returns the number of topics behind the scores of a length class."""
    both = zip(columns, of_columns, strict=True)
    places = [at for other, at in both if other.length == column.length]
    counts = [of_row[at].n_topics for at in places if at in of_row]
    return ScoreCell(score=None, n_topics=max(counts, default=0))


def _cell(
    score: Score | None, scores: ScoreArrays, before: Mapping[tuple[object, ...], Score]
) -> ScoreCell:
    if score is None:
        return ScoreCell(score=None, n_topics=0)
    return ScoreCell(
        score=score,
        n_topics=score.n_topics,
        interval=scores.interval_of(score),
        comparison=scores.comparison_of(score),
        earlier=before.get(_identity(score)) if before else None,
    )


def _with_best(
    cells: tuple[tuple[ScoreCell, ...], ...],
    rows: Sequence[ScoreViewRow],
    columns: Sequence[ScoreColumn],
    view: View,
) -> tuple[tuple[ScoreCell, ...], ...]:
    """Marks the best of each column, or of each row where systems are columns."""
    if view.kind is ViewKind.SYSTEM:
        return cells
    rivals: dict[tuple[object, ...], list[tuple[int, int]]] = {}
    for row_idx, row in enumerate(rows):
        for column_idx, column in enumerate(columns):
            if column.metric is not None:
                of_row = row_idx if view.kind is ViewKind.METRIC else (row.topic, row.length)
                of_column = None if view.kind is ViewKind.METRIC else column_idx
                rivals.setdefault((of_row, of_column), []).append((row_idx, column_idx))
    marked = [[*row] for row in cells]
    for places in rivals.values():
        n_needed = 2 if view.kind in _LISTS or len(places) == 1 else 1
        compared = _best_marked([cells[at][column_at] for at, column_at in places], n_needed)
        for (row_idx, column_idx), cell in zip(places, compared, strict=True):
            marked[row_idx][column_idx] = cell
    return tuple(map(tuple, marked))


def _best_marked(cells: Sequence[ScoreCell], n_needed: int) -> list[ScoreCell]:
    most = max((cell.n_topics for cell in cells), default=0)
    full = [cell.value for cell in cells if cell.value is not None and cell.n_topics == most]
    best = max(full) if len(full) >= n_needed else None
    return [
        replace(
            cell,
            is_best=cell.value is not None and cell.n_topics == most and cell.value == best,
            is_partial=cell.score is not None and cell.n_topics < most,
        )
        for cell in cells
    ]


def _signatures(
    scores: Sequence[Score], at_place: Sequence[int], columns: Mapping[int | None, ScoreColumn]
) -> tuple[tuple[tuple[ScoreColumn, ...], str], ...]:
    by_signature: dict[str, dict[int, None]] = {}
    for score, at in zip(scores, at_place, strict=True):
        by_signature.setdefault(score.signature, {})[at] = None
    return tuple((tuple(map(columns.__getitem__, own)), text) for text, own in by_signature.items())


def _h(
    table: ScoreTable, view: View, lengths: set[str | None]
) -> tuple[tuple[str | None, Fraction], ...]:
    topic = view.subject if view.kind is ViewKind.TOPIC else None
    sizes: dict[str | None, dict[str, Fraction]] = {}
    for size in table.cover_sizes:
        if size.length in lengths and topic in (None, size.topic):
            sizes.setdefault(size.length, {}).setdefault(size.topic, size.h)
    return tuple(
        (length, sum(by_topic.values(), Fraction(0)) / len(by_topic))
        for length, by_topic in sizes.items()
    )


SPREAD_LEGEND: Final = "{low–high} range over annotators; the value is their mean"


def _column(column: ScoreColumn) -> Column:
    title = column.title if column.metric is not None else "topics"
    return Column(title=title, is_number=True)


def _name_cell(row: ScoreViewRow) -> Cell:
    return Cell(text=row.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreWording:
    """Texts of a table of scores."""

    cell: Callable[[ScoreViewRow, ScoreColumn, ScoreCell], Cell]
    column: Callable[[ScoreColumn], Column] = _column
    name: str = "system"
    name_cell: Callable[[ScoreViewRow], Cell] = _name_cell
    no_length: str = ""


def grid_of_scores(
    shown: Arrangement,
    wording: ScoreWording,
    order: Iterable[int] | None = None,
    *,
    as_asked: bool = False,
) -> Grid:
    """Returns the arranged scores with these texts, without notes; the rows of `order`, None = all.

    If `as_asked`, rows are built lazily, as they come.
    """
    by_topic = shown.view.kind is ViewKind.LIST_BY_TOPIC
    has_lengths = any(row.length is not None for row in shown.rows)
    names = [*(["topic"] if by_topic else ()), *(["length"] if has_lengths else ()), wording.name]

    def row_at(at: int) -> tuple[Cell, ...]:
        row = shown.rows[at]
        head = ["mean" if row.topic is None else row.topic] if by_topic else []
        head += [row.length or wording.no_length] if has_lengths else []
        cells = [
            wording.cell(row, column, cell)
            for column, cell in zip(shown.columns, shown.cells[at], strict=True)
        ]
        return (*(Cell(text=text) for text in head), wording.name_cell(row), *cells)

    def values_of(column: int) -> list[float | str | None]:
        at = column - len(names)
        if at < 0:
            return [row_at(row)[column].value for row in range(len(shown.rows))]
        if shown.columns[at].metric is None:
            return [cells[at].n_topics for cells in shown.cells]
        return [cells[at].value for cells in shown.cells]

    places = range(len(shown.rows)) if order is None else order
    return Grid(
        columns=(
            *(Column(title=name) for name in names),
            *map(wording.column, shown.columns),
        ),
        rows=RowsOnDemand(len(shown.rows), row_at, values_of)
        if as_asked
        else tuple(map(row_at, places)),
    )


def report_of_means(scores: ScoreArrays) -> Grid:
    """Returns the means over topics: a row a length class and system, a column a metric."""
    shown = arranged(scores, View(kind=ViewKind.LIST))
    return with_notes(grid_of_scores(shown, ScoreWording(cell=report_cell)), shown)


def with_notes(grid: Grid, shown: Arrangement) -> Grid:
    """Returns the table with the meaning of its marks, signatures and resampling below."""
    signatures = (text for _, text in shown.signatures)
    notes = (*legend_of(grid.rows, shown.baseline), *signatures, *shown.resampling)
    return Grid(columns=grid.columns, rows=grid.rows, notes=notes)


def report_cell(
    _row: ScoreViewRow | None, column: ScoreColumn, cell: ScoreCell, digits: int = 4
) -> Cell:
    """Returns a score for files, or a row's number of topics."""
    if column.metric is None:
        return Cell(text=str(cell.n_topics), value=cell.n_topics)
    if cell.score is None or cell.value is None:
        return Cell(text=UNDEFINED)
    return Cell(
        text=f"{cell.value:.{digits}f}",
        value=cell.value,
        interval=None if cell.interval is None else (cell.interval.low, cell.interval.high),
        spread=spread_of(cell.score),
        n_topics=cell.n_topics if cell.is_partial else None,
        is_provisional=cell.score.provisional,
        direction=0 if cell.comparison is None else cell.comparison.direction,
        is_best=cell.is_best,
    )


def spread_of(score: Score) -> tuple[float, float] | None:
    """Returns the range over annotators; None where the score is not a mean over several."""
    return None if score.spread is None else (float(score.spread[0]), float(score.spread[1]))


def legend_of(rows: Sequence[Sequence[Cell]], baseline: str = "") -> tuple[str, ...]:
    """Returns a line for each mark in the rows."""
    cells = [cell for row in rows for cell in row]
    marks = [
        (any(cell.text == UNDEFINED for cell in cells),
         f"{UNDEFINED} undefined, or no output"),
        (any(cell.is_provisional for cell in cells),
         f"{PROVISIONAL} provisional: the annotation it is based on is not finished"),
        (any(cell.spread is not None for cell in cells), SPREAD_LEGEND),
        (any(cell.n_topics is not None for cell in cells),
         "(n) mean over n topics only"),
        (any(cell.direction > 0 for cell in cells),
         f"{BETTER} better than {baseline}, p ≤ {ALPHA:g} after Holm"),
        (any(cell.direction < 0 for cell in cells),
         f"{WORSE} worse than {baseline}, p ≤ {ALPHA:g} after Holm"),
    ]  # fmt: skip
    return tuple(text for is_there, text in marks if is_there)


TIDY_COLUMNS: Final = (
    "topic", "length", "system", "metric", "value", "signature", "provisional", "n_topics",
)  # fmt: skip
# Columns of Parquet, Excel and the library's data frames.
FRAME_COLUMNS: Final = (
    "topic", "length", "system", "metric", "value", "provisional", "n_topics", "reason",
    "signature",
)  # fmt: skip
STATISTICS_COLUMNS: Final = ("low", "high", "difference", "p", "p_holm", "n_common")
_KINDS: Final = {
    "topic": str, "length": str, "system": str, "metric": str, "value": float, "signature": str,
    "provisional": bool, "n_topics": int, "reason": str,
    **dict.fromkeys((*STATISTICS_COLUMNS, *SPREAD_COLUMNS), float), "n_common": int,
}  # fmt: skip


def columns_of_rows(made: ScoreArrays, columns: tuple[str, ...] = TIDY_COLUMNS) -> tuple[str, ...]:
    """Returns these columns, and further ones that some score needs."""
    has_statistics = made.intervals is not None or made.comparisons is not None
    has_spread = any(score.spread is not None for score in made.table.scores)
    has_reason = any(score.reason is not None for score in made.table.scores)
    more = (
        *(STATISTICS_COLUMNS if has_statistics else ()),
        *(SPREAD_COLUMNS if has_spread else ()),
        *((REASON_COLUMN,) if has_reason else ()),
    )
    return (*columns, *(name for name in more if name not in columns))


def tidy_rows(
    scores: Iterable[Score], made: ScoreArrays, columns: tuple[str, ...] = TIDY_COLUMNS
) -> TableRows:
    """Returns a row a score, in order, unrounded; means have no topic."""
    columns = columns_of_rows(made, columns)
    names = made.names()
    each = (fields_of(score, names) | statistics_of(score, made) for score in scores)
    rows = ([fields[name] for name in columns] for fields in each)
    return TableRows(columns=columns, rows=rows, kinds=_KINDS)


def fields_of(score: Score, names: Mapping[MetricColumn, str]) -> dict[str, Value]:
    """Returns a score by column, without statistics, None = empty; metrics by distinct names."""
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


def statistics_of(score: Score, made: ScoreArrays) -> dict[str, Value]:
    """Returns a mean's statistics by `STATISTICS_COLUMNS`; None = empty."""
    bounds, compared = made.interval_of(score), made.comparison_of(score)
    return {
        "low": None if bounds is None else bounds.low,
        "high": None if bounds is None else bounds.high,
        "difference": None if compared is None else compared.difference,
        "p": None if compared is None else compared.p,
        "p_holm": None if compared is None else compared.adjusted_p,
        "n_common": None if compared is None else compared.n_topics,
    }
