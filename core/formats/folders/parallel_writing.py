"""Writes a corpus as parallel texts."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from awase.core.errors import InputError
from awase.core.formats.folders.parallel_files import (
    IDS,
    SOURCES,
    file_name,
    line_of,
    reference_owner,
    safe_name,
)
from awase.core.formats.reading.requests import WriteRequest
from awase.core.records.abstract import Abstract
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract, Output, TextOutput
from awase.core.records.topic import Topic


def write_folder(request: WriteRequest) -> Mapping[str, str]:
    """Returns `src.txt`, files of references and of systems, in a folder for each length class.

    A topic is a line, its documents one text. Extracts become the text of their sentences; where a
    system has an extract and a text, the text is written. Gaps are empty lines.

    Raises:
        InputError: There is no topic, or a sentence has a tag of the format.
    """
    topics = chosen_topics(request)
    lengths = _lengths(topics)
    files: dict[str, str] = {}
    for length in lengths:
        prefix = f"{safe_name(length)}/" if length is not None else ""
        for name, lines in _columns(topics, length).items():
            files[prefix + name] = "".join(f"{line}\n" for line in lines)
    return files


def chosen_topics(request: WriteRequest) -> tuple[Topic, ...]:
    """Returns the topics that are to be written.

    Raises:
        InputError: There is none.
    """
    topics = tuple(topic for topic in request.corpus.topics if request.topic in (None, topic.id))
    if not topics:
        raise InputError.of("There is no topic to export.", "Choose another topic, or all.")
    return topics


def _lengths(topics: Iterable[Topic]) -> list[str | None]:
    """Returns the length classes; what has none is written with each."""
    parts = [part for topic in topics for part in (*topic.abstracts, *topic.outputs)]
    named = dict.fromkeys(part.length for part in parts if part.length is not None)
    return [*named] or [None]


def _columns(topics: Sequence[Topic], length: str | None) -> dict[str, list[str]]:
    """Returns the lines of each file."""
    systems = [*dict.fromkeys(output.system for topic in topics for output in topic.outputs)]
    columns = {SOURCES: [_source(topic) for topic in topics]}
    columns |= _references(topics, length, systems)
    for system in systems:
        outputs = [output_for(topic, system, length) for topic in topics]
        own = {file_name("out_", system): _output_lines(topics, outputs)}
        own |= _own_references(system, outputs)
        if clash := own.keys() & columns.keys():
            raise InputError.of(
                "Two files would have the name “{name}”.", "Rename a system.", name=min(clash)
            )
        columns |= own
    # A column of nothing but gaps would come back as a file without texts.
    columns = {name: lines for name, lines in columns.items() if any(lines)} or columns
    if [topic.id for topic in topics] != [str(n) for n in range(1, len(topics) + 1)]:
        columns[IDS] = [topic.id for topic in topics]
    return columns


def _references(
    topics: Sequence[Topic], length: str | None, systems: Sequence[str]
) -> dict[str, list[str]]:
    of_topic = [
        [abstract for abstract in topic.abstracts if abstract.length in (length, None)]
        for topic in topics
    ]
    columns: dict[str, list[str]] = {}
    for id_, pick in _reference_columns(of_topic, length).items():
        name = "ref.txt" if id_ == "ref" else file_name("ref_", id_)
        if reference_owner(name, systems) is not None:
            name = file_name("ref-", id_)
        columns[name] = [_abstract_line(pick(abstracts)) for abstracts in of_topic]
    return columns


def _output_lines(topics: Sequence[Topic], outputs: Sequence[Output | None]) -> list[str]:
    return [
        line_of(text_of(output, topic)) if output is not None else ""
        for output, topic in zip(outputs, topics, strict=True)
    ]


def _source(topic: Topic) -> str:
    texts = [sentence.text for _, sentence in topic.sentences()]
    return line_of(texts) if topic.documents else ""


_Pick = Callable[[Sequence[Abstract]], Abstract | None]


def _reference_columns(
    of_topic: Sequence[Sequence[Abstract]], length: str | None
) -> dict[str, _Pick]:
    """Returns how each column of references takes its abstract of a topic.

    Columns go by the abstracts' ids where the topics share them, otherwise by their order.
    """
    suffix = f"-{length}" if length is not None else ""
    ids = dict.fromkeys(abstract.id for abstracts in of_topic for abstract in abstracts)
    n_most = max((len(abstracts) for abstracts in of_topic), default=0)
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


def _own_references(system: str, outputs: Sequence[Output | None]) -> dict[str, list[str]]:
    texts = [output.references or () if output is not None else () for output in outputs]
    columns: dict[str, list[str]] = {}
    for place in range(max(map(len, texts), default=0)):
        name = file_name("ref_", system if place == 0 else f"{system}.{place + 1}")
        columns[name] = [line_of(one[place]) if place < len(one) else "" for one in texts]
    return columns
