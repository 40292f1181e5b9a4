"""Parallel texts: a folder of files with an item a line, as for REALSumm and compare-mt.

    src.txt          the source
    ref.txt, ref_A.txt, ref2.txt …    references
    out_NAME.txt     outputs of system NAME
    ids.txt          names of the items (ours); by default 1, 2, 3, …

Line i of every file is about item i, which becomes a topic. Subfolders are length classes.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote, unquote

from awase.core.errors import CorpusFormatError, InputError, Listing, Problem, raise_if_any
from awase.core.formats.reading.requests import ReadRequest, ReadResult, WriteRequest
from awase.core.formats.reading.topic_parts import (
    TopicParts,
    known_ids,
    language_of,
    naming,
    numbered_abstract,
    numbered_document,
)
from awase.core.records.abstract import Abstract
from awase.core.records.source import GIVEN, SentenceRef, join_splits, repeated
from awase.core.records.topic import Extract, Output, TextOutput, Topic, ids_of, select_topics
from awase.core.text.sentences import Split, split_text

IDS: Final = "ids.txt"
SOURCES: Final = "src.txt"
SOURCE_ID: Final = "src"  # id of the document that a line of `src.txt` becomes

_SYSTEM = re.compile(r"out_(.+)\.txt")
_REFERENCE = re.compile(r"ref(.*)\.txt")
_NUMBERED = re.compile(r"(.+)\.([1-9][0-9]*)")
_TAG = re.compile(r"</?t>")
_RESERVED = re.compile(r"(?:CON|PRN|AUX|NUL|COM[0-9]|LPT[0-9])(?:\..*)?", re.IGNORECASE)
_UNSAFE_IN_NAMES = re.compile(r'[\x00-\x1f\x7f%/\\:*?"<>|]|^[._-]|[. ]$')


def system_of(name: str) -> str | None:
    """Returns the system of a file of outputs; None for other files.

    >>> system_of("out_seq2seq%20v2.txt")
    'seq2seq v2'
    """
    match = _SYSTEM.fullmatch(name)
    return unquote(match[1]) if match else None


def is_reference(name: str) -> bool:
    """Returns whether a file has references."""
    return _REFERENCE.fullmatch(name) is not None


def reference_ids(names: Sequence[str]) -> list[str]:
    """Returns an abstract's id for each file of references.

    The part after `ref` and its separator; `ref` itself for `ref.txt`. If ids collide, the whole
    name without its ending.

    >>> reference_ids(["ref.txt", "ref_A.txt", "ref2.txt"])
    ['ref', 'A', '2']
    """
    rests = [match[1] for name in names if (match := _REFERENCE.fullmatch(name))]
    ids = [unquote(rest.lstrip("._-")) or "ref" for rest in rests]
    n_of = Counter(ids)
    return [
        id_ if n_of[id_] == 1 else f"ref{unquote(rest)}"
        for id_, rest in zip(ids, rests, strict=True)
    ]


def reference_owner(name: str, systems: Sequence[str]) -> tuple[str, int] | None:
    """Returns (system, number of the reference) for a file of references of one system's own.

    `ref_X.txt` belongs to system X if there is one, and so do `ref_X.2.txt` and the following.
    """
    match = _REFERENCE.fullmatch(name)
    if match is None or not match[1].startswith("_"):
        return None
    owner = unquote(match[1][1:])
    if owner in systems:
        return owner, 1
    numbered = _NUMBERED.fullmatch(match[1][1:])
    if numbered is not None and unquote(numbered[1]) in systems and int(numbered[2]) > 1:
        return unquote(numbered[1]), int(numbered[2])
    return None


def safe_name(id_: str) -> str:
    """Percent-encodes an id for file names, reserved names included.

    >>> safe_name("a/b"), safe_name("CON")
    ('a%2Fb', '%43ON')
    """
    name = _UNSAFE_IN_NAMES.sub(lambda match: f"%{ord(match[0]):02X}", id_)
    return f"%{ord(name[0]):02X}{name[1:]}" if _RESERVED.fullmatch(name) else name


def safe_names(ids: Iterable[str]) -> dict[str, str]:
    """Returns each id's safe name, distinct on case-insensitive and normalising disks.

    >>> safe_names(["Bart", "bart"])
    {'Bart': '%42art', 'bart': 'bart'}
    """
    every = [*dict.fromkeys(ids)]
    n_of = Counter(map(_as_disks_compare, every))
    return {
        id_: safe_name(id_) if n_of[_as_disks_compare(id_)] == 1 else _distinguished(id_)
        for id_ in every
    }


def _as_disks_compare(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def _distinguished(id_: str) -> str:
    return "".join(
        quote(char, safe="")
        if unicodedata.combining(char)
        or unicodedata.normalize("NFC", char) != char
        or (not char.isascii() and char.casefold() != char)
        else f"%{ord(char):02X}"
        if char != char.casefold()
        else safe_name(char)
        if _UNSAFE_IN_NAMES.fullmatch(char)
        else char
        for char in id_
    )


def lines_of(text: str) -> list[str]:
    """Splits at line feeds only; the last line may lack one."""
    # `str.splitlines` also splits at U+2028, U+0085 and form feeds, which scraped texts contain:
    # every item behind would be shifted.
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def line_of(sentences: Sequence[str]) -> str:
    """Returns an item's line of tagged sentences; InputError for a tag in a sentence."""
    for sentence in sentences:
        if _TAG.search(sentence):
            raise InputError.of(
                "The sentence “{text}” has a tag that separates sentences in this format.",
                "Remove <t> or </t> from it, or export as Awase JSON.",
                text=sentence[:80],
            )
    plain = [re.sub(r"\s*[\r\n]\s*", " ", sentence).strip() for sentence in sentences]
    return " ".join(f"<t> {sentence} </t>" for sentence in plain if sentence) or "<t> </t>"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParallelColumn:
    """A file of parallel texts."""

    source: str
    lines: Sequence[str]  # one an item; a blank one = there is no text


