"""Tables of texts: JSON lines, a JSON list of objects, CSV or TSV, an item a row.

    {"id": "t1", "article": "…", "highlights": "…", "prediction": "…"}

Roles are by `reading.roles`. Each of several columns of outputs is a system named by the column.

And data sets as the library `datasets` saves them, a folder of Arrow or Parquet files:

dataset_info.json, state.json, data-00000-of-00001.arrow            one split (`save_to_disk`)
dataset_dict.json, train/…, test/…                                  several splits
data/train-00000-of-00002.parquet                                   as the hub has them

A folder with several splits needs to be told which (`part`).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import chain, repeat
from operator import itemgetter
from types import MappingProxyType
from typing import Final, NamedTuple, cast

from awase.core.errors import CorpusFormatError, Findings, InputError, Listing, Missing
from awase.core.formats.reading.arrow import ArrowRows
from awase.core.formats.reading.records import NOT_JSON, is_json, json_records
from awase.core.formats.reading.requests import ReadRequest, ReadResult
from awase.core.formats.reading.roles import (
    ColumnRoles,
    TakenAs,
    column_roles,
    is_plural,
    items_problem,
    output_in,
    record_roles,
    scores_in,
    texts_in,
)
from awase.core.formats.reading.topic_parts import (
    TopicParts,
    language_of,
    naming,
    numbered_abstract,
    numbered_document,
)
from awase.core.formats.scores.score_rows import Cells, Rows, human_scores, rows_of_cells
from awase.core.records.source import GIVEN, SentenceRef, free_id, join_splits
from awase.core.records.topic import Extract, TextOutput
from awase.core.text.sentences import Split, split_text

SOURCE_ID: Final = "src"
Text = str | Sequence[str]  # a text that is to be split into sentences, or its sentences
_NO_SCORES: Final[Mapping[str, str]] = MappingProxyType({})


class OutputText(NamedTuple):
    """A system's output."""

    system: str
    text: Text
    references: tuple[Text, ...] | None = None  # what it alone is compared with; None = the topic's
    scores: Mapping[str, str] = _NO_SCORES


def outputs_of(systems: Iterable[str], texts: Iterable[Text]) -> list[OutputText]:
    """Builds plain outputs in bulk, for a fifth of calling the class for each."""
    rows = zip(systems, texts, repeat(None), repeat(_NO_SCORES), strict=False)
    return [*map(tuple.__new__, repeat(OutputText), rows)]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRecord:
    """A record."""

    line: int | None  # from 1; None = no lines
    topic: str
    documents: Mapping[str, Text] = field(default_factory=dict)
    references: Mapping[str, Text] = field(default_factory=dict)
    outputs: Sequence[OutputText] = ()
    # A system, and the positions from 0 of its sentences in the document, given as a list.
    extract: tuple[str, tuple[int, ...]] | None = None


_system_in, _text_in, _references_in, _scores_in = map(itemgetter, range(4))


