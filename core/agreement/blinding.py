"""Blinding: visibility of others' work, none before one's own is finished."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum, auto

from awase.core.records.corpus import Corpus
from awase.core.records.project import Person
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
    """Returns the owner of a corpus's work, if not `who`; else None."""
    return () if who in people else tuple(people)


def seen_by(corpus: Corpus, who: str) -> Corpus:
    """Returns the corpus with the topics whose agreement `who` may see.

    Leads, adjudicators and people who are not listed see all. In a blind corpus an annotator sees
    nothing, afterwards the topics in which they settled every sentence.
    """
    role = next((person.role for person in corpus.persons if person.id == who), None)
    if role != "annotator":
        return corpus
    finished = () if corpus.is_blind else (t.id for t in corpus.topics if _is_finished(t, who))
    shown = select_topics(corpus.topics, frozenset(finished))
    return replace(corpus, topics=shown, human_scores=(), assignments=())


def _is_finished(topic: Topic, who: str) -> bool:
    for abstract in topic.abstracts:
        own = abstract.alignment_by(who)
        if own is None:
            return False
        if not all(own.of_sentence(one.n).state.is_settled for one in abstract.sentences):
            return False
    return True
