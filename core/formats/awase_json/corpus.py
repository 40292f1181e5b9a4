"""Awase JSON, version 1: the complete form of a corpus; export then import gives an equal one."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from awase.core.errors import InputError, Listing
from awase.core.formats.awase_json.parts import LIMIT_KEYS
from awase.core.formats.awase_json.reading import (
    VERSION,
    CorpusFields,
    SyncEntries,
    gold_value,
    ownership_value,
    present,
)
from awase.core.formats.reading.findings import corpus_warnings, human_score_warnings, in_source
from awase.core.formats.reading.json_fields import load
from awase.core.formats.reading.requests import ReadRequest, ReadResult, WriteRequest
from awase.core.records.abstract import Abstract
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import addition_of
from awase.core.records.edits.ownership import Ownership
from awase.core.records.encoding.digests import text_digest
from awase.core.records.encoding.json_values import (
    Json,
    abstract_value,
    assignment_value,
    assist_value,
    document_value,
    human_score_value,
    output_value,
    person_value,
)
from awase.core.records.output import HumanScore, Output
from awase.core.records.source import Document
from awase.core.records.topic import Topic, ids_of

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
"""Keys whose lists take a line for each element; everything else stands on one line."""


def read(request: ReadRequest) -> ReadResult:
    """Returns the corpus of an Awase JSON file.

    A file without rank weights takes those of the corpus that it joins.
    """
    with in_source(request.source):
        value, oddities = load(request.text)
        fields = CorpusFields(value, oddities, request.source, request.corpus.rank_weights)
    topics = [fields.topic(item, path) for item, path in fields.topics()]
    corpus, ownership = fields.corpus_of(topics)
    addition = replace(addition_of(corpus), rank_weights=fields.own_weights, ownership=ownership)
    systems = {output.system for topic in corpus.topics for output in topic.outputs}
    warnings = (
        *fields.warnings(),
        *corpus_warnings(corpus),
        *human_score_warnings(corpus.human_scores, systems, request.corpus),
    )
    return ReadResult(
        addition=addition,
        warnings=tuple(warning.in_source(request.source) for warning in warnings),
    )


def corpus_uid_in(text: str) -> str | None:
    """Returns which corpus a file says it is a copy of, None when it says nothing."""
    value, _ = load(text)
    sync = value.get("sync") if isinstance(value, dict) else None
    uid = sync.get("corpus") if isinstance(sync, dict) else None
    return uid if isinstance(uid, str) and uid else None


def pieces(request: WriteRequest) -> Iterator[str]:
    """Yields the corpus, or only the topic asked for and its human scores.

    No more topics are held than are read together.
    """
    corpus = request.corpus
    if request.topic is not None:
        corpus = _only(corpus, request.topic)
    yield from _lines(_corpus(corpus, request.ownership), 0)
    yield "\n"


def _only(corpus: Corpus, topic_id: str) -> Corpus:
    topic = corpus.topic(topic_id)
    if topic is None:
        raise InputError.of(
            "The corpus has no topic “{topic}”.",
            "It has: {known}." if corpus.topics else "It has no topic yet.",
            topic=topic_id,
            known=Listing(ids_of(corpus.topics)[:20]),
        )
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
        if isinstance(part, list | SyncEntries | _TopicValues) and key in _BLOCKS and part:
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


class _TopicValues:
    """What is written of each topic, made when it is written."""

    def __init__(self, topics: Sequence[Topic], texts: dict[str, str] | None) -> None:
        """Makes nothing yet.

        Args:
            texts: Gets the digest of each one's texts then, by its id; None = nobody needs them.
        """
        self._topics = topics
        self._texts = texts

    def __iter__(self) -> Iterator[Json]:
        for topic in self._topics:
            if self._texts is not None:
                self._texts[topic.id] = text_digest(topic)
            yield _topic(topic)


def _corpus(corpus: Corpus, ownership: Ownership | None) -> Json:
    texts: dict[str, str] | None = None
    sync = None
    if ownership is not None:
        texts = {}  # filled by the topics, which are written before it
        sync = ownership_value(ownership, ids_of(corpus.topics), texts)
    return present(
        {
            "awase": VERSION,
            "name": corpus.name or None,
            "guidelines": corpus.guidelines or None,
            "rank_weights": {rank: _number(weight) for rank, weight in corpus.rank_weights},
            "blind": corpus.is_blind or None,
            "assist": assist_value(corpus.assist) or None,
            "persons": [present(person_value(one)) for one in corpus.persons] or None,
            "assignments": [present(assignment_value(one)) for one in corpus.assignments] or None,
            "topics": _TopicValues(corpus.topics, texts) if corpus.topics else [],
            "human_scores": [_human_score(score) for score in corpus.human_scores] or None,
            "sync": sync,
        }
    )


def _number(value: float) -> float | int:
    """Returns a whole number without its `.0`, as people write it."""
    return int(value) if value == int(value) and abs(value) < 2**53 else value


def _topic(topic: Topic) -> Json:
    return present(
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
    return present({**value, "sentences": _sentences(value, "paragraph")})


def _sentences(value: Json, extra: str) -> list[str | Json]:
    """Returns the bare text of a sentence whose position says the rest."""
    return [
        text if n == position and more is None else present({"n": n, "text": text, extra: more})
        for position, (n, text, more) in enumerate(value["sentences"], start=1)
    ]


def _abstract(abstract: Abstract) -> Json:
    value = abstract_value(abstract)
    limit = value["limit"]
    return present(
        {
            **value,
            "limit": None if limit is None else dict(zip(LIMIT_KEYS, limit, strict=True)),
            "sentences": _sentences(value, "rank"),
            "alignments": [_alignment(one) for one in value["alignments"]] or None,
            "gold": gold_value(value["gold"]) if abstract.gold else None,
        }
    )


def _alignment(value: Json) -> Json:
    entries = [
        present({**entry, "alternatives": entry["alternatives"] or None})
        for entry in value["sentences"]
    ]
    return {**value, "sentences": entries}


def _output(output: Output) -> Json:
    value = output_value(output)
    sentences = {"extract" if value["is_extract"] else "text": value["sentences"]}
    return present(
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
    return present({**value, "value": _number(value["value"])})
