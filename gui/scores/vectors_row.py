"""Where the word vectors are that some metrics need."""

from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from awase.gui.i18n import tr


class VectorsRow(QWidget):
    """A field for a place, and a button that asks for a file."""

    def __init__(self, location: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field, self._label, self._browse = QLineEdit(location), QLabel(), QPushButton()
        self._label.setBuddy(self.field)
        self._browse.setAutoDefault(False)
        self._browse.clicked.connect(self._on_browse)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._label)
        layout.addWidget(self.field, 1)
        layout.addWidget(self._browse)
        self.retranslate()

    def location(self) -> str:
        """Returns the place; empty = there are no vectors."""
        return self.field.text().strip()

    def retranslate(self) -> None:
        """Writes every text in the window's language."""
        self._label.setText(tr("Word vectors"))
        self.field.setAccessibleName(tr("Word vectors"))
        self.field.setPlaceholderText(
            tr("a word2vec, GloVe or fastText file, the folder of a language model, or ja-ginza")
        )
        self._browse.setText(tr("Browse…"))

    def _on_browse(self) -> None:
        dialog = QFileDialog(self, tr("Word vectors"), self.location())
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.field.setText)
        dialog.open()
