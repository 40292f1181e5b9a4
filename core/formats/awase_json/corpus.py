"""Awase JSON, version 1: lossless export and import of a corpus."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from itertools import count
from typing import Any, Final, TypeVar

from awase.core.errors import CorpusFormatError, InputError, Problem, in_source, raise_if_any
from awase.core.formats.awase_json.structure import DECISION, LIMIT, check_structure
from awase.core.formats.reading.records import load
from awase.core.formats.reading.requests import (
    ReadRequest,
    ReadResult,
    WriteRequest,
    corpus_warnings,
    human_score_warnings,
)
from awase.core.records.abstract import Abstract, AlignmentState, AssistSettings, GoldOrigin
from awase.core.records.addition import addition_of, no_topic
from awase.core.records.corpus import Assignment, Corpus, Person, RankWeights
from awase.core.records.digests import EntryKey, EntryVersion, Ownership, Versions, text_digest
from awase.core.records.json_values import (
    Json,
    abstract_value,
    assignment_value,
    assist_value,
    document_value,
    human_score_value,
    output_value,
    person_value,
    read_each,
    topic_of,
)
from awase.core.records.source import Document, free_id
from awase.core.records.topic import HumanScore, Output, Topic, ids_of

# Keys whose lists have a line for each element; everything else is on one line.
_BLOCKS = frozenset(
    (
        "topics",
        "documents",
        "abstracts",
        "alignments",
        "gold",
        "sentences",
        "outputs",
        "human_scores",
        "persons",
        "assignments",
        "sync",
        "entries",
    )
)


VERSION: Final = 1
_Record = TypeVar("_Record")

_NO_VERSION: Final = Problem(
    what="The file does not say that it is Awase JSON; it was read as version 1.",
    hint='Add "awase": 1 at its beginning.',
)


def read(request: ReadRequest) -> ReadResult:
    """Returns the corpus of an Awase JSON file, by default with the rank weights of the target."""
    with in_source(request.source):
        corpus, ownership, value = _read_corpus(request.text, request.corpus.rank_weights)
    own_weights = None if value.get("rank_weights") is None else corpus.rank_weights
    addition = replace(addition_of(corpus), rank_weights=own_weights, ownership=ownership)
    systems = {output.system for topic in corpus.topics for output in topic.outputs}
    warnings = (
        *(() if value.get("awase") else (_NO_VERSION,)),
        *corpus_warnings(corpus),
        *human_score_warnings(corpus.human_scores, systems, request.corpus),
    )
    return ReadResult(
        addition=addition,
        warnings=tuple(warning.in_source(request.source) for warning in warnings),
    )


_NOT_OURS: Final = Problem(
    what="The file is not an Awase JSON corpus.",
    hint='Such a file is an object that begins with "awase": 1 and has "topics".',
)


def _read_corpus(text: str, default_weights: RankWeights) -> tuple[Corpus, Ownership | None, Json]:
    """Returns the corpus, its ids and versions, and the file's value."""
    value, oddities = load(text)
    if not isinstance(value, dict) or not value.keys() & {"awase", "topics"}:
        raise CorpusFormatError([_NOT_OURS])
    _check_version(value.get("awase"))
    check_structure(value, oddities)
    parts = _present(value)
    weights = parts.get("rank_weights")
    problems: list[Problem] = []

    def each(key: str, read: Callable[[Json], _Record]) -> tuple[_Record, ...]:
        records: tuple[_Record, ...] = ()
        with _collected(problems, key):
            records = read_each(lambda one, _: read(one), parts.get(key, ()))
        return records

    topics = each("topics", _topic_of)
    scores = each(
        "human_scores",
        lambda one: HumanScore(**{**_present(one), "value": float(one["value"])}),
    )
    persons = each("persons", lambda one: Person(**_present(one)))
    assignments = each("assignments", lambda one: Assignment(**_present(one)))
    assist = AssistSettings()
    with _collected(problems):  # its problems have their whole paths
        assist = AssistSettings(**_present(parts.get("assist", {})))
    ownership = None
    if "sync" in parts:
        ownership = _ownership(parts["sync"], problems)
    raise_if_any(problems)
    corpus = Corpus(
        name=parts.get("name", ""),
        guidelines=parts.get("guidelines", ""),
        rank_weights=default_weights
        if weights is None
        else tuple((rank, float(weight)) for rank, weight in weights.items()),
        topics=topics,
        human_scores=scores,
        persons=persons,
        assignments=assignments,
        is_blind=parts.get("blind", False),
        assist=assist,
    )
    return corpus, ownership, value


