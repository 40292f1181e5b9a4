"""Several files as one import: each sees those before it, and all faults are told at once."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from awase.core.errors import CorpusFormatError, InputError, Problem
from awase.core.formats.registry import ReadRequest, ReadResult, format_by_id
from awase.core.progress import Reporter
from awase.core.records.addition import Addition, joined, merge
from awase.core.records.corpus import Corpus
from awase.core.text.encoding import decode

_WITH_PATHS: Final = "awase-json"
"""The format whose files have the places that JSON paths name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileContent:
    """A file to be imported, and what the user said about it.

    Attributes:
        source: Its name, for messages.
        data: Its bytes.
        format_id: Its format.
        encoding: As declared by the user; None = detect.
        topic: Topic it is about, where the format does not say.
        abstract: Abstract it is about, likewise.
        annotator: Who made the alignment, likewise.
        language: `ja` or `en`, for splitting into sentences; None = detect.
    """

    source: str
    data: bytes
    format_id: str
    encoding: str | None = None
    topic: str | None = None
    abstract: str | None = None
    annotator: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesRead:
    """What files hold together.

    Attributes:
        addition: All of it.
        corpus: The corpus with it.
        warnings: What the user should know about how the files were read.
    """

    addition: Addition
    corpus: Corpus
    warnings: tuple[Problem, ...]


def read_files(
    corpus: Corpus, files: Iterable[FileContent], reporter: Reporter, n_files: int
) -> FilesRead:
    """Returns what all `files` hold together.

    A file may rest on the ones before it. After a bad file the others are still read, so that
    everything wrong is told at once.

    Args:
        corpus: What the files will join.
        files: Read one after another, so that their bytes need not be held together.
        reporter: Told of each file.
        n_files: How many they are.

    Raises:
        CorpusFormatError: With every problem of every file.
        Cancelled: The reporter asked to stop.
    """
    additions: list[Addition] = []
    warnings: list[Problem] = []
    problems: list[Problem] = []
    for file_idx, file in enumerate(files):
        reporter.advance(file_idx, n_files, file.source)
        try:
            result = _read(corpus, file)
            corpus = _joined(corpus, result.addition, file.format_id)
        except InputError as error:
            problems += [problem.in_source(file.source) for problem in error.problems]
            continue
        additions.append(result.addition)
        warnings += [problem.in_source(file.source) for problem in result.warnings]
    if problems:
        raise CorpusFormatError(problems)
    return FilesRead(addition=joined(additions), corpus=corpus, warnings=tuple(warnings))


def _joined(corpus: Corpus, addition: Addition, format_id: str) -> Corpus:
    """Returns the corpus with the addition; problems have paths only where the file has them."""
    try:
        return merge(corpus, addition)
    except CorpusFormatError as error:
        if format_id == _WITH_PATHS:
            raise
        raise CorpusFormatError(replace(found, path="") for found in error.problems) from error


def _read(corpus: Corpus, file: FileContent) -> ReadResult:
    entry = format_by_id(file.format_id)
    decoded = decode(file.data, file.encoding)
    result = entry.reader()(
        ReadRequest(
            text=decoded.text,
            source=file.source,
            corpus=corpus,
            topic=file.topic,
            abstract=file.abstract,
            annotator=file.annotator,
            language=file.language,
        )
    )
    if not decoded.is_guess:
        return result
    return ReadResult(
        addition=result.addition, warnings=(_guessed(decoded.encoding), *result.warnings)
    )


def _guessed(encoding: str) -> Problem:
    return Problem(
        what="The encoding was guessed: {encoding}.",
        hint="If characters are wrong, import the file again and name its encoding.",
        fields={"encoding": encoding},
    )
