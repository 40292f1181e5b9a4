"""Trail of visited pages, and the way back."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget
from shiboken6 import isValid

from awase.gui.frame.pages import page_named
from awase.gui.kit.fitting.labels import ElidedLabel
from awase.gui.kit.focus import pressed_by_enter
from awase.gui.kit.keys.keys import KeyMap
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.i18n import aside, mark, tr


@runtime_checkable
class TableOfRows(Protocol):
    """A sortable table, as a protocol: importing its class is slow."""

    def currentIndex(self) -> QModelIndex:
        """Returns the current cell."""

    def row_of(self, index: QModelIndex, /) -> int:
        """Returns the source row; -1 when there is none."""

    def choose(self, row: int, column: int = 0) -> bool:
        """Makes a cell of a source row the current one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrailStep:
    """A place that was left for another."""

    page: str
    place: object = None  # what the page needs to show it again; None = it shows what it shows
    name: str = ""
    focus: QWidget | None = None  # what had the keyboard there; None = nothing
    # Row, as it was given, and column of the table that had it; None = it was no table.
    cell: tuple[int, int] | None = None

    def give_keyboard_back(self, page: QWidget) -> None:
        """Restores the focus on the page, in the same cell, if it still exists."""
        widget = self.focus
        if widget is None or not (isValid(widget) and widget.isVisibleTo(page)):
            return
        if isinstance(widget, TableOfRows) and self.cell is not None:
            widget.choose(*self.cell)
        widget.setFocus()


def step_from(page_id: str, page: QWidget, focus: QWidget | None) -> TrailStep:
    """Returns the page's current position."""
    tell, name = getattr(page, "place", None), getattr(page, "place_name", None)
    has_it = focus is not None and page.isAncestorOf(focus)
    return TrailStep(
        page=page_id,
        place=tell() if tell else None,
        name=name() if name else "",
        focus=focus if has_it else None,
        cell=_current_cell(focus) if has_it else None,
    )


def _current_cell(widget: object) -> tuple[int, int] | None:
    if not isinstance(widget, TableOfRows):
        return None
    index = widget.currentIndex()
    return widget.row_of(index), index.column()


class Trail(QFrame):
    """Back navigation: positions that were left; hidden while empty."""

    backChosen = Signal()

    def __init__(self, keys: KeyMap, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = keys
        self._steps: list[TrailStep] = []
        self._now = ""
        self.setProperty("look", "tour")
        self._back, self._names = QPushButton(), ElidedLabel()
        pressed_by_enter(self._back)
        self._back.clicked.connect(self.backChosen)
        row, line_px = QHBoxLayout(self), self.fontMetrics().height()
        row.setContentsMargins(line_px, line_px // 4, line_px, line_px // 4)
        row.setSpacing(line_px // 2)
        row.addWidget(self._back)
        row.addWidget(self._names, 1)
        bind(self._back, "text", mark("← Back"))
        follow(self, self._write)
        self.hide()

    def leave(self, step: TrailStep, to: str) -> None:
        """Pushes a position before another page is shown."""
        self._steps.append(step)
        self._show(to)

    def back(self) -> TrailStep | None:
        """Pops the last position; None when empty."""
        if not self._steps:
            return None
        step = self._steps.pop()
        self._show(step.page)
        return step

    def forget(self) -> None:
        """Clears the trail after a manual change of page."""
        self._steps.clear()
        self._show("")

    def _show(self, now: str) -> None:
        self._now = now
        self._write()
        self.setVisible(bool(self._steps))

    def _write(self) -> None:
        tip, key = tr("Back to where you came from"), self._keys.text("menu:back")
        self._back.setToolTip(aside(tip, key) if key else tip)
        now = [TrailStep(page=self._now)] if self._now else []
        self._names.setText(" › ".join(map(_name, (*self._steps, *now))))
        self._names.setAccessibleName(tr("The way here"))


def _name(step: TrailStep) -> str:
    page = page_named(step.page).name
    return aside(page, step.name) if step.name else page
