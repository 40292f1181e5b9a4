"""The menu bar: a table of entries, and the actions made from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, Signal, SignalInstance
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QUndoStack
from PySide6.QtWidgets import QMainWindow, QMenu

from awase.gui.i18n import LANGUAGES, mark, tr

PALETTE_TITLES: Final[Mapping[str, str]] = {
    "system": mark("As the system"),
    "light": mark("Light"),
    "dark": mark("Dark"),
    "high-contrast": mark("High contrast"),
}
"""Palette id to its English title."""

SEPARATOR: Final = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A menu entry: its id, its English title, and its keys."""

    id: str
    title: str
    keys: str = ""


_FILE: Final = (
    Entry(id="new", title=mark("&New corpus…"), keys="Ctrl+N"),
    Entry(id="open", title=mark("&Open…"), keys="Ctrl+O"),
    Entry(id="recent", title=mark("Open &recent")),
    Entry(id="demonstrations", title=mark("&Demonstration corpora")),
    Entry(id=SEPARATOR, title=""),
    Entry(id="import", title=mark("&Import…"), keys="Ctrl+I"),
    Entry(id="export", title=mark("&Export…"), keys="Ctrl+E"),
    Entry(id=SEPARATOR, title=""),
    Entry(id="close", title=mark("&Close corpus"), keys="Ctrl+W"),
    Entry(id="quit", title=mark("&Quit"), keys="Ctrl+Q"),
)
_EDIT: Final = (
    Entry(id="undo", title=mark("&Undo"), keys="Ctrl+Z"),
    Entry(id="redo", title=mark("&Redo"), keys="Ctrl+Shift+Z"),
    Entry(id=SEPARATOR, title=""),
    Entry(id="find-in-corpus", title=mark("&Find in the corpus…"), keys="Ctrl+F"),
)
_CORPUS: Final = (
    Entry(id="edit:text", title=mark("Edit the &text of the sentence"), keys="F2"),
    Entry(id=SEPARATOR, title=""),
    Entry(id="edit:new-abstract", title=mark("&Write an abstract…")),
    Entry(id="edit:abstract", title=mark("&Edit the abstract…"), keys="Shift+F2"),
    Entry(id="edit:remove-abstract", title=mark("Remove the a&bstract…")),
    Entry(id=SEPARATOR, title=""),
    Entry(id="edit:new-document", title=mark("&Add a document…")),
    Entry(id="edit:document", title=mark("&Split the document anew…")),
    Entry(id="edit:remove-document", title=mark("&Remove the document…")),
)
_VIEW: Final = (
    Entry(id="page:annotate", title=mark("&Annotate"), keys="Ctrl+1"),
    Entry(id="page:inspect", title=mark("&Inspect"), keys="Ctrl+2"),
    Entry(id="page:grade", title=mark("&Grade"), keys="Ctrl+3"),
    Entry(id="page:scores", title=mark("&Scores"), keys="Ctrl+4"),
    Entry(id=SEPARATOR, title=""),
    Entry(id="palette-of-commands", title=mark("&Commands…"), keys="Ctrl+P"),
    Entry(id=SEPARATOR, title=""),
    Entry(id="language", title=mark("&Language")),
    Entry(id="palette", title=mark("&Palette")),
    Entry(id="larger", title=mark("Larger &text"), keys="Ctrl++"),
    Entry(id="smaller", title=mark("S&maller text"), keys="Ctrl+-"),
    Entry(id=SEPARATOR, title=""),
    Entry(id="settings", title=mark("S&ettings…"), keys="Ctrl+,"),
)
_HELP: Final = (
    Entry(id="keys", title=mark("&Keys"), keys="F1"),
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
    "import", "export", "close", "find-in-corpus",
    "page:annotate", "page:inspect", "page:grade", "page:scores",
)  # fmt: skip
_NEEDS_WRITING: Final = ("import", *(entry.id for entry in _CORPUS if entry.id != SEPARATOR))
_ALSO_OF_PAGES: Final = ("undo", "redo")


def menu_keys() -> list[tuple[str, str]]:
    """Returns English title and key of each entry whose key no page may use."""
    return [
        (entry.title, entry.keys)
        for _, entries in _MENUS
        for entry in entries
        if entry.keys and entry.id not in _ALSO_OF_PAGES
    ]


_SUBMENUS: Final = ("recent", "demonstrations", "language", "palette")


class Menus(QObject):
    """Fills the menu bar of a window and says what was chosen."""

    chosen = Signal(str)
    """Id of a plain entry."""
    recentChosen = Signal(str)
    demonstrationChosen = Signal(str)
    languageChosen = Signal(str)
    paletteChosen = Signal(str)

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
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
        self.retranslate()

    def action(self, entry_id: str) -> QAction:
        """Returns the action of a plain entry."""
        return self._actions[entry_id]

    def english_titles(self) -> Mapping[QMenu | QAction, str]:
        """Returns the English title of each menu and entry that has one."""
        return dict(self._titles)

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
            if entry.keys:
                action.setShortcut(QKeySequence(entry.keys))
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
        from awase.gui.opening import DEMONSTRATIONS

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
