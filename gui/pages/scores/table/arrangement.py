"""A score table laid out for the eye, in one of four views."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction

from awase.core.metrics.tables.columns import MetricColumn, column_of, titles_of
from awase.core.metrics.tables.significance import CellKey, Comparison, Interval
from awase.core.records.score import Score, ScoreTable
from awase.jobs.scoring import Scores


class ViewKind(Enum):
    """What stands in rows and columns."""

    MEANS = "means"
    """Systems by metrics, means over topics."""
    TOPIC = "topic"
    """Systems by metrics, in one topic."""
    SYSTEM = "system"
    """Topics by metrics, of one system."""
    METRIC = "metric"
    """Topics by systems, of one metric and length class."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Which part of the scores is shown.

    Attributes:
        kind: What stands in rows and columns.
        subject: The topic or the system; empty for the others.
        length: Length class of the metric's scores.
        metric: The metric.
    """

    kind: ViewKind = ViewKind.MEANS
    subject: str = ""
    length: str | None = None
    metric: MetricColumn | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of scores.

    Attributes:
        length: Length class of the abstracts.
        metric: The metric; None for the number of topics.
        title: The metric's name with what sets it apart from others of that name.
        system: The system whose scores stand here; empty where systems are rows.
    """

    length: str | None
    metric: MetricColumn | None
    title: str = ""
    system: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What stands in a column of a row.

    Attributes:
        score: The score; None where there is no output, and for numbers of topics.
        n_topics: How many topics the value rests on.
        is_best: Whether no system has more on as many topics.
        is_partial: Whether others rest on more topics.
        interval: Of the mean, if asked for.
        comparison: With the baseline, if asked for.
        earlier: The same score in the kept run that is compared with.
    """

    score: Score | None
    n_topics: int
    is_best: bool = False
    is_partial: bool = False
    interval: Interval | None = None
    comparison: Comparison | None = None
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
    """What a view shows.

    Attributes:
        view: Which part.
        columns: In groups by length class.
        rows: Systems or topics.
        cells: A row a row, a cell a column.
        signatures: (columns, signature), each signature once.
        h: (length class, h) for each length class; the mean over topics unless one is shown.
        resampling: Lines that tell how intervals and tests were made.
        baseline: The system compared with; empty = none.
    """

    view: View = field(default_factory=View)
    columns: tuple[Column, ...] = ()
    rows: tuple[str, ...] = ()
    cells: tuple[tuple[Cell, ...], ...] = ()
    signatures: tuple[tuple[tuple[Column, ...], str], ...] = ()
    h: tuple[tuple[str | None, Fraction], ...] = ()
    resampling: tuple[str, ...] = ()
    baseline: str = ""

    @property
    def has_systems_in_rows(self) -> bool:
        """Whether each row is a system."""
        return self.view.kind in (ViewKind.MEANS, ViewKind.TOPIC)

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
        """Whether a mean rests on fewer topics than others."""
        return any(cell.is_partial for cell in self._cells())

    @property
    def n_compared(self) -> int:
        """How many cells are compared with the baseline."""
        return sum(cell.comparison is not None for cell in self._cells())

    def _cells(self) -> Iterable[Cell]:
        return (cell for row in self.cells for cell in row)


def arranged(scores: Scores, view: View, earlier: ScoreTable | None = None) -> Arrangement:
    """Returns what `view` shows of the scores, with the change since `earlier` if given."""
    table = scores.table
    topic = view.subject if view.kind is ViewKind.TOPIC else None
    if view.kind is ViewKind.SYSTEM:
        chosen = [s for s in table.scores if s.topic is not None and s.system == view.subject]
    elif view.kind is ViewKind.METRIC:
        chosen = [s for s in table.scores if s.topic is not None and s.length == view.length]
        chosen = [score for score in chosen if column_of(score) == view.metric]
    else:
        chosen = [score for score in table.scores if score.topic == topic]
    in_rows = view.kind in (ViewKind.MEANS, ViewKind.TOPIC)
    columns = _columns(chosen, view)
    rows = tuple(dict.fromkeys(s.system if in_rows else s.topic or "" for s in chosen))
    found = {_place(score, view): score for score in chosen}
    cells = tuple(tuple(_cell(found, row, column, columns) for column in columns) for row in rows)
    cells = _marked(cells, columns, view)
    if earlier is not None:
        before = {_identity(score): score for score in earlier.scores}
        cells = tuple(
            tuple(
                cell
                if cell.score is None
                else replace(cell, earlier=before.get(_identity(cell.score)))
                for cell in row
            )
            for row in cells
        )
    if view.kind is ViewKind.MEANS:
        cells = _with_statistics(cells, rows, columns, scores)
    return Arrangement(
        view=view,
        columns=columns,
        rows=rows,
        cells=cells,
        signatures=_signatures(chosen, columns, view),
        h=_h(table, topic, {column.length for column in columns}),
        resampling=scores.resampling if view.kind is ViewKind.MEANS else (),
        baseline=scores.baseline if view.kind is ViewKind.MEANS else "",
    )


_Place = tuple[str, str | None, MetricColumn | None, str]
"""Row, length class, metric, system in the column."""


def _identity(score: Score) -> tuple[object, ...]:
    return score.topic, score.length, score.system, column_of(score)


def _at(row: str, column: Column) -> _Place:
    return row, column.length, column.metric, column.system


def _place(score: Score, view: View) -> _Place:
    column = column_of(score)
    if view.kind in (ViewKind.MEANS, ViewKind.TOPIC):
        return score.system, score.length, column, ""
    system = score.system if view.kind is ViewKind.METRIC else ""
    return score.topic or "", score.length, column, system


def _columns(chosen: Sequence[Score], view: View) -> tuple[Column, ...]:
    if view.kind is ViewKind.METRIC:
        systems = dict.fromkeys(score.system for score in chosen)
        return tuple(
            Column(length=view.length, metric=view.metric, title=system, system=system)
            for system in systems
        )
    lengths = dict.fromkeys(score.length for score in chosen)
    metrics = tuple(dict.fromkeys(map(column_of, chosen)))
    titles = titles_of(metrics)
    result = []
    for length in lengths:
        result += [
            Column(length=length, metric=metric, title=title)
            for metric, title in zip(metrics, titles, strict=True)
        ]
        if view.kind is ViewKind.MEANS:
            result.append(Column(length=length, metric=None))
    return tuple(result)


def _cell(
    found: Mapping[_Place, Score], row: str, column: Column, columns: Sequence[Column]
) -> Cell:
    if column.metric is None:
        places = [_at(row, other) for other in columns if other.metric is not None]
        counts = [
            found[place].n_topics
            for place in places
            if place[1] == column.length and place in found
        ]
        return Cell(score=None, n_topics=max(counts, default=0))
    score = found.get(_at(row, column))
    return Cell(score=score, n_topics=0 if score is None else score.n_topics)


def _marked(
    cells: tuple[tuple[Cell, ...], ...], columns: Sequence[Column], view: View
) -> tuple[tuple[Cell, ...], ...]:
    """Marks the best of each column, or of each row where systems stand in columns."""
    if view.kind is ViewKind.SYSTEM:
        return cells
    if view.kind is ViewKind.METRIC:
        return tuple(_best_marked(row) for row in cells)
    by_column = [
        column if head.metric is None else _best_marked(column)
        for head, column in zip(columns, zip(*cells, strict=True), strict=True)
    ]
    return tuple(zip(*by_column, strict=True))


def _best_marked(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    most = max((cell.n_topics for cell in cells), default=0)
    full = [cell.value for cell in cells if cell.value is not None and cell.n_topics == most]
    best = max(full, default=None)
    return tuple(
        replace(
            cell,
            is_best=cell.value is not None and cell.n_topics == most and cell.value == best,
            is_partial=cell.score is not None and cell.n_topics < most,
        )
        for cell in cells
    )


def _with_statistics(
    cells: tuple[tuple[Cell, ...], ...],
    rows: Sequence[str],
    columns: Sequence[Column],
    scores: Scores,
) -> tuple[tuple[Cell, ...], ...]:
    if not scores.intervals and not scores.comparisons:
        return cells
    return tuple(
        tuple(
            cell
            if column.metric is None
            else replace(
                cell,
                interval=scores.interval_of(_key(system, column)),
                comparison=scores.comparison_of(_key(system, column)),
            )
            for cell, column in zip(row, columns, strict=True)
        )
        for system, row in zip(rows, cells, strict=True)
    )


def _key(system: str, column: Column) -> CellKey:
    assert column.metric is not None
    return CellKey(system=system, length=column.length, column=column.metric)


def _signatures(
    scores: Sequence[Score], columns: Sequence[Column], view: View
) -> tuple[tuple[tuple[Column, ...], str], ...]:
    by_key = {(c.length, c.metric, c.system): c for c in columns}
    by_signature: dict[str, dict[Column, None]] = {}
    for score in scores:
        system = score.system if view.kind is ViewKind.METRIC else ""
        column = by_key[score.length, column_of(score), system]
        by_signature.setdefault(score.signature, {})[column] = None
    return tuple((tuple(columns), text) for text, columns in by_signature.items())


def _h(
    table: ScoreTable, topic: str | None, lengths: set[str | None]
) -> tuple[tuple[str | None, Fraction], ...]:
    sizes: dict[str | None, dict[str, Fraction]] = {}
    for size in table.cover_sizes:
        if size.length in lengths and topic in (None, size.topic):
            sizes.setdefault(size.length, {}).setdefault(size.topic, size.h)
    return tuple(
        (length, sum(by_topic.values(), Fraction(0)) / len(by_topic))
        for length, by_topic in sizes.items()
    )
