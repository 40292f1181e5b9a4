"""Chooses keys: press one in the field, and the selected command has it."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from awase.gui.frame.keys_editor.model import KeysModel, name_of
from awase.gui.kit.keys.key_bindings import KeyBindings, KeyConflict
from awase.gui.kit.keys.keys import key_text
from awase.gui.kit.texts.i18n import tr
from awase.gui.kit.texts.retranslation import Retranslated


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


class KeysEditor(Retranslated, QWidget):
    """Changes the bindings; what cannot be is refused in words."""

    def __init__(self, bindings: KeyBindings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bindings = bindings
        self.model = KeysModel(bindings, self)
        self.table, self.field, self.message = QTableView(), KeyField(), QLabel()
        self._label = QLabel()
        self._label.setBuddy(self.field)
        self.message.setWordWrap(True)
        self._also, self._restore, self._restore_all = QCheckBox(), QPushButton(), QPushButton()
        self._clear = QPushButton()
        for button in (self._clear, self._restore, self._restore_all):
            button.setAutoDefault(False)
        self.table.setModel(self.model)
        self._lay_out()
        self.field.keyPressed.connect(self._on_key_pressed)
        self._clear.clicked.connect(lambda: self._try(lambda: bindings.bind(self.command, ())))
        self._restore.clicked.connect(lambda: self._try(self._do_restore))
        self._restore_all.clicked.connect(lambda: self._try(bindings.restore_all))
        self.table.selectRow(0)
        self._retranslate()

    @property
    def command(self) -> str:
        """The selected command."""
        return self.model.command(max(0, self.table.currentIndex().row()))

    def _lay_out(self) -> None:
        line = self.fontMetrics().height()
        table = self.table
        table.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.verticalHeader().hide()
        table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            mode = QHeaderView.ResizeMode.ResizeToContents
            table.horizontalHeader().setSectionResizeMode(column, mode)
        table.setMinimumHeight(line * 14)
        row = QGridLayout()
        row.setSpacing(line // 2)
        row.addWidget(self._label, 0, 0)
        row.addWidget(self.field, 0, 1)
        row.addWidget(self._also, 0, 2)
        row.addWidget(self._clear, 1, 0)
        row.addWidget(self._restore, 1, 1)
        row.addWidget(self._restore_all, 1, 2)
        row.setColumnStretch(1, 1)
        layout = QVBoxLayout(self)
        layout.setSpacing(line // 2)
        layout.addWidget(table, 1)
        layout.addLayout(row)
        layout.addWidget(self.message)

    def _retranslate(self) -> None:
        self._label.setText(tr("New key"))
        self.field.setPlaceholderText(tr("press it here"))
        self.field.setAccessibleName(tr("New key of the selected command"))
        self.table.setAccessibleName(tr("Commands and their keys"))
        self._also.setText(tr("Keep the old keys"))
        self._clear.setText(tr("Take its keys away"))
        self._restore.setText(tr("Restore this command"))
        self._restore_all.setText(tr("Restore all"))
        self.model.refresh()

    def _on_key_pressed(self, key: str) -> None:
        old = self._bindings.keys.portable(self.command) if self._also.isChecked() else ()
        keys = tuple(dict.fromkeys((*old, key)))
        self._try(lambda: self._bindings.bind(self.command, keys))

    def _do_restore(self) -> None:
        self._bindings.restore(self.command)

    def _try(self, change: Callable[[], None]) -> None:
        try:
            change()
        except KeyConflict as conflict:
            self._say(_conflict_text(conflict), look="danger")
            return
        keys = ", ".join(self._bindings.keys.texts(self.command)) or tr("no key")
        self._say(
            tr("“{command}” has: {keys}", command=name_of(self.command), keys=keys),
            look="success",
        )

    def _say(self, text: str, *, look: str) -> None:
        self.message.setProperty("look", look)
        self.message.style().polish(self.message)
        self.message.setText(text)


def _conflict_text(conflict: KeyConflict) -> str:
    return tr(
        "Nothing was changed: “{command}” has this key. Give that command another key first.",
        command=name_of(conflict.command),
    )