class TextTopics:
    """Builds topics from records, several of which may be about one."""

    def __init__(self, request: ReadRequest, rows: Rows) -> None:
        self._request = request
        self._rows = rows
        self._parts = TopicParts(request)
        self._references: dict[str, dict[str, Split]] = {}
        self._joined: dict[str, dict[str, Split]] = {}  # of later records without an output
        self._outputs: dict[str, dict[str, int | None]] = {}
        self._with_own: list[str] = []  # topic and system of outputs with own references

    def take(self, record: TextRecord) -> None:
        """Adds a record."""
        topic = record.topic
        self._parts.add_topic(topic)
        for id_, text in record.documents.items():
            split = self.split(topic, text, by_lines=False)
            if split.sentences:
                self._parts.add_document(topic, numbered_document(id_, *split))
        if record.extract is not None:
            self._add_extract(topic, record, *record.extract)
        own = self._shared(record)
        lines = self._outputs.setdefault(topic, {})
        news = self._new_among(record, lines)
        self._add_outputs(topic, news, own)
        for output in filter(_scores_in, news):
            for measure, value in output.scores.items():
                self._rows.take(
                    record.line or 1, value, system=output.system, measure=measure, topic=topic
                )

    def _add_extract(
        self, topic: str, record: TextRecord, system: str, places: tuple[int, ...]
    ) -> None:
        ((id_, text),) = record.documents.items()
        filled = [at for at, sentence in enumerate(text) if sentence.strip()]  # others are dropped
        number_of = {at: n for n, at in enumerate(filled, start=1)}
        refs = tuple(SentenceRef(id_, number_of[at]) for at in places if at in number_of)
        self._parts.add_outputs(topic, Extract(system=system, sentences=refs))

    def _shared(self, record: TextRecord) -> tuple[Split, ...] | None:
        """Adds the references as abstracts; returns them if the topic has different ones."""
        texts = {
            id_: split
            for id_, text in record.references.items()
            if (split := self.split(record.topic, text)).sentences
        }
        known = self._references.get(record.topic)
        if known is None and texts:
            self._references[record.topic] = texts
            self._add_references(record.topic, texts)
        if known is None or not texts or [*known.values()] == [*texts.values()]:
            return None
        joined = self._joined.setdefault(record.topic, {})
        if not record.outputs:  # which would keep them for themselves
            for id_, one in texts.items():
                every = known | joined
                if one not in every.values():
                    free = free_id(id_, every)
                    joined[free] = one
                    self._add_references(record.topic, {free: one})
        return None if [*texts.values()] == [*(known | joined).values()] else (*texts.values(),)

    def _add_references(self, topic: str, texts: Mapping[str, Split]) -> None:
        for id_, of_text in texts.items():
            self._parts.add_abstract(topic, numbered_abstract(id_, *of_text))

    def _new_among(self, record: TextRecord, lines: dict[str, int | None]) -> Sequence[OutputText]:
        """Returns the outputs that are their systems' first for the topic; records their lines."""
        of_record = dict.fromkeys(map(_system_in, record.outputs), record.line)
        if len(of_record) == len(record.outputs) and lines.keys().isdisjoint(of_record):
            lines.update(of_record)
            return record.outputs
        return [output for output in record.outputs if self._is_new(record, output, lines)]

    def _is_new(self, record: TextRecord, output: OutputText, lines: dict[str, int | None]) -> bool:
        """Returns whether it is the system's first output for the topic; records its line."""
        if output.system not in lines:
            lines[output.system] = record.line
            return True
        self._rows.problems.add(
            record.line,
            what="System “{system}” has a second output for “{topic}”; the first is in line "
            "{first}.",
            hint="Give the items, or the systems, different names.",
            system=output.system,
            topic=record.topic,
            first=lines[output.system] or 0,
        )
        return False

    def _add_outputs(
        self,
        topic: str,
        outputs: Sequence[OutputText],
        shared: tuple[Split, ...] | None,
    ) -> None:
        splits = _as_they_are([*map(_text_in, outputs)]) or [
            self.split(topic, output.text) for output in outputs
        ]
        systems = [*map(_system_in, outputs)]
        nothing = [None] * len(outputs)
        if shared is None and [*map(_references_in, outputs)] == nothing:
            self._parts.add_outputs(
                topic,
                *TextOutput.all_of(
                    systems, [one.sentences for one in splits], nothing, [one.way for one in splits]
                ),
            )
            return
        for system, text, output in zip(systems, splits, outputs, strict=True):
            own = shared
            if output.references is not None:
                own = tuple(self.split(topic, one) for one in output.references)
            if own is not None:
                self._with_own.append(f"{topic} {system}")
            made = TextOutput(
                system=system,
                sentences=text.sentences,
                references=None if own is None else tuple(one.sentences for one in own),
                split=join_splits(one.way for one in (text, *(own or ()))),
            )
            self._parts.add_outputs(topic, made)

    def split(self, topic: str, text: Text, *, by_lines: bool = True) -> Split:
        """Returns the sentences of a text, and its split."""
        return split_text(
            text,
            self._request.sentences if by_lines else None,
            language=language_of(self._request, topic),
            by_lines=by_lines,
            separators=self._request.separators,
        )

    def result(
        self,
        taken_as: tuple[TakenAs, ...] = (),
        *,
        what: str = "{n} {n:output has a reference of its own|outputs have references of their "
        "own}: {names}.",
    ) -> ReadResult:
        """Returns the topics; `what` tells of own references."""
        problems = self._rows.problems
        problems.refuse_if_any()
        problems.warn(None, naming(self._with_own, what=what))
        self._parts.human_scores += human_scores(self._rows)
        return replace(self._parts.result(problems.warnings), taken_as=taken_as)


