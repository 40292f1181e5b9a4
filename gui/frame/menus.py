"""The menu bar: a table of entries, and the actions made from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, Signal, SignalInstance
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QUndoStack
from PySide6.QtWidgets import QMainWindow, QMenu

from awase.gui.kit.keys.keys import KeyMap
from awase.gui.kit.texts.i18n import LANGUAGES, mark, tr

PALETTE_TITLES: Final[Mapping[str, str]] = {
    "system": mark("As the system"),
    "light": mark("Light"),
    "dark": mark("Dark"),
    "high-contrast": mark("High contrast"),
}
"""Palette id to its English title."""

SEPARATOR: Final = "-"
KEYS_OF_MENUS: Final = "menu:"
"""Begins the ids of menu entries in the key bindings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A menu entry: its id and its English title; its keys stand in resources/keys.json."""

    id: str
    title: str


_FILE: Final = (
    Entry(id="new", title=mark("&New corpus…")),
    Entry(id="open", title=mark("&Open…")),
    Entry(id="recent", title=mark("Open &recent")),
    Entry(id="demonstrations", title=mark("&Demonstration corpora")),
    Entry(id=SEPARATOR, title=""),
    Entry(id="import", title=mark("&Import…")),
    Entry(id="export", title=mark("&Export…")),
    Entry(id="report", title=mark("&Report…")),
    Entry(id=SEPARATOR, title=""),
    Entry(id="print", title=mark("&Print…")),
    Entry(id="pdf", title=mark("Save as P&DF…")),
    Entry(id=SEPARATOR, title=""),
    Entry(id="close", title=mark("&Close corpus")),
    Entry(id="quit", title=mark("&Quit")),
)
_EDIT: Final = (
    Entry(id="undo", title=mark("&Undo")),
    Entry(id="redo", title=mark("&Redo")),
    Entry(id=SEPARATOR, title=""),
    Entry(id="find-in-corpus", title=mark("&Find in the corpus…")),
)
_CORPUS: Final = (
    Entry(id="edit:text", title=mark("Edit the &text of the sentence")),
    Entry(id=SEPARATOR, title=""),
    Entry(id="edit:topic", title=mark("Edit the t&opic…")),
    Entry(id=SEPARATOR, title=""),
    Entry(id="edit:new-abstract", title=mark("&Write an abstract…")),
    Entry(id="edit:abstract", title=mark("&Edit the abstract…")),
    Entry(id="edit:remove-abstract", title=mark("Remove the a&bstract…")),
    Entry(id=SEPARATOR, title=""),
    Entry(id="edit:new-document", title=mark("&Add a document…")),
    Entry(id="edit:document", title=mark("&Split the document anew…")),
    Entry(id="edit:remove-document", title=mark("&Remove the document…")),
    Entry(id=SEPARATOR, title=""),
    Entry(id="edit:guidelines", title=mark("Edit the &guidelines…")),
    Entry(id="annotator", title=mark("A&nnotator…")),
    Entry(id="times", title=mark("&Time worked…")),
    Entry(id="parse", title=mark("&Parse sentences…")),
    Entry(id="extract", title=mark("E&xtractors as systems…")),
    Entry(id="pyramid", title=mark("Pseudo-p&yramid explained…")),
    Entry(id="clusters", title=mark("Words that &count as one…")),
    Entry(id="trees", title=mark("Trees side by si&de…")),
)
_VIEW: Final = (
    Entry(id="page:annotate", title=mark("&Annotate")),
    Entry(id="page:inspect", title=mark("&Inspect")),
    Entry(id="page:grade", title=mark("&Grade")),
    Entry(id="page:scores", title=mark("&Scores")),
    Entry(id="page:correlations", title=mark("&Correlations")),
    Entry(id=SEPARATOR, title=""),
    Entry(id="guidelines", title=mark("&Guidelines")),
    Entry(id="others", title=mark("&Other annotators")),
    Entry(id=SEPARATOR, title=""),
    Entry(id="palette-of-commands", title=mark("&Commands…")),
    Entry(id=SEPARATOR, title=""),
    Entry(id="language", title=mark("&Language")),
    Entry(id="palette", title=mark("&Palette")),
    Entry(id="larger", title=mark("Larger &text")),
    Entry(id="smaller", title=mark("S&maller text")),
    Entry(id=SEPARATOR, title=""),
    Entry(id="settings", title=mark("S&ettings…")),
)
_HELP: Final = (
    Entry(id="help", title=mark("&Help")),
    Entry(id="tour", title=mark("Five-minute &tour")),
    Entry(id="keys", title=mark("&Keys")),
    Entry(id="about", title=mark("&About Awase")),
)
_MENUS: Final = (
    (mark("&File"), _FILE),
    (mark("&Edit"), _EDIT),
    (mark("&Corpus"), _CORPUS),
    (mark("&View"), _VIEW),
    (mark("&Help"), _HELP),
)
_NEEDS_CORPUS: Final = (
    "import", "export", "close", "find-in-corpus", "annotator", "times", "clusters", "pyramid",
    "trees", "guidelines", "others", "report", "print", "pdf",
    "page:annotate", "page:inspect", "page:grade", "page:scores", "page:correlations",
)  # fmt: skip
_NEEDS_WRITING: Final = (
    "import", "parse", "extract", *(entry.id for entry in _CORPUS if entry.id.startswith("edit:")),
)  # fmt: skip
_COMMAND_OF_PAGE: Final = ("undo", "redo")
"""Entries whose keys are those of the page's commands of the same name."""

