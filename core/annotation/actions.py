"""Actions on the entry of one abstract sentence, as pure functions.

Each function returns the next entry, or the same object when nothing changes. States:

- after a change of alternatives a confirmed, empty or no-source entry becomes incomplete; a flag
  stays, as it requests another look;
- without alternatives an entry is to do again, unless flagged;
- confirming needs an alternative and leaves a flag, which its own key clears: linking something is
  not the other look that was requested.

`alternative_idx` is the current alternative's index; any index beyond the last starts a new one.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import islice, product
from typing import Final, NamedTuple

from awase.core.annotation.formula import Numbering
from awase.core.records.abstract import (
    Abstract,
    AbstractSentence,
    Alignment,
    AlignmentState,
    Alternative,
    AssistOrigin,
    GoldEntry,
    SentenceAlignment,
)
from awase.core.records.edits import (
    AbstractTextEdit,
    AlignmentEdit,
    CorpusEdit,
    Edit,
    GoldEdit,
    GuidelinesEdit,
    RankEdit,
    SourceTextEdit,
    TopicEdit,
    with_parts,
)
from awase.core.records.source import Document, SentenceRef
from awase.core.records.topic import Topic
from awase.core.solvers.cover import Family, absorbed

# Ids of the actions. They are stored in the operation log, so they are for ever.
LINK: Final = "link"
UNLINK: Final = "unlink"
EXCHANGE: Final = "exchange"
ADD_DUPLICATES: Final = "add_duplicates"
REMOVE_ALTERNATIVE: Final = "remove_alternative"
NO_SOURCE: Final = "no_source"
REOPEN: Final = "reopen"
TAKE: Final = "take_suggestion"
CONFIRM: Final = "confirm"
FLAG: Final = "flag"
UNFLAG: Final = "unflag"
NOTE: Final = "note"
RANK: Final = "rank"
OWN_RANK: Final = "own_rank"

# An alternative of many members, each with duplicates, has too many variants to be read.
MOST_DUPLICATES_AT_ONCE: Final = 24


def with_toggled(
    entry: SentenceAlignment, alternative_idx: int, ref: SentenceRef
) -> SentenceAlignment:
    """Returns the entry with `ref` toggled in the alternative; an empty alternative is removed."""
    alternatives = list(entry.alternatives)
    if alternative_idx >= len(alternatives):
        return _with_alternatives(entry, (*alternatives, Alternative((ref,))))
    members = alternatives[alternative_idx].members
    if ref not in members:
        alternatives[alternative_idx] = Alternative((*members, ref))
    elif len(members) > 1:
        alternatives[alternative_idx] = Alternative(tuple(m for m in members if m != ref))
    else:
        del alternatives[alternative_idx]
    return _with_alternatives(entry, tuple(alternatives))


def with_exchanged(
    entry: SentenceAlignment, alternative_idx: int, ref: SentenceRef
) -> SentenceAlignment:
    """Returns the entry with another alternative: `ref` instead of the last member.

    The members are those of the alternative, or of the last one where a new one would start.
    Duplicates are skipped; an entry without alternatives is linked to `ref`.
    """
    if not entry.alternatives:
        return with_toggled(entry, alternative_idx, ref)
    *kept, _ = entry.alternatives[min(alternative_idx, len(entry.alternatives) - 1)].members
    if ref in kept:
        return entry
    made = Alternative((*kept, ref))
    if any(made.as_set == one.as_set for one in entry.alternatives):
        return entry
    return _with_alternatives(entry, (*entry.alternatives, made))


def is_member(entry: SentenceAlignment, alternative_idx: int, ref: SentenceRef) -> bool:
    """Returns whether `ref` is in the alternative, which may be new."""
    return (
        alternative_idx < len(entry.alternatives)
        and ref in entry.alternatives[alternative_idx].members
    )


def without_alternative(entry: SentenceAlignment, alternative_idx: int) -> SentenceAlignment:
    """Returns the entry without one of its alternatives."""
    if alternative_idx >= len(entry.alternatives):
        return entry
    kept = entry.alternatives[:alternative_idx] + entry.alternatives[alternative_idx + 1 :]
    return _with_alternatives(entry, kept)


def with_duplicates(
    entry: SentenceAlignment,
    alternative_idx: int,
    duplicates_of: Callable[[SentenceRef], Iterable[SentenceRef]],
) -> SentenceAlignment:
    """Returns the entry with alternatives in which near-duplicates replace members."""
    if alternative_idx >= len(entry.alternatives):
        return entry
    members = entry.alternatives[alternative_idx].members
    variants = product(*((member, *duplicates_of(member)) for member in members))
    return _with_further(entry, map(Alternative, variants), MOST_DUPLICATES_AT_ONCE)


def with_accepted(entry: SentenceAlignment, family: Iterable[Alternative]) -> SentenceAlignment:
    """Returns the entry with the new alternatives of an accepted suggestion, which it records."""
    taken = _with_further(entry, family)
    return entry if taken is entry else replace(taken, assist=AssistOrigin.TAKEN)


def _with_further(
    entry: SentenceAlignment, wanted: Iterable[Alternative], most: int | None = None
) -> SentenceAlignment:
    """Returns the entry with the first `most` new ones; else the same."""
    known = {alternative.as_set: alternative for alternative in entry.alternatives}
    n_known = len(known)
    for alternative in wanted:
        known.setdefault(alternative.as_set, alternative)
    added = [*islice(known.values(), n_known, None)][:most]
    return _with_alternatives(entry, (*entry.alternatives, *added)) if added else entry


def _with_alternatives(
    entry: SentenceAlignment, alternatives: tuple[Alternative, ...]
) -> SentenceAlignment:
    if entry.assist is AssistOrigin.TAKEN:
        entry = replace(entry, assist=AssistOrigin.CHANGED)
    if entry.state is AlignmentState.FLAGGED:
        state = AlignmentState.FLAGGED
    else:
        state = AlignmentState.INCOMPLETE if alternatives else AlignmentState.TODO
    return replace(entry, state=state, alternatives=alternatives)


def as_no_source(entry: SentenceAlignment) -> SentenceAlignment:
    """Returns the entry with its flag toggled."""
    if entry.state is AlignmentState.NO_SOURCE:
        return replace(entry, state=AlignmentState.TODO)
    emptied = _with_alternatives(entry, ())
    return replace(emptied, state=AlignmentState.NO_SOURCE)


def can_confirm(entry: SentenceAlignment) -> bool:
    """Returns whether confirming would mean something: there is an alternative to agree with."""
    return bool(entry.alternatives)


def as_confirmed(entry: SentenceAlignment, *, is_refusal: bool = False) -> SentenceAlignment:
    """Returns the entry confirmed; unchanged when it has no alternative, or a flag."""
    is_to_stay = entry.state in (AlignmentState.CONFIRMED, AlignmentState.FLAGGED)
    if is_to_stay or not can_confirm(entry):
        return entry
    refused = AssistOrigin.REFUSED if is_refusal and entry.assist is None else entry.assist
    return replace(entry, state=AlignmentState.CONFIRMED, assist=refused)


def with_flag_toggled(entry: SentenceAlignment) -> SentenceAlignment:
    """Returns the entry with its flag toggled."""
    if entry.state is not AlignmentState.FLAGGED:
        return replace(entry, state=AlignmentState.FLAGGED)
    unflagged = AlignmentState.INCOMPLETE if entry.alternatives else AlignmentState.TODO
    return replace(entry, state=unflagged)


def with_note(entry: SentenceAlignment, note: str) -> SentenceAlignment:
    """Returns the entry with this remark; blank means none."""
    kept = note.strip() or None
    return entry if kept == entry.note else replace(entry, note=kept)


def alignment_edit(
    topic_id: str,
    abstract: Abstract,
    annotator: str,
    new: SentenceAlignment,
    *,
    verb: str,
    subject: str = "",
) -> AlignmentEdit | None:
    """Returns the edit to the annotator's entry `new`; None = no difference."""
    alignment = abstract.alignment_by(annotator)
    old = alignment.of_sentence(new.n) if alignment else SentenceAlignment(n=new.n)
    if old == new:
        return None
    return AlignmentEdit(
        verb=verb,
        topic=topic_id,
        abstract=abstract.id,
        annotator=annotator,
        old=old,
        new=new,
        subject=subject,
    )


def rank_edit(topic_id: str, abstract: Abstract, n: int, rank: str | None) -> RankEdit | None:
    """Returns the edit that sets the rank of abstract sentence `n`; None when equal.

    Setting the same rank changes nothing, so that imported ranks can be typed over.
    """
    old = next(sentence.rank for sentence in abstract.sentences if sentence.n == n)
    if old == rank:
        return None
    return RankEdit(verb=RANK, topic=topic_id, abstract=abstract.id, n=n, old=old, new=rank)


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
