"""What stands above a page: banners, the trail, the steps of the tour."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from PySide6.QtCore import QSize, Qt, QTime, Signal, SignalInstance
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QTableView, QVBoxLayout, QWidget
from shiboken6 import isValid

from awase.core.annotation import actions
from awase.core.annotation.visibility import whose_work
from awase.core.errors import EnvironmentProblem, Listing
from awase.core.records.edits import AlignmentEdit, Edit
from awase.gui.frame.commands import BY_ID, page_named
from awase.gui.kit.commands import Command, Need, pressed_by_enter
from awase.gui.kit.i18n import aside, bind, follow, local_time, mark, tr
from awase.gui.kit.keys import KeyMap, key_in_markdown
from awase.gui.kit.look.fitting import ElidedLabel
from awase.gui.kit.look.flow import FollowsWidth, push_button, spaced, styled
from awase.gui.kit.look.markup import allow_markup
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.notices import Banner, Step, StepRow, WholeLabel
from awase.gui.pages.annotate.page import AnnotatePage
from awase.gui.session.pages import NextSteps
from awase.gui.session.session import CorpusSession
from awase.storage.addresses import is_url

_MOST_NAMES: Final = 5


class CorpusBanners(QWidget):
    """Read-only corpus, somebody else's work, lost server; hidden until needed."""

    commandChosen = Signal(str)  # id of a command of the window

    def __init__(self, session: CorpusSession, themes: ThemeBox, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._whose: tuple[str, ...] = ()
        self.read_only, self._whose_work = Banner(themes), Banner(themes, icon="annotate")
        self._cut_off = Banner(themes, icon="warning")
        banners = (self.read_only, self._whose_work, self._cut_off)
        spaced(QVBoxLayout(self), self, *banners, across=0, down=0, between=0)
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
        holder = session.store.holder
        if holder is None:
            self.read_only.show_message(
                mark("This corpus is open for reading only; nothing can be changed."),
                mark("Try again"),
            )
            return
        self.read_only.show_message(
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

    def _show_whose_work(self) -> None:
        session, who = self._session, self._session.who
        named: Sequence[str] = [one.id for one in session.frame.persons]
        if not named and not session.has_alignments(who):
            named = session.annotators()
        people = self._whose = whose_work(named, who)
        if not people:
            self._whose_work.hide()
            return
        names = Listing(people, most=_MOST_NAMES)
        message = mark("The work in this corpus is that of {names}; you are “{who}” here.")
        action = mark("Who are you?")
        if len(people) == 1:
            message = mark("The work in this corpus is that of “{names}”; you are “{who}” here.")
            action = mark("Continue as “{names}”")
        self._whose_work.show_message(message, action, names=names, who=who)

    def _on_edited(self) -> None:
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
        message = mark(
            "{problem} You see what was stored last; nothing can be changed until the file is back."
        )
        if is_url(self._session.location):
            message = mark(
                "No connection to the server since {time}. You see what was stored last; nothing "
                "can be changed until the connection is back. Awase keeps trying."
            )
        self._cut_off.show_message(
            message,
            mark("Try now"),
            problem=replace(problem.problem, hint=""),
            time=QTime.currentTime().toString("HH:mm"),
        )


class StepsBanner(QFrame):
    """Why the page is empty, and a button for each command that helps."""

    chosen = Signal(str)  # id of a command of the window

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "banner")
        self._text, self._steps = WholeLabel(), StepRow()
        spaced(QHBoxLayout(self), self, self._text, self._steps, grows=self._text, down=1 / 3)
        self.hide()

    def show_first(self, steps: Sequence[NextSteps], *, is_writable: bool) -> None:
        """Shows the first of `steps` with its buttons, or hides."""
        for first in steps[:1]:
            bind(self._text, "text", first.message)
            commands = [BY_ID[name] for name in first.commands]
            possible = (one for one in commands if is_writable or one.needs is not Need.WRITING)
            self._steps.offer(*map(self._step, possible))
        self.setVisible(bool(steps))

    def _step(self, command: Command) -> Step:
        return (lambda: command.name), (lambda: self.chosen.emit(command.id))


@dataclass(frozen=True, slots=True, kw_only=True)
class TrailStep:
    """A place that was left for another."""

    page: str
    place: object = None  # what the page needs to show it again; None = it shows what it shows
    name: str = ""
    focus: QWidget | None = None  # what had the keyboard there; None = nothing
    # Source row and column of a `GridView`; None = no such table.
    cell: tuple[int, int] | None = None

    def restore_focus(self, page: QWidget) -> None:
        """Restores the focus on the page, in the same cell, if it still exists."""
        widget = self.focus
        if widget is None or not (isValid(widget) and widget.isVisibleTo(page)):
            return
        if self.cell is not None:
            widget.choose(*self.cell)  # type: ignore[attr-defined]  # its class is slow to import
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


def _current_cell(widget: QWidget | None) -> tuple[int, int] | None:
    row_of = getattr(widget, "row_of", None)
    if row_of is None or not isinstance(widget, QTableView):
        return None
    index = widget.currentIndex()
    return row_of(index), index.column()


class Trail(QFrame):
    """Back navigation: positions that were left; hidden while empty."""

    backChosen = Signal()

    def __init__(self, keys: KeyMap) -> None:
        super().__init__()
        self._keys = keys
        self._steps: list[TrailStep] = []
        self._now = ""
        self.setProperty("look", "tour")
        self._back = pressed_by_enter(push_button(mark("← Back"), self.backChosen))
        self._names = ElidedLabel()
        spaced(QHBoxLayout(self), self, self._back, self._names, grows=self._names, down=1 / 4)
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
        self._names.setAccessibleName(tr("Path to this page"))


def _name(step: TrailStep) -> str:
    page = page_named(step.page).name
    return aside(page, step.name) if step.name else page


_KEY = re.compile(r"\[([a-z0-9-]+)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class TourStep:
    """A step of the tour."""

    title: str
    text: str  # English message; `[command]` is replaced by its keys
    # What happens when the step is done: `sentence`, `others`, `undo`, `page:ID`, or `edit:VERB`
    # for an edit with that verb.
    signal: str

    def text_in(self, keys: KeyMap, key_text: Callable[[str, KeyMap], str]) -> str:
        """Returns the text in the window's language, with the keys as they are bound."""
        return _KEY.sub(lambda match: key_text(match[1], keys), tr(self.text))


STEPS: Final[Sequence[TourStep]] = (
    TourStep(
        title=mark("Choose a sentence."),
        text=mark(
            "On the left are the sentences of an abstract. Go to the next one with "
            "[next-sentence], or click another one."
        ),
        signal="sentence",
    ),
    TourStep(
        title=mark("Link a source sentence."),
        text=mark(
            "In the middle are the source sentences, the likeliest first. Press a digit, such as "
            "[candidate-4], or click a sentence: if it is not linked yet, it is added to the "
            "alternative on the right."
        ),
        signal=f"edit:{actions.LINK}",
    ),
    TourStep(
        title=mark("Begin another alternative."),
        text=mark(
            "Can the sentence be written from other source sentences, too? Press "
            "[new-alternative], then link a sentence. Below, h and the scores follow."
        ),
        signal="alternative",
    ),
    TourStep(
        title=mark("Undo it."),
        text=mark(
            "Every action is saved immediately; there is no Save. [undo] undoes the last one, "
            "even after a restart."
        ),
        signal="undo",
    ),
    TourStep(
        title=mark("Rank the sentence."),
        text=mark(
            "How important is it? [rank-1], [rank-2] or [rank-3]: choose one that it does not "
            "have yet."
        ),
        signal=f"edit:{actions.RANK}",
    ),
    TourStep(
        title=mark("Confirm it."),
        text=mark("[confirm] marks the sentence as finished and goes to the next one that is not."),
        signal=f"edit:{actions.CONFIRM}",
    ),
    TourStep(
        title=mark("See the work of others."),
        text=mark(
            "Your alignment is your own. [show-others] shows those of others, by name and "
            "read-only; the same key hides them."
        ),
        signal="others",
    ),
    TourStep(
        title=mark("Read the guidelines."),
        text=mark(
            "[guidelines] shows the rules that the owner of the corpus sets for its annotators."
        ),
        signal="guidelines",
    ),
    TourStep(
        title=mark("Look at the scores."),
        text=mark(
            "Choose “Scores” in the rail on the left: systems by metrics, with signatures. "
            "“Correlations” below it shows how well they agree with people."
        ),
        signal="page:scores",
    ),
)


class TourPanel(FollowsWidth, QFrame):
    """Tour panel; takes no keys from the page, can be closed at any time."""

    ended = Signal()

    def __init__(
        self, session: CorpusSession, page: AnnotatePage, page_changed: SignalInstance
    ) -> None:
        super().__init__()
        self.setProperty("look", "tour")
        self._keys = page.keys
        self.at = 0  # the step, from 0; the number of steps = the tour is over
        self._number, self._text = styled(QLabel(), "heading"), WholeLabel()
        allow_markup(self._text, Qt.TextFormat.MarkdownText)
        self._skip = push_button(mark("Skip this step"), self.go_on)
        self._end = push_button("", self.ended)
        for button in (self._skip, self._end):
            # A click must not move the focus from the page: the next step may be a key.
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        words = QVBoxLayout()
        spaced(words, self, self._number, self._text, across=0, down=0, between=1 / 4)
        layout = spaced(QHBoxLayout(self), self, down=1 / 4)
        layout.addLayout(words, 1)
        layout.addWidget(self._skip)
        layout.addWidget(self._end)
        # Room for two lines from the start, so that the page does not jump from step to step.
        self._text.setMinimumHeight(self.fontMetrics().lineSpacing() * 2)
        self._text.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._n_undoable = session.undo_stack.index()
        page.annotation.sentenceChanged.connect(self._on_sentence_changed)
        page.annotation.othersChanged.connect(self._on_others_changed)
        page.guidelinesToggled.connect(self._on_guidelines_toggled)
        page_changed.connect(self._on_page_changed)
        session.edited.connect(self._on_edited)
        session.undo_stack.indexChanged.connect(self._on_index_changed)
        follow(self, self._show)

    def height_in(self, width: int) -> int:
        """Returns the height of the highest step in this width."""
        layout, now, heights = self.layout(), self.at, []
        assert layout is not None
        for self.at in range(len(STEPS)):
            self._show()
            heights.append(layout.totalHeightForWidth(width))
        self.at = now
        self._show()
        return max(heights)

    def float_over(self, work: QWidget) -> None:
        """Becomes a window of its own, at the bottom of one too low for both."""
        self.setParent(work, Qt.WindowType.Dialog)
        window = work.window()
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        for button in (self._skip, self._end):
            button.clicked.connect(window.activateWindow)
        bind(self, "windowTitle", mark("Five-minute tour"))
        width = window.width() * 2 // 3
        self.resize(width, self.height_in(width))
        corner = window.mapToGlobal(window.rect().bottomRight())
        self.move(corner - self.rect().bottomRight())
        self.show()

    def go_on(self) -> None:
        self.at = min(self.at + 1, len(STEPS))
        self._show()

    def minimumSizeHint(self) -> QSize:
        """Returns room for the whole text, else the page below would be squeezed for it."""
        hint, layout = super().minimumSizeHint(), self.layout()
        return hint.expandedTo(QSize(0, layout.totalHeightForWidth(self.width()) if layout else 0))

    def _show(self) -> None:
        self._end.setText(tr("End the tour"))
        self._skip.setVisible(self.at < len(STEPS))
        if self.at == len(STEPS):
            self._number.setText(tr("That was the tour."))
            self._text.setText(
                tr("The help explains the rest: what the scores mean, every key, every warning.")
            )
            self._end.setText(tr("Close"))
            return
        step = STEPS[self.at]
        title = tr("Step {n} of {total}: {title}", n=self.at + 1, total=len(STEPS), title="{title}")
        self._number.setText(title.format(title=tr(step.title)))
        self._text.setText(step.text_in(self._keys, key_in_markdown))

    def _on_sentence_changed(self) -> None:
        self._happened("sentence")

    def _on_others_changed(self) -> None:
        self._happened("others")

    def _on_guidelines_toggled(self) -> None:
        self._happened("guidelines")

    def _on_page_changed(self, page_id: str) -> None:
        self._happened(f"page:{page_id}")

    def _on_edited(self, edit: Edit) -> None:
        self._happened(f"edit:{edit.verb}")
        if isinstance(edit, AlignmentEdit):
            n_old, n_new = len(edit.old.alternatives), len(edit.new.alternatives)
            if 0 < n_old < n_new:
                self._happened("alternative")

    def _on_index_changed(self, index: int) -> None:
        was, self._n_undoable = self._n_undoable, index
        if index < was:
            self._happened("undo")

    def _happened(self, what: str) -> None:
        """Goes on if this, as in `TourStep.signal`, ends the step."""
        if self.at < len(STEPS) and STEPS[self.at].signal == what:
            self.go_on()
