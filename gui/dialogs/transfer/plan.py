"""Name and path of a new corpus; the plan of an import, with the settings of each file."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QDialog, QLineEdit, QWidget

from awase.core.errors import AwaseError, EnvironmentProblem, InputError, Problem
from awase.core.formats.reading.requests import ReadRequest
from awase.core.formats.registry import FORMATS, Format
from awase.core.records.topic import Topic
from awase.core.text.encoding import ENCODINGS, decode
from awase.gui.kit.forms.controls import documents_folder, file_for, path_of
from awase.gui.kit.forms.dialog import FormDialog, Verdict, refused
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import Asks, ChoiceField, Field, Form, Line, Note, Pairs, PathField
from awase.gui.kit.i18n import bind, mark, tr
from awase.gui.kit.problems import ProblemsDialog
from awase.jobs.files.reading import is_plain
from awase.jobs.importing import FileBeginning, beginning_of, format_of_place

AUTOMATIC: Final = ""
TEXT_TABLE: Final = "text-table"
# Field of `PlannedFile` to the role that a column of a table of texts has.
COLUMN_FIELDS: Final = {
    "id_column": "id",
    "document_column": "document",
    "reference_column": "reference",
    "system_column": "system",
}
_NOTHING: Final = FileBeginning(data=b"")
_JSON: Final = ("awase-json", "label-studio")

GONE: Final = mark("{name} does not exist.")
UNREADABLE: Final = mark("{name} cannot be read.")
NO_FILE: Final = mark("{name} is not a file but a pipe or a device.")
EMPTY: Final = mark("{name} is empty.")
UNCLEAR: Final = mark("{name} is not a text, or its encoding is unclear: choose one.")
NO_FOLDER_FORMAT: Final = mark("{name} is a folder: choose a format that is one, or add its files.")
NO_FILE_FORMAT: Final = mark("{name} is a file, and the format is a folder of files.")
DAMAGED: Final = mark("{name} is damaged: its JSON breaks off or is not well formed.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFile:
    """A file or a folder to be imported."""

    path: Path
    format_id: str = ""  # empty = unknown
    encoding: str = AUTOMATIC  # what the user chose; empty = as detected
    detected: str = ""  # the encoding that its bytes suggest; empty when nothing fits
    topic: str = ""  # topic, for formats without one
    abstract: str = ""
    annotator: str = ""
    language: str = ""  # `ja` or `en`, for splitting into sentences; empty = detect
    # English message saying why it cannot be imported as it is; empty when nothing does.
    fault: str = ""
    is_folder: bool = False
    columns: tuple[str, ...] = ()
    id_column: str = ""  # column of the items' ids; empty = by name
    document_column: str = ""
    reference_column: str = ""
    system_column: str = ""

    def to_import(self) -> ReadRequest:
        """Returns the read request; empty fields are omitted."""
        return ReadRequest(
            path=self.path,
            format_id=self.format_id,
            source=self.path.name,
            encoding=self.encoding or None,
            topic=self.topic or None,
            abstract=self.abstract or None,
            annotator=self.annotator or None,
            language=self.language or None,
            columns=self.displayed_columns,
        )

    @property
    def has_columns(self) -> bool:
        return self.format_id == TEXT_TABLE and bool(self.columns)

    @property
    def displayed_columns(self) -> dict[str, str]:
        """Role to column, as displayed and edited."""
        if not self.has_columns:
            return {}
        chosen = {role: str(getattr(self, field)) for field, role in COLUMN_FIELDS.items()}
        return {role: column for role, column in chosen.items() if column}

    @property
    def format(self) -> Format | None:
        return FORMATS.get(self.format_id)

    @property
    def format_fault(self) -> str:
        """English message saying why it cannot be of its format; empty when it can."""
        if self.format is None:
            return ""
        if self.is_folder:
            return "" if self.format.is_folder else NO_FOLDER_FORMAT
        return "" if self.format.suffixes else NO_FILE_FORMAT

    @property
    def is_faulty(self) -> bool:
        return bool(self.fault) and not (self.fault == UNCLEAR and self.encoding)

    def missing(self) -> tuple[str, ...]:
        """Returns missing settings: `format` or fields of `ReadRequest`."""
        if self.is_faulty:
            return ("file",)
        if self.format is None or self.format_fault:
            return ("format",)
        return tuple(need for need in self.format.needs if not getattr(self, need))


def readable_formats() -> tuple[Format, ...]:
    return tuple(entry for entry in FORMATS.values() if entry.reads)


def writable_formats() -> tuple[Format, ...]:
    return tuple(entry for entry in FORMATS.values() if entry.writes)


def planned(path: Path) -> PlannedFile:
    """Returns the file with properties detected from its name and first bytes."""
    if os.path.isdir(path):
        try:
            return PlannedFile(path=path, is_folder=True, format_id=format_of_place(path).id)
        except EnvironmentProblem:
            return PlannedFile(path=path, is_folder=True, fault=UNREADABLE)
        except InputError:
            return PlannedFile(path=path, is_folder=True)
    if not is_plain(path):
        return PlannedFile(path=path, format_id=_format_of(path.name), fault=NO_FILE)
    try:
        name, beginning = beginning_of(path)
    except (OSError, AwaseError):
        fault = UNREADABLE if os.path.exists(path) else GONE
        return PlannedFile(path=path, format_id=_format_of(path.name), fault=fault)
    format_id = _format_of(name, beginning)
    if not beginning.data.strip():
        return PlannedFile(path=path, format_id=format_id, fault=EMPTY)
    try:
        decoded = decode(beginning.data, None)
    except InputError:
        return PlannedFile(path=path, format_id=format_id, fault=UNCLEAR)
    is_json = format_id in _JSON or (not format_id and name.lower().endswith(".json"))
    is_damaged = is_json and beginning.is_whole and not _is_json(decoded.text)
    file = PlannedFile(
        path=path,
        format_id=format_id,
        detected=decoded.encoding,
        fault=DAMAGED if is_damaged else "",
    )
    is_table = not file.fault and name.lower().endswith(FORMATS[TEXT_TABLE].suffixes)
    return with_columns(file, decoded.text) if is_table else file


def with_columns(file: PlannedFile, text: str) -> PlannedFile:
    """Returns the file with the columns of a table of texts, each guessed by its name."""
    from awase.core.formats.tables.text_table import columns_and_roles

    columns, told = columns_and_roles(text)
    guessed = {field: told.get(role, "") for field, role in COLUMN_FIELDS.items()}
    return replace(file, columns=columns, **guessed)  # type: ignore[arg-type]  # by name


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _format_of(name: str, beginning: FileBeginning = _NOTHING) -> str:
    try:
        return beginning.format(name).id
    except InputError:
        return ""


def with_importer(file: PlannedFile, who: str) -> PlannedFile:
    """Returns the file with `who` as its annotator, where the format requires one."""
    if file.format is None:
        return file
    if "annotator" in file.format.needs:
        return file if file.annotator else replace(file, annotator=who)
    return replace(file, annotator="") if file.annotator == who else file


LANGUAGES_OF_TEXTS: Final = (
    ("", mark("From the text")),
    ("ja", mark("Japanese")),
    ("en", mark("English")),
)
_SEVERAL: Final = mark("several")
_BY_NAME: Final = ChoiceField(messages=(("", mark("By column name")),))
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

    def __init__(self, topics: Sequence[Topic]) -> None:
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
            ("language", mark("Language of the text"), ChoiceField(messages=LANGUAGES_OF_TEXTS)),
            ("document_column", mark("Column of documents"), _BY_NAME),
            ("reference_column", mark("Column of references"), _BY_NAME),
            ("system_column", mark("Column of outputs"), _BY_NAME),
            ("id_column", mark("Column of ids"), _BY_NAME),
        )
        first, *fields = (Field(name, title, kind) for name, title, kind in kinds)
        pairs = zip_longest(fields[::2], fields[1::2])
        super().__init__((Pairs([(first, None), *pairs]),))  # titles of formats are long
        self._topics = topics
        self._is_shown_only = False
        self.changed.connect(self._on_changed)
        self.show_files(())

    def show_files(self, files: Sequence[PlannedFile]) -> None:
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


def close_with_remarks(dialog: QDialog, warnings: Sequence[Problem]) -> None:
    """Closes the dialog, and shows warnings about the files."""
    parent = dialog.parentWidget()
    dialog.accept()
    headline = mark("The files were imported. Please note:")
    ProblemsDialog.show_remarks(parent, headline, warnings)


if TYPE_CHECKING:
    Base = FormDialog
else:
    Base = object

SUFFIX: Final = ".awase"


def new_place_fields() -> tuple[Field, Field]:
    place = PathField(
        asks=Asks.NEW_FILE,
        question=mark("Where to keep the corpus"),
        filters=(mark("Corpora (*.awase)"),),
        suffix=SUFFIX,
        confirms=False,
    )
    return Field("name", mark("Name"), Line()), Field("place", mark("File"), place)


class NamesCorpus(Base):
    """Mixed into a form with the fields `name` and `place` of a new corpus."""

    folder: Path  # where it is proposed to be
    _own_place = ""

    def location(self) -> Path:
        path = path_of(self.fields.text("place"))
        return (
            path if path.suffix == SUFFIX or not path.name else path.with_name(path.name + SUFFIX)
        )

    def follow_name(self) -> None:
        """Derives the file name from the corpus's, unless another was chosen."""
        if self.fields.text("place") == self._own_place:
            self._own_place = str(file_for(self.folder, self.fields.text("name"), SUFFIX))
            self.fields.set("place", self._own_place)

    def place_verdict(self) -> Verdict:
        location = self.location()
        if not self.fields.text("name"):
            return refused(tr("Give the corpus a name."))
        if location.stem in ("", SUFFIX):
            return refused(tr("Give the file a name."))
        if os.path.exists(location):
            return refused(tr("A file with that name already exists."))
        if not os.path.isdir(location.parent):
            return refused(tr("There is no such folder."))
        return Verdict()


