"""The JSON codec of the operation log, digests and files that are handed out.

Unlike Awase JSON it leaves nothing out that a reader could guess: a value has one form for ever, so
only what came after file format 1.1 may be absent.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum
from itertools import chain
from operator import attrgetter
from typing import Any, Final, Generic, Protocol, TypeVar, cast

import orjson

from awase.core.errors import CorpusFormatError, Problem
from awase.core.records.abstract import (
    Abstract,
    AbstractSentence,
    Alignment,
    AlignmentState,
    Alternative,
    AssistOrigin,
    AssistSettings,
    GoldEntry,
    GoldOrigin,
    GoldSource,
    Limit,
    SentenceAlignment,
)
from awase.core.records.corpus import Assignment, Person
from awase.core.records.edits import CorpusHead, CorpusParts, Run, TopicParts
from awase.core.records.source import GIVEN, Document, SentenceRef, SourceSentence, refs_by_name
from awase.core.records.topic import Extract, HumanScore, Output, TextOutput, Topic

Json = dict[str, Any]  # Any: JSON that this module has written
# Known addresses by their text, to avoid parsing thousands.
RefByName = Mapping[str, SentenceRef]

_Part = TypeVar("_Part")
_NONE_KNOWN: RefByName = {}


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def dumps(value: object) -> str:
    """Returns compact JSON with Japanese unescaped."""
    return _ENCODER.encode(value)


def text_dumps(value: object) -> bytes:
    """Returns `dumps` as UTF-8, quicker, of a value without floats."""
    # A lone surrogate, as in file names, is encoded as UTF-8 would encode it. Floats are excluded
    # because orjson spells exponents otherwise.
    try:
        return orjson.dumps(value)
    except TypeError:  # a lone surrogate, or an integer of more than 64 bits
        return dumps(value).encode("utf-8", "surrogatepass")


def texts_dumps_of_all(values: Sequence[Sequence[str]]) -> list[str]:
    """Returns `dumps` of each list of texts, the bulk of what is stored, in less time."""
    try:
        return [*map(bytes.decode, map(orjson.dumps, values))]
    except TypeError:
        return [*map(dumps, values)]


def texts_of_all(texts: Iterable[str]) -> list[list[str]]:
    """Parses lists of texts in a sixth of `loads`'s time, with its errors."""
    many = [*texts]
    try:
        values: list[list[str]] = [*map(orjson.loads, many)]
    except ValueError:
        return [*map(loads, many)]
    # Else there may be a number in it that orjson reads as another.
    if {*map(type, values)} <= {list} and {*map(type, chain.from_iterable(values))} <= {str}:
        return values
    return [*map(loads, many)]


_DECODE = json.JSONDecoder().raw_decode


def loads(text: str) -> Any:  # noqa: ANN401 - JSON that this module has written
    """Parses JSON in half of the time of `json.loads`, with the same errors."""
    try:
        value, end = _DECODE(text)
    except (ValueError, TypeError):
        return json.loads(text)  # blanks before it, bytes, or nothing that is JSON
    return value if end == len(text) else json.loads(text)


# How records are written and read


@dataclass(frozen=True, slots=True, kw_only=True)
class _Field:
    """How a field of a record is written and read."""

    write: Callable[[Any], Any] | None = None  # None = as it is; so `read`
    read: Callable[[Any, RefByName], Any] | None = None
    attribute: str = ""  # the record's, where the key is called otherwise
    path: str = ""  # of its parts in messages, where the key is called otherwise
    is_flat: bool = False  # whether its keys stand among the record's own


_PLAIN: Final = _Field()


