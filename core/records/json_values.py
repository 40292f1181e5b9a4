"""The JSON codec of the operation log, digests and files that are handed out.

Unlike Awase JSON it leaves nothing out that a reader could guess: a value has one form for ever, so
only what came after file format 1.1 may be absent.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import chain
from typing import Any, TypeVar

import orjson

from awase.core.records.abstract import Abstract, AbstractSentence, Limit
from awase.core.records.alignment import (
    Alignment,
    AlignmentState,
    Alternative,
    AssistOrigin,
    AssistSettings,
    Gold,
    GoldEntry,
    GoldOrigin,
    GoldSource,
    SentenceAlignment,
)
from awase.core.records.differences import CorpusHead, CorpusParts, Run, TopicParts
from awase.core.records.identifiers import GIVEN, SentenceRef
from awase.core.records.output import Extract, HumanScore, Output, References, TextOutput
from awase.core.records.project import Assignment, Person
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic

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


def texts_dumps(texts: Sequence[str]) -> str:
    """Returns `dumps` of a list of texts, the bulk of what is stored."""
    return text_dumps(texts).decode("utf-8", "surrogatepass")


def texts_dumps_of_all(values: Sequence[Sequence[str]]) -> list[str]:
    """Returns `texts_dumps` of each, in half of its time."""
    try:
        return [*map(bytes.decode, map(orjson.dumps, values))]
    except TypeError:
        return [*map(texts_dumps, values)]


def texts_of(text: str) -> list[str]:
    """Parses the output of `texts_dumps` in a third of `loads`'s time, with its errors."""
    value: list[str]
    try:
        value = orjson.loads(text)
    except ValueError:
        value = loads(text)
    # Else there may be a number in it that orjson reads as another.
    if type(value) is not list or not {*map(type, value)} <= {str}:
        value = loads(text)
    return value


def texts_of_all(texts: Iterable[str]) -> list[list[str]]:
    """Parses and checks all of them together, in half of the time of `texts_of`."""
    many = [*texts]
    try:
        values: list[list[str]] = [*map(orjson.loads, many)]
    except ValueError:
        return [*map(texts_of, many)]
    if {*map(type, values)} <= {list} and {*map(type, chain.from_iterable(values))} <= {str}:
        return values
    return [*map(texts_of, many)]


_DECODE = json.JSONDecoder().raw_decode


def loads(text: str) -> Any:  # noqa: ANN401 - JSON that this module has written
    """Parses JSON in half of the time of `json.loads`, with the same errors."""
    try:
        value, end = _DECODE(text)
    except (ValueError, TypeError):
        return json.loads(text)  # blanks before it, bytes, or nothing that is JSON
    return value if end == len(text) else json.loads(text)


# Entries


def alternatives_value(alternatives: tuple[Alternative, ...]) -> list[list[str]]:
    """Returns alternatives as lists of addresses."""
    return [[str(ref) for ref in alternative.members] for alternative in alternatives]


def alternatives_of(
    value: Iterable[list[str]], known: RefByName = _NONE_KNOWN
) -> tuple[Alternative, ...]:
    """Returns the alternatives that `alternatives_value` gave."""
    return tuple([Alternative(refs_of(names, known)) for names in value])


def refs_of(names: list[str], known: RefByName = _NONE_KNOWN) -> tuple[SentenceRef, ...]:
    """Returns the addresses with these texts."""
    try:
        return tuple([known[name] for name in names])
    except (KeyError, TypeError):
        return tuple([known.get(name) or SentenceRef.parse(name) for name in names])


def entry_value(entry: SentenceAlignment) -> Json:
    """Returns an annotator's entry."""
    value: Json = {
        "n": entry.n,
        "state": entry.state.value,
        "alternatives": alternatives_value(entry.alternatives),
        "note": entry.note,
    }
    if entry.rank is not None:
        value["rank"] = entry.rank
    if entry.assist is not None:
        value["assist"] = entry.assist.value
    return value


def entry_of(value: Json) -> SentenceAlignment:
    """Returns the entry that `entry_value` gave."""
    return SentenceAlignment(
        n=value["n"],
        state=AlignmentState(value["state"]),
        alternatives=alternatives_of(value["alternatives"]),
        note=value["note"],
        rank=value.get("rank"),
        assist=AssistOrigin(value["assist"]) if "assist" in value else None,
    )


def alignment_value(alignment: Alignment) -> Json:
    """Returns an annotator's alignment."""
    return {
        "annotator": alignment.annotator,
        "sentences": [entry_value(entry) for entry in alignment.sentences],
    }


def alignment_of(value: Json) -> Alignment:
    """Returns the alignment that `alignment_value` gave."""
    sentences = tuple(entry_of(entry) for entry in value["sentences"])
    return Alignment(annotator=value["annotator"], sentences=sentences)


# Gold


def sources_value(sources: tuple[GoldSource, ...]) -> list[Json]:
    """Returns the JSON value of a decision's sources."""
    return [
        {
            "annotator": source.annotator,
            "digest": source.digest,
            "alternatives": list(source.alternatives),
        }
        for source in sources
    ]