@contextmanager
def _collected(problems: list[Problem], path: str = "") -> Iterator[None]:
    """Collects what is refused within, below `path`."""
    try:
        yield
    except CorpusFormatError as error:
        problems += [problem.below(path) for problem in error.problems]


def _check_version(version: object) -> None:
    if version is None or (type(version) is int and version == VERSION):
        return
    if type(version) is int and version > VERSION:
        raise CorpusFormatError.of(
            "The file is Awase JSON version {version}, made by a newer version of this program.",
            "Install the newest version, or export the corpus again as version 1.",
            path="awase",
            version=version,
        )
    raise CorpusFormatError.of(
        "The version of Awase JSON must be the number 1.", 'Write "awase": 1.', path="awase"
    )


# Values of a file, null = absent, become those of the codec, which leaves nothing out.


def _topic_of(value: Json) -> Topic:
    abstracts = zip(value.get("abstracts") or (), _default_ids(value), strict=True)
    return topic_of(
        {
            "title": None,
            "language": None,
            **value,
            "documents": [*map(_whole_document, value["documents"])],
            "abstracts": [_whole_abstract(one, id_) for one, id_ in abstracts],
            "outputs": [*map(_whole_output, value.get("outputs") or ())],
        }
    )


def _default_ids(topic: Json) -> list[str]:
    """Returns default ids of abstracts: from topic and length, made unique."""
    abstracts = topic.get("abstracts") or ()
    taken = {one["id"] for one in abstracts if one.get("id") is not None}
    ids = []
    for one in abstracts:
        first = f"{topic['id']}-{one.get('length') or 'abstract'}"
        own = free_id(first, taken)
        if one.get("id") is None:
            taken.add(own)
        ids.append(own)
    return ids


def _rows(value: Json, extra: str) -> list[tuple[int, str, Any]]:
    """Returns number, text and further values of each sentence."""
    rows = []
    for position, one in enumerate(value.get("sentences") or (), start=1):
        if isinstance(one, str):
            rows.append((position, one, None))
        else:
            n = one.get("n")
            rows.append((position if n is None else n, one["text"], one.get(extra)))
    return rows


def _whole_document(value: Json) -> Json:
    facts = dict.fromkeys(("source", "date", "title"))
    return {**facts, **_present(value), "sentences": _rows(value, "paragraph")}


def _whole_abstract(value: Json, default_id: str) -> Json:
    limit, gold = value.get("limit"), value.get("gold") or {}
    return {
        "id": default_id,
        **dict.fromkeys(("length", "author")),
        **_present(value),
        "limit": limit and [limit["unit"], limit["size"]],
        "sentences": _rows(value, "rank"),
        "alignments": [*map(_whole_alignment, value.get("alignments") or ())],
        "gold": [*map(_whole_decision, gold.get("sentences") or (), count(1))],
    }


def _whole_alignment(value: Json) -> Json:
    sentences = [*map(_whole_entry, value.get("sentences") or (), count(1))]
    return {"annotator": "1", **_present(value), "sentences": sentences}


def _whole_entry(value: Json, position: int) -> Json:
    state = AlignmentState.CONFIRMED if value.get("alternatives") else AlignmentState.TODO
    defaults = {"n": position, "state": state.value, "alternatives": (), "note": None}
    return {**defaults, **_present(value)}


