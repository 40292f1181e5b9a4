"""Field for a file or folder with a browse button."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPushButton, QWidget

from awase.gui.kit.fitting.boxes import ElidedLine
from awase.gui.kit.forms.asking import open_once
from awase.gui.kit.forms.parts import Asks, PathField
from awase.gui.kit.texts.binding import Message, bind, shown
from awase.gui.kit.texts.i18n import mark, tr

_MODES: Final = {
    Asks.FILE: QFileDialog.FileMode.ExistingFile,
    Asks.FOLDER: QFileDialog.FileMode.Directory,
    Asks.NEW_FILE: QFileDialog.FileMode.AnyFile,
}


class PlaceField(QWidget):
    """Path field; its line edit has the focus."""

    # What was answered to the button's question; it stands in the line by then.
    fileChosen = Signal(str)

    def __init__(self, place: PathField, title: Message) -> None:
        """`title` is the dialog's default title."""
        super().__init__()
        self.place = place
        self._question: Message = place.question or title
        # Of a long path, its end says more than what stands before that.
        self.line = ElidedLine(place.value, Qt.TextElideMode.ElideMiddle)
        self.button = QPushButton()
        bind(self.line, "placeholderText", place.hint)
        bind(self.button, "text", mark("Browse…"))
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self.ask)
        self.setFocusProxy(self.line)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.line, 1)
        layout.addWidget(self.button)

    def show_as(self, title: Message, place: PathField) -> None:
        """Changes the kind of path; the text stays."""
        self.place, self._question = place, place.question or title

    def ask(self) -> None:
        place = self.place
        dialog = QFileDialog(self, shown(self._question), self.line.text())
        dialog.setFileMode(_MODES[place.asks])
        if place.asks is Asks.NEW_FILE:
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            dialog.setDefaultSuffix(place.suffix)
            dialog.setOption(QFileDialog.Option.DontConfirmOverwrite, not place.confirms)
        if place.filters:
            dialog.setNameFilters([tr(name) for name in place.filters])
        dialog.fileSelected.connect(self._on_file_selected)
        open_once(dialog)

    def _on_file_selected(self, name: str) -> None:
        self.line.setText(name)
        self.fileChosen.emit(name)
