"""A table that is only read: rows of cells, each with a text, a value to sort by, and a shade."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple

from PySide6.QtCore import SIGNAL, QModelIndex, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPalette,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QHeaderView,
    QSplitter,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from awase.core.errors import Cancelled, Reporter
from awase.core.reports.grid import Grid
from awase.core.text.script import as_cells
from awase.gui.kit.commands import ENTER
from awase.gui.kit.grid.model import MANY, GridModel
from awase.gui.kit.grid.tables import FirstColumnTable
from awase.gui.kit.i18n import is_right_to_left, tr
from awase.gui.kit.look.stylesheet import contrast_ratio
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.kit.number_explanation import GridRole, Index


class CellDelegate(QStyledItemDelegate):
    """Paints a cell by text direction; the focused one has a frame."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        if option.state & QStyle.StateFlag.State_HasFocus:
            frame_cell(painter, option, option.palette.text().color())

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        if is_right_to_left(option.text):
            option.direction = Qt.LayoutDirection.RightToLeft


class ShadeDelegate(CellDelegate):
    """Draws a cell's shade, and a frame around the current cell."""

    def __init__(self, themes: ThemeBox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        shade = index.data(GridRole.SHADE)
        if shade is None:
            super().paint(painter, option, index)
            return
        theme = self._themes.theme
        back = shade_colour(theme, float(shade))
        painter.fillRect(option.rect.adjusted(0, 0, -1, -1), back)
        cell = QStyleOptionViewItem(option)
        cell.state &= ~(QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_HasFocus)
        cell.palette.setColor(QPalette.ColorRole.Text, ink_on(theme, back))
        super().paint(painter, cell, index)  # Qt writes all numbers of a row on one line
        if option.state & QStyle.StateFlag.State_Selected:
            frame_cell(painter, option, theme.colour("text"))


def shade_colour(theme: Theme, share: float) -> QColor:
    """Returns the colour of `share`, 0..1, from the background to the accent."""
    low, high = theme.colour("base"), theme.colour("accent")
    part = 0.06 + 0.94 * min(1.0, max(0.0, share))
    return QColor.fromRgbF(
        low.redF() + (high.redF() - low.redF()) * part,
        low.greenF() + (high.greenF() - low.greenF()) * part,
        low.blueF() + (high.blueF() - low.blueF()) * part,
    )


def ink_on(theme: Theme, back: QColor) -> QColor:
    """Returns a readable text colour on `back`: the theme's, or black or white."""
    # On shades between background and accent no colour of the theme is readable, but one of these
    # is.
    inks = [theme.colour("text"), theme.colour("base"), theme.colour("accent_text")]
    inks += [QColor("black"), QColor("white")]
    return max(inks, key=lambda ink: contrast_ratio(ink.name(), back.name()))


def frame_cell(painter: QPainter, option: QStyleOptionViewItem, colour: QColor) -> None:
    width = max(2.0, option.fontMetrics.height() / 8)
    painter.save()
    painter.setPen(QPen(colour, width))
    half = width / 2
    painter.drawRect(QRectF(option.rect).adjusted(half, half, -half - 1, -half - 1))
    painter.restore()


_ACTIVATED = "activated(QModelIndex)"
# Padding of cells, in heights of a line.
_AROUND_TEXT, _LEAST_AROUND_TEXT = 1.4, 0.8
_TEXT_MARGINS_PX = 10  # and what Qt adds to it, at least
_AROUND_TITLE, _LEAST_AROUND_TITLE = 1.85, 0.8
_ARROW = 0.95
# A title also has the sort arrow, and Qt's margins.
_TITLE_MARGINS_PX = 11
# Width of a column that stretches, in heights of a line, below which the table scrolls.
_LEAST_TEXT = 8
_MOST_TEXT = 14  # up to which another column is as wide as its texts; above, it may cut them
_MOST_FREE = 16  # what a column of texts leaves free before the numbers behind it


def title_width(title: str, metrics: QFontMetrics) -> float:
    """Returns a column title's width in pixels; it may have several lines."""
    widest = max((metrics.horizontalAdvance(line) for line in title.splitlines()), default=0)
    return widest + metrics.height() * _AROUND_TITLE + _TITLE_MARGINS_PX


class _Width(NamedTuple):
    """Widths of a column in pixels: with padding, without, and of the title alone."""

    usual: int
    least: int
    title: int


class GridView(FirstColumnTable):
    """A sortable table of one line a row; Ctrl+C copies the selected rows, or all."""

    # When scrolled, the first column stays visible.

    ROW_LINES = 1.7

    way = ""  # message about Enter on a row; empty = nothing

    def __init__(self, parent: QWidget | None = None, model: GridModel | None = None) -> None:
        super().__init__(parent)
        self.grid = GridModel() if model is None else model
        # Runs slow work with progress; None = directly.
        self.waits: Callable[[str, Callable[[Reporter], str]], str] | None = None
        # What the rows are about, in the grid's order.
        self.items: Sequence[Any] = ()
        self._needs: list[_Width] = []
        self._is_close: bool | None = None
        self.grid.setParent(self)
        self.setModel(self.grid)
        self.setItemDelegate(CellDelegate(self))
        self.setSortingEnabled(True)
        self.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.horizontalHeader().sortIndicatorChanged.connect(self._leave_room_for_arrow)

    def show_grid(self, grid: Grid, items: Sequence[object] = (), *, is_last: bool = True) -> None:
        """Shows a table, and remembers what its rows are about."""
        self.items = items
        # Unchanged columns are measured again only with the last of partial results.
        stays = not is_last and self.n_rows > 0 and grid.columns == self.grid.columns
        needs = self._needs if stays else []
        self._needs = []  # Qt may resize the table before its columns are measured
        self.grid.show(grid)
        if needs:
            self._needs = needs
            self._share_room()
        else:
            self.fit()

    def fit(self) -> None:
        """Sizes the columns; one stretches."""
        super().fit()
        header = self.horizontalHeader()
        for section, column in enumerate(self.grid.columns):
            header.setSectionHidden(section, not column.is_shown)
        self._needs = [*map(self._needed, range(len(self.grid.columns)))]
        self._is_close = None
        self._share_room()

    def _share_room(self) -> None:
        """Reduces padding before scrolling, and stretches texts."""
        # With too little room for texts, spare columns are hidden, and then the table scrolls.
        header, line_px = self.horizontalHeader(), self.fontMetrics().height()
        columns, room = self.grid.columns, self.viewport().width()
        shown = [at for at in range(len(self._needs)) if columns[at].is_shown]
        for at in [at for at in reversed(shown) if columns[at].is_spare]:
            is_too_much = sum(map(self._least, shown)) > room
            header.setSectionHidden(at, is_too_much)
            if is_too_much:
                shown.remove(at)
        texts = [at for at in shown if columns[at].stretches]
        is_close = sum(min(self._needs[at].usual, line_px * _MOST_TEXT) for at in shown) > room
        if is_close is not self._is_close:  # otherwise widths are the user's
            self._is_close = is_close
            for at in shown:
                header.setSectionResizeMode(at, QHeaderView.ResizeMode.Interactive)
                width = self._needs[at].least if is_close else self._needs[at].usual
                header.resizeSection(at, min(width, line_px * _MOST_TEXT))
        left = room - sum(header.sectionSize(at) for at in shown if at not in texts)
        capped = line_px * _MOST_TEXT
        spare = left - sum(min(self._needs[at].usual, 2 * capped) for at in texts)
        for at in [at for at in shown if at not in texts]:  # one that was cut has what is left
            size, least = header.sectionSize(at), self._needs[at].least
            if capped <= size <= least:
                spare += size - capped
                grown = min(least, capped + max(0, spare))
                spare, left = spare - grown + capped, left - grown + size
                header.resizeSection(at, grown)
        is_scrolled = left < sum(map(self._least, texts))
        free = left - sum(self._needs[at].usual for at in texts)
        is_far = self.grid.is_measured and free > line_px * _MOST_FREE * len(texts)
        for at in texts:
            # Stretching columns get equal widths, whatever they need.
            has_least = is_scrolled or left < self._least(at) * len(texts)
            stays = has_least or (is_far and at != shown[-1])
            modes = QHeaderView.ResizeMode
            header.setSectionResizeMode(at, modes.Interactive if stays else modes.Stretch)
            if stays:
                far = self._needs[at].usual + line_px * _MOST_FREE
                header.resizeSection(at, self._least(at) if has_least else far)

    def preferred_width_px(self) -> int:
        """Returns the width without reduced padding or elision."""
        most = self.fontMetrics().height() * _MOST_TEXT
        shown = (need for at, need in enumerate(self._needs) if not self.isColumnHidden(at))
        return sum(min(need.usual, most) for need in shown)

    def preferred_height_px(self) -> int:
        rows_px = self.n_rows * self.verticalHeader().defaultSectionSize()
        bar = self.horizontalScrollBar()
        bar_px = bar.sizeHint().height() if bar.maximum() else 0
        return self.horizontalHeader().height() + rows_px + bar_px + 2 * self.frameWidth()

    def _least(self, section: int) -> int:
        most = _LEAST_TEXT if self.grid.columns[section].stretches else _MOST_TEXT
        needs = self._needs[section]
        return max(needs.title, min(needs.least, self.fontMetrics().height() * most))

    def _leave_room_for_arrow(self, section: int) -> None:
        if self._is_close and 0 <= section < len(self._needs):
            needed, header = self._needed(section).least, self.horizontalHeader()
            if header.sectionSize(section) < needed:
                header.resizeSection(section, needed)
                self._share_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        current = self.visualRect(self.currentIndex())
        was_in_sight = not current.isEmpty() and current.bottom() < event.oldSize().height()
        super().resizeEvent(event)
        self._share_room()
        if was_in_sight and current.bottom() >= self.viewport().height():
            self.scrollTo(self.currentIndex())

    def row_of(self, index: Index) -> int:
        """Returns the source row; -1 when there is none."""
        row = index.data(GridRole.ROW)
        return -1 if row is None else int(row)

    def item(self, index: Index | None = None) -> Any:  # noqa: ANN401 (as they were given)
        """Returns what a cell's row is about, by default the current one's; None = nothing."""
        row = self.row_of(self.currentIndex() if index is None else index)
        return self.items[row] if 0 <= row < len(self.items) else None

    def on_item(self, chosen: Callable[[Any], object]) -> None:
        """Calls `chosen` with what a row is about that is clicked, or on which Enter is pressed."""

        def choose(index: QModelIndex) -> None:
            if (item := self.item(index)) is not None:
                chosen(item)

        self.clicked.connect(choose)
        self.activated.connect(choose)

    def choose(self, row: int, column: int = 0) -> bool:
        """Selects a source row; returns whether it changed."""
        rows = self.grid.order
        at = rows.index(row) if row in rows else -1
        index, before = self.grid.index(at, column), self.currentIndex()
        self.setCurrentIndex(index)
        self.scrollTo(index)
        return index != before

    def sort_by(self, column: int, order: Qt.SortOrder) -> None:
        header = self.horizontalHeader()
        if (header.sortIndicatorSection(), header.sortIndicatorOrder()) == (column, order):
            self.grid.sort(column, order)
        else:  # `sortByColumn` would sort a second time
            header.setSortIndicator(column, order)

    def leads_to(self, _index: Index) -> str:
        """Returns where Enter leads from a cell, in the window's language; empty = nowhere."""
        return tr(self.way)

    def as_text(self) -> str:
        model = self.grid
        columns = range(model.columnCount())
        lines = [self._titles()]
        lines += [
            [str(model.index(row, column).data(GridRole.PLAIN)) for column in columns]
            for row in range(model.rowCount())
        ]
        return as_cells(lines)

    def copy_all(self) -> None:
        """Copies the table as displayed; a long one with progress."""
        if self.waits is None or self.n_rows < MANY:
            QGuiApplication.clipboard().setText(self.as_text())
            return
        titles, rows = self._titles(), self.grid.plain_rows
        with suppress(Cancelled):  # then the clipboard stays as it was
            text = self.waits(
                tr("Copying the table …"),
                lambda reporter: as_cells(chain([titles], rows(reporter))),
            )
            QGuiApplication.clipboard().setText(text)

    def _titles(self) -> list[str]:
        return [column.title.replace("\n", " ") for column in self.grid.columns]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_all()
            return
        if event.text() and event.text().isprintable():
            event.ignore()  # single keys are the page's, not a search in the first column
            return
        if event.key() in ENTER and self.receivers(SIGNAL(_ACTIVATED)):
            # Qt passes it on to the page, and has another use for it on macOS.
            if self.currentIndex().isValid():
                self.activated.emit(self.currentIndex())
            return
        super().keyPressEvent(event)

    def _needed(self, section: int) -> _Width:
        metrics, title = self.fontMetrics(), self.grid.columns[section].title
        line_px = metrics.height()
        texts = self.grid.longest_texts(section)
        drawn = metrics
        if self.grid.columns[section].is_number:  # the best of them is bold
            bold = QFont(self.font())
            bold.setBold(True)
            drawn = QFontMetrics(bold)
        widest = max((drawn.horizontalAdvance(text) for text in texts), default=0)
        close_text = widest + line_px * _LEAST_AROUND_TEXT + _TEXT_MARGINS_PX
        usual = max(widest + line_px * _AROUND_TEXT, close_text, title_width(title, metrics))
        is_sorted = self.horizontalHeader().sortIndicatorSection() == section
        around = _LEAST_AROUND_TITLE + (_ARROW if is_sorted else 0)
        close_title = title_width(title, metrics) - line_px * (_AROUND_TITLE - around)
        least = max(close_text, close_title)
        return _Width(usual=round(usual), least=round(least), title=round(close_title))

    @property
    def n_rows(self) -> int:
        return self.grid.rowCount()


# How much wider columns get; the eye would not find the same row again behind a wider gap.
_MOST = 1.8


class SpreadTable(GridView):
    """Spreads its columns until the user resizes one."""

    def __init__(self) -> None:
        super().__init__()
        self._usual: list[int] = []
        self._spread: list[int] = []

    def fit(self) -> None:
        super().fit()
        self._usual = self._spread = self._widths()
        self._spread_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        are_drawn = self._widths() != self._spread
        super().resizeEvent(event)
        if not are_drawn:
            self._spread_out()

    def _widths(self) -> list[int]:
        header = self.horizontalHeader()
        return [header.sectionSize(at) for at in range(header.count())]

    def _spread_out(self) -> None:
        wanted, room, before = self.preferred_width_px(), self.viewport().width(), sum(self._usual)
        if wanted <= room and before:
            share = min(room, wanted * _MOST) / before
            for at, width in enumerate(self._usual):
                self.horizontalHeader().resizeSection(at, int(width * share))
        self._spread = self._widths()


class SharingSplitter(QSplitter):
    """Distributes its size at every change, until the user moves a handle."""

    def __init__(
        self,
        first_px: Callable[[], int],
        orientation: Qt.Orientation = Qt.Orientation.Horizontal,
        parent: QWidget | None = None,
    ) -> None:
        """`first_px` is the width of the first pane, or its height; the second has the rest."""
        super().__init__(orientation, parent)
        self._first_px = first_px
        self._is_parted = False
        self.setChildrenCollapsible(False)
        self.splitterMoved.connect(self._on_parted)

    def share_out(self) -> None:
        if not self._is_parted:
            first = self._first_px()
            self.setSizes([first, self.room_px() - first])

    def redistribute(self) -> None:
        """Shares out although the user moved a handle."""
        self._is_parted = False
        self.share_out()

    def room_px(self) -> int:
        """Returns the width that is shared, or the height."""
        is_beside = self.orientation() is Qt.Orientation.Horizontal
        return (self.width() if is_beside else self.height()) - self.handleWidth()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.share_out()

    def _on_parted(self) -> None:
        self._is_parted = True
