"""Plan of an import: the files, and the user's settings of each."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from awase.core.errors import AwaseError, EnvironmentProblem, InputError
from awase.core.formats.reading.requests import ReadRequest
from awase.core.formats.registry import FORMATS, Format
from awase.core.text.encoding import decode
from awase.gui.kit.texts.i18n import mark
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

GONE: Final = mark("{name} is not there.")
UNREADABLE: Final = mark("{name} cannot be read.")
NO_FILE: Final = mark("{name} is no file but a pipe or a device.")
EMPTY: Final = mark("{name} is empty.")
UNCLEAR: Final = mark("{name} is not a text, or its encoding is unclear: choose one.")
NO_FOLDER_FORMAT: Final = mark("{name} is a folder: choose a format that is one, or add its files.")
NO_FILE_FORMAT: Final = mark("{name} is a file, and the format is a folder of files.")
DAMAGED: Final = mark("{name} is damaged: its JSON breaks off or is not well formed.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFile:
    """A file or a folder to be imported."""

    path: Path
    format_id: str = ""  # its format; empty while nobody knows it
    encoding: str = AUTOMATIC  # what the user chose; empty = as detected
    detected: str = ""  # the encoding that its bytes suggest; empty when nothing fits
    topic: str = ""  # topic it is about, for formats that do not say
    abstract: str = ""
    annotator: str = ""
    language: str = ""  # `ja` or `en`, for splitting into sentences; empty = detect
    # English message saying why it cannot be imported as it is; empty when nothing does.
    fault: str = ""
    is_folder: bool = False
    columns: tuple[str, ...] = ()
    id_column: str = ""  # the column of the items' ids; empty = as the names tell
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
            columns=self.said_columns,
        )

    @property
    def has_columns(self) -> bool:
        """Whether columns are known and may be assigned."""
        return self.format_id == TEXT_TABLE and bool(self.columns)

    @property
    def said_columns(self) -> dict[str, str]:
        """Role to column, as displayed and edited."""
        if not self.has_columns:
            return {}
        chosen = {role: str(getattr(self, field)) for field, role in COLUMN_FIELDS.items()}
        return {role: column for role, column in chosen.items() if column}

    @property
    def format(self) -> Format | None:
        """Its format; None = unknown."""
        return FORMATS.get(self.format_id)

    @property
    def misfit(self) -> str:
        """English message saying why it cannot be of its format; empty when it can."""
        if self.format is None:
            return ""
        if self.is_folder:
            return "" if self.format.is_folder else NO_FOLDER_FORMAT
        return "" if self.format.suffixes else NO_FILE_FORMAT

    @property
    def is_faulty(self) -> bool:
        """Whether the file cannot be imported, whatever the settings."""
        return bool(self.fault) and not (self.fault == UNCLEAR and self.encoding)

    def missing(self) -> tuple[str, ...]:
        """Returns missing settings: `format` or fields of `ReadRequest`."""
        if self.is_faulty:
            return ("file",)
        if self.format is None or self.misfit:
            return ("format",)
        return tuple(need for need in self.format.needs if not getattr(self, need))


def readable_formats() -> tuple[Format, ...]:
    """Returns the formats that can be imported, in the registry's order."""
    return tuple(entry for entry in FORMATS.values() if entry.reads)


def writable_formats() -> tuple[Format, ...]:
    """Returns the formats that can be exported, in the registry's order."""
    return tuple(entry for entry in FORMATS.values() if entry.writes)


def planned(path: Path) -> PlannedFile:
    """Returns the file with properties detected from its name and first bytes."""
    if os.path.isdir(path):
        return _planned_folder(path)
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
    from awase.core.formats.tables.text_table import told_columns

    columns, told = told_columns(text)
    guessed = {field: told.get(role, "") for field, role in COLUMN_FIELDS.items()}
    return replace(file, columns=columns, **guessed)  # type: ignore[arg-type]  # by name


def _planned_folder(path: Path) -> PlannedFile:
    try:
        return PlannedFile(path=path, is_folder=True, format_id=format_of_place(path).id)
    except EnvironmentProblem:
        return PlannedFile(path=path, is_folder=True, fault=UNREADABLE)
    except InputError:
        return PlannedFile(path=path, is_folder=True)


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


def changed(
    files: Sequence[PlannedFile], rows: Sequence[int], field: str, value: str
) -> tuple[PlannedFile, ...]:
    """Returns the files with `field` set in `rows`."""
    return tuple(
        replace(file, **{field: value})  # type: ignore[arg-type]  # by name
        if row in rows
        else file
        for row, file in enumerate(files)
    )