def free_name(folder: Path, name: str) -> str:
    """Returns the name, with a number where the folder has a corpus of that name."""
    number, free = 1, name
    while os.path.exists(file_for(folder, free, SUFFIX)):
        number += 1
        free = f"{name} {number}"
    return free


class NewCorpusDialog(NamesCorpus, FormDialog):
    """Name and path of a new corpus."""

    chosen = Signal(str, str, object)  # location, name, and the file to fill it from, or None

    def __init__(
        self,
        *,
        source: Path | None = None,
        name: str = "",
        folder: Path | None = None,
        parent: QWidget | None = None,
    ) -> None:
        self._source = source
        self.folder = folder or (source.parent if source is not None else documents_folder())
        form = Form(
            title=mark("New corpus"),
            parts=(Note(name="intro", look=""), *new_place_fields()),
            accept=mark("Create"),
            focus="name",
            width=34,
        )
        super().__init__(form, parent)
        self.fields.set("name", name or (source.stem if source is not None else tr("New corpus")))
        self.fields.widget_as("name", QLineEdit).selectAll()

    def changed(self, name: str) -> None:
        if name == "name":
            self.follow_name()

    def refresh(self) -> None:
        self.fields.write(
            "intro",
            tr("The corpus is made from “{name}”.", name=self._source.name)
            if self._source is not None
            else tr("A corpus is one file; every change is saved in it immediately."),
        )

    def verdict(self) -> Verdict:
        return self.place_verdict()

    def submit(self) -> None:
        self.chosen.emit(str(self.location()), self.fields.text("name"), self._source)
        self.accept()