@dataclass(slots=True, kw_only=True)
class Items:
    """Files whose lines are about the same items."""

    length: str | None = None  # length class of the texts; None = there is only one
    ids: Sequence[str] = ()
    sources: ParallelColumn | None = None
    # Of the documents, one an item; None = all are called `src`.
    document_ids: Sequence[str] | None = None
    references: Mapping[str, ParallelColumn] = field(default_factory=dict)
    # By system, in order; they replace the abstracts for it.
    own_references: Mapping[str, Sequence[ParallelColumn]] = field(default_factory=dict)
    outputs: Mapping[str, ParallelColumn] = field(default_factory=dict)
    titles: Sequence[str] | None = None
    are_segments: bool = False

    def columns(self) -> Iterator[ParallelColumn]:
        """Yields every file."""
        if self.sources is not None:
            yield self.sources
        yield from self.references.values()
        for columns in self.own_references.values():
            yield from columns
        yield from self.outputs.values()


def read(request: ReadRequest) -> ReadResult:
    """Returns topics with documents, abstracts and texts of systems."""
    folders = _folders(request.files.names())
    if not folders:
        raise CorpusFormatError.of(
            "The folder has no src.txt, ref.txt or out_*.txt.",
            "Each has one item per line; out_NAME.txt are the outputs of system NAME.",
        )
    warnings: list[Problem] = []
    parts = TopicParts(request)
    for folder, names in folders.items():
        items = _items(request, folder, names, warnings)
        add_items(parts, items, request, warnings)
    return parts.result(warnings)


def _folders(names: Sequence[str]) -> dict[str, list[str]]:
    """Returns the files by folder: top level, or one level deep if there are none."""
    folders: dict[str, list[str]] = {}
    for name in names:
        folder, _, file = name.rpartition("/")
        if file == SOURCES or is_reference(file) or system_of(file) is not None:
            folders.setdefault(folder, []).append(file)
    if "" in folders:
        return {"": folders[""]}
    return {folder: files for folder, files in folders.items() if "/" not in folder}


