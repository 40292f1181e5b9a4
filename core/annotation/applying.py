"""Application of edits to a topic, progress, and blinding."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import NamedTuple

from awase.core.annotation.formula import Numbering
from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.alignment import Alignment, AlignmentState, GoldEntry, SentenceAlignment
from awase.core.records.corpus import Corpus
from awase.core.records.differences import with_parts
from awase.core.records.edit import (
    AbstractTextEdit,
    AlignmentEdit,
    CorpusEdit,
    Edit,
    GoldEdit,
    GuidelinesEdit,
    RankEdit,
    SourceTextEdit,
    TopicEdit,
)
from awase.core.records.project import Person
from awase.core.records.source import Document
from awase.core.records.topic import Topic, select_topics
from awase.core.solvers.masks import Family, absorbed


def topic_after(topic: Topic, edit: Edit) -> Topic:
    """Applies `edit` to `topic`; unchanged without such an abstract."""
    if isinstance(edit, GuidelinesEdit):
        return topic
    if isinstance(edit, CorpusEdit):
        return _in_corpus(topic, edit)
    if isinstance(edit, TopicEdit):
        return with_parts(topic, edit.old, edit.new)
    if isinstance(edit, SourceTextEdit):
        return _with_source_text(topic, edit)
    abstracts = tuple(
        abstract_after(abstract, edit) if abstract.id == edit.abstract else abstract
        for abstract in topic.abstracts
    )
    return topic.with_abstracts(abstracts)


def _in_corpus(topic: Topic, edit: CorpusEdit) -> Topic:
    news = edit.new.changed_by_id
    if topic.id not in news:
        return topic
    return with_parts(topic, edit.old.changed_by_id[topic.id], news[topic.id])


def _with_source_text(topic: Topic, edit: SourceTextEdit) -> Topic:
    documents = tuple(
        _with_text(document, edit.ref.n, edit.new)
        if document.id == edit.ref.document_id
        else document
        for document in topic.documents
    )
    return replace(topic, documents=documents)


def _with_text(document: Document, n: int, text: str) -> Document:
    sentences = tuple(
        replace(sentence, text=text) if sentence.n == n else sentence
        for sentence in document.sentences
    )
    return replace(document, sentences=sentences)


def abstract_after(
    abstract: Abstract, edit: AlignmentEdit | GoldEdit | RankEdit | AbstractTextEdit
) -> Abstract:
    """Applies `edit` to `abstract`."""
    if isinstance(edit, AlignmentEdit):
        return _with_entry(abstract, edit.annotator, edit.new)
    if isinstance(edit, GoldEdit):
        return _with_decision(abstract, edit.n, edit.new)
    sentences = tuple(
        _sentence_after(sentence, edit) if sentence.n == edit.n else sentence
        for sentence in abstract.sentences
    )
    return replace(abstract, sentences=sentences)


def _sentence_after(
    sentence: AbstractSentence, edit: RankEdit | AbstractTextEdit
) -> AbstractSentence:
    if isinstance(edit, RankEdit):
        return replace(sentence, rank=edit.new)
    return replace(sentence, text=edit.new)


def _with_entry(abstract: Abstract, annotator: str, entry: SentenceAlignment) -> Abstract:
    own = abstract.alignment_by(annotator) or Alignment(annotator=annotator)
    changed = replace(own, sentences=_entries_with(own, entry, abstract))
    alignments = {alignment.annotator: alignment for alignment in abstract.alignments}
    alignments[annotator] = changed
    return replace(
        abstract,
        alignments=tuple(
            alignment
            for alignment in alignments.values()
            if alignment is not changed or changed.sentences
        ),
    )


def _with_decision(abstract: Abstract, n: int, decided: GoldEntry | None) -> Abstract:
    by_n = {old.n: old for old in abstract.gold if old.n != n}
    if decided is not None:
        by_n[n] = decided
        numbers = [sentence.n for sentence in abstract.sentences]
        by_n = {number: by_n[number] for number in numbers if number in by_n}
    return replace(abstract, gold=tuple(by_n.values()))


def _entries_with(
    alignment: Alignment, entry: SentenceAlignment, abstract: Abstract
) -> tuple[SentenceAlignment, ...]:
    """Returns the entries in the abstract's order, without empty ones, as stored."""
    entry_by_n = {old.n: old for old in alignment.sentences}
    entry_by_n[entry.n] = entry
    if entry == SentenceAlignment(n=entry.n):
        del entry_by_n[entry.n]
    return tuple(
        entry_by_n[sentence.n] for sentence in abstract.sentences if sentence.n in entry_by_n
    )