_SUBMENUS: Final = ("recent", "demonstrations", "language", "palette")


def key_command(entry_id: str) -> str:
    """Returns under which command the key bindings have an entry's keys."""
    return entry_id if entry_id in _COMMAND_OF_PAGE else f"{KEYS_OF_MENUS}{entry_id}"


def entry_of(command: str) -> tuple[str, str]:
    """Returns the English titles of the menu and of the entry that `command` of the keys is."""
    entry_id = command.removeprefix(KEYS_OF_MENUS)
    return next(
        (menu, entry.title) for menu, entries in _MENUS for entry in entries if entry.id == entry_id
    )


class Menus(QObject):
    """Fills the menu bar of a window and says what was chosen."""

    chosen = Signal(str)
    """Id of a plain entry."""
    recentChosen = Signal(str)
    demonstrationChosen = Signal(str)
    languageChosen = Signal(str)
    paletteChosen = Signal(str)

    def __init__(self, window: QMainWindow, keys: KeyMap) -> None:
        super().__init__(window)
        self._keys = keys
        self._titles: list[tuple[QMenu | QAction, str]] = []
        self._actions: dict[str, QAction] = {}
        self._menus: dict[str, QMenu] = {}
        self._stack: QUndoStack | None = None
        bar = window.menuBar()
        for title, entries in _MENUS:
            menu = bar.addMenu("")
            self._titles.append((menu, title))
            for entry in entries:
                self._add(menu, entry)
        self._fill_choices("language", LANGUAGES, self.languageChosen)
        self._fill_choices("palette", PALETTE_TITLES, self.paletteChosen)
        self._fill_demonstrations()
        for entry_id in ("undo", "redo"):
            self._actions[entry_id].setEnabled(False)
        window.installEventFilter(self)
        self.show_keys()
        self.retranslate()

    def action(self, entry_id: str) -> QAction:
        """Returns the action of a plain entry."""
        return self._actions[entry_id]

    def english_titles(self) -> Mapping[QMenu | QAction, str]:
        """Returns the English title of each menu and entry that has one."""
        return dict(self._titles)

    def show_keys(self) -> None:
        """Takes the keys of all entries as they are now."""
        for entry_id, action in self._actions.items():
            portable = self._keys.portable(key_command(entry_id))
            action.setShortcuts([QKeySequence(key) for key in portable])

    def set_corpus_open(self, is_open: bool, *, is_writable: bool) -> None:
        """Enables what needs a corpus, and what changes it only where it can be written."""
        for entry_id in _NEEDS_CORPUS:
            self._actions[entry_id].setEnabled(is_open)
        for entry_id in _NEEDS_WRITING:
            self._actions[entry_id].setEnabled(is_open and is_writable)

    def set_page(self, page_id: str) -> None:
        """Ticks the current page."""
        for entry_id, action in self._actions.items():
            if entry_id.startswith("page:"):
                action.setCheckable(True)
                action.setChecked(entry_id == f"page:{page_id}")

    def set_undo_stack(self, stack: QUndoStack | None) -> None:
        """Lets Undo and Redo follow `stack`; None when no corpus is open."""
        if self._stack is not None:
            self._stack.indexChanged.disconnect(self._on_index_changed)
        self._stack = stack
        if stack is not None:
            stack.indexChanged.connect(self._on_index_changed)
        self._on_index_changed()

    def set_choices(self, language: str, palette: str) -> None:
        """Ticks the current language and palette."""
        for menu_id, current in (("language", language), ("palette", palette)):
            for action in self._menus[menu_id].actions():
                action.setChecked(action.data() == current)

    def show_recent(self, locations: Sequence[str]) -> None:
        """Fills the list of corpora opened last."""
        menu = self._menus["recent"]
        menu.clear()
        menu.setEnabled(bool(locations))
        for location in locations:
            action = menu.addAction(f"{Path(location).stem}  —  {Path(location).parent}")
            action.triggered.connect(
                lambda _=False, chosen=location: self.recentChosen.emit(chosen)
            )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LanguageChange:
            self.retranslate()
        return super().eventFilter(watched, event)

    def retranslate(self) -> None:
        """Writes every title in the window's language."""
        for target, title in self._titles:
            if isinstance(target, QMenu):
                target.setTitle(tr(title))
            else:
                target.setText(tr(title))
        self._on_index_changed()

    def _add(self, menu: QMenu, entry: Entry) -> None:
        if entry.id == SEPARATOR:
            menu.addSeparator()
        elif entry.id in _SUBMENUS:
            submenu = menu.addMenu("")
            self._menus[entry.id] = submenu
            self._titles.append((submenu, entry.title))
        else:
            action = menu.addAction("")
            action.triggered.connect(lambda _=False, chosen=entry.id: self.chosen.emit(chosen))
            self._actions[entry.id] = action
            self._titles.append((action, entry.title))

    def _fill_choices(
        self, menu_id: str, titles: Mapping[str, str], chosen: SignalInstance
    ) -> None:
        menu = self._menus[menu_id]
        group = QActionGroup(menu)
        for choice, title in titles.items():
            action = menu.addAction(title)
            action.setCheckable(True)
            action.setData(choice)
            group.addAction(action)
            action.triggered.connect(lambda _=False, choice=choice: chosen.emit(choice))
            if menu_id == "palette":
                self._titles.append((action, title))

    def _fill_demonstrations(self) -> None:
        from awase.gui.frame.opening import DEMONSTRATIONS

        for demonstration in DEMONSTRATIONS:
            action = self._menus["demonstrations"].addAction("")
            self._titles.append((action, demonstration.title))
            action.triggered.connect(
                lambda _=False, chosen=demonstration.language: self.demonstrationChosen.emit(chosen)
            )

    def _on_index_changed(self, _index: int = 0) -> None:
        stack = self._stack
        undo, redo = self._actions["undo"], self._actions["redo"]
        undo.setEnabled(stack is not None and stack.canUndo())
        redo.setEnabled(stack is not None and stack.canRedo())
        undo_what = stack.undoText() if stack is not None else ""
        redo_what = stack.redoText() if stack is not None else ""
        undo.setText(tr("&Undo: {what}", what=undo_what) if undo_what else tr("&Undo"))
        redo.setText(tr("&Redo: {what}", what=redo_what) if redo_what else tr("&Redo"))