def _whole_decision(value: Json, position: int) -> Json:
    return {
        "origin": GoldOrigin.EDITED.value,
        **dict.fromkeys(("decided_by", "at", "cause")),
        "locked": False,
        **_whole_entry(value, position),
        "sources": [{"alternatives": (), **_present(one)} for one in value.get("sources") or ()],
    }


def _whole_output(value: Json) -> Json:
    is_extract = value.get("text") is None
    return {
        **dict.fromkeys(("length", "references")),
        **value,
        "is_extract": is_extract,
        "sentences": value["extract" if is_extract else "text"],
    }


def _ownership(value: Json, problems: list[Problem]) -> Ownership:
    """Returns the copy's ids and versions."""
    versions: dict[EntryKey, tuple[EntryVersion, ...]] = {}
    for index, one in enumerate(value.get("entries") or ()):
        key = EntryKey(one["topic"], one["abstract"], one.get("annotator"), one["n"])
        with _collected(problems, f"sync.entries[{index}]"):
            if key in versions:
                raise CorpusFormatError.of(
                    "The versions of sentence {n} of abstract “{abstract}”, topic “{topic}”, "
                    "appear twice for one owner.",
                    "Keep those of the newest copy.",
                    n=key.n,
                    abstract=key.abstract,
                    topic=key.topic,
                )
            versions[key] = tuple(EntryVersion(**_present(v)) for v in one.get("versions") or ())
    return Ownership(
        corpus=value["corpus"],
        replica=value.get("replica") or "",
        handed_to=value.get("handed_to"),
        versions=versions,
    )


def corpus_uid_in(text: str) -> str | None:
    """Returns the id of the corpus in a file, None without one."""
    value, _ = load(text)
    sync = value.get("sync") if isinstance(value, dict) else None
    uid = sync.get("corpus") if isinstance(sync, dict) else None
    return uid if isinstance(uid, str) and uid else None


def pieces(request: WriteRequest) -> Iterator[str]:
    """Yields the corpus, or the requested topic and its human scores, streaming."""
    corpus = request.corpus
    if request.topic is not None:
        corpus = _only(corpus, request.topic)
    yield from _lines(_corpus(corpus, request.ownership), 0)
    yield "\n"


def _only(corpus: Corpus, topic_id: str) -> Corpus:
    topic = corpus.topic(topic_id)
    if topic is None:
        raise InputError([no_topic(topic_id, ids_of(corpus.topics))])
    return replace(
        corpus,
        topics=(topic,),
        human_scores=tuple(score for score in corpus.human_scores if score.topic == topic_id),
        assignments=tuple(part for part in corpus.assignments if part.topic == topic_id),
    )


def _lines(value: object, depth: int) -> Iterator[str]:
    if not isinstance(value, dict) or not value.keys() & _BLOCKS:
        yield json.dumps(value, ensure_ascii=False)
        return
    indent = "\n" + " " * (depth + 1)
    separator = "{"
    for key, part in value.items():
        yield f"{separator}{indent}{json.dumps(key, ensure_ascii=False)}: "
        separator = ","
        if isinstance(part, list | Iterator) and key in _BLOCKS and part:
            yield from _block(part, depth + 1)
        elif isinstance(part, dict) and key in _BLOCKS:
            yield from _lines(part, depth + 1)
        else:
            yield json.dumps(part, ensure_ascii=False)
    yield "\n" + " " * depth + "}"


def _block(parts: Iterable[object], depth: int) -> Iterator[str]:
    indent = "\n" + " " * (depth + 1)
    for index, part in enumerate(parts):
        yield ("," if index else "[") + indent
        yield from _lines(part, depth + 1)
    yield "\n" + " " * depth + "]"


def _topics(topics: Iterable[Topic], texts: dict[str, str] | None) -> Iterator[Json]:
    """Yields topics; `texts` receives the digests of their texts by id; None = not needed."""
    for topic in topics:
        if texts is not None:
            texts[topic.id] = text_digest(topic)
        yield _topic(topic)