def next_unsettled(abstract: Abstract, annotator: str, after: int) -> int | None:
    """Returns the next unsettled sentence behind `after`, wrapping around; None without any.

    Flagged sentences come last.
    """
    alignment = abstract.alignment_by(annotator) or Alignment(annotator=annotator)
    states = {entry.n: entry.state for entry in alignment.sentences}
    numbers = [sentence.n for sentence in abstract.sentences]
    place = numbers.index(after) + 1 if after in numbers else 0
    ahead = [
        n
        for n in numbers[place:] + numbers[:place]
        if not states.get(n, AlignmentState.TODO).is_settled
    ]
    unflagged = [n for n in ahead if states.get(n) is not AlignmentState.FLAGGED]
    return next(iter(unflagged or ahead), None)


class AbstractPlace(NamedTuple):
    """An abstract sentence in a corpus."""

    topic_id: str
    abstract_id: str
    n: int


def disagreed(abstract: Abstract) -> frozenset[int]:
    """Returns the sentences on which two annotators disagree.

    Only begun entries count. Order, absorbed alternatives, notes and flags do not.
    """
    if not abstract.alignments[1:]:
        return frozenset()
    numbering = Numbering()
    opinions: dict[int, set[object]] = {}
    for alignment in abstract.alignments:
        for entry in alignment.sentences:
            if _has_opinion(entry):
                opinions.setdefault(entry.n, set()).add(_opinion(entry, numbering))
    return frozenset(n for n, held in opinions.items() if len(held) > 1)


def others_of(abstract: Abstract, who: str, n: int) -> tuple[tuple[str, SentenceAlignment], ...]:
    """Returns the other annotators of the abstract, with their entries for sentence `n`."""
    return tuple(
        (alignment.annotator, alignment.of_sentence(n))
        for alignment in abstract.alignments
        if alignment.annotator != who
    )


def same_opinion(one: SentenceAlignment, other: SentenceAlignment) -> bool | None:
    """Returns whether two entries are equivalent; None when one is empty."""
    if not (_has_opinion(one) and _has_opinion(other)):
        return None
    numbering = Numbering()
    return _opinion(one, numbering) == _opinion(other, numbering)


def next_incomplete(
    topics: Sequence[Topic], who: str, topic_id: str, abstract_id: str, n: int
) -> AbstractPlace | None:
    """Returns the next unsettled sentence of `who`, wrapping around; None without any."""
    places = [(topic.id, abstract) for topic in topics for abstract in topic.abstracts]
    here = next(
        (at for at, (topic, abstract) in enumerate(places)
         if (topic, abstract.id) == (topic_id, abstract_id)),
        -1,
    )  # fmt: skip
    for at, (topic, abstract) in enumerate(places[here:] + places[:here] if here >= 0 else places):
        is_loaded = at == 0 and here >= 0
        found = next_unsettled(abstract, who, n if is_loaded else 0)
        if found is not None and not (is_loaded and found == n):
            return AbstractPlace(topic, abstract.id, found)
    return None


def abstract_beside(
    topics: Sequence[Topic], topic_id: str, abstract_id: str, step: int
) -> AbstractPlace | None:
    """Returns the abstract `step` further on, as sentence 0; None behind the last or first one.

    From an unknown position it is the first of all. Topics without abstracts are skipped.
    """
    places = [AbstractPlace(topic.id, one.id, 0) for topic in topics for one in topic.abstracts]
    here = AbstractPlace(topic_id, abstract_id, 0)
    at = places.index(here) + step if here in places else 0
    return places[at] if 0 <= at < len(places) else None


def _has_opinion(entry: SentenceAlignment) -> bool:
    return bool(entry.alternatives) or entry.state is AlignmentState.NO_SOURCE


def _opinion(entry: SentenceAlignment, numbering: Numbering) -> Family | None:
    if entry.state is AlignmentState.NO_SOURCE:
        return None
    return absorbed(numbering.sets(entry.alternatives))


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
