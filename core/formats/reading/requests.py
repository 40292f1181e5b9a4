"""What a format is asked to read or to write, and what it returns."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from awase.core.errors import Problem
from awase.core.formats.reading.folder import FolderTexts
from awase.core.formats.reading.roles import Declared, TakenAs
from awase.core.formats.reading.text_files import TextFile
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import Addition
from awase.core.records.edits.ownership import Ownership


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRequest:
    """A file to be read, and what the user said about it.

    Attributes:
        text: The decoded file; empty when a folder is read.
        source: Its name, for messages.
        files: Those of the folder that is read, or of the folder in which the file is.
        corpus: What the file will join, so that running numbers and ids can be resolved.
        topic: Topic the file is about, for formats that do not say.
        abstract: Abstract the file is about, likewise.
        annotator: Who made the alignment, likewise.
        language: `ja` or `en`, for splitting into sentences; None = detect.
        is_folder: Whether `source` is the folder itself.
        path: Where it is, when the names of its folders are to be looked at; empty = as `source`.
        part: Which part of a folder is wanted, for formats that keep several data sets in one.
        columns: Role to column, for tables of texts, where the user named them.
        texts: What the user said about the texts of a folder; empty = their names tell.
    """

    text: str
    source: str
    corpus: Corpus = field(default_factory=Corpus)
    topic: str | None = None
    abstract: str | None = None
    annotator: str | None = None
    language: str | None = None
    files: FolderTexts = field(default_factory=FolderTexts)
    is_folder: bool = False
    part: str | None = None
    path: str = ""
    columns: Declared = field(default_factory=dict)
    texts: tuple[TextFile, ...] = ()

    @property
    def place(self) -> str:
        """The path, for names of folders that tell something."""
        return self.path or self.source


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
