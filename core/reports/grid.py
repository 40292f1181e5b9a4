"""Tables as values, separate from their renderers.

A result is declared once, as typed columns (`Field`) of its records. Programs read the fields by
name (CSV, JSON, Parquet); people read those with a title, as a `Grid`, in the terminal
(`cli.output.report`), the window (`gui.kit.grid`), CSV, TSV, HTML and LaTeX
(`core.reports.table_export`).

Numbers are formatted for people: `0.833`, `1.000`, `+0.167`. Tables as values, terminals and files
keep the hyphen, which programs parse; the window and HTML set a true minus (`typeset`).
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar, overload

from awase.core.errors import NOTHING, batches

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


R = TypeVar("R")
Value: TypeAlias = str | float | int | bool | None

UNDEFINED: Final = NOTHING
PROVISIONAL: Final = "*"
BETTER: Final = "▲"
WORSE: Final = "▼"
_MOST_KEPT: Final = 2_000
_BYTE_ORDER_MARK: Final = "\ufeff"  # put before a CSV file it makes Excel read UTF-8
_ROWS_AT_ONCE: Final = 20_000

# What a column is sorted by, a value a row: all texts, or all numbers; None and NaN = none.
Values: TypeAlias = "Sequence[float | str | None] | NDArray[np.float64]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table."""

    title: str
    tip: str = ""  # tooltip; empty = the title is enough
    is_number: bool = False  # whether it holds numbers: set to the right, never broken
    stretches: bool = False
    is_shown: bool = True
    is_spare: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A cell of a table."""

    text: str  # as people read it; for a value without interval and marks
    # Sort key, and a number for files; None = none, sorted last.
    value: float | str | None = None
    tip: str = ""  # more of it; empty = the text
    shade: float | None = None  # 0..1, drawn behind the text; None = no shade
    is_number: bool = True  # alignment, if not its column's
    key: str = ""  # machine-readable name of the cell; empty = none
    interval: tuple[float, float] | None = None
    spread: tuple[float, float] | None = None
    change: float | None = None
    n_topics: int | None = None
    is_provisional: bool = False
    direction: int = 0  # 1 = significantly over the baseline, -1 = under it, 0 = neither
    is_best: bool = False

    @property
    def number(self) -> float | None:
        """The number; None = it is not one, or it is undefined."""
        return None if isinstance(self.value, str) else self.value

    @property
    def exact_text(self) -> str:
        """The value with six decimals if the text is a number with fewer; else empty.

        >>> Cell(text="0.76", value=0.763421).exact_text
        '0.763421'
        """
        if not (self.is_number and isinstance(self.value, float)):
            return ""
        shown = self.text.strip(f" {PROVISIONAL}")
        try:
            float(shown)
        except ValueError:  # a share as “3/4”, or what is sorted by a number without being one
            return ""
        return f"{self.value:{'+' if shown.startswith('+') else ''}.6f}"

    def full_text(self, digits: int = 4) -> str:
        """Returns the text with interval and marks; their numbers have this many decimals."""
        parts = [self.text + (PROVISIONAL if self.is_provisional else "")]
        if self.spread is not None:
            parts.append(spread_text(self.spread, digits))
        if self.interval is not None:
            low, high = self.interval
            parts.append(f"[{low:.{digits}f}, {high:.{digits}f}]")
        if self.change is not None:
            is_seen = round(abs(self.change), digits) > 0
            parts.append(f"({self.change:+.{digits}f})" if is_seen else "(=)")
        if self.n_topics is not None:
            parts.append(f"({self.n_topics})")
        if self.direction:
            parts.append(BETTER if self.direction > 0 else WORSE)
        return " ".join(parts)


def spread_text(spread: tuple[float, float], digits: int = 4) -> str:
    """Formats the range over annotators.

    >>> spread_text((0.25, 0.5))
    '{0.2500–0.5000}'
    """
    low, high = spread
    return f"{{{low:.{digits}f}–{high:.{digits}f}}}"


def text_cell(text: str) -> Cell:
    """Returns a cell of words, by which its column is sorted."""
    return Cell(text=text, value=text, is_number=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table with what explains it."""

    columns: tuple[Column, ...] = ()
    # A cell a column; lazy in long tables.
    rows: Sequence[tuple[Cell, ...]] = ()
    notes: tuple[str, ...] = ()  # signatures and the meaning of the marks, a line each
    # Numbers of the last rows of groups, but for the last group.
    breaks: frozenset[int] = frozenset()
    # Vertical header; empty = none.
    row_titles: tuple[str, ...] = ()

    @property
    def headings(self) -> tuple[str, ...]:
        """The columns' titles."""
        return tuple(column.title for column in self.columns)

    @property
    def n_names(self) -> int:
        """Number of leading columns of names."""
        numbers = (at for at, column in enumerate(self.columns) if column.is_number)
        return next(numbers, len(self.columns))


