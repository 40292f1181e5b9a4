"""A command: title, menu, keys, action; menus, key sheet, palette, key editor and docs follow."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from enum import Enum, auto
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QTableView,
    QWidget,
)

from awase.gui.kit.i18n import announce, in_every_language, tr
from awase.gui.kit.keys import KeyMap

_MNEMONIC: Final = re.compile(r"\(&\w\)")


class Need(Enum):
    """Condition of a command in the menus."""

    NOTHING = auto()
    CORPUS = auto()  # an open corpus
    WRITING = auto()  # an open corpus that can be changed
    UNDO = auto()  # an open corpus with something to undo
    REDO = auto()  # an open corpus with something to redo


@dataclass(frozen=True, slots=True)
class Command:
    """Something that the user can do."""

    # As the user's file of keys names it. `menu:…` is a command of the window, `PAGE:…` one of a
    # page; those of the Annotate page have no such beginning.
    id: str
    # English message; `&` before the letter that chooses it in a menu, `{n}` for `number`.
    title: str
    # The keys that the program comes with, as `QKeySequence` spells them; first is shown.
    keys: tuple[str, ...] = ()
    _: KW_ONLY
    # Action, given the window or the page that declares it (whose types are unknown here); None for
    # a menu of choices. `False` passes the key on.
    run: Callable[[Any], object] | None = None
    number: int = 0  # which one of several of a kind, such as the third candidate; 0 = none
    group: str = ""
    together: str = ""
    menu: str = ""  # English title of its menu; empty = none
    section: int = 0
    needs: Need = Need.NOTHING

    @property
    def name(self) -> str:
        """Its stand-alone title, translated."""
        return plain(tr(self.title, n=self.number) if self.number else tr(self.title))

    @property
    def names(self) -> tuple[str, ...]:
        number = str(self.number)
        texts = (plain(text).replace("{n}", number) for text in in_every_language(self.title))
        return tuple(dict.fromkeys(texts))

    @property
    def line(self) -> str:
        """Its line in the key sheet, translated."""
        return tr(self.together) if self.together else self.name


def in_group(group: str, *commands: Command) -> tuple[Command, ...]:
    """Returns the commands as they are explained together, under this heading of the key sheet."""
    return tuple(replace(command, group=group) for command in commands)


def in_menu(menu: str, *sections: tuple[Command, ...]) -> tuple[Command, ...]:
    return tuple(
        replace(command, menu=menu, section=number)
        for number, section in enumerate(sections, start=1)
        for command in section
    )


def plain(title: str) -> str:
    """Returns a menu's text without mnemonic and dots: 開く(&O)… is 開く."""
    return _MNEMONIC.sub("", title).replace("&", "").removesuffix("…")


def path_of(*names: str) -> str:
    """Returns the path of a command, outermost first, without repetitions.

    >>> path_of("Correlations", "Correlations", "Leave out")
    'Correlations › Leave out'
    """
    return " › ".join(name for name, _ in groupby(names))


def by_group(commands: Iterable[Command]) -> Mapping[str, Mapping[str, tuple[Command, ...]]]:
    """Returns the key sheet's lines and their commands by English group."""
    groups: dict[str, dict[str, tuple[Command, ...]]] = {}
    for command in commands:
        if command.group:
            lines = groups.setdefault(command.group, {})
            said = command.together or command.title
            lines[said] = (*lines.get(said, ()), command)
    return groups


if TYPE_CHECKING:
    Base = QWidget
else:
    Base = object  # Qt allows one of its classes among the bases, and that is the user's


class CommandKeys(Base):
    """Mixed into a page: a key that no widget in it had a use for runs the page's command."""

    _commands: dict[str, Command]
    _key_map: KeyMap
    _scope: str

    def add_commands(self, page_id: str, commands: Iterable[Command], keys: KeyMap) -> None:
        self._scope = page_id
        self._commands = {command.id: command for command in commands}
        self._key_map = keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        command = self._commands.get(self._key_map.command_of(event, self._scope) or "")
        if command is None or command.run is None or command.run(self) is False:
            super().keyPressEvent(event)


# A remote desktop may send the symbol only; beyond five it depends on the keyboard.
_SYMBOLS: Final = ("!", '@,"', "#", "$", "%")


def shifted_digit(number: int) -> tuple[str, ...]:
    """Returns the symbol of Shift and the digit, 1 to 9."""
    symbols = _SYMBOLS[number - 1].split(",") if number <= len(_SYMBOLS) else []
    return (f"Shift+{number}", *symbols)


ENTER_KEYS: Final = ("Return", "Enter")  # of the letters, and of the number pad
SHIFT_ENTER_KEYS: Final = ("Shift+Return", "Shift+Enter")
IMPORT: Final = "dialogs.transfer.files_dialog:ImportDialog"
TAKE_BACK: Final = "dialogs.team:TakeBackDialog"


