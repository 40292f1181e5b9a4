"""Awase JSON, version 1: the complete form of a corpus; export then import gives an equal one."""

import json
from collections.abc import Iterator
from dataclasses import replace

from awase.core.errors import InputError
from awase.core.formats.awase_json.project import (
    assignment_value,
    gold_value,
    ownership_value,
    person_value,
    present,
)
from awase.core.formats.awase_json.reading import VERSION, read_corpus
from awase.core.formats.reading.import_warnings import corpus_warnings, human_score_warnings
from awase.core.formats.reading.requests import ReadRequest, ReadResult, WriteRequest
from awase.core.formats.reading.sources import in_source
from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.alignment import Alignment, SentenceAlignment
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import addition_of
from awase.core.records.encoding.json_values import assist_value
from awase.core.records.human_score import HumanScore
from awase.core.records.output import Extract, Output
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic

_Json = dict[str, object]
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

    Raises:
        CorpusFormatError: With every problem of the file, each with its JSON path.
    """
    with in_source(request.source):
        read = read_corpus(request.text, request.corpus.rank_weights)
    addition = replace(addition_of(read.corpus), ownership=read.ownership)
    if not read.has_rank_weights:
        addition = replace(addition, rank_weights=None)
    warnings = (
        *read.warnings(),
        *corpus_warnings(read.corpus),
        *human_score_warnings(read.corpus, request.corpus),
    )
    return ReadResult(
        addition=addition,
        warnings=tuple(warning.in_source(request.source) for warning in warnings),
    )


def write(request: WriteRequest) -> str:
    """Returns the corpus, or only the topic asked for and its human scores.

    Raises:
        InputError: The corpus has no such topic.
    """
    corpus = request.corpus
    if request.topic is not None:
        corpus = _only(corpus, request.topic)
    value = _corpus(corpus)
    if request.ownership is not None:
        value["sync"] = ownership_value(request.ownership, corpus.topics)
    return "".join(_lines(value, 0)) + "\n"


def _only(corpus: Corpus, topic_id: str) -> Corpus:
    topic = corpus.topic(topic_id)
    if topic is None:
        raise InputError.of(
            "The corpus has no topic “{topic}”.",
            "It has: {known}." if corpus.topics else "It has no topic yet.",
            topic=topic_id,
            known=", ".join(topic.id for topic in corpus.topics[:20]),
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
        if isinstance(part, list) and key in _BLOCKS and part:
            yield from _block(part, depth + 1)
        elif isinstance(part, dict) and key in _BLOCKS:
            yield from _lines(part, depth + 1)
        else:
            yield json.dumps(part, ensure_ascii=False)
    yield "\n" + " " * depth + "}"


def _block(parts: list[object], depth: int) -> Iterator[str]:
    indent = "\n" + " " * (depth + 1)
    for index, part in enumerate(parts):
        yield ("," if index else "[") + indent
        yield from _lines(part, depth + 1)
    yield "\n" + " " * depth + "]"


def _corpus(corpus: Corpus) -> _Json:
    return present(
        awase=VERSION,
        name=corpus.name or None,
        guidelines=corpus.guidelines or None,
        rank_weights={rank: _number(weight) for rank, weight in corpus.rank_weights},
        blind=corpus.is_blind or None,
        assist=assist_value(corpus.assist) or None,
        persons=[person_value(person) for person in corpus.persons] or None,
        assignments=[assignment_value(part) for part in corpus.assignments] or None,
        topics=[_topic(topic) for topic in corpus.topics],
        human_scores=[_human_score(score) for score in corpus.human_scores] or None,
    )


def _number(value: float) -> float | int:
    """Returns a whole number without its `.0`, as people write it."""
    return int(value) if value == int(value) and abs(value) < 2**53 else value


def _topic(topic: Topic) -> _Json:
    return present(
        id=topic.id,
        title=topic.title,
        language=topic.language,
        documents=[_document(document) for document in topic.documents],
        abstracts=[_abstract(abstract) for abstract in topic.abstracts] or None,
        outputs=[_output(output) for output in topic.outputs] or None,
    )


def _document(document: Document) -> _Json:
    return present(
        id=document.id,
        source=document.source,
        date=document.date,
        title=document.title,
        sentences=[
            _sentence(sentence, position, paragraph=sentence.paragraph)
            for position, sentence in enumerate(document.sentences, start=1)
        ],
    )


def _sentence(
    sentence: SourceSentence | AbstractSentence, position: int, **extra: object
) -> str | _Json:
    """Returns the bare text when the position says the rest."""
    details = present(**extra)
    if sentence.n == position and not details:
        return sentence.text
    return {"n": sentence.n, "text": sentence.text, **details}


def _abstract(abstract: Abstract) -> _Json:
    limit = abstract.limit
    return present(
        id=abstract.id,
        length=abstract.length,
        author=abstract.author,
        limit={"unit": limit.unit, "size": limit.size} if limit is not None else None,
        sentences=[
            _sentence(sentence, position, rank=sentence.rank)
            for position, sentence in enumerate(abstract.sentences, start=1)
        ],
        alignments=[_alignment(alignment) for alignment in abstract.alignments] or None,
        gold=gold_value(abstract.gold),
    )


def _alignment(alignment: Alignment) -> _Json:
    return {
        "annotator": alignment.annotator,
        "sentences": [_sentence_alignment(sentence) for sentence in alignment.sentences],
    }


def _sentence_alignment(sentence: SentenceAlignment) -> _Json:
    alternatives = [
        [str(ref) for ref in alternative.members] for alternative in sentence.alternatives
    ]
    return present(
        n=sentence.n,
        state=sentence.state.value,
        alternatives=alternatives or None,
        note=sentence.note,
        rank=sentence.rank,
        assist=sentence.assist.value if sentence.assist else None,
    )


def _output(output: Output) -> _Json:
    is_extract = isinstance(output, Extract)
    return present(
        system=output.system,
        length=output.length,
        extract=[str(ref) for ref in output.sentences] if is_extract else None,
        text=None if is_extract else list(output.sentences),
        references=output.references,
    )


def _human_score(score: HumanScore) -> _Json:
    return present(
        topic=score.topic,
        system=score.system,
        measure=score.measure,
        value=_number(score.value),
        annotator=score.annotator,
    )
