"""Dialog of the command palette."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QFrame, QLabel, QLineEdit, QListView, QVBoxLayout, QWidget

from awase.gui.frame.command_palette.model import PaletteCommand, PaletteModel, PaletteRole
from awase.gui.frame.command_palette.row import PaletteDelegate
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.texts.i18n import tr

_MOVING_KEYS = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)


class CommandPalette(QDialog):
    """Finds a command by typing; Enter or a click runs it, Esc closes."""

    commandChosen = Signal(object)  # the `PaletteCommand`; the palette is closed by then

    def __init__(
        self,
        commands: Sequence[PaletteCommand],
        recent: Sequence[str],
        themes: ThemeBox,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Commands"))
        self.model = PaletteModel(commands, recent, self)
        self.field, self.list = QLineEdit(), QListView()
        self.field.setPlaceholderText(tr("Find a command in English or Japanese"))
        self.field.setAccessibleName(tr("Find a command"))
        self.field.setClearButtonEnabled(True)
        self.field.installEventFilter(self)
        self.list.setModel(self.model)
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(PaletteDelegate(themes, self.list))
        self.list.setAccessibleName(tr("Commands"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setFocusProxy(self.field)  # whose arrow keys go through it
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self._nothing = QLabel(tr("No command has these letters."))
        self._nothing.setProperty("look", "muted")
        self._hint = QLabel(tr("↑ ↓ choose · Enter runs · Esc leaves"))
        self._hint.setProperty("look", "muted")
        self._lay_out(parent)
        self.field.textChanged.connect(self._on_text_changed)
        self.list.clicked.connect(self._choose)
        self._on_text_changed("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() in _MOVING_KEYS:
                self.list.event(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._choose(self.list.currentIndex())
                return True
        return super().eventFilter(watched, event)

    def _lay_out(self, window: QWidget) -> None:
        line = self.fontMetrics().height()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(line // 2, line // 2, line // 2, line // 2)
        layout.setSpacing(line // 2)
        for widget in (self.field, self._nothing):
            layout.addWidget(widget)
        layout.addWidget(self.list, 1)
        layout.addWidget(self._hint)
        width = min(line * 38, window.width() - line * 2)
        self.resize(width, min(line * 26, window.height() - line * 4))
        self.move(window.mapToGlobal(QPoint((window.width() - width) // 2, line * 3)))

    def _on_text_changed(self, text: str) -> None:
        self.model.set_query(text)
        self._nothing.setVisible(self.model.rowCount() == 0)
        self.list.setCurrentIndex(self.model.index(0))

    def _choose(self, index: QModelIndex) -> None:
        command = index.data(PaletteRole.COMMAND) if index.isValid() else None
        if isinstance(command, PaletteCommand):
            self.close()
            self.commandChosen.emit(command)
