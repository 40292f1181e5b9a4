"""Sortable model of a grid; the table for the clipboard and for files."""

import atexit
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton, QWidget

from awase.core.errors import EnvironmentProblem, InputError, Reporter
from awase.core.reports.grid import Cell, Column, Grid, RowsOnDemand, Values, column_values, typeset
from awase.core.reports.table_export import as_html, as_tsv, numbers_apart
from awase.gui.kit.forms.controls import file_dialog, open_once
from awase.gui.kit.forms.parts import Asks
from awase.gui.kit.grid.tables import TableModel, side_of, side_of_title
from awase.gui.kit.i18n import bind, follow, mark, tr
from awase.gui.kit.number_explanation import GridRole, Index
from awase.gui.kit.problems import ProblemsDialog
from awase.jobs.files.writing import Target, write_whole_file

_DOWN = Qt.SortOrder.DescendingOrder
_TEXTS_MEASURED = 60
_MOST_MEASURED = 500
_MOST_MADE_TO_MEASURE = 100
MANY = 1_000  # rows from which on sorting and copying are done in the way that is quick for many


class GridModel(TableModel):
    """Model of a grid with its own sorting."""

    # A proxy would request two values for each comparison: 7 s for 25,000 sentences.

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._grid = Grid()
        self.order: Sequence[int] = ()
        self._sorted_by: list[tuple[int, bool]] = []

    def show(self, grid: Grid) -> None:
        self.beginResetModel()
        self._grid = grid
        self.rows, self.titles = grid.rows, [one.title for one in grid.columns]
        self.order = self._row_order()
        self.endResetModel()

    def row_at(self, index: Index) -> int:
        return self.order[index.row()]

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sorts by a column, stably over earlier sorting; -1 resets."""
        known = [one for one in self._sorted_by if one[0] != column]
        self._sorted_by = [*known, (column, order is _DOWN)] if column >= 0 else []
        self.layoutAboutToBeChanged.emit()
        before, kept = self.order, self.persistentIndexList()
        self.order = self._row_order()
        wanted = {before[one.row()] for one in kept}
        row_of = {at: row for row, at in enumerate(self.order) if at in wanted} if kept else {}
        moved = [self.index(row_of[before[one.row()]], one.column()) for one in kept]
        self.changePersistentIndexList(kept, moved)
        self.layoutChanged.emit()

    def _row_order(self) -> Sequence[int]:
        found: Sequence[int] = range(len(self._grid.rows))
        for column, is_down in self._sorted_by:
            if column < len(self._grid.columns):
                found = _sorted(found, column_values(self._grid, column), is_down=is_down)
        return found

    @property
    def columns(self) -> tuple[Column, ...]:
        return self._grid.columns

    def longest_texts(self, column: int) -> list[str]:
        """Returns the longest displayed texts of a column by characters."""
        # Of a long table evenly spaced rows only: the others may not exist yet.
        rows = self._grid.rows
        step = -(-len(rows) // self._most_measured) or 1
        texts = {_shown(rows[at][column]) for at in range(0, len(rows), step)}
        return sorted(texts, key=len, reverse=True)[:_TEXTS_MEASURED]

    @property
    def is_measured(self) -> bool:
        return len(self._grid.rows) <= self._most_measured

    @property
    def _most_measured(self) -> int:
        is_made = not isinstance(self._grid.rows, RowsOnDemand)
        return _MOST_MEASURED if is_made else _MOST_MADE_TO_MEASURE

    def plain_rows(self, reporter: Reporter) -> Iterator[list[str]]:
        """Yields all rows' machine-readable texts, on any thread, uncached."""
        rows, order = self._grid.rows, self.order
        make = rows.uncached_row if isinstance(rows, RowsOnDemand) else rows.__getitem__
        for done, at in enumerate(order):
            if not done % MANY:
                reporter.advance(done, len(order))
            yield [cell.text for cell in make(at)]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        at = self.order[index.row()]
        cell = self._grid.rows[at][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return _shown(cell)
        if role == Qt.ItemDataRole.ToolTipRole:
            tip = cell.tip or cell.exact_text or cell.text
            return typeset(tip) if cell.is_number else tip
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return side_of(is_number=cell.is_number)
        if role == Qt.ItemDataRole.FontRole and (cell.is_best or cell.direction):
            font = QFont()
            font.setBold(True)
            return font
        if role == GridRole.PLAIN:
            return cell.text
        if role == GridRole.IS_NUMBER:
            return cell.is_number
        if role == GridRole.SORT:
            return cell.value
        if role == GridRole.SHADE:
            return cell.shade
        return at if role == GridRole.ROW else None

    def _holds_numbers(self, section: int) -> bool:
        rows = self._grid.rows
        is_number = bool(rows) and rows[0][section].is_number
        return is_number or self._grid.columns[section].is_number

    def side_of_title(self, section: int) -> Qt.AlignmentFlag:
        is_sorted = bool(self._sorted_by) and self._sorted_by[-1][0] == section
        return side_of_title(is_number=self._holds_numbers(section), is_sorted=is_sorted)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            titles = self._grid.row_titles
            is_told = role == Qt.ItemDataRole.DisplayRole and section < len(titles)
            return titles[self.order[section]] if is_told else None
        if section >= len(self._grid.columns):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self.side_of_title(section) | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.DisplayRole:
            return self._grid.columns[section].title
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._grid.columns[section].tip or self._grid.columns[section].title
        return None


def _sorted(rows: Sequence[int], values: Values, *, is_down: bool) -> list[int]:
    """Returns the rows sorted by values, missing ones last in both directions."""
    if not isinstance(values, Sequence):
        return _sorted_numbers(rows, values, is_down=is_down)
    if len(rows) >= MANY and not any(isinstance(value, str) for value in values):
        return _sorted_numbers(rows, values, is_down=is_down)
    known = [at for at in rows if values[at] is not None]
    keys: Sequence[Any] = values  # all numbers, or all texts
    if any(isinstance(values[at], str) for at in known):
        keys = [str(value) for value in values]
    known.sort(key=keys.__getitem__, reverse=is_down)
    return [*known, *(at for at in rows if values[at] is None)]


def _sorted_numbers(rows: Sequence[int], values: Values, *, is_down: bool) -> list[int]:
    """Returns the same for many numbers, in a twentieth of the time."""
    import numpy as np  # importing it takes longer than showing a window

    order = np.asarray(rows, int)
    keys = np.array(values, float)[order]  # None is NaN, which comes last
    found: list[int] = order[np.argsort(-keys if is_down else keys, kind="stable")].tolist()
    return found


def _shown(cell: Cell) -> str:
    return typeset(cell.text) if cell.is_number else cell.text


class ExportButton(QPushButton):
    """Offers the kinds of files that a table is written as."""

    chosen = Signal(str)  # one of the kinds

    def __init__(self, titles: Mapping[str, str]) -> None:
        super().__init__()
        self._titles, menu = titles, QMenu(self)
        self._actions = {kind: menu.addAction("") for kind in titles}
        for kind, action in self._actions.items():
            action.triggered.connect(lambda _=False, kind=kind: self.chosen.emit(kind))
        self.setMenu(menu)
        bind(self, "text", mark("Export"))
        follow(self, self._write_titles)

    def _write_titles(self) -> None:
        for kind, action in self._actions.items():
            action.setText(tr(self._titles[kind]))


def write(parent: QWidget, path: Path, text: str) -> None:
    try:
        write_whole_file(Target(path=path, replaces=True), text)
    except (InputError, EnvironmentProblem) as error:
        ProblemsDialog.show_for(parent, mark("Nothing was exported."), error.problems)


def ask_and_write(parent: QWidget, title: str, place: Path, text: Callable[[], str]) -> QFileDialog:
    dialog = file_dialog(parent, title, Asks.NEW_FILE, str(place), place.suffix)
    dialog.fileSelected.connect(lambda path: write(parent, Path(path), text()))
    return open_once(dialog)


class _Report(QMimeData):
    """A report on the clipboard, identifiable as ours."""


def copy_report(report: Grid) -> None:
    """Copies the report as text and as a table, with numbers in both."""
    data, report = _Report(), numbers_apart(report)
    data.setText(as_tsv(report))
    data.setHtml(as_html(report))
    QGuiApplication.clipboard().setMimeData(data)
    _leave_text_at_exit()


@cache
def _leave_text_at_exit() -> None:
    """Replaces Python objects on the clipboard at exit.

    WORKAROUND: Qt deletes them after the interpreter has gone, and the process dies of that.
    """
    atexit.register(_leave_text)


def _leave_text() -> None:
    if QGuiApplication.instance() is not None:
        clipboard = QGuiApplication.clipboard()
        # Some platforms own nothing; what another program copied meanwhile has no such object.
        if isinstance(clipboard.mimeData(), _Report):
            clipboard.setText(clipboard.text())