def sources_of(value: Iterable[Json]) -> tuple[GoldSource, ...]:
    """Returns the annotators that `sources_value` gave."""
    return tuple(
        GoldSource(
            annotator=source["annotator"],
            digest=source["digest"],
            alternatives=tuple(source["alternatives"]),
        )
        for source in value
    )


def gold_entry_value(decided: GoldEntry) -> Json:
    """Returns a decision."""
    return {
        **entry_value(decided.entry),
        "origin": decided.origin.value,
        "decided_by": decided.decided_by,
        "at": decided.at,
        "sources": sources_value(decided.sources),
        "locked": decided.locked,
        "cause": decided.cause,
    }


def gold_entry_of(value: Json) -> GoldEntry:
    """Returns the decision that `gold_entry_value` gave."""
    return GoldEntry(
        entry=entry_of(value),
        origin=GoldOrigin(value["origin"]),
        decided_by=value["decided_by"],
        at=value["at"],
        sources=sources_of(value["sources"]),
        locked=value["locked"],
        cause=value["cause"],
    )


def _gold_of(value: Iterable[Json]) -> Gold:
    return tuple(gold_entry_of(one) for one in value)


# Parts of a topic


def document_value(document: Document) -> Json:
    """Returns a document."""
    return {
        "id": document.id,
        "source": document.source,
        "date": document.date,
        "title": document.title,
        "sentences": [
            [sentence.n, sentence.text, sentence.paragraph] for sentence in document.sentences
        ],
        **split_value(document),
    }


def split_value(record: Document | Abstract | Output) -> Json:
    """Returns the JSON value of `split`, empty for the default."""
    return {} if record.split == GIVEN else {"split": record.split}


def document_of(value: Json) -> Document:
    """Returns the document that `document_value` gave."""
    return Document(
        id=value["id"],
        source=value["source"],
        date=value["date"],
        title=value["title"],
        sentences=tuple(
            SourceSentence(n=n, text=text, paragraph=paragraph)
            for n, text, paragraph in value["sentences"]
        ),
        split=value.get("split") or GIVEN,
    )


def bare_abstract_value(abstract: Abstract) -> Json:
    """Returns `abstract_value` without alignments and gold."""
    limit = abstract.limit
    return {
        "id": abstract.id,
        "length": abstract.length,
        "author": abstract.author,
        "limit": None if limit is None else [limit.unit, limit.size],
        "sentences": [
            [sentence.n, sentence.text, sentence.rank] for sentence in abstract.sentences
        ],
        "alignments": [],
        **split_value(abstract),
    }


def abstract_value(abstract: Abstract) -> Json:
    """Returns an abstract with its alignments and its gold."""
    value = bare_abstract_value(abstract)
    value["alignments"] = [alignment_value(alignment) for alignment in abstract.alignments]
    if abstract.gold:
        value["gold"] = [gold_entry_value(decided) for decided in abstract.gold]
    return value


def abstract_of(value: Json) -> Abstract:
    """Returns the abstract that `abstract_value` gave."""
    limit = value["limit"]
    return Abstract(
        id=value["id"],
        length=value["length"],
        author=value["author"],
        limit=None if limit is None else Limit(unit=limit[0], size=limit[1]),
        sentences=tuple(
            AbstractSentence(n=n, text=text, rank=rank) for n, text, rank in value["sentences"]
        ),
        alignments=tuple(alignment_of(alignment) for alignment in value["alignments"]),
        gold=_gold_of(value.get("gold", ())),
        split=value.get("split") or GIVEN,
    )


def output_value(output: Output) -> Json:
    """Returns an extract or a text of a system."""
    return {
        "system": output.system,
        "length": output.length,
        "is_extract": isinstance(output, Extract),
        "sentences": sentences_value(output),
        "references": output.references,
        **split_value(output),
    }


def sentences_value(output: Output) -> Sequence[str]:
    """Returns the addresses that an extract chose, or the sentences of a text."""
    return [*map(str, output.sentences)] if isinstance(output, Extract) else output.sentences


def output_of(value: Json, known: RefByName = _NONE_KNOWN) -> Output:
    """Returns the output that `output_value` gave."""
    system, length, split = value["system"], value["length"], value.get("split") or GIVEN
    texts = _references(value["references"])
    if value["is_extract"]:
        refs = refs_of(value["sentences"], known)
        return Extract(system=system, length=length, sentences=refs, references=texts, split=split)
    own = tuple(value["sentences"])
    return TextOutput(system=system, length=length, sentences=own, references=texts, split=split)


def _references(value: Iterable[Iterable[str]] | None) -> References | None:
    return None if value is None else tuple(tuple(reference) for reference in value)


def topic_value(topic: Topic) -> Json:
    """Returns a whole topic."""
    return {
        "id": topic.id,
        "title": topic.title,
        "language": topic.language,
        "documents": [document_value(document) for document in topic.documents],
        "abstracts": [abstract_value(abstract) for abstract in topic.abstracts],
        "outputs": [output_value(output) for output in topic.outputs],
    }