def _items(
    request: ReadRequest, folder: str, names: Sequence[str], warnings: list[Problem]
) -> Items:
    prefix = f"{folder}/" if folder else ""
    columns = {name: read_column(request, prefix + name) for name in names}
    systems = {system: columns[name] for name in names if (system := system_of(name)) is not None}
    owners = {
        name: owner for name in names if (owner := reference_owner(name, [*systems])) is not None
    }
    own: dict[str, list[ParallelColumn]] = {}
    for name, (system, _) in sorted(owners.items(), key=lambda one: one[1]):
        own.setdefault(system, []).append(columns[name])
    shared = [name for name in names if is_reference(name) and name not in owners]
    warnings += naming(
        [*owners],
        what="{n} {n:file of references is|files of references are} named after systems "
        "({names}), and each is for "
        "this system alone.",
    )
    items = Items(
        length=unquote(folder) or None,
        sources=columns.get(SOURCES),
        references=dict(
            zip(reference_ids(shared), (columns[name] for name in shared), strict=True)
        ),
        own_references=own,
        outputs=systems,
    )
    check_equal_lengths([*items.columns()])
    items.ids = _ids(request, prefix, len(columns[names[0]].lines))
    return items


def read_column(request: ReadRequest, name: str) -> ParallelColumn:
    """Reads an existing file of the folder."""
    return ParallelColumn(
        source=request.files.source_of(name), lines=lines_of(request.files.text(name) or "")
    )


def check_equal_lengths(columns: Sequence[ParallelColumn]) -> None:
    """Raises unless all files have equally many lines."""
    if len({len(column.lines) for column in columns}) > 1:
        counts = Listing(f"{column.source} {len(column.lines)}" for column in columns)
        raise CorpusFormatError.of(
            "The files differ in their number of lines: {counts}.",
            "Line i of each is about item i; an item without text is an empty line.",
            counts=counts,
        )


def _ids(request: ReadRequest, prefix: str, n_items: int) -> list[str]:
    if (text := request.files.text(prefix + IDS)) is None:
        return [str(number) for number in range(1, n_items + 1)]
    ids = [line.strip() for line in lines_of(text)]
    source = request.files.source_of(prefix + IDS)
    if len(ids) != n_items:
        raise CorpusFormatError.of(
            "{n_ids} {n_ids:name|names} of items for {n} {n:item|items}.",
            "Write one per line, in the order of the items.",
            source=source,
            n_ids=len(ids),
            n=n_items,
        )
    raise_if_any(
        Problem(
            what="The item “{id}” appears twice.",
            hint="Give the items different names.",
            fields={"id": id_},
            source=source,
            line=idx + 1,
        )
        for idx, id_ in repeated(ids)
    )
    return ids


def add_items(
    parts: TopicParts, items: Items, request: ReadRequest, warnings: list[Problem]
) -> None:
    """Adds the lines to the topics, with warnings about empty ones."""
    for idx, topic_id in enumerate(items.ids):
        split = None if items.are_segments else _splitter(request, language_of(request, topic_id))
        parts.add_topic(topic_id, title=items.titles[idx] if items.titles else None)
        if items.sources is not None and (text := _text(items.sources, idx, split)) is not None:
            document_id = items.document_ids[idx] if items.document_ids else SOURCE_ID
            parts.add_document(topic_id, numbered_document(document_id, *text))
        for id_, column in items.references.items():
            if (text := _text(column, idx, split)) is not None:
                name = id_ if items.length is None else f"{id_}-{items.length}"
                abstract = numbered_abstract(name, *text, length=items.length)
                parts.add_abstract(topic_id, abstract)
        for system, column in items.outputs.items():
            if (text := _text(column, idx, split)) is not None:
                own = [_text(one, idx, split) for one in items.own_references.get(system, ())]
                each = [one for one in own if one is not None]
                parts.add_outputs(
                    topic_id,
                    TextOutput(
                        system=system,
                        sentences=text.sentences,
                        length=items.length,
                        references=tuple(one.sentences for one in each) or None,
                        split=join_splits(one.way for one in (text, *each)),
                    ),
                )
    hint = "" if items.are_segments else "Write <t> </t> for a text without words."
    warnings += (
        problem for column in items.columns() for problem in _gaps(column, items.ids, hint)
    )