def _as_they_are(texts: Sequence[Text]) -> list[Split] | None:
    """Returns the sentences of texts that are lists without outer blanks."""
    if not {*map(type, texts)} <= {list, tuple}:
        return None
    sentences = [*chain.from_iterable(texts)]
    # An already stripped text stays the same object, which compares quickly.
    is_bare = all(sentences) and [*map(str.strip, sentences)] == sentences
    return [Split(tuple(text), GIVEN) for text in texts] if is_bare else None


def numbered(texts: Sequence[Text], name: str) -> dict[str, Text]:
    """Returns texts by id: the name alone for one, numbered for several.

    >>> numbered(["a"], "ref"), numbered(["a", "b"], "ref")
    ({'ref': 'a'}, {'ref1': 'a', 'ref2': 'b'})
    """
    if len(texts) == 1:
        return {name: texts[0]}
    return {f"{name}{number}": text for number, text in enumerate(texts, start=1)}


_BETWEEN_DOCUMENTS: Final = re.compile(r"\s*\|\|\|\|\|\s*|\s*story_separator_special_tag\s*")
ROLES: Final = ("id", "document", "reference", "system", "system name")

Record = Mapping[str, object]


def read(request: ReadRequest) -> ReadResult:
    """Returns a topic for each item, with its documents, abstracts and outputs."""
    rows = Rows(Findings(request.source))
    return topics_of_records([*_records(request.text, rows.problems)], request, rows)


def topics_of_records(
    records: Sequence[tuple[int, Record]], request: ReadRequest, rows: Rows
) -> ReadResult:
    """Returns the topics of records, and the assigned roles."""
    rows.problems.refuse_if_any()
    columns = record_roles((record for _, record in records), request.columns, request.source)
    topics = TextTopics(request, rows)
    for number, (line, record) in enumerate(records, start=1):
        topics.take(taken(number, line, record, columns, rows.problems))
    return topics.result(taken_as=(columns.taken_as(request.source),))


def columns_and_roles(text: str) -> tuple[tuple[str, ...], Mapping[str, str]]:
    """Returns the columns of a table's beginning, and role to column by name.

    Both are empty if unreadable.
    """
    try:
        records = [*_records(text, Findings(""))]
    except InputError:
        return (), {}
    names = tuple(dict.fromkeys(name for _, record in records for name in record))
    try:
        told = column_roles(names, {})
    except InputError:
        return names, {}
    found = {
        "id": told.id,
        "document": next(iter(told.documents), None),
        "reference": next(iter(told.references), None),
        "system": next((column for column, name in told.systems.items() if column == name), None),
        "system name": told.system_name,
    }
    return names, {role: column for role, column in found.items() if column}


def _records(text: str, problems: Findings) -> Iterator[tuple[int, Record]]:
    if is_json(text):
        for line, value in json_records(text):
            record = checked_record(line, value, problems)
            if record is not None:
                yield line, record
        return
    yield from records_of_rows(rows_of_cells(text, problems))


