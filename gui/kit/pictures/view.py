"""A picture that can be saved and copied."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QDialog, QFrame, QMenu, QScrollArea, QWidget

from awase.core.plots.charts import Point, scatter
from awase.core.plots.picture import PRINT_COLOURS, Key, Picture
from awase.core.reports.grid import Cell, Column, Grid, grid_of
from awase.gui.kit.forms.asking import open_once
from awase.gui.kit.grid.cell_delegate import ShadeDelegate
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.grid.pane_and_table import PaneAndTable
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.pictures.canvas import Maker, PictureCanvas
from awase.gui.kit.pictures.drawing import image_of
from awase.gui.kit.pictures.save_dialog import SavePictureDialog
from awase.gui.kit.texts.binding import follow
from awase.gui.kit.texts.i18n import tr


def _no_key(_row: int, _column: int) -> Key:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A resizable picture, and its data as a table."""

    make: Maker | None  # makes it; None = there is nothing to plot
    note: str = ""  # what is left out, in words; empty = nothing
    table: Grid = field(default_factory=Grid)
    key_of: Callable[[int, int], Key] = _no_key


class PlotView(PaneAndTable):
    """Plot and table with a common current item, activated by Enter."""

    chosen = Signal(object)  # the `Key` of what was chosen

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
        """Returns the table's rest, and up to two thirds for the picture's needs."""
        usual = super().first_px()
        if self.orientation() is Qt.Orientation.Vertical:
            return usual
        needed = self.picture.minimumWidth() + self._scroll.verticalScrollBar().sizeHint().width()
        return max(usual, min(needed, self.room_px() * 2 // 3))

    def show_plot(self, plot: Plot) -> None:
        """Replaces the plot."""
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


def scatter_plot(points: Sequence[Point], x_title: str, y_title: str) -> Plot:
    """Returns a scatter plot; marks represent (system,)."""
    title = tr("{metric} against {human}", metric=x_title, human=y_title)

    def made(width: float, height: float) -> Picture:
        return scatter(
            points, title=title, x_title=x_title, y_title=y_title, width=width, height=height
        )

    columns = (
        Column(title=tr("System")),
        Column(title=x_title, is_number=True),
        Column(title=y_title, is_number=True),
    )
    rows = [
        (
            Cell(text=point.label, value=point.label, is_number=False),
            *(
                Cell(text=f"{value:.3f}", value=value, tip=f"{value:.6f}")
                for value in (point.x, point.y)
            ),
        )
        for point in points
    ]
    keys = [(point.label,) for point in points]
    return Plot(
        make=made if points else None,
        table=grid_of(columns, rows),
        key_of=lambda row, _column: keys[row],
    )


_COPY_SCALE: Final = 4.0


class PictureView(PictureCanvas):
    """Offers its picture for saving and copying, in the colours of paper."""

    def copy(self) -> None:
        """Copies the picture."""
        picture = self.picture()
        if picture is not None:
            image = image_of(picture, PRINT_COLOURS, _COPY_SCALE)
            QGuiApplication.clipboard().setImage(image)

    def save(self) -> QDialog | None:
        """Opens the dialog that saves the picture; None while there is none."""
        if self.make is None:
            return None
        dialog = SavePictureDialog(self.make, self.themes, self)
        return open_once(dialog)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.picture() is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Save the picture…")).triggered.connect(self.save)
        menu.addAction(tr("Copy the picture")).triggered.connect(self.copy)
        menu.popup(event.globalPos())
