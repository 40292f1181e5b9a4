"""Where the word vectors are, and the language model, that some metrics need."""

from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from awase.gui.kit.texts.i18n import mark, tr


class PlaceRow(QWidget):
    """A field for a place, and a button that asks for a file or folder."""

    def __init__(
        self,
        location: str,
        *,
        title: str,
        hint: str,
        mode: QFileDialog.FileMode,
        parent: QWidget | None = None,
    ) -> None:
        """Builds the row.

        Args:
            location: What stands in the field.
            title: Marked for translation.
            hint: What may be written there; marked likewise.
            mode: What the button asks for.
            parent: The widget that it belongs to.
        """
        super().__init__(parent)
        self._title, self._hint, self._mode = title, hint, mode
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
        """Returns the place; empty = there is none."""
        return self.field.text().strip()

    def retranslate(self) -> None:
        """Writes every text in the window's language."""
        self._label.setText(tr(self._title))
        self.field.setAccessibleName(tr(self._title))
        self.field.setPlaceholderText(tr(self._hint))
        self._browse.setText(tr("Browse…"))

    def _on_browse(self) -> None:
        dialog = QFileDialog(self, tr(self._title), self.location())
        dialog.setFileMode(self._mode)
        dialog.fileSelected.connect(self.field.setText)
        dialog.open()


class VectorsRow(PlaceRow):
    """Asks for word vectors."""

    def __init__(self, location: str, parent: QWidget | None = None) -> None:
        super().__init__(
            location,
            title=mark("Word vectors"),
            hint=mark(
                "a word2vec, GloVe or fastText file, the folder of a language model, or ja-ginza"
            ),
            mode=QFileDialog.FileMode.ExistingFile,
            parent=parent,
        )


class ModelRow(PlaceRow):
    """Asks for a language model."""

    def __init__(self, location: str, parent: QWidget | None = None) -> None:
        super().__init__(
            location,
            title=mark("Language model"),
            hint=mark("the folder of a model for transformers, or the name of one downloaded"),
            mode=QFileDialog.FileMode.Directory,
            parent=parent,
        )