Shown: TypeAlias = Iterable[Grid | str]  # what people read: tables, and lines between them


def grid_of(
    columns: Iterable[Column], rows: Iterable[Sequence[Cell]], notes: Iterable[str] = ()
) -> Grid:
    """Returns the table of these columns and rows."""
    return Grid(columns=tuple(columns), rows=tuple(map(tuple, rows)), notes=tuple(notes))


def grid_of_texts(columns: Iterable[Column], groups: Iterable[Iterable[Sequence[str]]]) -> Grid:
    """Returns the table of rows of texts, a line between the groups."""
    cell = cache(lambda text: Cell(text=text))  # of most texts there are many in a long table
    rows: list[tuple[Cell, ...]] = []
    breaks = set()
    for group in groups:
        rows += (tuple(map(cell, row)) for row in group)
        breaks.add(len(rows) - 1)
    return Grid(columns=tuple(columns), rows=tuple(rows), breaks=frozenset(breaks))


class RowsOnDemand(Sequence[tuple[Cell, ...]]):
    """Lazy rows of a long table, of which a screenful is seen."""

    def __init__(
        self,
        n: int,
        make: Callable[[int], tuple[Cell, ...]],
        values: Callable[[int], Values] | None = None,
    ) -> None:
        """`values` returns a column's sort keys without building rows, which None does."""
        self._n, self.uncached_row, self._values = n, make, values
        self.cached: dict[int, tuple[Cell, ...]] = {}

    def values(self, column: int) -> Values:
        """Returns a column's sort keys."""
        if self._values is None:
            return [self.uncached_row(at)[column].value for at in range(self._n)]
        return self._values(column)

    def __len__(self) -> int:
        return self._n

    @overload
    def __getitem__(self, at: int) -> tuple[Cell, ...]: ...
    @overload
    def __getitem__(self, at: slice) -> list[tuple[Cell, ...]]: ...
    def __getitem__(self, at: int | slice) -> tuple[Cell, ...] | list[tuple[Cell, ...]]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(self._n))]
        at = at + self._n if at < 0 else at
        if not 0 <= at < self._n:
            raise IndexError(at)
        if at not in self.cached:
            if len(self.cached) >= _MOST_KEPT:
                self.cached.clear()  # after a full iteration; visible rows are soon rebuilt
            self.cached[at] = self.uncached_row(at)
        return self.cached[at]


def column_values(grid: Grid, column: int) -> Values:
    """Returns the sort keys of a table's column."""
    if isinstance(grid.rows, RowsOnDemand):
        return grid.rows.values(column)
    return [row[column].value for row in grid.rows]


def columns_of(headings: Iterable[str], n_names: int = 1) -> tuple[Column, ...]:
    """Returns `n_names` columns of names, then columns of numbers."""
    return tuple(
        Column(title=heading, is_number=at >= n_names) for at, heading in enumerate(headings)
    )


@dataclass(frozen=True, slots=True)
class Field(Generic[R]):
    """A column of records: for programs by its name, for people by its title."""

    name: str  # in JSON, CSV and the like; empty = it is for people alone
    title: str | None = None  # over the column for people; None = it is for programs alone
    # For programs; None = the record's attribute of that name.
    value: Callable[[R], object] | None = None
    text: Callable[[R], str] | None = None  # for people; None = the value
    is_number: bool = False  # whether people see it set to the right

    def value_of(self, record: R) -> object:
        """Returns the value for programs."""
        return getattr(record, self.name) if self.value is None else self.value(record)

    def text_of(self, record: R) -> str:
        """Returns the text for people."""
        if self.text is not None:
            return self.text(record)
        value = self.value_of(record)
        return "" if value is None else str(value)


Fields: TypeAlias = Sequence[Field[R]]


def plain_fields(*names: str) -> list[Field[Any]]:
    """Returns fields of these attributes, which are called for people as for programs."""
    return [Field(name, name) for name in names]


def tuple_fields(*names: str) -> list[Field[Any]]:
    """Returns fields of rows that are tuples, in the order of their values."""
    return [Field(name, name, itemgetter(at)) for at, name in enumerate(names)]


def attributes(one: object, *names: str) -> dict[str, object]:
    """Returns these attributes by name."""
    return {name: getattr(one, name) for name in names}


def records_of(fields: Fields[R], rows: Iterable[R]) -> Iterator[dict[str, object]]:
    """Yields each row as programs read it, by name."""
    named = [one for one in fields if one.name]
    return ({one.name: one.value_of(row) for one in named} for row in rows)


