"""Edits of the corpus: import, removal, project. Removing something removes references to it."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final

from awase.core.annotation.content import without_document
from awase.core.errors import InputError, Listing, Problem
from awase.core.records.abstract import Abstract
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic, ids_of, map_topics, select_topics

_SHOWN: Final = 10


def without_topics(corpus: Corpus, ids: Collection[str]) -> Corpus:
    """Returns the corpus without these topics, and without scores and work that are about them."""
    kept = frozenset(ids_of(corpus.topics)) - _meant(corpus, ids)
    return replace(
        corpus,
        topics=select_topics(corpus.topics, kept),
        human_scores=tuple(score for score in corpus.human_scores if score.topic not in ids),
        assignments=tuple(part for part in corpus.assignments if part.topic not in ids),
    )


def without_documents(corpus: Corpus, topic_id: str, ids: Collection[str]) -> Corpus:
    """Removes documents of a topic and all references to them."""

    def removed(topic: Topic) -> Topic:
        _check_known("document", ids, [document.id for document in topic.documents])
        for document_id in ids:
            topic = without_document(topic, document_id)
        return topic

    return _with_topic(corpus, topic_id, removed)


def without_abstracts(corpus: Corpus, topic_id: str, ids: Collection[str]) -> Corpus:
    """Returns the corpus without these abstracts of a topic, their alignments and their work."""

    def removed(topic: Topic) -> Topic:
        _check_known("abstract", ids, [abstract.id for abstract in topic.abstracts])
        kept = tuple(abstract for abstract in topic.abstracts if abstract.id not in ids)
        return replace(topic, abstracts=kept)

    after = _with_topic(corpus, topic_id, removed)
    assignments = tuple(
        part for part in after.assignments if part.topic != topic_id or part.abstract not in ids
    )
    return replace(after, assignments=assignments)


def without_systems(
    corpus: Corpus, systems: Collection[str], topic_ids: Collection[str] = ()
) -> Corpus:
    """Returns the corpus without these systems' outputs; human scores stay."""
    meant = _meant(corpus, topic_ids)
    known: set[str] = set()
    changed: set[str] = set()
    for shape in select_topics(corpus.topics, meant):
        there = {output.system for output in shape.outputs}
        known |= there
        if not there.isdisjoint(systems):
            changed.add(shape.id)
    _check_known("system", systems, sorted(known))

    def removed(topic: Topic) -> Topic:
        kept = tuple(output for output in topic.outputs if output.system not in systems)
        return replace(topic, outputs=kept)

    return replace(corpus, topics=map_topics(corpus.topics, removed, changed))


def without_alignments(
    corpus: Corpus,
    annotator: str,
    topic_ids: Collection[str] = (),
    abstract_ids: Collection[str] = (),
) -> Corpus:
    """Removes one annotator's alignments, in all topics or some."""

    def is_meant(abstract: Abstract) -> bool:
        return not abstract_ids or abstract.id in abstract_ids

    known: dict[str, None] = {}
    names: dict[str, None] = {}
    changed: set[str] = set()
    for shape in select_topics(corpus.topics, _meant(corpus, topic_ids)):
        for part in shape.abstracts:
            known[part.id] = None
            there = [one.annotator for one in part.alignments] if is_meant(part) else []
            names |= dict.fromkeys(there)
            if annotator in there:
                changed.add(shape.id)
    _check_known("abstract", abstract_ids, known)
    _check_known("annotator", [annotator], names)

    def without(abstract: Abstract) -> Abstract:
        if not is_meant(abstract) or abstract.alignment_by(annotator) is None:
            return abstract
        kept = tuple(one for one in abstract.alignments if one.annotator != annotator)
        return replace(abstract, alignments=kept)

    def removed(topic: Topic) -> Topic:
        return replace(topic, abstracts=tuple(map(without, topic.abstracts)))

    return replace(corpus, topics=map_topics(corpus.topics, removed, changed))


def without_human_scores(
    corpus: Corpus,
    *,
    measures: Collection[str] = (),
    systems: Collection[str] = (),
    annotators: Collection[str] = (),
    topic_ids: Collection[str] = (),
) -> Corpus:
    """Removes the human scores that match all criteria."""
    wanted = (
        (measures, "measure"),
        (systems, "system"),
        (annotators, "annotator"),
        (topic_ids, "topic"),
    )
    kept = tuple(
        score
        for score in corpus.human_scores
        if any(names and getattr(score, field) not in names for names, field in wanted)
    )
    if len(kept) == len(corpus.human_scores):
        raise InputError.of("No human score is like that.", "Name less, or something else.")
    return replace(corpus, human_scores=kept)


def _with_topic(corpus: Corpus, topic_id: str, change: Callable[[Topic], Topic]) -> Corpus:
    return replace(corpus, topics=map_topics(corpus.topics, change, _meant(corpus, [topic_id])))


def _meant(corpus: Corpus, topic_ids: Collection[str]) -> frozenset[str]:
    """Returns these ids, or all if none is given."""
    known = dict.fromkeys(ids_of(corpus.topics))
    _check_known("topic", topic_ids, known)
    return frozenset(topic_ids or known)


def _check_known(what: str, names: Collection[str], known: Collection[str]) -> None:
    unknown = [name for name in names if name not in known]
    if not unknown:
        return
    shown = Listing([*known], most=_SHOWN)
    raise InputError(
        [
            Problem(
                what="There is no {what} “{name}”.",
                hint="There are: {known}." if known else "There is none.",
                fields={"what": what, "name": name, "known": shown},
            )
            for name in unknown
        ]
    )