class _Codec(Generic[_Part]):
    """The JSON form of one kind of record."""

    def __init__(self, kind: type[_Part], keys: str, *, later: str = "", **by_key: _Field) -> None:
        """Lists the keys in their order; `by_key` has the fields that are not written as they are.

        Those of `later` are left out while they have the record's default.
        """
        self._kind = kind
        defaults = {one.name: one.default for one in fields(cast(Any, kind))}
        self._fields = [
            (key, by_key.get(key, _PLAIN), key in later.split(), defaults.get(key))
            for key in keys.split()
        ]

    def value(self, record: _Part) -> Json:
        """Returns the value of a record."""
        value: Json = {}
        for key, field, is_later, default in self._fields:
            part = getattr(record, field.attribute or key)
            if is_later and part == default:
                continue
            written = part if field.write is None else field.write(part)
            if field.is_flat:
                value |= written
            else:
                value[key] = written
        return value

    def read(self, value: Json, known: RefByName = _NONE_KNOWN) -> _Part:
        """Returns the record that `value` gave; the problems of all its parts are raised together.

        Addresses that are not `known` as the topic's sentences are parsed.
        """
        parts: dict[str, Any] = {}  # Any: fields of each kind
        problems: list[Problem] = []
        for key, field, is_later, _ in self._fields:
            if is_later and key not in value:
                continue
            attribute = field.attribute or key
            part = value if field.is_flat else value[key]
            if field.read is None:
                parts[attribute] = part
                continue
            try:
                parts[attribute] = field.read(part, known)
            except CorpusFormatError as error:
                path = "" if field.is_flat else field.path or key
                problems += [problem.below(path) for problem in error.problems]
        if problems:
            raise CorpusFormatError(problems)
        return self._kind(**parts)


def read_each(
    read: Callable[[Any, RefByName], _Part], items: Iterable[Any], known: RefByName = _NONE_KNOWN
) -> tuple[_Part, ...]:
    """Returns the record of each item; the problems of all are raised together."""
    records: list[_Part] = []
    problems: list[Problem] = []
    for at, item in enumerate(items):
        try:
            records.append(read(item, known))
        except CorpusFormatError as error:
            problems += [problem.below(f"[{at}]") for problem in error.problems]
    if problems:
        raise CorpusFormatError(problems)
    return tuple(records)


class _Form(Protocol):
    def value(self, record: Any, /) -> Json: ...  # noqa: ANN401 - of one kind
    def read(self, value: Json, known: RefByName, /) -> Any: ...  # noqa: ANN401


def _each(codec: _Form, path: str = "") -> _Field:
    return _Field(
        write=lambda parts: [*map(codec.value, parts)],
        read=lambda items, known: read_each(codec.read, items, known),
        path=path,
    )


def _run(codec: _Form) -> _Field:
    return _Field(
        write=lambda run: {"at": run.at, "parts": [*map(codec.value, run.parts)]},
        read=lambda value, known: Run(
            at=value["at"], parts=read_each(codec.read, value["parts"], known)
        ),
    )


def _pairs(codec: _Form) -> _Field:
    return _Field(
        write=lambda pairs: [[first, codec.value(second)] for first, second in pairs],
        read=lambda value, known: tuple((first, codec.read(one, known)) for first, one in value),
    )


def _choice(kind: type[Enum]) -> _Field:
    return _Field(write=attrgetter("value"), read=lambda value, _: kind(value))


# Entries and gold

_ADDRESS: Final = "%s:%s".__mod__  # as `SentenceRef.__str__`, without a call of Python


def alternatives_value(alternatives: tuple[Alternative, ...]) -> list[list[str]]:
    """Returns alternatives as lists of addresses."""
    return [[*map(_ADDRESS, alternative.members)] for alternative in alternatives]


def alternatives_of(
    value: Sequence[list[str]], known: RefByName = _NONE_KNOWN
) -> tuple[Alternative, ...]:
    """Returns the alternatives that `alternatives_value` gave."""
    find = known.__getitem__
    try:
        return tuple([Alternative(tuple(map(find, names))) for names in value])
    except (KeyError, CorpusFormatError):
        return read_each(lambda names, known: Alternative(refs_of(names, known)), value, known)


def refs_of(names: Sequence[str], known: RefByName = _NONE_KNOWN) -> tuple[SentenceRef, ...]:
    """Returns the addresses with these texts."""
    try:
        return tuple(map(known.__getitem__, names))
    except KeyError:
        return read_each(lambda name, _: known.get(name) or SentenceRef.parse(name), names)


