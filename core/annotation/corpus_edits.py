"""What people can do to a corpus as a whole, as edits: import, remove, change the project.

Nothing is for ever: what goes takes along what refers to it, and one edit brings all of it back.
"""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final

from awase.core.annotation.content import without_document
from awase.core.errors import InputError, Problem
from awase.core.records.abstract import Abstract
from awase.core.records.corpus import Corpus
from awase.core.records.edits.edit import CorpusEdit
from awase.core.records.parts.corpus_parts import corpus_difference
from awase.core.records.topic import Topic

_SHOWN: Final = 10


def corpus_edit(old: Corpus, new: Corpus, *, verb: str, subject: str = "") -> CorpusEdit | None:
    """Returns the edit that makes `new` of `old`; None = no difference.

    The topics that both have must stand in the same order in both.
    """
    if old == new:
        return None
    before, after = corpus_difference(old, new)
    return CorpusEdit(verb=verb, old=before, new=after, subject=subject)


def without_topics(corpus: Corpus, ids: Collection[str]) -> Corpus:
    """Returns the corpus without these topics, and without scores and work that are about them.

    Raises:
        InputError: There is no such topic.
    """
    _check_known("topic", ids, [topic.id for topic in corpus.topics])
    return replace(
        corpus,
        topics=tuple(topic for topic in corpus.topics if topic.id not in ids),
        human_scores=tuple(score for score in corpus.human_scores if score.topic not in ids),
        assignments=tuple(part for part in corpus.assignments if part.topic not in ids),
    )


def without_documents(corpus: Corpus, topic_id: str, ids: Collection[str]) -> Corpus:
    """Returns the corpus without these documents of a topic, and without what refers to them.

    Raises:
        InputError: There is no such topic or document.
    """

    def removed(topic: Topic) -> Topic:
        _check_known("document", ids, [document.id for document in topic.documents])
        for document_id in ids:
            topic = without_document(topic, document_id)
        return topic

    return _with_topic(corpus, topic_id, removed)


def without_abstracts(corpus: Corpus, topic_id: str, ids: Collection[str]) -> Corpus:
    """Returns the corpus without these abstracts of a topic, their alignments and their work.

    Raises:
        InputError: There is no such topic or abstract.
    """

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
    """Returns the corpus without what these systems made, in all topics or in some.

    What people said of the systems stays: `without_human_scores` takes it away.

    Raises:
        InputError: There is no such system or topic.
    """
    chosen = _chosen(corpus, topic_ids)
    known = {output.system for topic in chosen for output in topic.outputs}
    _check_known("system", systems, sorted(known))

    def removed(topic: Topic) -> Topic:
        kept = tuple(output for output in topic.outputs if output.system not in systems)
        return topic if len(kept) == len(topic.outputs) else replace(topic, outputs=kept)

    return _with_topics(corpus, topic_ids, removed)


def without_alignments(
    corpus: Corpus,
    annotator: str,
    topic_ids: Collection[str] = (),
    abstract_ids: Collection[str] = (),
) -> Corpus:
    """Returns the corpus without one annotator's alignments, everywhere or in some places.

    Raises:
        InputError: There is no such topic, or the annotator aligned nothing there.
    """

    def is_meant(abstract: Abstract) -> bool:
        return not abstract_ids or abstract.id in abstract_ids

    chosen = [abstract for topic in _chosen(corpus, topic_ids) for abstract in topic.abstracts]
    _check_known("abstract", abstract_ids, [abstract.id for abstract in chosen])
    names = [one.annotator for part in chosen if is_meant(part) for one in part.alignments]
    _check_known("annotator", [annotator], [*dict.fromkeys(names)])

    def without(abstract: Abstract) -> Abstract:
        if not is_meant(abstract) or abstract.alignment_by(annotator) is None:
            return abstract
        kept = tuple(one for one in abstract.alignments if one.annotator != annotator)
        return replace(abstract, alignments=kept)

    def removed(topic: Topic) -> Topic:
        return replace(topic, abstracts=tuple(map(without, topic.abstracts)))

    return _with_topics(corpus, topic_ids, removed)


def without_human_scores(
    corpus: Corpus,
    *,
    measures: Collection[str] = (),
    systems: Collection[str] = (),
    annotators: Collection[str] = (),
    topic_ids: Collection[str] = (),
) -> Corpus:
    """Returns the corpus without the human scores that fit everything that is named.

    Raises:
        InputError: No score fits.
    """
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
    return _with_topics(corpus, [topic_id], change)


def _with_topics(
    corpus: Corpus, topic_ids: Collection[str], change: Callable[[Topic], Topic]
) -> Corpus:
    meant = {topic.id for topic in _chosen(corpus, topic_ids)}
    topics = tuple(change(topic) if topic.id in meant else topic for topic in corpus.topics)
    return replace(corpus, topics=topics)


def _chosen(corpus: Corpus, topic_ids: Collection[str]) -> tuple[Topic, ...]:
    _check_known("topic", topic_ids, [topic.id for topic in corpus.topics])
    return tuple(topic for topic in corpus.topics if not topic_ids or topic.id in topic_ids)


def _check_known(what: str, names: Collection[str], known: Collection[str]) -> None:
    unknown = [name for name in names if name not in known]
    if not unknown:
        return
    shown = ", ".join([*known][:_SHOWN]) + (", …" if len(known) > _SHOWN else "")
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