def topic_of(value: Json) -> Topic:
    """Returns the topic that `topic_value` gave."""
    return Topic(
        id=value["id"],
        title=value["title"],
        language=value["language"],
        documents=tuple(document_of(document) for document in value["documents"]),
        abstracts=tuple(abstract_of(abstract) for abstract in value["abstracts"]),
        outputs=tuple(output_of(output) for output in value["outputs"]),
    )


def topic_parts_value(parts: TopicParts) -> Json:
    """Returns parts of a topic."""
    return {
        "title": parts.title,
        "language": parts.language,
        "documents": _run_value(parts.documents, document_value),
        "abstracts": _run_value(parts.abstracts, abstract_value),
        "outputs": _run_value(parts.outputs, output_value),
    }


def topic_parts_of(value: Json) -> TopicParts:
    """Returns the parts that `topic_parts_value` gave."""
    return TopicParts(
        title=value["title"],
        language=value["language"],
        documents=_run(value["documents"], document_of),
        abstracts=_run(value["abstracts"], abstract_of),
        outputs=_run(value["outputs"], output_of),
    )


def _run_value(run: Run[_Part], part_value: Callable[[_Part], object]) -> Json:
    return {"at": run.at, "parts": [part_value(part) for part in run.parts]}


def _run(value: Json, part: Callable[[Json], _Part]) -> Run[_Part]:
    return Run(at=value["at"], parts=tuple(part(item) for item in value["parts"]))


# Parts of a corpus


def human_score_value(score: HumanScore) -> Json:
    """Returns a judgement."""
    return {
        "topic": score.topic,
        "system": score.system,
        "measure": score.measure,
        "value": float(score.value),  # as it comes back from a database
        "annotator": score.annotator,
    }


def human_score_of(value: Json) -> HumanScore:
    """Returns the judgement that `human_score_value` gave."""
    return HumanScore(**value)


def person_value(person: Person) -> Json:
    """Returns a person."""
    return {"id": person.id, "name": person.name, "role": person.role}


def person_of(value: Json) -> Person:
    """Returns the person that `person_value` gave."""
    return Person(**value)


def assignment_value(assignment: Assignment) -> Json:
    """Returns an assignment."""
    return {
        "topic": assignment.topic,
        "abstract": assignment.abstract,
        "person": assignment.person,
        "round": assignment.round,
        "order": assignment.order,
        "due": assignment.due,
    }


def assignment_of(value: Json) -> Assignment:
    """Returns the assignment that `assignment_value` gave."""
    return Assignment(**value)


def head_value(head: CorpusHead) -> Json:
    """Returns the JSON value of the head."""
    value: Json = {
        "name": head.name,
        "rank_weights": [[rank, weight] for rank, weight in head.rank_weights],
        "guidelines": head.guidelines,
        "is_blind": head.is_blind,
    }
    if settings := assist_value(head.assist):
        value["assist"] = settings
    return value


def head_of_value(value: Json) -> CorpusHead:
    """Parses the output of `head_value`."""
    return CorpusHead(
        name=value["name"],
        rank_weights=tuple((rank, weight) for rank, weight in value["rank_weights"]),
        guidelines=value["guidelines"],
        is_blind=value["is_blind"],
        assist=AssistSettings(**value.get("assist", {})),
    )


def assist_value(settings: AssistSettings) -> Json:
    """Returns the JSON value of settings other than the defaults."""
    return {
        field.name: value
        for field in fields(AssistSettings)
        if (value := getattr(settings, field.name)) != field.default
    }


def corpus_parts_value(parts: CorpusParts) -> Json:
    """Returns parts of a corpus."""
    return {
        "corpus": head_value(parts.head),
        "topics": [[place, topic_value(topic)] for place, topic in parts.topics],
        "changed": [[topic_id, topic_parts_value(one)] for topic_id, one in parts.changed],
        "human_scores": _run_value(parts.human_scores, human_score_value),
        "persons": _run_value(parts.persons, person_value),
        "assignments": _run_value(parts.assignments, assignment_value),
    }


def corpus_parts_pieces(parts: CorpusParts) -> Iterator[str]:
    """Yields the JSON of `corpus_parts_value` topic by topic, as imports are large."""
    lists = {
        "topics": (dumps([place, topic_value(topic)]) for place, topic in parts.topics),
        "changed": (dumps([name, topic_parts_value(one)]) for name, one in parts.changed),
    }
    before = "{"
    for key, value in corpus_parts_value(replace(parts, topics=(), changed=())).items():
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


def corpus_parts_of(value: Json) -> CorpusParts:
    """Returns the parts that `corpus_parts_value` gave."""
    return CorpusParts(
        head=head_of_value(value["corpus"]),
        topics=tuple((place, topic_of(topic)) for place, topic in value["topics"]),
        changed=tuple((topic_id, topic_parts_of(one)) for topic_id, one in value["changed"]),
        human_scores=_run(value["human_scores"], human_score_of),
        persons=_run(value["persons"], person_of),
        assignments=_run(value["assignments"], assignment_of),
    )