def grid_of_records(fields: Fields[R], *groups: Iterable[R]) -> Grid:
    """Returns the table for people, a line between the groups of rows."""
    shown = [one for one in fields if one.title is not None]
    columns = [Column(title=one.title or "", is_number=one.is_number) for one in shown]
    texts = (([one.text_of(row) for one in shown] for row in group) for group in groups)
    return grid_of_texts(columns, texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRows:
    """A table for programs."""

    columns: tuple[str, ...]
    # A value a column each; None = there is none. Can be run through once.
    rows: Iterable[Sequence[Value]]
    # Column to `str`, `float`, `int` or `bool`, for forms that type their columns; a column that is
    # not named is what its first rows hold.
    kinds: Mapping[str, type] = field(default_factory=dict)


def rows_of_records(fields: Fields[R], rows: Iterable[R]) -> TableRows:
    """Returns the records for programs that read tables; what is no single value becomes text."""
    named = [one for one in fields if one.name]
    return TableRows(
        columns=tuple(one.name for one in named),
        rows=([_flat(one.value_of(row)) for one in named] for row in rows),
    )


def _flat(value: object) -> Value:
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    return " ".join(map(str, value)) if isinstance(value, Iterable) else str(value)


def rows_of_grid(grid: Grid, *, has_spreads: bool = False) -> TableRows:
    """Returns the table with numbers whole; two columns more for intervals, and for spreads."""
    ends = {
        "interval": ("low", "high"),
        **({"spread": ("lowest", "highest")} if has_spreads else {}),
    }
    more = [
        [one for one in ends if any(getattr(row[at], one) is not None for row in grid.rows)]
        for at in range(len(grid.columns))
    ]
    names: list[str] = []
    for heading, pairs in zip(grid.headings, more, strict=True):
        names += [heading, *(f"{heading} {end}" for one in pairs for end in ends[one])]

    def values(row: Sequence[Cell]) -> Iterator[Value]:
        for cell, column, pairs in zip(row, grid.columns, more, strict=True):
            yield _number_of(cell.text, cell.value) if column.is_number else cell.text
            for one in pairs:
                yield from getattr(cell, one) or (None, None)

    return TableRows(columns=_unlike(names), rows=([*values(row)] for row in grid.rows))


def _number_of(text: str, value: float | str | None) -> Value:
    """Returns the number in a cell, None without; other texts stay."""
    if value is not None:
        return value
    bare = text.strip().rstrip("*").rstrip()
    try:
        return int(bare)
    except ValueError:
        pass
    try:
        return float(bare)
    except ValueError:
        return None if bare in ("", "–", NOTHING, "undefined") else bare


def _unlike(names: Sequence[str]) -> tuple[str, ...]:
    """Makes names unique by a numeric suffix."""
    counted: dict[str, int] = {}
    result = []
    for name in names:
        counted[name] = counted.get(name, 0) + 1
        result.append(name if counted[name] == 1 else f"{name}_{counted[name]}")
    return tuple(result)


def csv_text(table: TableRows, *, for_spreadsheet: bool = False) -> str:
    """Returns the table as CSV; None is an empty cell.

    >>> rows = [["lead", 0.5], ["hand", None]]
    >>> print(csv_text(TableRows(columns=("system", "mean"), rows=rows)), end="")
    system,mean
    lead,0.5
    hand,
    """
    return "".join(csv_pieces(table, for_spreadsheet=for_spreadsheet))


def csv_pieces(
    table: TableRows, *, delimiter: str = ",", for_spreadsheet: bool = False
) -> Iterator[str]:
    """Yields chunks of the table with a header line.

    For a spreadsheet with a byte order mark and escaped formulas.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n", delimiter=delimiter)
    shown: Callable[[str], str] = str
    if for_spreadsheet:
        from awase.core.text.script import to_cell as shown

        buffer.write(_BYTE_ORDER_MARK)
    writer.writerow(map(shown, table.columns))
    for some in batches(table.rows, _ROWS_AT_ONCE):
        writer.writerows([shown(_csv_cell(value)) for value in row] for row in some)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


def _csv_cell(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else repr(value)


DECIMALS: Final = 3
_HYPHEN: Final = re.compile(r"(?<![\w.])-(?=\d)")


def decimal_text(value: Fraction | float | None, decimals: int = DECIMALS) -> str:
    """Formats a number with all decimals; a dash when undefined.

    >>> decimal_text(Fraction(5, 6)), decimal_text(1), decimal_text(-0.0001), decimal_text(None)
    ('0.833', '1.000', '0.000', '—')
    """
    return UNDEFINED if value is None else f"{float(value):z.{decimals}f}"


def change_text(value: Fraction | float, decimals: int = DECIMALS) -> str:
    """Formats a difference with its sign, none for zero at these decimals.

    >>> change_text(Fraction(1, 6)), change_text(-0.5, 2), change_text(-0.0001)
    ('+0.167', '-0.50', '0.000')
    """
    text = decimal_text(value, decimals)
    return f"+{text}" if float(text) > 0 else text


def typeset(text: str) -> str:
    """Replaces hyphens of negative numbers by minus signs.

    >>> typeset("-0.5 [-1, 2]"), typeset("rouge-1, 1-2, a.-3")
    ('−0.5 [−1, 2]', 'rouge-1, 1-2, a.-3')
    """
    return _HYPHEN.sub("−", text)