_ENTRY: Final = _Codec(
    SentenceAlignment,
    "n state alternatives note rank assist",
    later="rank assist",
    state=_choice(AlignmentState),
    alternatives=_Field(write=alternatives_value, read=alternatives_of),
    assist=_choice(AssistOrigin),
)
_ALIGNMENT: Final = _Codec(Alignment, "annotator sentences", sentences=_each(_ENTRY))
_SOURCE: Final = _Codec(
    GoldSource,
    "annotator digest alternatives",
    alternatives=_Field(write=list, read=lambda value, _: tuple(value)),
)
_DECISION: Final = _Codec(
    GoldEntry,
    "entry origin decided_by at sources locked cause",
    entry=_Field(write=_ENTRY.value, read=_ENTRY.read, is_flat=True),
    origin=_choice(GoldOrigin),
    sources=_each(_SOURCE),
)
entry_value, entry_of = _ENTRY.value, _ENTRY.read
gold_entry_value, gold_entry_of = _DECISION.value, _DECISION.read


def sources_value(sources: tuple[GoldSource, ...]) -> list[Json]:
    """Returns the JSON value of a decision's sources."""
    return [*map(_SOURCE.value, sources)]


def sources_of(value: Iterable[Json]) -> tuple[GoldSource, ...]:
    """Returns the annotators that `sources_value` gave."""
    return read_each(_SOURCE.read, value)


# Parts of a topic


def _sentences_of(rows: Sequence[Any], _known: RefByName) -> tuple[SourceSentence, ...]:
    try:
        return SourceSentence.all_of(rows)
    except CorpusFormatError:  # once more, for the positions of what is wrong
        return read_each(
            lambda row, _: SourceSentence(n=row[0], text=row[1], paragraph=row[2]), rows
        )


def _rows(*names: str) -> Callable[[Iterable[object]], list[tuple[Any, ...]]]:
    row_of = attrgetter(*names)
    return lambda sentences: [*map(row_of, sentences)]


_DOCUMENT: Final = _Codec(
    Document,
    "id source date title sentences split",
    later="split",
    sentences=_Field(write=_rows("n", "text", "paragraph"), read=_sentences_of),
)
_ABSTRACT: Final = _Codec(
    Abstract,
    "id length author limit sentences alignments split gold",
    later="split gold",
    limit=_Field(
        write=lambda limit: limit and [limit.unit, limit.size],
        read=lambda value, _: value and Limit(unit=value[0], size=value[1]),
    ),
    sentences=_Field(
        write=_rows("n", "text", "rank"),
        read=lambda rows, _: read_each(
            lambda row, _: AbstractSentence(n=row[0], text=row[1], rank=row[2]), rows
        ),
    ),
    alignments=_each(_ALIGNMENT),
    gold=_each(_DECISION, path="gold.sentences"),
)
document_value, abstract_value = _DOCUMENT.value, _ABSTRACT.value


def split_value(record: Document | Abstract | Output) -> Json:
    """Returns the JSON value of `split`, empty for the default."""
    return {} if record.split == GIVEN else {"split": record.split}


def sentences_value(output: Output) -> Sequence[str]:
    """Returns the addresses that an extract chose, or the sentences of a text."""
    return [*map(_ADDRESS, output.sentences)] if isinstance(output, Extract) else output.sentences


class _Outputs:
    """The JSON form of extracts and of texts of systems."""

    def value(self, output: Output) -> Json:
        """Returns the value of an output."""
        return {
            "system": output.system,
            "length": output.length,
            "is_extract": isinstance(output, Extract),
            "sentences": sentences_value(output),
            "references": output.references,
            **split_value(output),
        }

    def read(self, value: Json, known: RefByName = _NONE_KNOWN) -> Output:
        """Returns the output that `value` gave."""
        references = value["references"]
        others: dict[str, Any] = {  # Any: fields of each kind
            "system": value["system"],
            "length": value["length"],
            "references": None if references is None else tuple(map(tuple, references)),
            "split": value.get("split") or GIVEN,
        }
        if not value["is_extract"]:
            return TextOutput(sentences=tuple(value["sentences"]), **others)
        try:
            refs = refs_of(value["sentences"], known)
        except CorpusFormatError as error:
            raise CorpusFormatError(one.below("extract") for one in error.problems) from error
        return Extract(sentences=refs, **others)


