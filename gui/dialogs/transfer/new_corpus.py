"""Asks for the name and the place of a new corpus."""

from pathlib import Path

from PySide6.QtCore import QStandardPaths, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from awase.gui.kit.texts.i18n import tr
from awase.gui.kit.texts.retranslation import Retranslated

_SUFFIX = ".awase"
_UNSAFE_IN_FILE_NAMES = '<>:"/\\|?*'


class NewCorpusDialog(Retranslated, QDialog):
    """Says which corpus to create."""

    chosen = Signal(str, str, object)
    """Location, name, and the file to fill it from, or None."""

    def __init__(
        self,
        *,
        source: Path | None = None,
        name: str = "",
        folder: Path | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._source = source
        self._folder = folder or (source.parent if source is not None else _documents())
        self._is_place_chosen = False
        self._intro, self._hint = QLabel(), QLabel()
        self._intro.setWordWrap(True)
        self._hint.setProperty("look", "danger")
        self._name, self._place = QLineEdit(), QLineEdit()
        self._browse = QPushButton()
        self._browse.setAutoDefault(False)
        self._form = QFormLayout()
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._create = self._buttons.addButton("", QDialogButtonBox.ButtonRole.AcceptRole)
        self._create.setDefault(True)
        self._lay_out()
        self._retranslate()
        self._name.textChanged.connect(self._on_name_changed)
        self._place.textEdited.connect(self._on_place_edited)
        self._browse.clicked.connect(self._on_browse)
        self._buttons.accepted.connect(self._on_accepted)
        self._buttons.rejected.connect(self.reject)
        self._name.setText(name or (source.stem if source is not None else tr("New corpus")))
        self._name.selectAll()

    def location(self) -> Path:
        """Returns the file that the fields name, with its ending."""
        path = Path(self._place.text().strip()).expanduser()
        return path if path.suffix == _SUFFIX else path.with_name(path.name + _SUFFIX)

    def _lay_out(self) -> None:
        place = QHBoxLayout()
        place.setSpacing(self.fontMetrics().height() // 2)
        place.addWidget(self._place, 1)
        place.addWidget(self._browse)
        self._form.addRow(QLabel(), self._name)
        self._form.addRow(QLabel(), place)
        layout = QVBoxLayout(self)
        layout.addWidget(self._intro)
        layout.addLayout(self._form)
        layout.addWidget(self._hint)
        layout.addStretch(1)
        layout.addWidget(self._buttons)
        line_px = self.fontMetrics().height()
        layout.setContentsMargins(line_px, line_px, line_px, line_px)
        layout.setSpacing(line_px // 2)
        self._form.setHorizontalSpacing(line_px)
        self.setMinimumWidth(line_px * 34)

    def _retranslate(self) -> None:
        self.setWindowTitle(tr("New corpus"))
        self._intro.setText(
            tr("The corpus is made from “{name}”.", name=self._source.name)
            if self._source is not None
            else tr("A corpus is one file; every change is stored in it at once.")
        )
        for row, text in enumerate((tr("Name"), tr("File"))):
            item = self._form.itemAt(row, QFormLayout.ItemRole.LabelRole)
            label = item.widget() if item is not None else None
            if isinstance(label, QLabel):
                label.setText(text)
        self._name.setAccessibleName(tr("Name"))
        self._place.setAccessibleName(tr("File"))
        self._browse.setText(tr("Browse…"))
        self._create.setText(tr("Create"))
        self._check()

    def _on_name_changed(self, name: str) -> None:
        if not self._is_place_chosen:
            plain = "".join("-" if c in _UNSAFE_IN_FILE_NAMES else c for c in name.strip())
            self._place.setText(str(self._folder / f"{plain}{_SUFFIX}"))
        self._check()

    def _on_place_edited(self) -> None:
        self._is_place_chosen = True
        self._check()

    def _on_browse(self) -> None:
        dialog = QFileDialog(self, tr("Where to keep the corpus"), str(self.location()))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilter(tr("Corpora (*.awase)"))
        dialog.setDefaultSuffix(_SUFFIX)
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
        dialog.fileSelected.connect(self._on_file_selected)
        dialog.open()

    def _on_file_selected(self, path: str) -> None:
        self._place.setText(path)
        self._on_place_edited()

    def _check(self) -> None:
        hint = ""
        if not self._name.text().strip():
            hint = tr("Give the corpus a name.")
        elif self.location().stem in ("", _SUFFIX):
            hint = tr("Give the file a name.")
        elif self.location().exists():
            hint = tr("A file of that name exists already.")
        elif not self.location().parent.is_dir():
            hint = tr("There is no such folder.")
        self._hint.setText(hint)
        self._create.setEnabled(not hint)

    def _on_accepted(self) -> None:
        self.chosen.emit(str(self.location()), self._name.text().strip(), self._source)
        self.accept()


def _documents() -> Path:
    place = QStandardPaths.StandardLocation.DocumentsLocation
    folder = Path(QStandardPaths.writableLocation(place))
    return folder if folder.is_dir() else Path.home()
