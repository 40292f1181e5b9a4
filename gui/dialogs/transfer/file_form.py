"""What the user says about the selected files of an import."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QLineEdit, QWidget

from awase.core.records.topic import Topic
from awase.core.text.encoding import ENCODINGS
from awase.gui.dialogs.transfer.plan import AUTOMATIC, PlannedFile, readable_formats
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.kit.texts.retranslation import Retranslated

_LABELS: Final = {
    "format_id": mark("Format"),
    "encoding": mark("Encoding"),
    "language": mark("Language of the text"),
    "topic": mark("Topic"),
    "abstract": mark("Abstract"),
    "annotator": mark("Annotator"),
}
_LANGUAGES: Final = {
    "": mark("From the text"),
    "ja": mark("Japanese"),
    "en": mark("English"),
}
_SPLIT_INTO_SENTENCES: Final = (
    "text",
    "sgml",
    "parallel-text",
    "duc-documents",
    "duc-abstracts",
    "ducview-pyramid",
    "ducview-annotation",
)


class FileForm(Retranslated, QWidget):
    """Fields for one or several files at once."""

    fieldEdited = Signal(str, str)
    """Field of `PlannedFile`, and its new value."""

    def __init__(self, topics: Sequence[Topic], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._topics = tuple(topics)
        self._format, self._encoding, self._language = QComboBox(), QComboBox(), QComboBox()
        self._topic, self._abstract = QComboBox(), QComboBox()
        self._annotator = QLineEdit()
        self._fields: dict[str, QWidget] = {
            "format_id": self._format,
            "topic": self._topic,
            "encoding": self._encoding,
            "abstract": self._abstract,
            "language": self._language,
            "annotator": self._annotator,
        }
        self._labels = {name: QLabel() for name in self._fields}
        self._lay_out()
        self._fill_choices()
        self._connect()
        self._retranslate()
        self.show_files(())

    def show_files(self, files: Sequence[PlannedFile]) -> None:
        """Shows what the selected files have in common."""
        self.setEnabled(bool(files))
        for name, box in self._boxes().items():
            box.blockSignals(True)
            if name == "abstract":
                self._fill_abstracts(_common(files, "topic"))
            value = _common(files, name)
            if box.isEditable():
                box.setCurrentIndex(box.findText(value))
                box.setEditText(value)
            else:
                box.setCurrentIndex(box.findData(value))
            box.blockSignals(False)
        self._annotator.setText(_common(files, "annotator"))
        asked = {need for file in files if file.format for need in file.format.asks}
        if any(file.format_id in _SPLIT_INTO_SENTENCES for file in files):
            asked.add("language")
        for name in ("topic", "abstract", "annotator", "language"):
            self._fields[name].setEnabled(name in asked)
            self._labels[name].setEnabled(name in asked)

    def _boxes(self) -> dict[str, QComboBox]:
        return {name: field for name, field in self._fields.items() if isinstance(field, QComboBox)}

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        line_px = self.fontMetrics().height()
        grid.setHorizontalSpacing(line_px // 2)
        grid.setVerticalSpacing(line_px // 3)
        for place, (name, field) in enumerate(self._fields.items()):
            row, side = divmod(place, 2)
            self._labels[name].setBuddy(field)
            grid.addWidget(self._labels[name], row, side * 3)
            grid.addWidget(field, row, side * 3 + 1)
            field.setMinimumWidth(line_px * 12)
        grid.setColumnMinimumWidth(2, line_px)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(4, 1)

    def _fill_choices(self) -> None:
        for entry in readable_formats():
            self._format.addItem("", entry.id)
        for encoding in (AUTOMATIC, *ENCODINGS):
            self._encoding.addItem(encoding, encoding)
        for code in _LANGUAGES:
            self._language.addItem("", code)
        for box in (self._topic, self._abstract):
            box.setEditable(True)
            box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        for topic in self._topics:
            self._topic.addItem(topic.id)

    def _fill_abstracts(self, topic_id: str) -> None:
        self._abstract.clear()
        for topic in self._topics:
            if topic.id == topic_id:
                self._abstract.addItems([abstract.id for abstract in topic.abstracts])

    def _connect(self) -> None:
        for name, box in self._boxes().items():
            if box.isEditable():
                box.editTextChanged.connect(
                    lambda text, name=name: self.fieldEdited.emit(name, text.strip())
                )
            else:
                box.activated.connect(
                    lambda _, name=name, box=box: self.fieldEdited.emit(name, box.currentData())
                )
        self._annotator.textEdited.connect(
            lambda text: self.fieldEdited.emit("annotator", text.strip())
        )

    def _retranslate(self) -> None:
        for name, label in self._labels.items():
            label.setText(tr(_LABELS[name]))
            self._fields[name].setAccessibleName(tr(_LABELS[name]))
        for index, entry in enumerate(readable_formats()):
            self._format.setItemText(index, tr(entry.title))
        for box in self._boxes().values():
            box.setPlaceholderText(tr("several"))
        self._encoding.setItemText(0, tr("As detected"))
        for index, title in enumerate(_LANGUAGES.values()):
            self._language.setItemText(index, tr(title))


def _common(files: Sequence[PlannedFile], field: str) -> str:
    values = {str(getattr(file, field)) for file in files}
    return values.pop() if len(values) == 1 else ""
