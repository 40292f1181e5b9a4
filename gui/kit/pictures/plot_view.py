"""A plot with its table beside it: the same marks, for the eye, for keys, for screen readers."""

from collections.abc import Callable
from dataclasses import dataclass, field

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from awase.core.plots.picture import Key
from awase.core.reports.grid import Grid
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.grid.pane_and_table import PaneAndTable
from awase.gui.kit.grid.shade_delegate import ShadeDelegate
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.pictures.canvas import Maker
from awase.gui.kit.pictures.view import PictureView
from awase.gui.kit.texts.binding import follow
from awase.gui.kit.texts.i18n import tr


def _no_key(_row: int, _column: int) -> Key:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A picture to be made for the room there is, and what it shows as a table.

    Attributes:
        make: Makes it; None = there is nothing to plot.
        note: What is left out, in words; empty = nothing.
        table: The numbers of the picture.
        key_of: Row and column of the table to what a mark of the picture stands for.
    """

    make: Maker | None
    note: str = ""
    table: Grid = field(default_factory=Grid)
    key_of: Callable[[int, int], Key] = _no_key


class PlotView(PaneAndTable):
    """Shows both; a mark and its cell are current together, and either is chosen by Enter."""

    chosen = Signal(object)
    """The `Key` of what was chosen."""

    def __init__(self, themes: ThemeBox, parent: QWidget | None = None) -> None:
        self.picture, scroll = PictureView(themes), QScrollArea()
        scroll.setWidget(self.picture)  # before the table comes, as Tab goes by who came first
        super().__init__(scroll, GridView(), parent=parent)
        self._plot = Plot(make=None)
        self._is_following = False
        self.table.setItemDelegate(ShadeDelegate(themes, self.table))
        # Names of systems often differ at their ends alone.
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll = scroll
        self.setStretchFactor(0, 1)
        self.picture.chosen.connect(self.chosen)
        self.picture.currentChanged.connect(self._on_mark_changed)
        self.table.activated.connect(self._on_activated)
        self.table.selectionModel().currentChanged.connect(self._on_cell_changed)
        follow(self, self._write_texts)

    def first_px(self) -> int:
        """Returns what the table leaves, and as much as the picture needs, up to two thirds."""
        usual = super().first_px()
        if self.orientation() is Qt.Orientation.Vertical:
            return usual
        needed = self.picture.minimumWidth() + self._scroll.verticalScrollBar().sizeHint().width()
        return max(usual, min(needed, self.room_px() * 2 // 3))

    def show_plot(self, plot: Plot) -> None:
        """Replaces what is shown."""
        self._plot = plot
        self.table.show_grid(plot.table)
        self.table.setVisible(bool(plot.table.rows))
        self.share_out()
        self.picture.show_picture(plot.make)
        self.share_out()
        self._write_texts()

    def _on_mark_changed(self, key: Key) -> None:
        marks = [one for one in self.picture.marks() if one.key == key]
        if marks:
            place = self.picture.rectangle_of(marks[0]).toRect().center()
            self._scroll.ensureVisible(place.x(), place.y())
        grid = self._plot.table
        places = (
            (row, column) for row in range(len(grid.rows)) for column in range(len(grid.columns))
        )
        at = next((place for place in places if self._plot.key_of(*place) == key), None)
        if at is not None:
            self._is_following = True
            self.table.choose(*at)
            self._is_following = False

    def _on_cell_changed(self, index: QModelIndex, _before: QModelIndex) -> None:
        if not self._is_following:
            self.picture.show_current(self._key_at(index))

    def _on_activated(self, index: QModelIndex) -> None:
        key = self._key_at(index)
        if key:
            self.chosen.emit(key)

    def _key_at(self, index: QModelIndex) -> Key:
        row = self.table.row_of(index)
        return self._plot.key_of(row, index.column()) if row >= 0 else ()

    def _write_texts(self) -> None:
        title = self.picture.accessibleName()
        self.table.setAccessibleName(tr("{plot}: the numbers", plot=title))
