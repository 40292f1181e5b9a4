"""Parallel texts: a folder of files with an item a line, as for REALSumm and compare-mt.

src.txt          what is summarised or translated
ref.txt, ref_A.txt, ref2.txt …    references
out_NAME.txt     outputs of system NAME
ids.txt          names of the items (ours); without it they are 1, 2, 3, …

Line i of every file is about item i, which becomes a topic. Folders below stand for length classes.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote

from awase.core.errors import CorpusFormatError, Listing, Problem, raise_if_any
from awase.core.formats.folders.parallel_files import (
    IDS,
    SOURCE_ID,
    SOURCES,
    is_reference,
    lines_of,
    reference_ids,
    reference_owner,
    system_of,
)
from awase.core.formats.folders.parallel_writing import folder_pieces
from awase.core.formats.lines.plain_text import language_of
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.sentence_names import known_ids
from awase.core.formats.reading.topic_parts import TopicParts, numbered_abstract, numbered_document
from awase.core.records.identifiers import GIVEN, join_splits, repeated
from awase.core.records.output import TextOutput
from awase.core.text.sentences import Split, split_text

__all__ = ["folder_pieces", "read"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A file of parallel texts.

    Attributes:
        source: Its name, for messages.
        lines: One an item; a blank one = there is no text.
    """

    source: str
    lines: Sequence[str]


@dataclass(slots=True, kw_only=True)
class Items:
    """Files whose lines are about the same items.

    Attributes:
        length: Length class of the texts; None = there is only one.
        ids: Of the topics, one an item.
        sources: What documents are made of.
        document_ids: Of the documents, one an item; None = all are called `src`.
        references: By abstract id.
        own_references: By system, in order; they replace the abstracts for this system.
        outputs: By system.
        titles: Of the topics, one an item.
        are_segments: Whether a line is one sentence, whatever stands in it.
    """

    length: str | None = None
    ids: Sequence[str] = ()
    sources: Column | None = None
    document_ids: Sequence[str] | None = None
    references: Mapping[str, Column] = field(default_factory=dict)
    own_references: Mapping[str, Sequence[Column]] = field(default_factory=dict)
    outputs: Mapping[str, Column] = field(default_factory=dict)
    titles: Sequence[str] | None = None
    are_segments: bool = False

    def columns(self) -> Iterator[Column]:
        """Yields every file."""
        if self.sources is not None:
            yield self.sources
        yield from self.references.values()
        for columns in self.own_references.values():
            yield from columns
        yield from self.outputs.values()


def read(request: ReadRequest) -> ReadResult:
    """Returns topics with documents, abstracts and texts of systems.

    Raises:
        CorpusFormatError: There are no such files, they do not have equally many lines, or an
            item's name stands twice.
    """
    folders = _folders(request.files.names())
    if not folders:
        raise CorpusFormatError.of(
            "The folder has no src.txt, ref.txt or out_*.txt.",
            "Each has one item a line; out_NAME.txt are the outputs of system NAME.",
        )
    warnings: list[Problem] = []
    parts = TopicParts(request)
    for folder, names in folders.items():
        items = _items(request, folder, names, warnings)
        add_items(parts, items, request, warnings)
    return parts.result(warnings)


def _folders(names: Sequence[str]) -> dict[str, list[str]]:
    """Returns the files by folder: those at the top, or one folder deep where there are none."""
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
    own: dict[str, list[Column]] = {}
    for name, (system, _) in sorted(owners.items(), key=lambda one: one[1]):
        own.setdefault(system, []).append(columns[name])
    shared = [name for name in names if is_reference(name) and name not in owners]
    if own:
        warnings.append(
            Problem(
                what="{n} files of references are named after systems ({names}), and each is for "
                "this system alone.",
                fields={"n": len(owners), "names": known_ids([*owners])},
            )
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


def read_column(request: ReadRequest, name: str) -> Column:
    """Returns a file of the folder that is known to be there."""
    return Column(
        source=request.files.source_of(name), lines=lines_of(request.files.text(name) or "")
    )


def check_equal_lengths(columns: Sequence[Column]) -> None:
    """Does nothing when all files have equally many lines.

    Raises:
        CorpusFormatError: They do not; names every file with its count.
    """
    if len({len(column.lines) for column in columns}) > 1:
        counts = Listing(f"{column.source} {len(column.lines)}" for column in columns)
        raise CorpusFormatError.of(
            "The files do not have equally many lines: {counts}.",
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
            "{n_ids} names of items for {n} items.",
            "Write one a line, in the order of the items.",
            source=source,
            n_ids=len(ids),
            n=n_items,
        )
    raise_if_any(
        Problem(
            what="The item “{id}” stands twice.",
            hint="Name the items apart.",
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
    """Adds what the lines hold to the topics, and warns of each file's empty lines."""
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
                parts.add_output(
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


def _text(column: Column, idx: int, split: _Splitter | None) -> Split | None:
    line = column.lines[idx].strip()
    if not line:
        return None
    return Split((line,), GIVEN) if split is None else split(line)


def _gaps(column: Column, ids: Sequence[str], hint: str) -> Iterator[Problem]:
    empty = [idx for idx, line in enumerate(column.lines) if not line.strip()]
    if empty:
        yield Problem(
            what="{n} lines are empty, so there is no text for the items {names}.",
            hint=hint,
            fields={"n": len(empty), "names": known_ids([ids[idx] for idx in empty])},
            source=column.source,
            line=empty[0] + 1,
        )
