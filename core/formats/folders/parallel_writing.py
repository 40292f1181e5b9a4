"""Writes a corpus as parallel texts."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from awase.core.errors import InputError
from awase.core.formats.folders.parallel_files import (
    IDS,
    SOURCES,
    line_of,
    reference_owner,
    safe_names,
)
from awase.core.formats.reading.requests import WriteRequest
from awase.core.records.abstract import Abstract
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract, Output, TextOutput
from awase.core.records.topic import Topic, ids_of, select_topics

_TOPICS_AT_ONCE: Final = 100


def folder_pieces(request: WriteRequest) -> Iterator[tuple[str, str]]:
    """Yields pieces of `src.txt` and of files of references and of systems, with their names.

    Each length class has a folder. A topic is a line, its documents one text. Extracts become the
    text of their sentences; where a system has an extract and a text, the text is written. Gaps are
    empty lines.

    Raises:
        InputError: There is no topic, or a sentence has a tag of the format.
    """
    topics = chosen_topics(request)
    lengths = _lengths(topics)
    names = safe_names(length for length in lengths if length is not None)
    for length in lengths:
        prefix = f"{names[length]}/" if length is not None else ""
        for name, text in _Columns(topics, length).pieces():
            yield prefix + name, text


def chosen_topics(request: WriteRequest) -> Sequence[Topic]:
    """Returns the topics that are to be written.

    Raises:
        InputError: There is none.
    """
    topics = request.corpus.topics
    if request.topic is not None:
        topics = select_topics(topics, (request.topic,))
    if not topics:
        raise InputError.of("There is no topic to export.", "Choose another topic, or all.")
    return topics


def _lengths(topics: Sequence[Topic]) -> list[str | None]:
    """Returns the length classes; what has none is written with each."""
    lengths = (part.length for topic in topics for part in (*topic.abstracts, *topic.outputs))
    return [*dict.fromkeys(length for length in lengths if length is not None)] or [None]


@dataclass(slots=True)
class _Column:
    """A file that is written line by line; one of nothing but gaps may never be begun."""

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
            # A column of nothing but gaps would come back as a file without texts.
            if column.is_begun and column.waiting:
                yield name, column.taken()

    def _begin(self, name: str, owner: tuple[object, ...], n_before: int) -> None:
        column = self._columns.setdefault(name, _Column(owner, ["\n"] * n_before))
        if column.owner != owner:
            raise InputError.of(
                "Two files would have the name “{name}”.", "Rename a system.", name=name
            )

    def _lines(self, topic: Topic) -> Iterator[tuple[tuple[object, ...], str, str]]:
        """Yields what each file says of a topic: what the file is of, its name, the line."""
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
    """Returns how each column of references takes its abstract of a topic.

    Columns go by the abstracts' ids where the topics share them, otherwise by their order.
    """
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
    """Returns the sentences of an output; those of an extract once each, at their first place."""
    if isinstance(output, TextOutput):
        return output.sentences
    text_by_ref: dict[SentenceRef, str] = {
        ref: sentence.text for ref, sentence in topic.sentences()
    }
    return [text_by_ref[ref] for ref in dict.fromkeys(output.sentences)]