def records_of_rows(rows: Iterable[Cells]) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Yields line and columns of each row behind the heading."""
    each = iter(rows)
    heading = next(each, None)
    if heading is not None:
        for row in each:
            yield row.line, dict(zip(heading.texts, row.texts, strict=False))


def checked_record(line: int, value: object, problems: Findings) -> Record | None:
    """Returns the object on a line; None, with a recorded problem, for anything else."""
    if value is not NOT_JSON and isinstance(value, dict):
        return value
    problems.add(line, what="The line is not a JSON object.", hint="Write one object per item.")
    return None


def topic_of(number: int, record: Record, columns: ColumnRoles) -> str:
    """Returns a record's topic: its id, or its number from 1."""
    id_ = record.get(columns.id) if columns.id else None
    return str(id_).strip() if isinstance(id_, str | int) and str(id_).strip() else str(number)


def taken(
    number: int, line: int, record: Record, columns: ColumnRoles, problems: Findings
) -> TextRecord:
    """Returns a record's texts, recording problems; `number` is from 1."""
    topic = topic_of(number, record, columns)
    documents = _texts(_with_sentences(record, columns), columns.documents, line, problems)
    parted = [
        part for text in documents
        for part in (_BETWEEN_DOCUMENTS.split(text) if isinstance(text, str) else [text])
        if part
    ]  # fmt: skip
    outputs = _outputs(record, columns, line, problems)
    for system in columns.systems:
        for reference in columns.references:
            if problem := items_problem(record, system, reference):
                problems.note(line, [problem])
    return TextRecord(
        line=line,
        topic=topic,
        documents=numbered(parted, SOURCE_ID),
        references=numbered(
            _texts(_with_sentences(record, columns), columns.references, line, problems), "ref"
        ),
        outputs=[*outputs, *_keyed_outputs(record, columns)],
        extract=_extract(record, columns, line, problems),
    )


def _with_sentences(record: Record, columns: ColumnRoles) -> Record:
    """Joins the tokens of each sentence, where sentences have labels."""
    if columns.labels is None:
        return record
    joined: dict[str, object] = {}
    for name in (*columns.documents, *columns.references):
        value = record.get(name)
        if isinstance(value, list) and value and all(isinstance(one, list) for one in value):
            joined[name] = [" ".join(map(str, one)) for one in value]
    return {**record, **joined}


def _keyed_outputs(record: Record, columns: ColumnRoles) -> Iterator[OutputText]:
    """Yields the outputs of objects keyed by system, with their scores."""
    for column in columns.keyed:
        by_system = record.get(column)
        for system, value in by_system.items() if isinstance(by_system, Mapping) else ():
            text = output_in(value)
            if not text:
                continue
            scores: dict[str, str] = {}
            inner = value.values() if isinstance(value, Mapping) else ()
            for found in (
                *inner,
                *(_of_system(record.get(name), system) for name in columns.scores),
            ):
                scores |= scores_in(found) if isinstance(found, Mapping) else {}
            yield OutputText(system=str(system), text=text, scores=scores)


def _of_system(value: object, system: object) -> object:
    return value.get(system) if isinstance(value, Mapping) else None


def _extract(
    record: Record, columns: ColumnRoles, line: int, problems: Findings
) -> tuple[str, tuple[int, ...]] | None:
    """Returns the system and the positions, from 0, of the selected sentences."""
    labels = record.get(columns.labels) if columns.labels else None
    if not isinstance(labels, list) or columns.labels is None:
        return None
    sentences = record.get(columns.documents[0]) if columns.documents else None
    n = len(sentences) if isinstance(sentences, list) else 0
    is_mask = len(labels) == n and {*labels} <= {0, 1}
    places = [at for at, one in enumerate(labels) if one] if is_mask else labels
    if not all(type(at) is int and 0 <= at < n for at in places):
        problems.add(
            line,
            what="“{column}” does not select from the {n} {n:sentence|sentences} of the document.",
            hint="Give a 0 or a 1 for each sentence, or the positions of those chosen, from 0.",
            column=columns.labels,
            n=n,
        )
        return None
    return columns.labels, tuple(places)