class _TopicCodec(_Codec[Topic]):
    """Reads documents first, so that addresses of their sentences are looked up."""

    def read(self, value: Json, known: RefByName = _NONE_KNOWN) -> Topic:
        """Returns the topic that `value` gave."""
        return super().read(value, {})  # for `_documents_of`


def _documents_of(items: Iterable[Json], known: RefByName) -> tuple[Document, ...]:
    documents = read_each(_DOCUMENT.read, items)
    cast(dict[str, SentenceRef], known).update(refs_by_name(documents))
    return documents


_OUTPUT: Final = _Outputs()
_TOPIC: Final = _TopicCodec(
    Topic,
    "id title language documents abstracts outputs",
    documents=_Field(write=_each(_DOCUMENT).write, read=_documents_of),
    abstracts=_each(_ABSTRACT),
    outputs=_each(_OUTPUT),
)
_TOPIC_PARTS: Final = _Codec(
    TopicParts,
    "title language documents abstracts outputs",
    documents=_run(_DOCUMENT),
    abstracts=_run(_ABSTRACT),
    outputs=_run(_OUTPUT),
)
output_value, output_of = _OUTPUT.value, _OUTPUT.read
topic_of = _TOPIC.read
topic_parts_value, topic_parts_of = _TOPIC_PARTS.value, _TOPIC_PARTS.read


# Parts of a corpus


def assist_value(settings: AssistSettings) -> Json:
    """Returns the JSON value of settings other than the defaults."""
    return {
        field.name: value
        for field in fields(AssistSettings)
        if (value := getattr(settings, field.name)) != field.default
    }


_HUMAN_SCORE: Final = _Codec(
    HumanScore,
    "topic system measure value annotator",
    value=_Field(write=float),  # as it comes back from a database
)
_PERSON: Final = _Codec(Person, "id name role")
_ASSIGNMENT: Final = _Codec(Assignment, "topic abstract person round order due")
_HEAD: Final = _Codec(
    CorpusHead,
    "name rank_weights guidelines is_blind assist",
    later="assist",
    rank_weights=_Field(read=lambda value, _: tuple(map(tuple, value))),
    assist=_Field(write=assist_value, read=lambda value, _: AssistSettings(**value)),
)
_CORPUS_PARTS: Final = _Codec(
    CorpusParts,
    "corpus topics changed human_scores persons assignments",
    corpus=_Field(write=_HEAD.value, read=_HEAD.read, attribute="head"),
    topics=_pairs(_TOPIC),
    changed=_pairs(_TOPIC_PARTS),
    human_scores=_run(_HUMAN_SCORE),
    persons=_run(_PERSON),
    assignments=_run(_ASSIGNMENT),
)
human_score_value, person_value = _HUMAN_SCORE.value, _PERSON.value
assignment_value, head_value = _ASSIGNMENT.value, _HEAD.value
corpus_parts_of = _CORPUS_PARTS.read


def corpus_parts_pieces(parts: CorpusParts) -> Iterator[str]:
    """Yields the JSON of parts of a corpus topic by topic, as imports are large."""
    lists = {
        "topics": (dumps([place, _TOPIC.value(topic)]) for place, topic in parts.topics),
        "changed": (dumps([name, topic_parts_value(one)]) for name, one in parts.changed),
    }
    before = "{"
    for key, value in _CORPUS_PARTS.value(replace(parts, topics=(), changed=())).items():
        yield f'{before}"{key}":'
        before = ","
        if key not in lists:
            yield dumps(value)
            continue
        between = "["
        for text in lists[key]:
            yield between
            yield text
            between = ","
        yield "]" if between == "," else "[]"
    yield "}"
