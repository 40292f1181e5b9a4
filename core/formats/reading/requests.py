"""What a format is asked to read or to write, and what it returns."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from awase.core.errors import Problem
from awase.core.formats.reading.folder import Folder, FolderTexts
from awase.core.formats.reading.roles import Declared, TakenAs
from awase.core.formats.reading.text_files import TextFile
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import Addition
from awase.core.records.edits.ownership import Ownership
from awase.core.text.separators import Separators


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRequest:
    """A file or a folder to be read, and what was said about it: one value from door to reader.

    What reads the disk fills in `data` and `folder`, the import `text`, `files` and `corpus`.

    Attributes:
        source: Its name, for messages.
        format_id: Its format.
        path: Where it is; None = it is not on a disk.
        data: Its bytes, where they are known, as those of a pipe, which is read once.
        is_folder: Whether it is a folder.
        folder: The folder itself, or that in which the file is, for formats of several files.
        started_in: Where the names of other files may begin, besides the file's own folder.
        allow_outside: Whether files that it names outside these are read.
        encoding: As declared; None = found out.
        topic: Topic it is about, where the format does not say.
        abstract: Abstract it is about, likewise.
        annotator: Who made the alignment, likewise.
        language: `ja` or `en`, for splitting into sentences; None = detect.
        part: Which part of a folder is wanted, for formats that keep several data sets in one.
        columns: Role to column, for tables of texts, where they were named.
        texts: What was said about the texts of a folder; empty = their names tell.
        sentences: How abstracts and outputs become sentences, as `split_text` knows it; None = as
            is usual.
        separators: Tags that part sentences, and which of them were met.
        text: The decoded file; empty for a folder.
        files: Those of `folder`, decoded.
        corpus: What it will join, so that running numbers and ids can be resolved.
    """

    source: str
    format_id: str = ""
    path: Path | None = None
    data: bytes | None = None
    is_folder: bool = False
    folder: Folder | None = None
    started_in: Path | None = None
    allow_outside: bool = False
    encoding: str | None = None
    topic: str | None = None
    abstract: str | None = None
    annotator: str | None = None
    language: str | None = None
    part: str | None = None
    columns: Declared = field(default_factory=dict)
    texts: tuple[TextFile, ...] = ()
    sentences: str | None = None
    separators: Separators = field(default_factory=Separators)
    text: str = ""
    files: FolderTexts = field(default_factory=FolderTexts)
    corpus: Corpus = field(default_factory=Corpus)

    @property
    def place(self) -> str:
        """The path, for names of folders that tell something."""
        return str(self.path or self.source)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadResult:
    """What a file holds, what the user should know of how it was read, and what was taken as what.

    Warnings do not repeat what `taken_as` tells.
    """

    addition: Addition
    warnings: tuple[Problem, ...] = ()
    taken_as: tuple[TakenAs, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteRequest:
    """What is to be written.

    Attributes:
        corpus: The whole corpus.
        topic: Only this topic; None = all.
        abstract: Only this abstract, for formats about one.
        annotator: Whose alignment, for formats about one.
        ownership: What this copy knows of itself and of its entries, where that is asked for.
    """

    corpus: Corpus
    topic: str | None = None
    abstract: str | None = None
    annotator: str | None = None
    ownership: Ownership | None = None


class Reader(Protocol):
    """Reads a whole file.

    Raises CorpusFormatError with every problem of the file, each with its line or path.
    """

    def __call__(self, request: ReadRequest) -> ReadResult:
        """Returns what the file holds."""
        ...


PieceWriter = Callable[[WriteRequest], Iterator[str]]
"""Yields the text of a file piece by piece, as the whole may not fit the memory. Raises InputError
when the format cannot hold the records."""


class FolderWriter(Protocol):
    """Yields the texts of several files, piece by piece. Raises InputError likewise."""

    def __call__(self, request: WriteRequest) -> Iterator[tuple[str, str]]:
        """Yields path from the folder on, parts joined by `/`, and what joins the file's text."""
        ...
