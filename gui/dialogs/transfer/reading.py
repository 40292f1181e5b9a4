"""The import itself, on another thread: read every file, check all together, write at once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from awase.core.errors import EnvironmentProblem, Problem
from awase.core.formats.importing import FileContent, FilesRead, read_files
from awase.core.formats.registry import format_by_id
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.gui.dialogs.transfer.plan import PlannedFile
from awase.jobs.file_contents import read_file

if TYPE_CHECKING:
    from awase.storage.changing.changes import Changes
    from awase.storage.store import CorpusStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """What an import did.

    Attributes:
        changes: What is different in the corpus.
        warnings: What the user should know about how the files were read.
        n_files: How many files were read.
    """

    changes: "Changes"
    warnings: tuple[Problem, ...]
    n_files: int


def import_files(
    store: "CorpusStore",
    files: Sequence[PlannedFile],
    who: str,
    reporter: Reporter,
    *,
    allow_outside: bool = False,
) -> Imported:
    """Joins the files to the corpus: all of them, or nothing.

    Raises:
        OutsideFiles: They name files outside their folders, which `allow_outside` does not allow.
        InputError: With every problem of every file.
        EnvironmentProblem: A file cannot be read, or the corpus cannot be written.
        Cancelled: The reporter asked to stop.
    """
    read = read_planned(store.corpus(), files, reporter, allow_outside=allow_outside)
    names = ", ".join(file.path.name for file in files)
    changes = store.add(read.addition, who=who, source=names, reporter=reporter)
    return Imported(changes=changes, warnings=read.warnings, n_files=len(files))


def read_planned(
    corpus: Corpus,
    files: Sequence[PlannedFile],
    reporter: Reporter,
    *,
    allow_outside: bool = False,
) -> FilesRead:
    """Returns what the files hold together; the writing still to come counts as one step.

    Raises:
        CorpusFormatError: With every problem of every file.
        EnvironmentProblem: A file cannot be read.
        Cancelled: The reporter asked to stop.
    """
    return read_files(corpus, _contents(files, allow_outside), reporter, len(files) + 1)


def _contents(files: Sequence[PlannedFile], allow_outside: bool) -> Iterator[FileContent]:
    from awase.jobs.folders import DiskFolder

    for file in files:
        asked = format_by_id(file.format_id).asks
        yield FileContent(
            source=file.path.name,
            data=None if file.is_folder else _bytes_of(file.path),
            format_id=file.format_id,
            encoding=file.encoding or None,
            topic=_said(file.topic, "topic" in asked),
            abstract=_said(file.abstract, "abstract" in asked),
            annotator=_said(file.annotator, "annotator" in asked),
            language=file.language or None,
            path=str(file.path),
            allow_outside=allow_outside,
            folder=DiskFolder(file.path if file.is_folder else file.path.parent),
        )


def _said(value: str, is_asked: bool) -> str | None:
    """Returns what the user said; an empty field says nothing."""
    return value or None if is_asked else None


def _bytes_of(path: Path) -> bytes:
    try:
        return read_file(path)
    except OSError as error:
        raise EnvironmentProblem(
            "“{path}” cannot be read ({error}).",
            "Check the file's permissions.",
            path=str(path),
            error=error.strerror or str(error),
        ) from error
