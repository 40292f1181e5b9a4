"""What an import brings, and how it joins a corpus: all of it, or nothing."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from awase.core.errors import Problem, raise_if_any
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import Alignment
from awase.core.records.corpus import Corpus, RankWeights
from awase.core.records.human_score import HumanScore
from awase.core.records.output import Output
from awase.core.records.source import Document
from awase.core.records.topic import Topic

_Part = TypeVar("_Part")


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentPart:
    """An annotator's alignment of an abstract, with the ranks that came along.

    Attributes:
        topic: Id of the topic.
        abstract: Id of the abstract.
        alignment: Joins the abstract's alignments; one by the same annotator must not exist.
        ranks: (number of the abstract sentence, rank) to set.
    """

    topic: str
    abstract: str
    alignment: Alignment
    ranks: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """Parts to be joined to a corpus.

    Attributes:
        name: Name of the corpus, taken when the corpus has none.
        rank_weights: Replace those of an empty corpus; otherwise they must agree.
        topics: Whole topics; their ids must be new.
        documents: (topic id, document) for topics that exist, come along or are made by this.
        abstracts: (topic id, abstract), likewise.
        alignments: For abstracts that exist or come along.
        outputs: (topic id, output) for topics that exist or come along.
        human_scores: For topics that exist or come along.
    """

    name: str = ""
    rank_weights: RankWeights | None = None
    topics: tuple[Topic, ...] = ()
    documents: tuple[tuple[str, Document], ...] = ()
    abstracts: tuple[tuple[str, Abstract], ...] = ()
    alignments: tuple[AlignmentPart, ...] = ()
    outputs: tuple[tuple[str, Output], ...] = ()
    human_scores: tuple[HumanScore, ...] = ()


def addition_of(corpus: Corpus) -> Addition:
    """Returns everything in `corpus` as an addition."""
    return Addition(
        name=corpus.name,
        rank_weights=corpus.rank_weights,
        topics=corpus.topics,
        human_scores=corpus.human_scores,
    )


def merge(corpus: Corpus, addition: Addition) -> Corpus:
    """Returns `corpus` with all of `addition` joined to it.

    Raises:
        CorpusFormatError: With every conflict: an id that exists already, a topic or abstract that
            is nowhere, rank weights that differ, and whatever breaks a record's own rules.
    """
    raise_if_any(_weight_problems(corpus, addition))
    topics = {topic.id: topic for topic in corpus.topics}
    raise_if_any(_join_topics(topics, addition))
    raise_if_any(_join_parts(topics, addition))
    return Corpus(
        name=corpus.name or addition.name,
        rank_weights=_joined_weights(corpus, addition),
        topics=tuple(topics.values()),
        human_scores=corpus.human_scores + addition.human_scores,
    )


def _weight_problems(corpus: Corpus, addition: Addition) -> Iterator[Problem]:
    weights = addition.rank_weights
    if weights is not None and corpus.topics and dict(weights) != dict(corpus.rank_weights):
        yield Problem(
            what="The rank weights of the import ({new}) differ from the corpus's ({old}).",
            hint="Make them equal first: every weighted coverage depends on them.",
            fields={"new": _weights_text(weights), "old": _weights_text(corpus.rank_weights)},
            path="rank_weights",
        )


def _weights_text(weights: RankWeights) -> str:
    return ", ".join(f"{rank} {weight:.4g}" for rank, weight in weights)


def _joined_weights(corpus: Corpus, addition: Addition) -> RankWeights:
    if addition.rank_weights is None or corpus.topics:
        return corpus.rank_weights
    return addition.rank_weights


def _join_topics(topics: dict[str, Topic], addition: Addition) -> Iterator[Problem]:
    for index, topic in enumerate(addition.topics):
        if topic.id in topics:
            yield Problem(
                what="The corpus already has a topic “{id}”.",
                hint="Rename one of the two, or import into a new corpus.",
                fields={"id": topic.id},
                path=f"topics[{index}].id",
            )
        topics[topic.id] = topic


def _join_parts(topics: dict[str, Topic], addition: Addition) -> Iterator[Problem]:
    for topic_id, documents in _grouped(addition.documents).items():
        topic = topics.get(topic_id) or Topic(id=topic_id)
        topics[topic_id] = replace(topic, documents=topic.documents + documents)
    for topic_id, abstracts in _grouped(addition.abstracts).items():
        topic = topics.get(topic_id) or Topic(id=topic_id)
        topics[topic_id] = replace(topic, abstracts=topic.abstracts + abstracts)
    for part in addition.alignments:
        yield from _join_alignment(topics, part)
    for topic_id, outputs in _grouped(addition.outputs).items():
        if topic_id in topics:
            topic = topics[topic_id]
            topics[topic_id] = replace(topic, outputs=topic.outputs + outputs)
        else:
            yield _no_topic(topic_id, topics)


def _grouped(parts: tuple[tuple[str, _Part], ...]) -> dict[str, tuple[_Part, ...]]:
    groups: dict[str, tuple[_Part, ...]] = {}
    for topic_id, part in parts:
        groups[topic_id] = (*groups.get(topic_id, ()), part)
    return groups


def _join_alignment(topics: dict[str, Topic], part: AlignmentPart) -> Iterator[Problem]:
    topic = topics.get(part.topic)
    if topic is None:
        yield _no_topic(part.topic, topics)
        return
    abstract = topic.abstract(part.abstract)
    if abstract is None:
        yield Problem(
            what="Topic “{topic}” has no abstract “{abstract}”.",
            hint="It has: {known}.",
            fields={
                "topic": topic.id,
                "abstract": part.abstract,
                "known": ", ".join(known.id for known in topic.abstracts) or "none",
            },
        )
        return
    ranks = dict(part.ranks)
    sentences = tuple(
        replace(sentence, rank=ranks.get(sentence.n, sentence.rank))
        for sentence in abstract.sentences
    )
    aligned = replace(
        abstract, sentences=sentences, alignments=(*abstract.alignments, part.alignment)
    )
    topics[topic.id] = replace(
        topic,
        abstracts=tuple(aligned if known is abstract else known for known in topic.abstracts),
    )


def _no_topic(topic_id: str, topics: dict[str, Topic]) -> Problem:
    return Problem(
        what="The corpus has no topic “{topic}”.",
        hint="It has: {known}.",
        fields={"topic": topic_id, "known": ", ".join([*topics][:20]) or "none"},
    )
