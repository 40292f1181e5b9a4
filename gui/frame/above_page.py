"""Banners above every page: how the corpus is open, next steps, trail."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol, runtime_checkable

from PySide6.QtCore import QModelIndex, QTime, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget
from shiboken6 import isValid

from awase.core.annotation.actions import whose_work
from awase.core.errors import EnvironmentProblem, Listing
from awase.gui.frame.commands import BY_ID, page_named
from awase.gui.kit.commands import Need, pressed_by_enter
from awase.gui.kit.i18n import aside, mark, tr
from awase.gui.kit.keys import KeyMap
from awase.gui.kit.look.fitting import ElidedLabel
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.notices import Banner, WholeLabel
from awase.gui.kit.texts import bind, follow, local_time
from awase.gui.session.pages import NextSteps
from awase.gui.session.session import CorpusSession
from awase.storage.addresses import is_url

_MOST_NAMES: Final = 5


class CorpusBanners(QWidget):
    """Read-only corpus, somebody else's work, lost server; hidden until needed."""

    reopenChosen = Signal()
    commandChosen = Signal(str)  # id of a command of the window

    def __init__(
        self, session: CorpusSession, themes: ThemeBox, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._whose: tuple[str, ...] = ()
        self._read_only, self._whose_work = Banner(themes), Banner(themes, icon="annotate")
        self._cut_off = Banner(themes, icon="warning")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for banner in (self._read_only, self._whose_work, self._cut_off):
            layout.addWidget(banner)
        self._read_only.chosen.connect(self.reopenChosen)
        self._whose_work.chosen.connect(self._on_whose_chosen)
        self._cut_off.chosen.connect(session.reconnect)
        session.whoChanged.connect(self._show_whose_work)
        session.edited.connect(self._on_edited)
        session.connectionChanged.connect(self._on_connection_changed)
        self._show_whether_read_only()
        self._show_whose_work()

    def _show_whether_read_only(self) -> None:
        session = self._session
        if not session.read_only:
            return
        holder = session.holder
        if holder is None:
            self._read_only.show_message(
                mark("This corpus is open for reading only; nothing can be changed."),
                mark("Try again"),
            )
            return
        self._read_only.show_message(
            mark(
                "{who} has this corpus open on {host} (process {pid}, since {since}). "
                "You can read everything and change nothing."
            ),
            mark("Try again"),
            who=holder.who,
            host=holder.host,
            pid=holder.pid,
            since=local_time(holder.since),
        )

    def _show_whose_work(self, _what: object = None) -> None:
        session, who = self._session, self._session.who
        named: Sequence[str] = [one.id for one in session.persons]
        if not named and not session.has_alignments(who):
            named = session.annotators()
        people = self._whose = whose_work(named, who)
        if not people:
            self._whose_work.hide()
            return
        names = Listing(people, most=_MOST_NAMES)
        if len(people) == 1:
            message = mark("The work in this corpus is that of “{names}”; you are “{who}” here.")
            self._whose_work.show_message(message, mark("Go on as “{names}”"), names=names, who=who)
        else:
            message = mark("The work in this corpus is that of {names}; you are “{who}” here.")
            self._whose_work.show_message(message, mark("Who are you?"), names=names, who=who)

    def _on_edited(self, _edit: object) -> None:
        if self._whose:  # with a first edit the corpus is one's own work, too
            self._show_whose_work()

    def _on_whose_chosen(self) -> None:
        if len(self._whose) == 1:
            self._session.set_who(self._whose[0])
        else:
            self.commandChosen.emit("menu:annotator")

    def _on_connection_changed(self, problem: EnvironmentProblem | None) -> None:
        if problem is None:
            self._cut_off.hide()
            return
        if not is_url(self._session.location):
            self._cut_off.show_message(
                mark(
                    "{problem} What is shown is what was stored last; nothing can be changed until "
                    "the file is back."
                ),
                mark("Try now"),
                problem=replace(problem.problem, hint=""),
            )
            return
        self._cut_off.show_message(
            mark(
                "No connection to the server since {time}. What is shown is what was stored last; "
                "nothing can be changed until it is back. It is tried again all the time."
            ),
            mark("Try now"),
            time=QTime.currentTime().toString("HH:mm"),
        )


class StepsBanner(QFrame):
    """Why the page is empty, and a button for each command that helps."""

    chosen = Signal(str)  # id of a command of the window

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "banner")
        self._text = WholeLabel()
        self._buttons: list[QPushButton] = []
        self._commands: tuple[str, ...] = ()
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._text, 1)
        line_px = self.fontMetrics().height()
        self._row.setContentsMargins(line_px, line_px // 3, line_px, line_px // 3)
        self._row.setSpacing(line_px // 2)
        follow(self, self._write_titles)
        self.hide()

    def show_first(self, steps: Sequence[NextSteps], *, is_writable: bool) -> None:
        """Shows the first of `steps` with its buttons, or hides."""
        if not steps:
            self.hide()
            return
        first = steps[0]
        bind(self._text, "text", first.message)
        self._commands = tuple(
            name for name in first.commands if is_writable or BY_ID[name].needs is not Need.WRITING
        )
        while len(self._buttons) < len(self._commands):
            button, at = QPushButton(), len(self._buttons)
            pressed_by_enter(button)
            button.clicked.connect(lambda _=False, at=at: self.chosen.emit(self._commands[at]))
            self._buttons.append(button)
            self._row.addWidget(button)
        for at, button in enumerate(self._buttons):
            button.setVisible(at < len(self._commands))
        self._write_titles()
        self.show()

    def _write_titles(self) -> None:
        for button, name in zip(self._buttons, self._commands, strict=False):
            button.setText(BY_ID[name].name)


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
    # Source row and column of the table; None = no table.
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

    def __init__(self, keys: KeyMap) -> None:
        super().__init__()
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