def _outputs(
    record: Record, columns: ColumnRoles, line: int, problems: Findings
) -> Sequence[OutputText]:
    """Returns systems' outputs by column; empty texts are skipped."""
    name = record.get(columns.system_name) if columns.system_name else None
    systems = [str(name)] if name else [*columns.systems.values()]
    values = [*map(record.get, columns.systems)]
    plain = [None] * len(values) if any(map(is_plural, columns.systems)) else _sentences(values)
    if None not in plain:
        return outputs_of(systems, cast("Sequence[list[str]]", plain))
    found: list[OutputText] = []
    for system, column, text in zip(systems, columns.systems, plain, strict=True):
        texts = _texts(record, (column,), line, problems)[:1] if text is None else [text]
        found += [OutputText(system, one) for one in texts]
    return found


def _sentences(values: Sequence[object]) -> Sequence[list[str] | None]:
    """Returns values that are lists of several non-blank sentences; None for others."""
    # The usual case, in which no sentence needs a check of its own.
    lists = [one for one in values if isinstance(one, list)]
    if not {*map(type, chain.from_iterable(lists))} <= {str}:
        return [None] * len(values)
    return [
        one if isinstance(one, list) and len(one) > 1 and one[0].strip() else None for one in values
    ]


def _texts(record: Record, columns: Sequence[str], line: int, problems: Findings) -> list[Text]:
    """Returns the texts in some columns; empty ones are skipped."""
    found: list[Text] = []
    for column in columns:
        texts = texts_in(record.get(column), is_plural=is_plural(column))
        if texts is None:
            problems.add(
                line,
                what="“{column}” holds no text.",
                hint="A text is a string or a list of sentences.",
                column=column,
            )
            continue
        found += [one[0] if len(one) == 1 else one for one in texts if any(map(str.strip, one))]
    return found


_SPLIT_OF_FILE = re.compile(r"(?:.*/)?([A-Za-z0-9_]+?)(?:-\d+-of-\d+.*)?\.(?:arrow|parquet|jsonl)")


def read_hf(request: ReadRequest) -> ReadResult:
    """Returns a topic for each row of a split."""
    splits = _splits(request.files.names())
    split = _chosen(request, splits)
    rows = Rows(Findings(request.source))
    records: list[tuple[int, Record]] = []
    for name in splits[split]:
        data, source = request.files.data(name), request.files.source_of(name)
        if data is not None:
            for some in ArrowRows(BytesIO(data), source, needed_for="hf-dataset").portions():
                records += enumerate(some, start=len(records) + 1)
    return topics_of_records(records, request, rows)


def _splits(names: Sequence[str]) -> dict[str, list[str]]:
    """Returns the files of each split, in order."""
    splits: dict[str, list[str]] = {}
    for name in sorted(names):
        match = _SPLIT_OF_FILE.fullmatch(name)
        if match is None or match[1].startswith("cache"):
            continue
        folder = name.rpartition("/")[0].rpartition("/")[2]
        split = folder if match[1] == "data" and folder else match[1]
        splits.setdefault(split, []).append(name)
    return splits


def _chosen(request: ReadRequest, splits: dict[str, list[str]]) -> str:
    if request.part is not None and request.part in splits:
        return request.part
    if request.part is None and len(splits) == 1:
        return next(iter(splits))
    if not splits:
        raise CorpusFormatError.of(
            "The folder has no Arrow or Parquet file.", "Name the folder of a saved data set."
        )
    raise CorpusFormatError.of(
        "The data set has the splits {splits}; one must be named.",
        splits=Listing(splits),
        missing=Missing.PART_OF_FOLDER.value,
    )
