"""Requests to formats' readers and writers, and results: records, problems with their places."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Final, Protocol

from awase.core.errors import NOTHING, CorpusFormatError, Listing, Problem, in_source
from awase.core.formats.reading.roles import Declared, TakenAs
from awase.core.records.abstract import AlignmentState, SentenceAlignment
from awase.core.records.addition import Addition
from awase.core.records.corpus import Corpus
from awase.core.records.digests import Ownership
from awase.core.records.source import SentenceRef, repeated
from awase.core.records.topic import Extract, HumanScore, Output, TextOutput, Topic
from awase.core.text.encoding import decode
from awase.core.text.script import Separators

DOCUMENT: Final = "document"
REFERENCE: Final = "reference"
SYSTEM: Final = "system"
LEFT_OUT: Final = ""  # the role of a text that is not wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFile:
    """A plain text of a folder."""

    name: str  # from the folder on, parts joined by `/`
    role: str  # `DOCUMENT`, `REFERENCE` (an abstract), `SYSTEM` or `LEFT_OUT`
    topic: str
    # Id of the document or abstract, or the system's name; empty = derived from the role.
    label: str = ""
    length: str = ""  # length class of an abstract or an output; empty = none
    author: str = ""  # author of an abstract; empty = unknown
    date: str = ""  # of a document, as ISO 8601; empty = unknown
    is_told: bool = True  # whether name or user declares the role; otherwise a guess


class Folder(Protocol):
    """Files below one folder."""

    def names(self) -> Sequence[str]:
        """Returns the path of every file from the folder on, parts joined by `/`, sorted."""
        ...

    def read(self, name: str) -> bytes | None:
        """Returns the content of a file, None when it is missing.

        The name is relative to the folder (`..` leads out of it), or absolute.
        """
        ...

    def leads_outside(self, name: str) -> bool:
        """Returns whether a file exists outside the folder."""
        ...


class OutsideFiles(CorpusFormatError):
    """Files outside the folder were requested without permission; none was read."""


class FolderTexts:
    """The decoded files of a folder."""

    def __init__(
        self,
        folder: Folder | None = None,
        place: str = "",
        encoding: str | None = None,
        *,
        allow_outside: bool = False,
    ) -> None:
        """Takes a folder lazily, None = no files; the encoding is of all files, None = detect each.

        Without `allow_outside`, files outside the folder count as missing, and `check_outside`
        reports them.
        """
        self._folder = folder
        self._place = place
        self._encoding = encoding
        self._allow_outside = allow_outside
        self._refused: dict[str, None] = {}
        self._guesses: dict[str, str] = {}

    def names(self) -> Sequence[str]:
        """Returns the path of every file from the folder on, parts joined by `/`, sorted."""
        return () if self._folder is None else self._folder.names()

    def data(self, name: str) -> bytes | None:
        """Returns the bytes of a file, None when it is not there or not to be read."""
        if self._folder is None:
            return None
        if not self._allow_outside and self._folder.leads_outside(name):
            self._refused[name] = None
            return None
        return self._folder.read(name)

    def check_outside(self) -> None:
        """Raises `OutsideFiles` if files outside the folder were requested."""
        if self._refused:
            raise OutsideFiles(
                Problem(
                    what="“{file}” lies outside the folder, so it was not read.",
                    hint="Allow it if you trust these files.",
                    fields={"file": name},
                )
                for name in self._refused
            )

    def text(self, name: str) -> str | None:
        """Returns the text of a file, None when it is not there."""
        data = self.data(name)
        if data is None:
            return None
        with in_source(self.source_of(name)):
            decoded = decode(data, self._encoding)
        if decoded.is_guess:
            self._guesses[name] = decoded.encoding
        return decoded.text.removeprefix("\ufeff")

    def source_of(self, name: str) -> str:
        """Returns a file's name in messages."""
        return f"{self._place.rstrip('/')}/{name}" if self._place else name

    def guess_warnings(self) -> tuple[Problem, ...]:
        """Returns a warning when encodings were guessed, naming one file of each."""
        by_encoding: dict[str, list[str]] = {}
        for name, encoding in self._guesses.items():
            by_encoding.setdefault(encoding, []).append(name)
        return tuple(
            Problem(
                what="The encoding of {n} {n:file|files} was guessed: {encoding}; {name} is one.",
                hint="If characters are wrong, import the files again and name their encoding.",
                fields={"n": len(names), "encoding": encoding, "name": names[0]},
            )
            for encoding, names in by_encoding.items()
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRequest:
    """A file or a folder to be read, and the user's settings: one value from door to reader.

    Opening the file sets `data` and `folder`, the import `text`, `files` and `corpus`.

    Attributes:
        path: None = not on a disk.
        data: Its bytes, if known, as those of a pipe, which is read once.
        started_in: Second folder to resolve names of other files in.
        encoding: As declared; None = detect.
        topic: Topic of the file, where the format does not say.
        language: `ja` or `en`, for splitting into sentences; None = detect.
        texts: Roles of the texts of a folder; empty = by name.
        sentences: The `split_text` way of abstracts and outputs; None = default.
        text: The decoded file; empty for a folder.
        files: Those of `folder`, decoded.
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
        """The path, for informative folder names."""
        return str(self.path or self.source)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadResult:
    """A file's contents, warnings, and assigned columns; warnings do not repeat `taken_as`."""

    addition: Addition
    warnings: tuple[Problem, ...] = ()
    taken_as: tuple[TakenAs, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteRequest:
    """A request to write.

    Attributes:
        topic: Only this topic; None = all.
    """

    corpus: Corpus
    topic: str | None = None
    abstract: str | None = None
    annotator: str | None = None
    ownership: Ownership | None = None


class Reader(Protocol):
    """Reads a whole file; raises CorpusFormatError with all problems and their positions."""

    def __call__(self, request: ReadRequest) -> ReadResult:
        """Returns the file's contents."""
        ...


# Yields the text of a file piece by piece, as the whole may not fit the memory. Raises InputError
# when the format cannot hold the records.
PieceWriter = Callable[[WriteRequest], Iterator[str]]


class FolderWriter(Protocol):
    """Yields the texts of several files, piece by piece. Raises InputError likewise."""

    def __call__(self, request: WriteRequest) -> Iterator[tuple[str, str]]:
        """Yields (relative path with `/`, chunk of text)."""
        ...


def stem(source: str) -> str:
    """Returns a file's name without folders and ending.

    >>> stem("set1/980101001.txt")
    '980101001'
    """
    name = unicodedata.normalize("NFC", re.split(r"[/\\\\]", source)[-1])
    return name.rpartition(".")[0] or name


_BROKEN = "\ufffd"
# Similarity search is slow, and thousands of suggestions are useless.
_MOST_SUGGESTIONS = 20


def corpus_warnings(corpus: Corpus) -> Iterator[Problem]:
    """Yields warnings about a whole corpus, with JSON paths."""
    for topic_idx, topic in enumerate(corpus.topics):
        for warning in _within_topic(topic):
            yield warning.below(f"topics[{topic_idx}]")


def human_score_warnings(
    scores: Sequence[HumanScore], systems: Collection[str], joined: Corpus
) -> Iterator[Problem]:
    """Yields a warning for each system that people scored and that has no output."""
    if not scores:
        return
    known = {output.system for topic in joined.topics for output in topic.outputs}
    known |= {*systems}
    names = sorted(known)
    seen = set(known)
    for index, score in enumerate(scores):
        if score.system not in seen:
            seen.add(score.system)
            is_among_first = len(seen) - len(known) <= _MOST_SUGGESTIONS
            near = get_close_matches(score.system, names, n=1) if is_among_first else []
            close = next(iter(near), "")
            yield Problem(
                what="People scored system “{system}”, which has no output in this corpus.",
                hint="Did you mean “{close}”?"
                if close
                else "Its scores are kept; they count once its outputs are imported.",
                fields={"system": score.system, "close": close},
                path=f"human_scores[{index}].system",
            )


def _within_topic(topic: Topic) -> Iterator[Problem]:
    yield from broken_character(topic.title or "", "title")
    for document_idx, document in enumerate(topic.documents):
        path = f"documents[{document_idx}]"
        yield from broken_character(document.title or "", f"{path}.title")
        for sent_idx, source in enumerate(document.sentences):
            if _BROKEN in source.text:
                yield from broken_character(source.text, f"{path}.sentences[{sent_idx}].text")
    for abstract_idx, abstract in enumerate(topic.abstracts):
        path = f"abstracts[{abstract_idx}]"
        for sent_idx, sentence in enumerate(abstract.sentences):
            yield from broken_character(sentence.text, f"{path}.sentences[{sent_idx}].text")
        for alignment_idx, alignment in enumerate(abstract.alignments):
            for sent_idx, entry in enumerate(alignment.sentences):
                at = f"{path}.alignments[{alignment_idx}].sentences[{sent_idx}]"
                for warning in entry_warnings(entry):
                    yield warning.below(at)
    for output_idx, output in enumerate(topic.outputs):
        for warning in output_warnings(output, topic):
            yield warning.below(f"outputs[{output_idx}]")


def broken_character(text: str, path: str) -> Iterator[Problem]:
    """Yields a warning when a character of `text` was lost in an earlier conversion."""
    if _BROKEN in text:
        yield Problem(
            what="The text has a replacement character (U+FFFD) at offset {offset}.",
            hint="A conversion lost a character there; compare with the original.",
            fields={"offset": text.index(_BROKEN)},
            path=path,
        )


def entry_warnings(entry: SentenceAlignment) -> Iterator[Problem]:
    """Yields warnings about the alternatives of one abstract sentence."""
    if entry.state is AlignmentState.CONFIRMED and not entry.alternatives:
        yield Problem(
            what="Sentence {n} is confirmed but has no alternative.",
            hint="Add one, or set the state to no_source.",
            fields={"n": entry.n},
            path="state",
        )
    sets = [frozenset(alternative.members) for alternative in entry.alternatives]
    for index, members in enumerate(sets):
        if members in sets[:index]:
            yield _needless(members, index, what="The alternative appears twice: {members}.")
        elif any(map(members.__gt__, sets)):
            what = "The alternative {members} contains another one, so it is never needed."
            yield _needless(members, index, what=what)


def _needless(members: frozenset[SentenceRef], index: int, *, what: str) -> Problem:
    return Problem(
        what=what,
        hint="Remove it unless it is intended.",
        fields={"members": ",".join(str(ref) for ref in sorted(members))},
        path=f"alternatives[{index}]",
    )


def output_warnings(output: Output, topic: Topic) -> Iterator[Problem]:
    """Yields warnings about an output of `topic`."""
    lengths = [abstract.length for abstract in topic.abstracts]
    if output.length is not None and lengths and output.length not in lengths:
        yield Problem(
            what="No abstract of topic “{topic}” has the length “{length}” of system “{system}”.",
            hint="It will have no score; the abstracts have: {known}.",
            fields={
                "topic": topic.id,
                "length": output.length,
                "system": output.system,
                "known": Listing(sorted({length or NOTHING for length in lengths})),
            },
            path="length",
        )
    if isinstance(output, Extract) and len({*output.sentences}) < len(output.sentences):
        for sent_idx, name in repeated(map(str, output.sentences)):
            yield Problem(
                what="System “{system}” extracts {ref} twice.",
                hint="It counts once, at its first position.",
                fields={"system": output.system, "ref": name},
                path=f"extract[{sent_idx}]",
            )
    if isinstance(output, TextOutput):
        for sent_idx, text in enumerate(output.sentences):
            yield from broken_character(text, f"text[{sent_idx}]")
