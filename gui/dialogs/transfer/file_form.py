"""Fields of the selected files of an import."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from awase.core.records.topic import Topic
from awase.core.text.encoding import ENCODINGS
from awase.gui.dialogs.transfer.plan import AUTOMATIC, COLUMN_FIELDS, PlannedFile, readable_formats
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import ChoiceField, Field, Line, Pairs
from awase.gui.kit.texts.binding import bind
from awase.gui.kit.texts.i18n import mark

_LANGUAGES: Final = (
    ("", mark("From the text")),
    ("ja", mark("Japanese")),
    ("en", mark("English")),
)
_SEVERAL: Final = mark("several")
_BY_NAME: Final = ChoiceField(messages=(("", mark("As its name tells")),))
_ASKED_BY_FORMAT: Final = ("topic", "abstract", "annotator", "language")
_SPLIT_INTO_SENTENCES: Final = (
    "text",
    "sgml",
    "parallel-text",
    "duc-documents",
    "duc-abstracts",
    "ducview-pyramid",
    "ducview-annotation",
)


class FileForm(FormPanel):
    """Fields for one or several files, named as the fields of `PlannedFile`."""

    fieldEdited = Signal(str, str)  # field of `PlannedFile`, and its new value

    def __init__(self, topics: Sequence[Topic], parent: QWidget | None = None) -> None:
        formats = [(entry.id, entry.title) for entry in readable_formats()]
        encodings = ChoiceField(
            [(name, name) for name in ENCODINGS], messages=((AUTOMATIC, mark("As detected")),)
        )
        known = [(topic.id, topic.id) for topic in topics]
        kinds = (
            ("format_id", mark("Format"), ChoiceField(messages=formats)),
            ("topic", mark("Topic"), ChoiceField(known, is_open=True)),
            ("abstract", mark("Abstract"), ChoiceField(is_open=True)),
            ("annotator", mark("Annotator"), Line()),
            ("encoding", mark("Encoding"), encodings),
            ("language", mark("Language of the text"), ChoiceField(messages=_LANGUAGES)),
            ("document_column", mark("Column of documents"), _BY_NAME),
            ("reference_column", mark("Column of references"), _BY_NAME),
            ("system_column", mark("Column of outputs"), _BY_NAME),
            ("id_column", mark("Column of ids"), _BY_NAME),
        )
        first, *fields = (Field(name, title, kind) for name, title, kind in kinds)
        pairs = zip_longest(fields[::2], fields[1::2])
        super().__init__((Pairs([(first, None), *pairs]),), parent)  # titles of formats are long
        self._topics = topics
        self._is_shown_only = False
        self.changed.connect(self._on_changed)
        self.show_files(())

    def show_files(self, files: Sequence[PlannedFile]) -> None:
        """Shows the selected files' common values."""
        self._is_shown_only = True
        self._offer_abstracts(_common(files, "topic") or "")
        columns = self._offer_columns(files)
        for name in self.names():
            value, widget = _common(files, name), self[name]
            line = widget.lineEdit() if isinstance(widget, QComboBox) else widget
            bind(line or widget, "placeholderText", _SEVERAL if value is None else "")
            if isinstance(widget, QComboBox) and not widget.isEditable():
                with QSignalBlocker(widget):
                    widget.setCurrentIndex(-1 if value is None else widget.findData(value))
            elif self.text(name) != (value or ""):  # a blank just typed stays
                self.set(name, value or "")
        asked = {need for file in files if file.format for need in file.format.asks}
        if any(file.format_id in _SPLIT_INTO_SENTENCES for file in files):
            asked.add("language")
        for name in _ASKED_BY_FORMAT:
            self.enable(name, name in asked)
        for name in COLUMN_FIELDS:
            self.show_part(name, bool(columns))  # only a table of texts has any
        self._is_shown_only = False

    def _offer_columns(self, files: Sequence[PlannedFile]) -> tuple[str, ...]:
        """Offers the common columns of the selected tables, and returns them."""
        first, *others = files or (None,)
        columns: tuple[str, ...] = ()
        if first is not None and all(file.has_columns for file in files):
            columns = tuple(
                name for name in first.columns if all(name in file.columns for file in others)
            )
        for field in COLUMN_FIELDS:
            self.offer(field, replace(_BY_NAME, options=[(name, name) for name in columns]))
        return columns

    def _offer_abstracts(self, topic_id: str) -> None:
        topic = next((one for one in self._topics if one.id == topic_id), None)
        abstracts = [(one.id, one.id) for one in topic.abstracts] if topic is not None else []
        self.offer("abstract", ChoiceField(abstracts, is_open=True))

    def _on_changed(self, name: str) -> None:
        if not self._is_shown_only:
            self.fieldEdited.emit(name, self.text(name))


def _common(files: Sequence[PlannedFile], field: str) -> str | None:
    """Returns the files' common value of a field, empty without files; None = several values."""
    values = {str(getattr(file, field)) for file in files} or {""}
    return values.pop() if len(values) == 1 else None
