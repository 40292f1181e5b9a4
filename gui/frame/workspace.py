"""An open corpus in the window: the rail, the pages, and the banner when it cannot be changed."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QSizePolicy, QVBoxLayout, QWidget

from awase.core.errors import AwaseError, InputError, Reporter
from awase.core.records.edits import Changes
from awase.core.records.source import SentenceRef, sentence_place
from awase.gui.dialogs.editing.editing import Editing
from awase.gui.dialogs.find import CorpusFindDialog, SentenceMatch
from awase.gui.frame.above_page import CorpusBanners, StepsBanner, TourPanel, Trail, step_from
from awase.gui.frame.commands import PAGES, WINDOW_COMMANDS, page_named
from awase.gui.frame.page_stack import PageStack, Rail, Undoing
from awase.gui.frame.welcome import Opened
from awase.gui.kit.commands import Command, step_pane
from awase.gui.kit.i18n import labelled, mark, tr, what_of
from awase.gui.kit.jobs.running import SparedRecords
from awase.gui.kit.look.flow import spaced
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.notices import waited_for
from awase.gui.kit.number_explanation import WhyPanel
from awase.gui.pages.annotate.commands import RANKS
from awase.gui.pages.annotate.page import AnnotatePage
from awase.gui.session.pages import Cause, Page
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import LastPosition, Services, last_position, still_there
from awase.gui.session.topic_list import TopicButton
from awase.gui.session.undo_stack import number_in
from awase.jobs.subset import Subset
from awase.storage.addresses import is_url

if TYPE_CHECKING:
    from awase.gui.kit.printing import PrintContent
    from awase.gui.pages.inspect.page import InspectPage

_FEW_TOPICS: Final = 100  # the records of so many are walked in some 50 ms
_Result = TypeVar("_Result")


class Workspace(QWidget):
    """The pages of one open corpus.

    Prepared by `make_first_page`, `begin` and `arrive`: in one piece that would block keys and
    clicks three times as long.
    """

    annotate: AnnotatePage

    pageChanged = Signal(str)
    reopenChosen = Signal()
    commandChosen = Signal(str)  # id of a command of the window
    failed = Signal(str, object)  # headline and error

    def __init__(self, opened: Opened, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._is_closed = False
        try:
            self.session: Final = CorpusSession(
                opened.store,
                who=opened.who,
                corpus=opened.corpus,
                waits=self._wait_for,
                parent=self,
            )
        except AwaseError:
            self.deleteLater()
            raise
        self.session.failed.connect(self._on_session_failed)
        self.session.whoLeaving.connect(self.keep_place)
        self.session.whoChanged.connect(self.go_on)
        self._rail = Rail(PAGES, services.themes, services.keys.keys)
        self._rail.pageChosen.connect(self.show_page)
        self._rail.settingsChosen.connect(lambda: self.commandChosen.emit("menu:settings"))
        self._make_lines()
        self.stack: Final = PageStack(services.themes, self)
        self.undoing: Final = Undoing(self.session)
        self._pages: dict[str, QWidget] = {}
        self._find: CorpusFindDialog | None = None
        self.why: Final = WhyPanel(lambda: self._pages[self.page_id])
        self._tour: TourPanel | None = None
        self._right = QVBoxLayout()
        self._lay_out()
        self._spared = SparedRecords(self)  # what was opened is spared already

    def make_first_page(self) -> None:
        """Builds the Annotate page; others are built when first shown."""
        annotate = self.page("annotate")
        assert isinstance(annotate, AnnotatePage)
        self.annotate = annotate
        self._editing = Editing(self.session, annotate, self._services.jobs, self)
        annotate.editChosen.connect(self.edit)
        annotate.guidelines.editChosen.connect(self._editing.edit_guidelines)
        self._services.keys.changed.connect(self._on_keys_changed)
        self.session.connectionChanged.connect(self._on_connection_changed)
        self.session.changed.connect(self._on_session_changed)
        self.session.follow_others()

    def _wait_for(self, title: str, work: Callable[[Reporter], _Result]) -> _Result:
        return waited_for(self._services.jobs, title, work, self.window())

    def _make_lines(self) -> None:
        """Builds the banners, hidden until needed."""
        self._banners = CorpusBanners(self.session, self._services.themes, self)
        self._banners.read_only.chosen.connect(self.reopenChosen)
        self._banners.commandChosen.connect(self.commandChosen)
        self._trail = Trail(self._services.keys.keys)
        self._trail.backChosen.connect(self.go_back)
        self._steps = StepsBanner()
        self._steps.chosen.connect(self.commandChosen)

    def _lay_out(self) -> None:
        lines = (self._banners, self._trail, self._steps, self.stack, self.why)
        spaced(self._right, self, *lines, grows=self.stack, across=0, down=0, between=0)
        layout = spaced(QHBoxLayout(self), self, self._rail, across=0, down=0, between=0)
        layout.addLayout(self._right, 1)

    def show_page(self, page_id: str) -> None:
        """Shows a page; clears the trail."""
        self._trail.forget()
        self._show_page(page_id)

    def go_back(self) -> None:
        """Goes back along the trail."""
        step = self._trail.back()
        if step is None:
            return
        self._show_page(step.page)
        page = self._pages[step.page]
        if step.place is not None:
            page.return_to(step.place)  # type: ignore[attr-defined]  # it told its place
        step.restore_focus(page)

    def step_pane(self, by: int) -> None:
        """Focuses the next or previous pane of the visible page."""
        if self.page_id == "annotate":
            self.annotate.step_pane(by)
        else:
            step_pane(self._pages[self.page_id], by)

    def _leave_for(self, page_id: str) -> None:
        """Shows a page by a link on another one, and pushes the trail."""
        if self.page_id == page_id:
            return
        self._keep_step(page_id)
        self._show_page(page_id)

    def _leave_for_inspect(self) -> "InspectPage":
        from awase.gui.pages.inspect.page import InspectPage

        self._leave_for("inspect")
        page = self._pages["inspect"]
        assert isinstance(page, InspectPage)
        return page

    def _keep_step(self, to: str = "") -> None:
        """Pushes the current position, before a link leads to page `to` or elsewhere here."""
        here = self._pages[self.page_id]
        step = step_from(self.page_id, here, self.window().focusWidget())
        self._trail.leave(step, to or self.page_id)

    def _show_page(self, page_id: str) -> None:
        page = self.page(page_id)
        for other in self._pages.values():
            # A page out of sight must not make the window wider than the one in sight.
            kind = QSizePolicy.Policy.Preferred if other is page else QSizePolicy.Policy.Ignored
            other.setSizePolicy(kind, kind)
        self.stack.show_page(page)
        self._rail.set_page(page_id)
        self.undoing.look_at(page)
        page.setFocus()
        self._show_next_steps()
        self.pageChanged.emit(page_id)

    def page(self, page_id: str) -> QWidget:
        """Returns the page called `page_id`, built when first requested."""
        if page_id not in self._pages:
            themes = ThemeBox(self._services.themes.theme, self.stack)
            services = replace(self._services, themes=themes)
            page = page_named(page_id).build(self.session, services, self.stack)
            self._connect(page)
            self._pages[page_id] = page
            self.stack.add(page, themes)
        return self._pages[page_id]

    def _connect(self, page: QWidget) -> None:
        """Connects what the page asks of the window."""
        for signal, slot in (
            ("leaving", self._keep_step),
            ("sentenceChosen", self._on_sentence_chosen),
            ("causeChosen", self._on_cause_chosen),
            ("commandChosen", self.commandChosen),
        ):
            if hasattr(page, signal):
                getattr(page, signal).connect(slot)

    @property
    def page_id(self) -> str:
        shown = self.stack.currentWidget()
        return next(page_id for page_id, page in self._pages.items() if page is shown)

    def commands_of(self, page: Page) -> tuple[Command, ...]:
        """Returns the commands of `page` and the global ones."""
        commands = page.commands
        if page.id == "annotate":
            n_ranks = len(self.annotate.annotation.ranks)
            commands = tuple(
                part for part in commands if part not in RANKS or part.number <= n_ranks
            )
        return (*commands, *(part for part in WINDOW_COMMANDS if part.group))

    def run_on_page(self, page_id: str, command_id: str) -> None:
        """Runs a command of a page, shown for it."""
        if self.page_id != page_id:
            self.show_page(page_id)
        command = next(part for part in page_named(page_id).commands if part.id == command_id)
        if command.run is not None:
            command.run(self.page(page_id))

    def show_explanation(self, name: str) -> None:
        """Explains a metric of the sentence on the Inspect page."""
        self._leave_for_inspect().show_explanation(name)

    def scored_subset(self) -> Subset:
        """Returns the Scores page's selection of topics and systems."""
        page = self._pages.get("scores")
        if page is None:
            return Subset()
        from awase.gui.pages.scores.page import ScoresPage

        assert isinstance(page, ScoresPage)
        return page.subset

    def print_content(self) -> "PrintContent":
        from awase.gui.kit.printing import content_of

        name = self.session.frame.name or Path(self.session.location).stem
        page_title = page_named(self.page_id).name
        return content_of(self._pages[self.page_id], f"{name} – {page_title}")

    def print_when_computed(self, show: "Callable[[PrintContent], None]") -> None:
        """Hands over what is in sight, for paper, once nothing of it is computed any more.

        Nothing is printed of a page that is left before.
        """
        page, jobs = self._pages[self.page_id], self._services.jobs
        work = next(filter(None, map(jobs.running, getattr(page, "jobs", ()))), None)
        if work is None:
            show(self.print_content())
            return

        def go_on() -> None:
            if not self._is_closed and page is self.stack.currentWidget():
                self.print_when_computed(show)

        work.ended.connect(go_on)

    def edit(self, entry_id: str) -> None:
        """Edits the corpus where the user is on the Annotate page."""
        if self.stack.currentWidget() is not self._pages["annotate"]:
            self.show_page("annotate")
        self._editing.commands[entry_id]()

    def find_in_corpus(self) -> None:
        if self._find is None:
            self._find = CorpusFindDialog(self.session, self._services, self)
            self._find.sentenceChosen.connect(self._on_sentence_selected)
        self._find.open_at_field()

    def choose_topic(self) -> None:
        """Opens the list of topics of the visible page, or of the Annotate page."""
        here = self._pages[self.page_id].findChildren(TopicButton)
        button = next((one for one in here if one.isVisible()), None)
        if button is None:
            self.show_page("annotate")
            button = self.annotate.header.topics
        button.open_list()

    def claim_next_topic(self) -> None:
        """Assigns the next free topic to the annotator and shows it."""
        try:
            found = self.session.claim_next_topic()
        except InputError as error:
            self.show_page("annotate")
            problem = error.problems[0]
            self.annotate.show_message(what_of(problem), look="warning")
            return
        if found is None:
            return
        self._on_sentence_chosen(found.topic, None, 0)
        is_new = mark("Topic {topic} is yours now.")
        message = is_new if found.taken else mark("Topic {topic} is already yours, and not begun.")
        self.annotate.show_message(tr(message, topic=found.topic))

    def show_times(self) -> None:
        from awase.gui.dialogs.whole_corpus import TimesDialog
        from awase.gui.kit.forms.controls import open_once

        try:
            log = self.session.store.logged_times()
        except AwaseError as error:
            self.failed.emit(mark("The times cannot be read."), error)
            return
        open_once(TimesDialog(self.session.topics(), log, self))

    def begin_tour(self) -> None:
        self.end_tour()
        self.show_page("annotate")
        tour = self._tour = TourPanel(self.session, self.annotate, self.pageChanged)
        tour.ended.connect(self.end_tour)
        window = self.window()
        around = window.centralWidget() if isinstance(window, QMainWindow) else self
        room = (around or self).height()
        if self.minimumSizeHint().height() + tour.height_in(self.stack.width()) <= room:
            self._right.insertWidget(1, tour)
        else:
            tour.float_over(self)

    def end_tour(self) -> None:
        tour, self._tour = self._tour, None
        if tour is not None:
            tour.hide()
            tour.deleteLater()

    def begin(self) -> None:
        """Opens the last position, before anything is shown."""
        left = self._left()
        if left is None:
            self.annotate.annotation.open_first()
        else:
            self.annotate.return_to(left)

    def arrive(self) -> None:
        """Shows the Annotate page, if `begin` opened something."""
        left = self._left()
        self.show_page("annotate")
        if left is not None:
            self.annotate.focus_pane(left[-1])

    def go_on(self) -> None:
        """Goes to the annotator's last position, as far as it still exists."""
        left = self._left()
        if left is not None:
            self.annotate.return_to(left)

    def _left(self) -> tuple[str, str | None, int, int] | None:
        """Returns the last topic, abstract, sentence and pane; None = unknown."""
        session = self.session
        try:
            last = session.last_step()
        except AwaseError as error:
            session.suspect(error)
            return None
        place = last_position(
            self._services.settings.settings.left_off,
            str(session.location),
            session.who,
            step=last.id if last else 0,
            edit=last.edit if last else None,
            n=(number_in(last.edit) or 0) if last else 0,
        )
        found = still_there(place, session.topic(place.topic)) if place else None
        return (*found, place.pane) if place is not None and found is not None else None

    def keep_place(self) -> None:
        """Remembers where the annotator is, for the next time."""
        here, session, file = self.annotate.place(), self.session, self._services.settings
        if here is None:
            return
        topic, abstract, n, pane = here
        try:
            last = session.last_step()
        except AwaseError:
            return  # A missing file has no log, and no next session.
        place = LastPosition(
            location=str(session.location),
            who=session.who,
            topic=topic,
            abstract=abstract,
            n=n,
            pane=pane,
            step=last.id if last else 0,
        )
        file.change(file.settings.with_last_position(place))

    def unsaved_texts(self) -> tuple[str, ...]:
        """Returns typed texts that cannot be stored even now, with their addresses."""
        note = self.annotate.alternatives.note
        note.store_pending()
        return tuple(
            labelled(sentence_place(topic, abstract, n), text)
            for (_, topic, abstract, n), text in note.pending.items()
        )

    def drop_jobs(self) -> None:
        """Cancels the pages' computations."""
        for page in self._pages.values():
            for job in getattr(page, "jobs", ()):
                self._services.jobs.drop(job)

    def close_corpus(self) -> None:
        """Closes the store; the workspace is not used again."""
        self._is_closed = True
        self.drop_jobs()
        self.session.stop_following()
        try:
            self.session.store.close()
        finally:
            self._spared.end()

    def _show_next_steps(self) -> None:
        """Shows what the corpus lacks for the visible page."""
        lacking = [one for one in page_named(self.page_id).needs if not self.session.has(one.lacks)]
        focus = self.window().focusWidget()
        had_focus = focus is not None and self._steps.isAncestorOf(focus)
        self._steps.show_first(lacking, is_writable=not self.session.read_only)
        if had_focus and not lacking:  # else it would move to the next widget
            self._pages[self.page_id].setFocus()

    def _on_session_changed(self, changes: Changes) -> None:
        if changes.topics:
            self._spared.note_read(are_many=len(self.session.topic_ids()) > _FEW_TOPICS)
        self._show_next_steps()

    def _on_keys_changed(self) -> None:
        # Tooltips contain keys; they are rewritten as for a language.
        for widget in (self.annotate, self._rail, self._trail):
            QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.LanguageChange))

    def _on_sentence_chosen(
        self, topic_id: str, abstract_id: str | None, at: int | SentenceRef, system: str = ""
    ) -> None:
        self._leave_for("annotate")
        self.annotate.show_sentence(topic_id, abstract_id, at, system)

    def _on_cause_chosen(self, cause: Cause) -> None:
        self._leave_for_inspect().show_cause(cause)

    def _on_sentence_selected(self, sentence: SentenceMatch, words: str) -> None:
        self._on_sentence_chosen(sentence.topic_id, sentence.abstract_id, sentence.at)
        if words.strip():
            self.annotate.topic_find.look_for(words)

    def _on_connection_changed(self, problem: AwaseError | None) -> None:
        if problem is None and is_url(self.session.location):
            back = tr("The server is back; changes by others are shown.")
            self.annotate.show_message(back)

    def _on_session_failed(self, error: BaseException) -> None:
        if self.session.connection_problem is not None:
            return  # a banner says it until it is over
        self.failed.emit(mark("The change was not made."), error)
