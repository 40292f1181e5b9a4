"""Who may see whose work: blinding, while annotating and reviewing."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum, auto

from awase.core.records.corpus import Corpus, Person
from awase.core.records.topic import Topic, select_topics


class Sight(Enum):
    """Visibility of others' work while annotating."""

    ALL = auto()
    SETTLED = auto()  # on the abstract sentences that they settled themselves
    NOTHING = auto()


def sight_of(persons: Iterable[Person], who: str, *, is_blind: bool) -> Sight:
    """Returns the visibility of others' work to `who`, least for annotators."""
    if not any(one.id == who and one.role == "annotator" for one in persons):
        return Sight.ALL
    return Sight.NOTHING if is_blind else Sight.SETTLED


def whose_work(people: Sequence[str], who: str) -> tuple[str, ...]:
    """Returns the owners of a corpus's work, if `who` is none of them."""
    return () if who in people else tuple(people)


def seen_by(corpus: Corpus, who: str) -> Corpus:
    """Returns the corpus with the topics whose agreement `who` may see: settled ones, or all."""
    sight = sight_of(corpus.persons, who, is_blind=corpus.is_blind)
    if sight is Sight.ALL:
        return corpus
    finished = (t.id for t in corpus.topics if sight is Sight.SETTLED and has_settled(t, who))
    shown = select_topics(corpus.topics, frozenset(finished))
    return replace(corpus, topics=shown, human_scores=(), assignments=())


def has_settled(topic: Topic, who: str) -> bool:
    """Returns whether `who` settled every abstract sentence of the topic."""
    return all(
        (own := abstract.alignment_by(who)) is not None
        and all(own.of_sentence(one.n).state.is_settled for one in abstract.sentences)
        for abstract in topic.abstracts
    )
