"""The pages and the commands of the window.

A new command is one entry here, in menu order, that names its dialog or has an entry in
`MainWindow.actions_by_id`. A new page is a folder of `gui/pages/` that is named in `PAGES`; its
`PAGE` has its commands.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar

from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from awase.gui.kit.commands import (
    IMPORT,
    TAKE_BACK,
    Command,
    Need,
    ShowDialog,
    in_group,
    in_menu,
)
from awase.gui.kit.i18n import LANGUAGES, bind, mark, tr
from awase.gui.kit.keys import KeyMap
from awase.gui.pages.annotate.commands import (
    EDIT_ABSTRACTS,
    EDIT_DOCUMENTS,
    EDIT_TEXT,
    editing,
)
from awase.gui.session.pages import Page
from awase.gui.session.settings import name_and_folder

if TYPE_CHECKING:  # It imports the session, which would delay the first paint.
    from awase.gui.frame.page_stack import Undoing


# In the order of the rail; each is declared in the `__init__` of its folder.
PAGES: Final[tuple[Page, ...]] = tuple(
    import_module(f"awase.gui.pages.{folder}").PAGE
    for folder in "annotate inspect grade scores correlations review project".split()
)
# Imported when first shown, which would wait for them.
MODULES: Final = tuple(f"awase.gui.pages.{page.id}.page" for page in PAGES)


def page_named(page_id: str) -> Page:
    """Returns the page called `page_id`."""
    return next(page for page in PAGES if page.id == page_id)


_EVERYWHERE: Final = mark("Everywhere")

RECENT: Final = "menu:recent"
DEMONSTRATIONS: Final = "menu:demonstrations"
LANGUAGE: Final = "menu:language"
PALETTE: Final = "menu:palette"


def _command(id: str, title: str, *keys: str, **more: Any) -> Command:  # noqa: ANN401 (fields)
    """Returns a command of `MainWindow.actions_by_id`, unless `run` is among `more`."""
    return Command(id, title, keys, **{"run": lambda window: window.actions_by_id()[id](), **more})


def _dialog(id: str, title: str, dialog: str, *keys: str, needs: Need = Need.WRITING) -> Command:
    return Command(id, title, keys, needs=needs, run=ShowDialog(dialog))


FILE: Final = in_menu(
    mark("&File"),
    (
        _command("menu:new", mark("&New corpus…"), "Ctrl+N"),
        _command("menu:new-from-texts", mark("Ne&w corpus from texts…"), "Ctrl+Shift+N"),
        _command("menu:open", mark("&Open…"), "Ctrl+O"),
        _command("menu:open-shared", mark("Open &shared corpus…")),
        _command("menu:restore", mark("Restore a bac&kup…")),
        Command(RECENT, mark("Open &recent")),
        Command(DEMONSTRATIONS, mark("&Demonstration corpora")),
    ),
    (
        _dialog("menu:import", mark("&Import…"), IMPORT, "Ctrl+I"),
        _command("menu:import-texts", mark("Import te&xts…"), needs=Need.WRITING),
        _dialog(
            "menu:export",
            mark("&Export…"),
            "dialogs.transfer.files_dialog:ExportDialog",
            "Ctrl+E",
            needs=Need.CORPUS,
        ),
        _dialog(
            "menu:hand-out", mark("&Hand out…"), "dialogs.team:HandOutDialog", needs=Need.CORPUS
        ),
        _dialog("menu:take-back", mark("Take &back…"), TAKE_BACK),
        _command("menu:report", mark("Repor&t…"), needs=Need.CORPUS),
    ),
    (
        _command("menu:print", mark("&Print…"), "Ctrl+Shift+P", needs=Need.CORPUS),
        _command("menu:pdf", mark("Save as PD&F…"), needs=Need.CORPUS),
    ),
    (
        _command("menu:close", mark("&Close corpus"), "Ctrl+W", needs=Need.CORPUS),
        _command("menu:quit", mark("&Quit"), "Ctrl+Q"),
    ),
)
EDIT: Final = in_menu(
    mark("&Edit"),
    in_group(
        _EVERYWHERE,
        _command("undo", mark("&Undo"), "Ctrl+Z", needs=Need.UNDO),
        _command("redo", mark("&Redo"), "Ctrl+Shift+Z", "Ctrl+Y", needs=Need.REDO),
    ),
    in_group(
        _EVERYWHERE,
        _command("menu:find-in-corpus", mark("&Find in the corpus…"), "Ctrl+F", needs=Need.CORPUS),
        _command("menu:topics", mark("&Go to a topic…"), "Ctrl+T", needs=Need.CORPUS),
        _command(
            "menu:next-free", mark("&Take the next free topic"), "Ctrl+Shift+T", needs=Need.WRITING
        ),
    ),
)


CORPUS: Final = in_menu(
    mark("&Corpus"),
    (EDIT_TEXT,),
    (editing("topic", mark("Edit the t&opic…")),),
    EDIT_ABSTRACTS,
    EDIT_DOCUMENTS,
    (
        editing("guidelines", mark("Edit the &guidelines…")),
        _command("menu:annotator", mark("A&nnotator…"), needs=Need.CORPUS),
        _command("menu:times", mark("T&ime worked…"), needs=Need.CORPUS),
        _dialog("menu:parse", mark("&Parse sentences…"), "dialogs.deriving:ParseDialog"),
        _dialog(
            "menu:extract", mark("E&xtractors as systems…"), "dialogs.deriving:ExtractorsDialog"
        ),
        _command("menu:pyramid", mark("Pseudo-p&yramid explained"), needs=Need.CORPUS),
        _command("menu:clusters", mark("Words that &count as one"), needs=Need.CORPUS),
        _command("menu:trees", mark("Trees side by si&de"), needs=Need.CORPUS),
        _dialog("menu:remove", mark("&Remove…"), "dialogs.whole_corpus:RemoveDialog"),
    ),
)


def _showing(page: Page) -> Command:
    return Command(
        f"menu:page:{page.id}",
        page.title,
        page.keys,
        needs=Need.CORPUS,
        run=lambda window: window.shown.show_page(page.id),
    )


def _to_pane(id: str, title: str, key: str, by: int) -> Command:
    return Command(
        id,
        title,
        (key,),
        together=mark("Next or previous pane"),
        needs=Need.CORPUS,
        run=lambda window: window.shown.step_pane(by),
    )


VIEW: Final = in_menu(
    mark("&View"),
    in_group(
        _EVERYWHERE,
        *map(_showing, PAGES),
        _command("menu:back", mark("&Back to where you came from"), "Alt+Left", needs=Need.CORPUS),
        _to_pane("next-pane", mark("Next pane"), "F6", 1),
        _to_pane("previous-pane", mark("Previous pane"), "Shift+F6", -1),
    ),
    (
        _command("menu:guidelines", mark("G&uidelines"), needs=Need.CORPUS),
        _command("menu:others", mark("&Other annotators"), needs=Need.CORPUS),
    ),
    in_group(
        _EVERYWHERE,
        _command(
            "menu:sort-table",
            mark("So&rt the table by the current column"),
            "Ctrl+Shift+O",
            needs=Need.CORPUS,
        ),
        _command("menu:palette-of-commands", mark("Comman&ds…"), "Ctrl+P", "Ctrl+K"),
    ),
    (
        Command(LANGUAGE, mark("&Language")),
        Command(PALETTE, mark("&Palette")),
        _command("menu:larger", mark("Larger &text"), "Ctrl++"),
        _command("menu:smaller", mark("S&maller text"), "Ctrl+-"),
    ),
    (_command("menu:settings", mark("S&ettings…"), "Ctrl+,"),),
)
HELP: Final = in_menu(
    mark("&Help"),
    (
        _command("menu:help", mark("&Help"), "F1", group=_EVERYWHERE),
        _command(
            "menu:why", mark("&Why this number?"), "Shift+F1", group=_EVERYWHERE, needs=Need.CORPUS
        ),
        _command("menu:tour", mark("Five-minute &tour")),
        _command("show-keys", mark("&Keys"), "?", group=_EVERYWHERE),
        _command("menu:about", mark("&About Awase")),
    ),
)
# In the order of the menus.
WINDOW_COMMANDS: Final[tuple[Command, ...]] = (*FILE, *EDIT, *CORPUS, *VIEW, *HELP)

# Every command of the program: those of the pages, then those of the window.
ALL_COMMANDS: Final[tuple[Command, ...]] = (
    *(command for page in PAGES for command in page.commands),
    *WINDOW_COMMANDS,
)

BY_ID: Final = {command.id: command for command in ALL_COMMANDS}


def default_bindings() -> dict[str, tuple[str, ...]]:
    """Returns the default keys by command id."""
    return {command.id: command.keys for command in ALL_COMMANDS if command.run is not None}


# Palette id to its English title.
PALETTE_TITLES: Final[Mapping[str, str]] = {
    "system": mark("As the system"),
    "light": mark("Light"),
    "dark": mark("Dark"),
    "high-contrast": mark("High contrast"),
}


_Entry = TypeVar("_Entry", QMenu, QAction)


class Menus(QObject):
    """Fills the menu bar and emits triggered commands."""

    chosen = Signal(object)  # a `Command`
    recentChosen = Signal(str)
    demonstrationChosen = Signal(str)
    languageChosen = Signal(str)
    paletteChosen = Signal(str)

    def __init__(self, window: QMainWindow, keys: KeyMap) -> None:
        super().__init__(window)
        self._keys = keys
        self.titles: Final[dict[QMenu | QAction, str]] = {}  # English ones
        self.actions: Final[dict[str, QAction]] = {}  # by the ids of their commands
        self._submenus: dict[str, QMenu] = {}
        self._undoing: Undoing | None = None
        for title, commands in groupby(WINDOW_COMMANDS, attrgetter("menu")):
            menu = self._entitle(window.menuBar().addMenu(""), title)
            for section, of_section in groupby(commands, attrgetter("section")):
                if section > 1:
                    menu.addSeparator()
                for command in of_section:
                    self._add(menu, command)
        self._fill_choices(LANGUAGE, LANGUAGES, self.languageChosen)
        self._fill_choices(PALETTE, PALETTE_TITLES, self.paletteChosen)
        self._fill_demonstrations()
        self.show_keys()
        self._show_undoing()

    def choose(self, command_id: str) -> None:
        """Triggers a command's entry."""
        self.chosen.emit(BY_ID[command_id])

    def show_keys(self) -> None:
        """Updates the keys of all entries."""
        for command_id, action in self.actions.items():
            portable = self._keys.portable(command_id)
            action.setShortcuts([QKeySequence(key) for key in portable])

    def set_corpus_open(self, is_open: bool, *, is_writable: bool) -> None:
        """Enables commands by whether a corpus is open and writable."""
        self._enable({Need.CORPUS: is_open, Need.WRITING: is_open and is_writable})

    def set_page(self, page_id: str) -> None:
        """Ticks the current page."""
        for page in PAGES:
            action = self.actions[f"menu:page:{page.id}"]
            action.setCheckable(True)
            action.setChecked(page.id == page_id)

    def set_undoing(self, undoing: "Undoing | None") -> None:
        """Sets the titles of Undo and Redo; None when no corpus is open."""
        if self._undoing is not None:
            self._undoing.changed.disconnect(self._show_undoing)
        self._undoing = undoing
        if undoing is not None:
            undoing.changed.connect(self._show_undoing)
        self._show_undoing()

    def set_choices(self, language: str, palette: str) -> None:
        """Ticks the current language and palette."""
        for menu_id, current in ((LANGUAGE, language), (PALETTE, palette)):
            for action in self._submenus[menu_id].actions():
                action.setChecked(action.data() == current)

    def show_recent(self, locations: Sequence[str]) -> None:
        """Fills the list of corpora opened last."""
        menu = self._submenus[RECENT]
        menu.clear()
        menu.setEnabled(bool(locations))
        for location in locations:
            title = "  —  ".join(name_and_folder(location))
            action = menu.addAction(title.replace("&", "&&"))
            action.triggered.connect(
                lambda _=False, chosen=location: self.recentChosen.emit(chosen)
            )

    def _entitle(self, target: _Entry, title: str) -> _Entry:
        self.titles[target] = title
        return bind(target, "title" if isinstance(target, QMenu) else "text", title)

    def _add(self, menu: QMenu, command: Command) -> None:
        if command.run is None:
            self._submenus[command.id] = self._entitle(menu.addMenu(""), command.title)
        else:
            action = self._entitle(menu.addAction(""), command.title)
            action.triggered.connect(lambda _=False: self.chosen.emit(command))
            self.actions[command.id] = action

    def _fill_choices(
        self, menu_id: str, titles: Mapping[str, str], chosen: SignalInstance
    ) -> None:
        menu = self._submenus[menu_id]
        group = QActionGroup(menu)
        for choice, title in titles.items():
            action = menu.addAction(title)
            action.setCheckable(True)
            action.setData(choice)
            group.addAction(action)
            action.triggered.connect(lambda _=False, choice=choice: chosen.emit(choice))
            if menu_id == PALETTE:
                self._entitle(action, title)

    def _fill_demonstrations(self) -> None:
        from awase.gui.frame.welcome import DEMONSTRATIONS as CORPORA

        for language, title in CORPORA.items():
            action = self._entitle(self._submenus[DEMONSTRATIONS].addAction(""), title)
            action.triggered.connect(
                lambda _=False, chosen=language: self.demonstrationChosen.emit(chosen)
            )

    def _enable(self, is_there: Mapping[Need, bool]) -> None:
        """Enables the commands whose requirements are met."""
        for command_id, action in self.actions.items():
            if BY_ID[command_id].needs in is_there:
                action.setEnabled(is_there[BY_ID[command_id].needs])

    def _show_undoing(self) -> None:
        undoing = self._undoing
        self._enable(
            {
                Need.UNDO: undoing is not None and undoing.to_undo.canUndo(),
                Need.REDO: undoing is not None and undoing.to_redo.canRedo(),
            }
        )
        bind(self.actions["undo"], "text", self._undo_text)
        bind(self.actions["redo"], "text", self._redo_text)

    def _undo_text(self) -> str:
        what = "" if self._undoing is None else self._undoing.to_undo.undoText().replace("&", "&&")
        return tr("&Undo: {what}", what=what) if what else tr("&Undo")

    def _redo_text(self) -> str:
        what = "" if self._undoing is None else self._undoing.to_redo.redoText().replace("&", "&&")
        return tr("&Redo: {what}", what=what) if what else tr("&Redo")
