"""The line above the strip in which words to find are typed."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from awase.gui.kit.announcing import LiveLabel
from awase.gui.kit.keys.keys import KeyMap
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.i18n import mark, tr

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FindBar(QFrame):
    """Hidden until it is opened; an input method works in its field, as in any other."""

    textEdited = Signal()
    nextChosen = Signal()
    previousChosen = Signal()
    closed = Signal()
    linkChosen = Signal()
    """The sentence found is to be linked or unlinked."""

    def __init__(self, keys: KeyMap, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "strip")
        self._keys = keys
        self._label, self._count = QLabel(), LiveLabel()
        self._field = QLineEdit()
        self._label.setBuddy(self._field)
        self._previous, self._next, self._close = QPushButton(), QPushButton(), QPushButton()
        self._link = QPushButton()
        self._link.setAutoDefault(False)
        self._link.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._link.clicked.connect(lambda _=False: self.linkChosen.emit())
        self._run: Mapping[str, Callable[[], object]] = {
            "find-next": self.nextChosen.emit,
            "find-previous": self.previousChosen.emit,
            "end-find": self.closed.emit,
        }
        for button, command in zip(
            (self._next, self._previous, self._close), self._run, strict=True
        ):
            button.setAutoDefault(False)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, run=self._run[command]: run())
        self._field.textChanged.connect(lambda _: self.textEdited.emit())
        self._lay_out()
        self._bind_texts()
        self.hide()

    def text(self) -> str:
        """Returns what is looked for."""
        return self._field.text()

    def set_text(self, text: str) -> None:
        """Looks for `text`."""
        blocked = self._field.blockSignals(True)
        self._field.setText(text)
        self._field.blockSignals(blocked)

    def open(self) -> None:
        """Shows the bar; what was looked for last is ready to be typed over."""
        self.show()
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    def show_count(self, text: str, *, is_missing: bool) -> None:
        """Says how often the words were found."""
        self._count.setProperty("look", "warning" if is_missing else "muted")
        self._count.style().polish(self._count)
        self._count.setText(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keeps every key to itself: a letter lost by the field must not link a sentence."""
        command = self._keys.command_of(event) or ""
        is_ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() in _ENTER and is_ctrl:
            self.linkChosen.emit()
        elif event.key() in _ENTER:
            is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._run["find-previous" if is_back else "find-next"]()
        elif command in self._run:
            self._run[command]()
        event.accept()

    def _lay_out(self) -> None:
        line = self.fontMetrics().height()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(line // 2, line // 4, line // 2, line // 4)
        layout.setSpacing(line // 2)
        self._field.setMinimumWidth(line * 8)
        self._field.setClearButtonEnabled(True)
        for widget in (
            self._label,
            self._field,
            self._previous,
            self._next,
            self._link,
            self._count,
        ):
            layout.addWidget(widget)
        layout.addStretch(1)
        layout.addWidget(self._close)

    def _bind_texts(self) -> None:
        bind(self._label, "text", mark("Find in topic"))
        bind(self._field, "accessibleName", mark("Words to find in this topic"))
        follow(self, self._write_texts)

    def _write_texts(self) -> None:
        self._link.setText(tr("Link"))
        self._link.setAccessibleName(tr("Link or unlink the sentence found"))
        self._link.setToolTip(f"{self._link.accessibleName()}  (Ctrl+Enter)")
        for button, text, name, command in (
            (self._previous, "↑", tr("Previous place"), "find-previous"),
            (self._next, "↓", tr("Next place"), "find-next"),
            (self._close, tr("Done"), tr("End finding"), "end-find"),
        ):
            keys = self._keys.text(command)
            button.setText(text)
            button.setAccessibleName(name)
            button.setToolTip(f"{name}  ({keys})" if keys else name)