_Splitter = Callable[[str], Split]


def _splitter(request: ReadRequest, language: str | None) -> _Splitter:
    return lambda line: split_text(line, request.sentences, language, separators=request.separators)


def _text(column: ParallelColumn, idx: int, split: _Splitter | None) -> Split | None:
    line = column.lines[idx].strip()
    if not line:
        return None
    return Split((line,), GIVEN) if split is None else split(line)


def _gaps(column: ParallelColumn, ids: Sequence[str], hint: str) -> Iterator[Problem]:
    empty = [idx for idx, line in enumerate(column.lines) if not line.strip()]
    if empty:
        yield Problem(
            what="{n} {n:line is|lines are} empty, so there is no text for the {n:item|items} "
            "{names}.",
            hint=hint,
            fields={"n": len(empty), "names": known_ids([ids[idx] for idx in empty])},
            source=column.source,
            line=empty[0] + 1,
        )


_TOPICS_AT_ONCE: Final = 100


def folder_pieces(request: WriteRequest) -> Iterator[tuple[str, str]]:
    """Yields chunks of `src.txt`, references and systems, with file names.

    Each length class has a folder. A topic is a line, its documents one text. Extracts become the
    text of their sentences; of an extract and a text the text is written. Gaps are empty lines.
    """
    topics = chosen_topics(request)
    lengths = _lengths(topics)
    names = safe_names(length for length in lengths if length is not None)
    for length in lengths:
        prefix = f"{names[length]}/" if length is not None else ""
        for name, text in _Columns(topics, length).pieces():
            yield prefix + name, text


def chosen_topics(request: WriteRequest) -> Sequence[Topic]:
    """Returns the topics that are to be written."""
    topics = request.corpus.topics
    if request.topic is not None:
        topics = select_topics(topics, (request.topic,))
    if not topics:
        raise InputError.of("There is no topic to export.", "Choose another topic, or all.")
    return topics


def _lengths(topics: Sequence[Topic]) -> list[str | None]:
    """Returns the length classes; outputs without one are written in each."""
    lengths = (part.length for topic in topics for part in (*topic.abstracts, *topic.outputs))
    return [*dict.fromkeys(length for length in lengths if length is not None)] or [None]


@dataclass(slots=True)
class _Column:
    """A file written line by line; started with its first non-empty line."""

    owner: tuple[object, ...]
    waiting: list[str]
    is_begun: bool = False

    def add(self, line: str) -> None:
        self.waiting.append(f"{line}\n")
        self.is_begun = self.is_begun or bool(line)

    def taken(self) -> str:
        text = "".join(self.waiting)
        self.waiting.clear()
        return text


