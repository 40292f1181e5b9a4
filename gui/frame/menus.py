"""Menu bar, built from the commands of the window."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Signal, SignalInstance
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

from awase.gui.frame.commands import (
    BY_ID,
    DEMONSTRATIONS,
    LANGUAGE,
    PALETTE,
    RECENT,
    WINDOW_COMMANDS,
)
from awase.gui.frame.pages import PAGES
from awase.gui.kit.commands import Command, Need
from awase.gui.kit.i18n import LANGUAGES, mark, tr
from awase.gui.kit.keys import KeyMap

if TYPE_CHECKING:  # It imports the session, which would delay the first paint.
    from awase.gui.frame.page_stack import Undoing

# Palette id to its English title.
PALETTE_TITLES: Final[Mapping[str, str]] = {
    "system": mark("As the system"),
    "light": mark("Light"),
    "dark": mark("Dark"),
    "high-contrast": mark("High contrast"),
}


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
        self._titles: list[tuple[QMenu | QAction, str]] = []
        self._actions: dict[str, QAction] = {}
        self._menus: dict[str, QMenu] = {}
        self._submenus: dict[str, QMenu] = {}
        self._undoing: Undoing | None = None
        section = 0
        for command in WINDOW_COMMANDS:
            menu = self._menu(window, command.menu)
            if menu.actions() and command.section != section:
                menu.addSeparator()
            section = command.section
            self._add(menu, command)
        self._fill_choices(LANGUAGE, LANGUAGES, self.languageChosen)
        self._fill_choices(PALETTE, PALETTE_TITLES, self.paletteChosen)
        self._fill_demonstrations()
        self._enable({Need.UNDO: False, Need.REDO: False})
        window.installEventFilter(self)
        self.show_keys()
        self.retranslate()

    def action(self, command_id: str) -> QAction:
        return self._actions[command_id]

    def command_ids(self) -> tuple[str, ...]:
        return tuple(self._actions)

    def choose(self, command_id: str) -> None:
        """Triggers a command's entry."""
        self.chosen.emit(BY_ID[command_id])

    def english_titles(self) -> Mapping[QMenu | QAction, str]:
        return dict(self._titles)

    def show_keys(self) -> None:
        """Updates the keys of all entries."""
        for command_id, action in self._actions.items():
            portable = self._keys.portable(command_id)
            action.setShortcuts([QKeySequence(key) for key in portable])

    def set_corpus_open(self, is_open: bool, *, is_writable: bool) -> None:
        """Enables commands by whether a corpus is open and writable."""
        self._enable({Need.CORPUS: is_open, Need.WRITING: is_open and is_writable})

    def set_page(self, page_id: str) -> None:
        """Ticks the current page."""
        for page in PAGES:
            action = self._actions[f"menu:page:{page.id}"]
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
            title = f"{Path(location).stem}  —  {Path(location).parent}"
            action = menu.addAction(title.replace("&", "&&"))
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
        self._show_undoing()

    def _menu(self, window: QMainWindow, title: str) -> QMenu:
        if title not in self._menus:
            self._menus[title] = window.menuBar().addMenu("")
            self._titles.append((self._menus[title], title))
        return self._menus[title]

    def _add(self, menu: QMenu, command: Command) -> None:
        if command.run is None:
            self._submenus[command.id] = submenu = menu.addMenu("")
            self._titles.append((submenu, command.title))
        else:
            action = menu.addAction("")
            action.triggered.connect(lambda _=False: self.chosen.emit(command))
            self._actions[command.id] = action
            self._titles.append((action, command.title))

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
                self._titles.append((action, title))

    def _fill_demonstrations(self) -> None:
        from awase.gui.frame.opening import DEMONSTRATIONS as CORPORA

        for demonstration in CORPORA:
            action = self._submenus[DEMONSTRATIONS].addAction("")
            self._titles.append((action, demonstration.title))
            action.triggered.connect(
                lambda _=False, chosen=demonstration.language: self.demonstrationChosen.emit(chosen)
            )

    def _enable(self, is_there: Mapping[Need, bool]) -> None:
        """Enables the commands whose requirements are met."""
        for command_id, action in self._actions.items():
            if BY_ID[command_id].needs in is_there:
                action.setEnabled(is_there[BY_ID[command_id].needs])

    def _show_undoing(self) -> None:
        undoing = self._undoing
        undo, redo = self._actions["undo"], self._actions["redo"]
        self._enable(
            {
                Need.UNDO: undoing is not None and undoing.to_undo.canUndo(),
                Need.REDO: undoing is not None and undoing.to_redo.canRedo(),
            }
        )
        undo_what = undoing.to_undo.undoText().replace("&", "&&") if undoing is not None else ""
        redo_what = undoing.to_redo.redoText().replace("&", "&&") if undoing is not None else ""
        undo.setText(tr("&Undo: {what}", what=undo_what) if undo_what else tr("&Undo"))
        redo.setText(tr("&Redo: {what}", what=redo_what) if redo_what else tr("&Redo"))
