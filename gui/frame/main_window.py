"""Main window: open corpus, pages, menu commands."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QSize, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QStackedWidget

from awase.core.errors import AwaseError, EnvironmentProblem, Reporter
from awase.gui.frame.commands import PAGES, Menus, page_named
from awase.gui.frame.dialogs import CHECKING_JOB, Dialogs, look_for_damage, show_remarks
from awase.gui.frame.welcome import (
    DEMONSTRATIONS,
    Opened,
    WelcomePage,
    becomes_corpus,
    corpus_among,
    create_corpus,
    is_own_json,
    look_at_corpus,
    may_be_texts,
    open_corpus,
    open_demonstration,
    restore_corpus,
)
from awase.gui.kit.commands import (
    IMPORT,
    TAKE_BACK,
    Command,
    FileDropTarget,
    Need,
    sort_by_current_column,
)
from awase.gui.kit.defects import problems_of
from awase.gui.kit.i18n import follow, language, mark, set_language, system_language, tr
from awase.gui.kit.jobs.running import Job, Work, free_once_deleted
from awase.gui.kit.look.flow import scrolled
from awase.gui.kit.look.theme import Theme, program_icon, screen_room
from awase.gui.kit.notices import LoadingPage
from awase.gui.session.settings import FONT_POINT_SIZES, Services, Settings
from awase.storage.addresses import PasswordRefused, is_url, without_password

if TYPE_CHECKING:  # These bring the slow libraries; the first paint must not wait for them.
    from awase.gui.frame.workspace import Workspace

_OPENING: Final = "opening"
# Modules for the first display; the window checks for the demonstration.
_SHOWN_FIRST: Final = ("awase.gui.frame.workspace", "awase.jobs.importing")
_TRANSFERS: Final = ("import", "export", "hand-out", "take-back")


def _is_same(location: str, other: str) -> bool:
    """Returns whether two locations are the same corpus, which must be closed to be reopened."""
    if location == other or is_url(location) or is_url(other):
        return location == other
    return os.path.realpath(location) == os.path.realpath(other)


def _unless_stopped(prepare: Callable[[Reporter], None], reporter: Reporter) -> None:
    prepare(reporter)
    reporter.advance(0, 0)  # it may not have reported: a server was asked, say


class MainWindow(FileDropTarget, QMainWindow):
    """The one window of the program."""

    _opening_job: Job

    def __init__(self, services: Services) -> None:
        super().__init__()
        self._services = services
        self.workspace: Workspace | None = None  # the open corpus; None when there is none
        self._arriving: Workspace | None = None
        self._is_tour_wanted = False
        self._arriving_files: tuple[Path, ...] = ()
        self._is_leaving = False
        self._is_waiting_for_backup = False
        self._opening = ""
        self._told_on_closing = False
        self._has_closed = False
        self._loading = LoadingPage()
        self._loading.cancelled.connect(lambda: self._opening_job.cancel())
        self._welcome = WelcomePage(services.themes)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._welcome)
        self._pages.addWidget(self._loading)
        # Letters may be too large for the screen; the window must not grow beyond it.
        self.setCentralWidget(scrolled(self._pages))
        self.setWindowIcon(program_icon())
        self.menus = Menus(self, services.keys.keys)
        self.dialogs = Dialogs(self, services)
        self._connect()
        self._on_settings_changed(services.settings.settings)
        self._show_idle()
        follow(self, self._retitle)
        self._restore_geometry()
        self.setAcceptDrops(True)

    # Opening and closing

    @property
    def shown(self) -> "Workspace":
        """The open corpus, for commands that are offered only where there is one."""
        assert self.workspace is not None
        return self.workspace

    def open_location(self, location: str) -> None:
        """Opens a corpus; a file that can be imported becomes a new one, and so do texts."""
        if may_be_texts([path := Path(location)]):
            self.dialogs.show_texts(None, [path])
        elif becomes_corpus(path):
            self.dialogs.ask_new_corpus(path)
        else:
            self.open_shared(location, "")

    def open_shared(self, location: str, password: str) -> None:
        """Opens a corpus, on a server with this password."""
        who = self._who
        name = Path(without_password(location)).name
        self._open(
            name,
            lambda reporter: open_corpus(location, who, reporter, password),
            location,
            prepare=lambda reporter: look_at_corpus(location, password),
        )

    def restore(self, location: str, backup: Path | None) -> None:
        """Restores a backup and opens it; None = the newest undamaged one."""
        who = self._who

        def check(reporter: Reporter) -> None:
            from awase.storage.integrity import sound_backup

            sound_backup(Path(location), backup, reporter)

        self._open(
            Path(location).name,
            lambda reporter: restore_corpus(location, backup, who, reporter),
            prepare=check,
        )

    def open_demonstration(self, language: str, *, with_tour: bool = False) -> None:
        """Opens the demonstration corpus in `language`."""
        title, folder = tr(DEMONSTRATIONS[language]), self._services.data
        self._open(title, partial(open_demonstration, language, folder), with_tour=with_tour)

    def begin_tour(self) -> None:
        """Starts the tour on the open demonstration, or on that of the language."""
        workspace = self.workspace
        if workspace is not None and self._is_demonstration(workspace.session.location):
            workspace.begin_tour()
            return
        self.open_demonstration(language(), with_tour=True)

    def create_corpus(self, location: str, name: str, source: Path | None) -> None:
        """Creates a corpus and opens it; a file that is not Awase's is shown by the import."""
        who, own, files = self._who, source, tuple[Path, ...]()
        if source is not None and not is_own_json(source):
            own, files = None, (source,)

        def create(reporter: Reporter) -> Opened:
            return create_corpus(location, name, who, own, reporter)

        if self.workspace is None:
            self._open(name, create, files=files)
            return
        self._open(
            name,
            lambda reporter: open_corpus(location, who, reporter),
            prepare=lambda reporter: create(reporter).store.close(),
            files=files,
        )

    def accepts(self, paths: Sequence[Path]) -> bool:
        workspace = self.workspace
        if workspace is None or workspace.session.read_only:
            return corpus_among(paths) is not None or may_be_texts(paths)
        return bool(paths)

    def add_files(self, paths: Sequence[Path]) -> None:
        """Handles dropped files: merges copies, imports texts, opens corpora."""
        workspace = self.workspace
        if workspace is None or workspace.session.read_only:
            location = corpus_among(paths)
            if location is not None:
                self.open_location(str(location))
            elif may_be_texts(paths):
                self.dialogs.show_texts(None, paths)
            return
        from awase.jobs.importing import are_texts
        from awase.jobs.team.copies import sorted_out

        session = workspace.session
        try:
            arrived = sorted_out(paths, session.store.bare_ownership().corpus)
        except EnvironmentProblem as error:
            self.show_failure(mark("Nothing was imported; the corpus is unchanged."), error)
            return
        if arrived.copies:
            self.dialogs.show(TAKE_BACK, session, arrived.copies)
        elif are_texts(arrived.texts):
            self.dialogs.show_texts(session, arrived.texts)
        elif arrived.texts:
            self.dialogs.show(IMPORT, session, arrived.texts)
        elif arrived.corpora:
            self.open_location(str(arrived.corpora[0]))

    def leave_corpus(self) -> None:
        """Closes the corpus, unless the user stays because of unsaved text."""
        if self._may_lose_texts(self.close_corpus):
            self.close_corpus()

    def close_corpus(self) -> None:
        """Closes the corpus, if any, and shows the welcome page."""
        self._finish_backup()
        if self.workspace is not None:
            self.workspace.keep_place()  # before hiding moves the keyboard elsewhere
        workspace = self.workspace or self._arriving
        self.workspace = self._arriving = None
        if workspace is not None:
            self._has_closed = True
            self._pages.removeWidget(workspace)
            workspace.hide()
            self._services.jobs.drop(CHECKING_JOB)
            self._told_on_closing = False
            try:
                workspace.close_corpus()
            except EnvironmentProblem as error:
                self._told_on_closing = True
                self.show_failure(mark("The corpus's file was moved while it was open"), error)
            workspace.deleteLater()
            self._apply_look()  # its pages may have been prepared for another one
        self._show_idle()

    def show_failure(self, headline: str, error: BaseException) -> None:
        """Shows an error that the user can act on; forwards a defect."""
        from awase.gui.kit.problems import ProblemsDialog  # the kit of all forms

        ProblemsDialog.show_for(self, headline, problems_of(error))

    @property
    def _who(self) -> str:
        return self._services.settings.settings.annotator

    def _open(
        self,
        name: str,
        work: Callable[[Reporter], Opened],
        location: str = "",
        prepare: Callable[[Reporter], None] | None = None,
        files: tuple[Path, ...] = (),
        with_tour: bool = False,
    ) -> None:
        """Opens a corpus in a job, then imports `files`; if `prepare` fails, the open one stays."""
        again = partial(self._open, name, work, location, prepare, files, with_tour)
        if not self._may_lose_texts(again):
            return
        self._opening, self._arriving_files, self._is_tour_wanted = location, files, with_tour
        workspace = self.workspace
        if workspace is None or prepare is None or _is_same(location, workspace.session.location):
            self._open_instead(name, work)
            return
        workspace.keep_place()
        self._load(
            name, partial(_unless_stopped, prepare), lambda _: self._open_instead(name, work)
        )

    def _open_instead(self, name: str, work: Callable[[Reporter], Opened]) -> None:
        self.close_corpus()
        if self._has_closed:
            # Or the corpus read now is spared together with those left before. Not at once: what
            # Qt is about to delete would be freed under its hands.
            QTimer.singleShot(0, free_once_deleted)
        modules = self._services.jobs.modules

        def load_and_work(reporter: Reporter) -> Opened:
            modules.load(_SHOWN_FIRST, reporter)  # or the window blocks behind the work
            return work(reporter)

        self._load(name, load_and_work, self._on_opened)

    def _load(self, name: str, work: Work, then: Callable[..., object]) -> None:
        """Shows the page of what is being opened while `work` is done."""
        self._loading.begin(name)
        self._pages.setCurrentWidget(self._loading)
        job = self._services.jobs.start(_OPENING, work, then, self._on_opening_failed)
        job.progressed.connect(self._loading.show_progress)
        job.cancelled.connect(self._show_what_is_open)
        self._opening_job = job

    def _on_opening_failed(self, error: BaseException) -> None:
        self._show_what_is_open()
        if isinstance(error, PasswordRefused):
            self.dialogs.ask_shared(self._opening, error.problem)
            return
        self.show_failure(mark("The corpus was not opened."), error)

    def _on_opened(self, opened: Opened) -> None:
        from awase.gui.frame.workspace import Workspace

        try:
            workspace = Workspace(opened, self._services, self._pages)
        except AwaseError as error:  # gone since it was read
            opened.store.close()
            self._on_opening_failed(error)
            return
        workspace.pageChanged.connect(self.menus.set_page)
        workspace.commandChosen.connect(self.menus.choose)
        workspace.reopenChosen.connect(lambda: self.open_location(opened.store.location))
        workspace.failed.connect(self.show_failure)
        self._pages.addWidget(workspace)
        self._arriving = workspace
        self._run_in_turns(
            workspace,
            workspace.make_first_page,
            workspace.begin,
            lambda: self._show_arrived(workspace, opened),
        )

    def _run_in_turns(self, workspace: "Workspace", *steps: Callable[[], None]) -> None:
        """Runs each step in a turn of its own, unless the corpus was closed meanwhile."""

        def run_step() -> None:
            if workspace is self._arriving:
                steps[0]()
                self._run_in_turns(workspace, *steps[1:])

        if steps:
            QTimer.singleShot(0, self, run_step)

    def _show_arrived(self, workspace: "Workspace", opened: Opened) -> None:
        store = opened.store
        self.workspace, self._arriving = workspace, None
        self._pages.setCurrentWidget(workspace)
        self.menus.set_undoing(workspace.undoing)
        self.menus.set_corpus_open(True, is_writable=not workspace.session.read_only)
        workspace.arrive()
        if self._is_tour_wanted:
            workspace.begin_tour()
        workspace.session.whoChanged.connect(self._on_who_changed)
        if not self._is_demonstration(store.location):
            file = self._services.settings
            file.change(file.settings.with_recent(str(store.location)))
        self._retitle()
        show_remarks(self, (*opened.remarks, *store.warnings))
        look_for_damage(workspace.session, self._services.jobs, self, self.show_failure)
        files, self._arriving_files = self._arriving_files, ()
        if files:
            self.dialogs.show(IMPORT, workspace.session, files)

    def _on_who_changed(self, who: str) -> None:
        workspace = self.workspace
        # In a demonstration users play a fictitious annotator.
        if workspace is not None and not self._is_demonstration(workspace.session.location):
            self._services.settings.set(annotator=who)

    def _is_demonstration(self, location: str) -> bool:
        from awase.jobs.importing import demonstration_file

        folder = self._services.data
        return any(Path(location) == demonstration_file(one, folder) for one in DEMONSTRATIONS)

    def _show_what_is_open(self) -> None:
        workspace = self.workspace
        if workspace is None:
            self._show_idle()
            return
        self._pages.setCurrentWidget(workspace)
        workspace.page(workspace.page_id).setFocus()

    def _show_idle(self) -> None:
        self.menus.set_undoing(None)
        self.menus.set_corpus_open(False, is_writable=False)
        self._pages.setCurrentWidget(self._welcome)
        self._retitle()

    # Menus

    def _connect(self) -> None:
        menus, welcome, dialogs = self.menus, self._welcome, self.dialogs
        menus.chosen.connect(self._on_chosen)
        menus.recentChosen.connect(self.open_location)
        menus.demonstrationChosen.connect(self.open_demonstration)
        menus.languageChosen.connect(lambda code: self._services.settings.set(language=code))
        menus.paletteChosen.connect(lambda name: self._services.settings.set(palette=name))
        welcome.commandChosen.connect(menus.choose)
        welcome.fileChosen.connect(self.open_location)
        welcome.drop_area.dropped.connect(self.add_files)
        welcome.demonstrationChosen.connect(self.open_demonstration)
        dialogs.failed.connect(self.show_failure)
        self._services.settings.changed.connect(self._on_settings_changed)
        self._services.settings.failed.connect(self.show_failure)
        self._services.keys.changed.connect(menus.show_keys)
        self._services.defects.found.connect(dialogs.show_defect)

    def _on_chosen(self, command: Command) -> None:
        needs_corpus = command.needs is not Need.NOTHING
        if command.run is not None and (self.workspace is not None or not needs_corpus):
            command.run(self)

    def actions_by_id(self) -> Mapping[str, Callable[[], object]]:
        """Returns what the commands of the menus do, but for those that name their dialog."""
        dialogs = self.dialogs
        return {
            "menu:new": dialogs.ask_new_corpus,
            "menu:new-from-texts": lambda: dialogs.show_texts(None),
            "menu:open": dialogs.ask_corpus,
            "menu:open-shared": dialogs.ask_shared,
            "menu:restore": dialogs.ask_backup,
            "menu:import-texts": lambda: dialogs.show_texts(self.shown.session),
            "menu:report": lambda: dialogs.show_report(
                self.shown.session, self.shown.scored_subset()
            ),
            "menu:print": lambda: self.shown.print_when_computed(dialogs.show_print),
            "menu:pdf": lambda: self.shown.print_when_computed(
                partial(dialogs.ask_pdf, self.shown.session)
            ),
            "menu:close": self.leave_corpus,
            "menu:quit": self.close,
            "undo": lambda: self.shown.undoing.to_undo.undo(),
            "redo": lambda: self.shown.undoing.to_redo.redo(),
            "menu:find-in-corpus": lambda: self.shown.find_in_corpus(),
            "menu:topics": lambda: self.shown.choose_topic(),
            "menu:next-free": lambda: self.shown.claim_next_topic(),
            "menu:annotator": lambda: self.shown.annotate.ask_annotator(),
            "menu:times": lambda: self.shown.show_times(),
            "menu:pyramid": lambda: self.shown.show_explanation("pyramid"),
            "menu:clusters": lambda: self.shown.show_explanation("clusters"),
            "menu:trees": lambda: self.shown.show_explanation("trees"),
            "menu:back": lambda: self.shown.go_back(),
            "menu:guidelines": lambda: self.shown.run_on_page("annotate", "guidelines"),
            "menu:others": lambda: self.shown.run_on_page("annotate", "show-others"),
            "menu:sort-table": lambda: sort_by_current_column(QApplication.focusWidget()),
            "menu:palette-of-commands": self.show_palette,
            "menu:larger": lambda: self.change_point_size(1),
            "menu:smaller": lambda: self.change_point_size(-1),
            "menu:settings": dialogs.show_settings,
            "menu:help": dialogs.show_help,
            "menu:why": lambda: self.shown.why.toggle(),
            "menu:tour": self.begin_tour,
            "show-keys": self.show_keys,
            "menu:about": dialogs.show_about,
        }

    def show_palette(self) -> None:
        from awase.gui.frame.command_palette import open_palette

        open_palette(self, self.menus, self.workspace, self._services)

    def show_keys(self) -> None:
        """Shows the keys of the visible page."""
        workspace = self.workspace
        page = page_named(workspace.page_id) if workspace is not None else PAGES[0]
        commands = workspace.commands_of(page) if workspace is not None else page.commands
        self.dialogs.show_keys(commands)

    # Settings

    def change_point_size(self, step: int) -> None:
        """Changes the font size by `step` points, where possible."""
        size = self._services.settings.settings.point_size + step
        if size in FONT_POINT_SIZES:
            self._services.settings.set(point_size=size)

    def _on_settings_changed(self, settings: Settings) -> None:
        code = settings.language or system_language()
        self.menus.set_choices(code, settings.palette)
        self.menus.show_recent(settings.recent)
        self._welcome.show_recent(settings.recent)
        # Any setting may have changed; pages are prepared for theme changes only.
        if self.workspace is None or self._requested_theme() == self._services.themes.theme:
            self._apply_look()
        else:
            self.workspace.stack.prepare(self._apply_theme, self._apply_language)

    def _requested_theme(self) -> Theme:
        settings = self._services.settings.settings
        code = settings.language or system_language()
        return Theme.named(settings.palette, settings.point_size, code)

    def _apply_look(self) -> None:
        """Applies palette, fonts and language of the settings."""
        self._apply_theme()
        self._apply_language()

    def _apply_theme(self) -> None:
        self._services.themes.set_theme(self._requested_theme())

    def _apply_language(self) -> None:
        code = self._requested_theme().language
        if code != language():  # any setting may have changed, and this one notifies every widget
            set_language(code)

    def _retitle(self) -> None:
        workspace = self.workspace
        if workspace is None:
            self.setWindowTitle("Awase")
            return
        file = Path(workspace.session.location)
        title = workspace.session.frame.name or file.stem
        if title != file.stem:
            title = f"{title} ({file.name})"
        if workspace.session.read_only:
            title = tr("{title} (read-only)", title=title)
        self.setWindowTitle(f"{title} — Awase")

    # The window itself

    def _restore_geometry(self) -> None:
        stored = self._services.settings.settings.geometry
        if not stored or not self.restoreGeometry(QByteArray.fromBase64(stored.encode())):
            # Screens of 768 lines are common, and not every desktop makes a window smaller.
            self.resize(QSize(1280, 800).boundedTo(screen_room(self)))

    def closeEvent(self, event: QCloseEvent) -> None:
        from awase.gui.kit.forms.dialog import FormDialog

        if not self._is_leaving and any(map(self._services.jobs.running, _TRANSFERS)):
            event.ignore()
            self.dialogs.ask_to_stop(self._leave)
            return
        forms = (form for form in self.findChildren(FormDialog) if form.isVisible())
        unsaved = next((form for form in forms if form.has_unsaved()), None)
        if unsaved is not None and not self._is_leaving:
            event.ignore()
            unsaved.reject()  # asks the user
            return
        if not self._may_lose_texts(self.close) or not self._finish_backup():
            event.ignore()
            return
        geometry = bytes(self.saveGeometry().toBase64().data()).decode()
        self._services.settings.set(geometry=geometry)
        self._services.jobs.drop_all()
        self._told_on_closing = False
        self.close_corpus()  # silent readers end with it
        if self._told_on_closing:
            event.ignore()
            return
        self._services.jobs.stop_all()
        super().closeEvent(event)

    def _finish_backup(self) -> bool:
        """Finishes the corpus's backup; returns whether nobody else waits for it."""
        # Scans of the corpus meanwhile would slow it down many times.
        if self._is_waiting_for_backup:
            return False
        self._is_waiting_for_backup = True
        try:
            if self.workspace is not None:
                self._services.jobs.drop(CHECKING_JOB)
                self.workspace.drop_jobs()
                self.workspace.session.finish_backup()
        finally:
            self._is_waiting_for_backup = False
        return True

    def _may_lose_texts(self, leave: Callable[[], object]) -> bool:
        """Returns whether all typed texts are stored; else asks, and then may call `leave`."""
        workspace = self.workspace
        texts = workspace.unsaved_texts() if workspace is not None else ()
        if workspace is None or not texts:
            return True

        def lose_and_leave() -> None:
            workspace.annotate.alternatives.note.forget()
            leave()

        self.dialogs.ask_to_lose(texts, lose_and_leave)
        return False

    def _leave(self) -> None:
        self._is_leaving = True
        self.close()
