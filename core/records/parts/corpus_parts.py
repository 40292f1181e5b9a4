"""The parts in which two states of a corpus differ; an edit holds these and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from awase.core.records.assist import USUAL_ASSISTANCE, AssistSettings
from awase.core.records.corpus import DEFAULT_RANK_WEIGHTS, Corpus, RankWeights
from awase.core.records.human_score import HumanScore
from awase.core.records.parts.topic_parts import (
    Run,
    TopicParts,
    difference,
    has_parts,
    has_run,
    runs,
    with_parts,
    with_run,
)
from awase.core.records.project import Assignment, Person
from awase.core.records.topic import Topic
from awase.core.records.topics import (
    changed_pairs,
    ids_of,
    map_topics,
    select_topics,
    with_topics_at,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusHead:
    """What a corpus has beside its topics and lists."""

    name: str = ""
    rank_weights: RankWeights = DEFAULT_RANK_WEIGHTS
    guidelines: str = ""
    is_blind: bool = False
    assist: AssistSettings = USUAL_ASSISTANCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A corpus but for its topics."""

    head: CorpusHead = field(default_factory=CorpusHead)
    human_scores: tuple[HumanScore, ...] = ()
    persons: tuple[Person, ...] = ()
    assignments: tuple[Assignment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusParts:
    """What an edit of a corpus replaces, or puts in its place.

    Attributes:
        head: Name, rank weights and the like.
        topics: (place among the topics, from 0; topic) of those that only this side has.
        changed: (id, parts) of topics that both sides have, and that differ.
        human_scores: From the first one that differs to the last.
        persons: Likewise.
        assignments: Likewise.
    """

    head: CorpusHead = field(default_factory=CorpusHead)
    topics: tuple[tuple[int, Topic], ...] = ()
    changed: tuple[tuple[str, TopicParts], ...] = ()
    human_scores: Run[HumanScore] = field(default_factory=Run)
    persons: Run[Person] = field(default_factory=Run)
    assignments: Run[Assignment] = field(default_factory=Run)

    @property
    def topic_ids(self) -> frozenset[str]:
        """Ids of all topics that it is about."""
        return frozenset((*self.topic_by_id, *self.changed_by_id))

    @property
    def topic_by_id(self) -> Mapping[str, Topic]:
        """The topics that only this side has."""
        return {topic.id: topic for _, topic in self.topics}

    @property
    def changed_by_id(self) -> Mapping[str, TopicParts]:
        """The parts of topics that both sides have."""
        return dict(self.changed)


def head_of(corpus: Corpus) -> CorpusHead:
    """Returns what `corpus` has beside its topics and lists."""
    return CorpusHead(
        name=corpus.name,
        rank_weights=corpus.rank_weights,
        guidelines=corpus.guidelines,
        is_blind=corpus.is_blind,
        assist=corpus.assist,
    )


def frame_of(corpus: Corpus) -> Frame:
    """Returns `corpus` but for its topics."""
    return Frame(
        head=head_of(corpus),
        human_scores=corpus.human_scores,
        persons=corpus.persons,
        assignments=corpus.assignments,
    )


def corpus_difference(old: Corpus, new: Corpus) -> tuple[CorpusParts, CorpusParts]:
    """Returns the parts of `old` that `new` has not, and those of `new` in their places.

    The topics that both have must stand in the same order in both.
    """
    olds, news = {*ids_of(old.topics)}, {*ids_of(new.topics)}
    gone = tuple((at, topic) for at, topic in enumerate(old.topics) if topic.id not in news)
    come = tuple((at, topic) for at, topic in enumerate(new.topics) if topic.id not in olds)
    changed = [
        (topic.id, difference(known, topic))
        for known, topic in changed_pairs(old.topics, new.topics)
        if known != topic
    ]
    before, after = (
        CorpusParts(topics=only, changed=tuple((name, of[side]) for name, of in changed))
        for side, only in enumerate((gone, come))
    )
    return _with_frames(old, new, before, after)


def _with_frames(
    old: Corpus, new: Corpus, before: CorpusParts, after: CorpusParts
) -> tuple[CorpusParts, CorpusParts]:
    """Returns the parts of topics with those in which the rest of `old` and `new` differs."""
    scores = runs(old.human_scores, new.human_scores)
    persons = runs(old.persons, new.persons)
    assignments = runs(old.assignments, new.assignments)
    before, after = (
        replace(
            parts,
            head=head_of(corpus),
            human_scores=scores[side],
            persons=persons[side],
            assignments=assignments[side],
        )
        for side, (corpus, parts) in enumerate(((old, before), (new, after)))
    )
    return before, after


def has_corpus_parts(corpus: Corpus, parts: CorpusParts) -> bool:
    """Returns whether `parts` stand in `corpus` as they say."""
    known = frozenset(ids_of(corpus.topics))
    whole, changed = parts.topic_by_id, parts.changed_by_id
    return (
        head_of(corpus) == parts.head
        and known >= parts.topic_ids
        and all(
            whole.get(topic.id, topic) == topic
            and (topic.id not in changed or has_parts(topic, changed[topic.id]))
            for topic in select_topics(corpus.topics, parts.topic_ids)
        )
        and has_run(corpus.human_scores, parts.human_scores)
        and has_run(corpus.persons, parts.persons)
        and has_run(corpus.assignments, parts.assignments)
    )


def on_present_head(
    corpus: Corpus, old: CorpusParts, new: CorpusParts
) -> tuple[CorpusParts, CorpusParts]:
    """Returns both parts with the head of `corpus`, where they do not change the head.

    What somebody did to the guidelines meanwhile is no reason to refuse another change.
    """
    if old.head != new.head:
        return old, new
    return replace(old, head=head_of(corpus)), replace(new, head=head_of(corpus))


def on_present_places(
    corpus: Corpus, old: CorpusParts, new: CorpusParts
) -> tuple[CorpusParts, CorpusParts]:
    """Returns both parts with the assignments where they stand in `corpus`.

    Others take work and give it back meanwhile, which moves what stands behind theirs.
    """
    run, present = old.assignments, corpus.assignments
    if not run.parts or has_run(present, run) or run.parts[0] not in present:
        return old, new
    at = present.index(run.parts[0])
    return (
        replace(old, assignments=replace(run, at=at)),
        replace(new, assignments=replace(new.assignments, at=at)),
    )


def with_corpus_parts(corpus: Corpus, old: CorpusParts, new: CorpusParts) -> Corpus:
    """Returns `corpus` with `new` in the place of `old`.

    Raises:
        CorpusFormatError: What came out breaks the rules of a corpus: an assignment to a topic that
            is gone, an id that stands twice.
    """
    gone = old.topic_by_id.keys()
    olds, news = old.changed_by_id, new.changed_by_id

    def changed(topic: Topic) -> Topic:
        return with_parts(topic, olds[topic.id], news[topic.id])

    topics = corpus.topics
    if gone:
        topics = select_topics(topics, frozenset(ids_of(topics)) - gone)
    if news:
        topics = map_topics(topics, changed, only=news.keys())
    if new.topics:
        places = ((place, topic.id) for place, topic in new.topics)
        topics = with_topics_at(topics, places, new.topic_by_id)
    return replace(
        corpus,
        name=new.head.name,
        rank_weights=new.head.rank_weights,
        guidelines=new.head.guidelines,
        is_blind=new.head.is_blind,
        assist=new.head.assist,
        topics=topics,
        human_scores=with_run(corpus.human_scores, old.human_scores, new.human_scores),
        persons=with_run(corpus.persons, old.persons, new.persons),
        assignments=with_run(corpus.assignments, old.assignments, new.assignments),
    )