@dataclass(frozen=True, slots=True)
class ShowDialog:
    """Shows a dialog; the tests that hold of every dialog find it in the command."""

    # `module:class` below `awase.gui`; constructed from session, services and parent. One that may
    # fail has a signal `failed` (headline, error).
    dialog: str

    # Any: the window, which this module cannot know.
    def __call__(self, window: Any) -> None:  # noqa: ANN401
        window.dialogs.show(self.dialog, window.shown.session)


# Any: dialogs share a constructor and some methods, without a base class.
def dialog_class(dialog: str) -> Callable[..., Any]:
    module, name = dialog.split(":")
    return cast(Callable[..., Any], getattr(import_module(f"awase.gui.{module}"), name))


# What Tab comes to between the panes.
_CONTROLS: Final = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit)


class HandsFocusOn:
    """A container that passes the focus to a part of it."""

    # Not Qt's focus proxy: Tab would skip everything before it.

    _focused_part: QWidget

    def hand_focus_to(self, part: QWidget) -> None:
        self._focused_part = part

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:
        self._focused_part.setFocus(reason)


ENTER: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_MOVES: Final = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)


class SearchKeys(QObject):
    """Joins a field with the list of its matches: one is typed in, the other moved in."""

    def __init__(
        self, field: QLineEdit, view: QAbstractItemView, choose: Callable[[QModelIndex], object]
    ) -> None:
        super().__init__(field)
        self._field, self._view, self._choose = field, view, choose
        for widget in (field, view):
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() in ENTER:
                self._choose(self._view.currentIndex())
                return True
            if watched is self._field and event.key() in _MOVES:
                self._view.event(event)
                return True
            if watched is self._view and event.text().isprintable() and event.text().strip():
                self._field.setFocus()
                self._field.event(event)
                return True
        return super().eventFilter(watched, event)


class EnterPresses(QObject):
    """Event filter by which Enter presses a button."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        if event.key() not in ENTER:
            return super().eventFilter(watched, event)
        if isinstance(watched, QAbstractButton):
            watched.click()
        return True


_Button = TypeVar("_Button", bound=QAbstractButton)


def pressed_by_enter(button: _Button) -> _Button:
    """Lets Enter press the button, not the space bar only, and returns it."""
    # Qt's own way makes it look like a default button, which hides its icon.
    button.installEventFilter(EnterPresses(button))
    return button


def step_pane(page: QWidget, by: int) -> None:
    """Focuses the page's next pane in Tab order, wrapping around; `by` is 1 or -1."""
    # Qt itself moves from control to control. `nextInFocusChain` would tell the next one, but
    # Shiboken makes its result a child of the widget and releases both together: the window's menus
    # were lost with a page.
    window = page.window()
    passed = [window.focusWidget()]
    while window.focusNextPrevChild(by > 0):
        widget = window.focusWidget()
        if widget is None or widget in passed:  # not the first: Tab may not return to that
            return
        if page.isAncestorOf(widget) and _is_pane(widget, page):
            return
        passed.append(widget)


def _is_pane(widget: QWidget, page: QWidget) -> bool:
    takes_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    is_there = widget.isVisibleTo(page) and widget.isEnabled()
    is_hidden_field = widget.focusProxy() is not None
    return takes_tab and is_there and not is_hidden_field and not isinstance(widget, _CONTROLS)


class FileDropTarget(Base):
    """Mixin before Qt's class, for widgets with `setAcceptDrops(True)`."""

    def accepts(self, paths: Sequence[Path]) -> bool:
        return bool(paths) and not getattr(self, "is_busy", False)

    def add_files(self, paths: Sequence[Path]) -> None:
        raise NotImplementedError

    def show_hover(self, is_over: bool) -> None:
        """Shows whether files hover over the widget."""

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.accepts(_files(event)):
            event.acceptProposedAction()
            self.show_hover(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.show_hover(False)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.show_hover(False)
        paths = _files(event)
        if self.accepts(paths):
            event.acceptProposedAction()
            self.add_files(paths)


def _files(event: QDropEvent) -> list[Path]:
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]


_UP, _DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


def sort_by_current_column(widget: QWidget | None) -> bool:
    """Sorts by the current cell's column: ascending, descending, unsorted.

    The result is announced; the current cell stays. Returns whether the table is sortable.
    """
    if not isinstance(widget, QTableView) or not widget.isSortingEnabled():
        return False
    model, header = widget.model(), widget.horizontalHeader()
    column = widget.currentIndex().column()
    if model is None or column < 0:
        return False
    order: Qt.SortOrder | None = _UP
    if header.sortIndicatorSection() == column:
        order = _DOWN if header.sortIndicatorOrder() is _UP else None
    widget.sortByColumn(-1 if order is None else column, _UP if order is None else order)
    widget.scrollTo(widget.currentIndex(), QAbstractItemView.ScrollHint.EnsureVisible)
    title = str(model.headerData(column, Qt.Orientation.Horizontal) or "").replace("\n", " ")
    announce(widget, _sorting_text(title, order))
    return True


def _sorting_text(title: str, order: Qt.SortOrder | None) -> str:
    if order is None:
        return tr("Not sorted")
    if order is _UP:
        return tr("Sorted by {column}, lowest first", column=title)
    return tr("Sorted by {column}, highest first", column=title)