def _corpus(corpus: Corpus, ownership: Ownership | None) -> Json:
    texts: dict[str, str] | None = None
    sync = None
    if ownership is not None:
        texts = {}  # filled by the topics, which are written before it
        sync = _ownership_value(ownership, ids_of(corpus.topics), texts)
    return _present(
        {
            "awase": VERSION,
            "name": corpus.name or None,
            "guidelines": corpus.guidelines or None,
            "rank_weights": {rank: _number(weight) for rank, weight in corpus.rank_weights},
            "blind": corpus.is_blind or None,
            "assist": assist_value(corpus.assist) or None,
            "persons": [_present(person_value(one)) for one in corpus.persons] or None,
            "assignments": [_present(assignment_value(one)) for one in corpus.assignments] or None,
            "topics": _topics(corpus.topics, texts) if corpus.topics else [],
            "human_scores": [_human_score(score) for score in corpus.human_scores] or None,
            "sync": sync,
        }
    )


def _number(value: float) -> float | int:
    """Returns an integer without its `.0`."""
    return int(value) if value == int(value) and abs(value) < 2**53 else value


def _topic(topic: Topic) -> Json:
    return _present(
        {
            "id": topic.id,
            "title": topic.title,
            "language": topic.language,
            "documents": [_document(document) for document in topic.documents],
            "abstracts": [_abstract(abstract) for abstract in topic.abstracts] or None,
            "outputs": [_output(output) for output in topic.outputs] or None,
        }
    )


def _document(document: Document) -> Json:
    value = document_value(document)
    return _present({**value, "sentences": _sentences(value, "paragraph")})


def _sentences(value: Json, extra: str) -> list[str | Json]:
    """Returns the bare text of a sentence if its position implies the rest."""
    return [
        text if n == position and more is None else _present({"n": n, "text": text, extra: more})
        for position, (n, text, more) in enumerate(value["sentences"], start=1)
    ]


def _abstract(abstract: Abstract) -> Json:
    value = abstract_value(abstract)
    limit = value["limit"]
    return _present(
        {
            **value,
            "limit": None if limit is None else dict(zip(LIMIT.keys, limit, strict=True)),
            "sentences": _sentences(value, "rank"),
            "alignments": [_alignment(one) for one in value["alignments"]] or None,
            "gold": {"sentences": [*map(_decision, value["gold"])]} if abstract.gold else None,
        }
    )


def _alignment(value: Json) -> Json:
    entries = [
        _present({**entry, "alternatives": entry["alternatives"] or None})
        for entry in value["sentences"]
    ]
    return {**value, "sentences": entries}


def _output(output: Output) -> Json:
    value = output_value(output)
    sentences = {"extract" if value["is_extract"] else "text": value["sentences"]}
    return _present(
        {
            "system": value["system"],
            "length": value["length"],
            **sentences,
            "references": value["references"],
            "split": value.get("split"),
        }
    )


def _human_score(score: HumanScore) -> Json:
    value = human_score_value(score)
    return _present({**value, "value": _number(value["value"])})


def _present(value: Json) -> Json:
    """Returns the non-empty parts."""
    return {key: part for key, part in value.items() if part is not None}


def _decision(value: Json) -> Json:
    return _present({key: value.get(key) for key in DECISION.keys})


def _entries(versions: Versions, topics: Collection[str]) -> Iterator[Json]:
    """Yields the entries of some topics with their versions."""
    for key, known in versions.items():
        if key.topic in topics:
            yield _present({**key._asdict(), "versions": [*map(asdict, known)]})


def _ownership_value(ownership: Ownership, topics: Sequence[str], texts: Mapping[str, str]) -> Json:
    """Returns this copy's ids and versions for some topics.

    `texts` has digests of their texts by id, as far as known at the time of writing.
    """
    named = frozenset(topics)
    has_entries = any(key.topic in named for key in ownership.versions)
    return _present(
        {
            "corpus": ownership.corpus,
            "replica": ownership.replica,
            "handed_to": ownership.handed_to,
            "texts": texts,
            "entries": _entries(ownership.versions, named) if has_entries else [],
        }
    )
