"""Chooses keys: press one in the field, and the selected command has it."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHeaderView, QLineEdit, QWidget

from awase.gui.frame.keys_editor.model import CHANGED_COLUMN, KeysModel, name_of
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import Body, Button, Check, Field, Gap, Note, Row
from awase.gui.kit.grid.flat_table import FlatTable
from awase.gui.kit.keys.key_bindings import KeyBindings, KeyConflict
from awase.gui.kit.keys.keys import key_text
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.i18n import listed, mark, tr

_N_LINES = 8


class KeyField(QLineEdit):
    """Shows the key pressed in it; Tab goes on as everywhere."""

    keyPressed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        text = key_text(event)
        if text:
            self.keyPressed.emit(text)
        event.accept()


class KeysEditor(FormPanel):
    """Changes the bindings; what cannot be is refused in words."""

    def __init__(self, bindings: KeyBindings, parent: QWidget | None = None) -> None:
        self._bindings = bindings
        self.model, self.table, self.field = KeysModel(bindings), FlatTable(), KeyField()
        self.model.setParent(self.table)
        self.table.setModel(self.model)
        _set_up(self.table)
        self.model.dataChanged.connect(self._show_changed)
        bind(self.field, "placeholderText", mark("press it here"))
        title = mark("New key of the selected command")
        parts = (
            Body("commands", mark("Commands and their keys"), self.table),
            Row(
                (
                    Note(mark("New key"), look="", wraps=False),
                    Body("key", title, self.field),
                    Field("also", mark("Keep the old keys"), Check()),
                )
            ),
            Row(
                (
                    Button("clear", mark("Take its keys away"), self._on_clear),
                    Button("restore", mark("Restore this command"), self._on_restore),
                    Gap(),
                    Button("restore-all", mark("Restore all"), self._on_restore_all),
                )
            ),
            Note(name="message", look=""),
        )
        super().__init__(parts, parent)
        self.table.setMinimumHeight(self.fontMetrics().height() * _N_LINES)
        self.field.keyPressed.connect(self._on_key_pressed)
        self.table.selectRow(0)
        follow(self, self.model.refresh)

    @property
    def command(self) -> str:
        """The selected command."""
        return self.model.command(max(0, self.table.currentIndex().row()))

    def _show_changed(self) -> None:
        """Keeps the column of what was changed out of the way of names while nothing was."""
        self.table.setColumnHidden(CHANGED_COLUMN, not self.model.has_changed)

    def _on_key_pressed(self, key: str) -> None:
        old = self._bindings.keys.portable(self.command) if self.is_checked("also") else ()
        keys = tuple(dict.fromkeys((*old, key)))
        self._try(lambda: self._bindings.bind(self.command, keys))

    def _on_clear(self) -> None:
        self._try(lambda: self._bindings.bind(self.command, ()))

    def _on_restore(self) -> None:
        self._try(lambda: self._bindings.restore(self.command))

    def _on_restore_all(self) -> None:
        self._try(self._bindings.restore_all)

    def _try(self, change: Callable[[], None]) -> None:
        try:
            change()
        except KeyConflict as conflict:
            self.write("message", _conflict_text(conflict), "danger")
            return
        keys = listed(self._bindings.keys.texts(self.command)) or tr("no key")
        text = tr("“{command}” has: {keys}", command=name_of(self.command), keys=keys)
        self.write("message", text, "success")


def _set_up(table: FlatTable) -> None:
    table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    for column in (1, 2):
        mode = QHeaderView.ResizeMode.ResizeToContents
        table.horizontalHeader().setSectionResizeMode(column, mode)


def _conflict_text(conflict: KeyConflict) -> str:
    return tr(
        "Nothing was changed: “{command}” has this key. Give that command another key first.",
        command=name_of(conflict.command),
    )