class _Columns:
    """The files of a length class."""

    def __init__(self, topics: Sequence[Topic], length: str | None) -> None:
        self._topics, self._length = topics, length
        systems = (out.system for topic in topics for out in topic.outputs)
        self._systems = [*dict.fromkeys(systems)]
        of_topic = (_abstracts(topic, length) for topic in topics)
        self._picks = _reference_columns(of_topic, length)
        self._columns: dict[str, _Column] = {}
        self._names = safe_names((*self._systems, *self._picks))

    def pieces(self) -> Iterator[tuple[str, str]]:
        """Yields pieces of the files, with the files' names."""
        for number, topic in enumerate(self._topics):
            lines = {owner: (name, line) for owner, name, line in self._lines(topic)}
            for owner, (name, _) in lines.items():
                self._begin(name, owner, number)
            for column in self._columns.values():
                column.add(lines.get(column.owner, ("", ""))[1])
            if number % _TOPICS_AT_ONCE == 0:
                yield from self._taken()
        yield from self._taken()
        if not any(column.is_begun for column in self._columns.values()):
            yield from ((name, column.taken()) for name, column in self._columns.items())
        ids = ids_of(self._topics)
        if ids != tuple(str(n) for n in range(1, len(ids) + 1)):
            yield IDS, "".join(f"{one}\n" for one in ids)

    def _taken(self) -> Iterator[tuple[str, str]]:
        for name, column in self._columns.items():
            # A column of gaps only would be read as a file without texts.
            if column.is_begun and column.waiting:
                yield name, column.taken()

    def _begin(self, name: str, owner: tuple[object, ...], n_before: int) -> None:
        column = self._columns.setdefault(name, _Column(owner, ["\n"] * n_before))
        if column.owner != owner:
            raise InputError.of(
                "Two files would have the name “{name}”.", "Rename a system.", name=name
            )

    def _lines(self, topic: Topic) -> Iterator[tuple[tuple[object, ...], str, str]]:
        """Yields (kind, name, line) of a topic."""
        yield ("source",), SOURCES, _source(topic)
        abstracts = _abstracts(topic, self._length)
        for id_, pick in self._picks.items():
            name = "ref.txt" if id_ == "ref" else f"ref_{self._names[id_]}.txt"
            if reference_owner(name, self._systems) is not None:
                name = f"ref-{self._names[id_]}.txt"
            yield ("reference", id_), name, _abstract_line(pick(abstracts))
        for system in self._systems:
            output = output_for(topic, system, self._length)
            texts = () if output is None else text_of(output, topic)
            line = line_of(texts) if output is not None else ""
            yield ("system", system), f"out_{self._names[system]}.txt", line
            own = (output.references or ()) if output is not None else ()
            for place, text in enumerate(own):
                number = "" if place == 0 else f".{place + 1}"
                name = f"ref_{self._names[system]}{number}.txt"
                yield ("own", system, place), name, line_of(text)


def _abstracts(topic: Topic, length: str | None) -> list[Abstract]:
    return [abstract for abstract in topic.abstracts if abstract.length in (length, None)]


def _source(topic: Topic) -> str:
    texts = [sentence.text for _, sentence in topic.sentences()]
    return line_of(texts) if topic.documents else ""


_Pick = Callable[[Sequence[Abstract]], Abstract | None]


def _reference_columns(
    of_topic: Iterable[Sequence[Abstract]], length: str | None
) -> dict[str, _Pick]:
    """Returns the selection of each column of references: by id if common, else by position."""
    suffix = f"-{length}" if length is not None else ""
    ids: dict[str, None] = {}
    n_most = 0
    for abstracts in of_topic:
        ids |= {abstract.id: None for abstract in abstracts}
        n_most = max(n_most, len(abstracts))
    if len(ids) == n_most:
        return {id_.removesuffix(suffix) if suffix else id_: _by_id(id_) for id_ in ids}
    if n_most == 1:
        return {"ref": _by_place(0)}
    return {str(place + 1): _by_place(place) for place in range(n_most)}


def _by_id(id_: str) -> _Pick:
    return lambda abstracts: next((one for one in abstracts if one.id == id_), None)


def _by_place(place: int) -> _Pick:
    return lambda abstracts: abstracts[place] if place < len(abstracts) else None


def _abstract_line(abstract: Abstract | None) -> str:
    if abstract is None:
        return ""
    return line_of([sentence.text for sentence in abstract.sentences])


def output_for(topic: Topic, system: str, length: str | None) -> Output | None:
    """Returns the output of a system for a length class, of the class itself and a text first."""
    own = [
        output
        for output in topic.outputs
        if output.system == system and output.length in (length, None)
    ]
    own.sort(key=lambda output: (output.length is None, isinstance(output, Extract)))
    return own[0] if own else None


def text_of(output: Output, topic: Topic) -> Sequence[str]:
    """Returns the sentences of an output; of an extract each once, at its first position."""
    if isinstance(output, TextOutput):
        return output.sentences
    text_by_ref: dict[SentenceRef, str] = {
        ref: sentence.text for ref, sentence in topic.sentences()
    }
    return [text_by_ref[ref] for ref in dict.fromkeys(output.sentences)]
