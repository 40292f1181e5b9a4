"""Actions on the entry of one abstract sentence, as pure functions.

Each function returns the next entry, or the same object when nothing changes. States:

- after a change of alternatives a confirmed, empty or no-source entry becomes incomplete; a flag
  stays, as it requests another look;
- without alternatives an entry is to do again, unless flagged;
- confirming needs an alternative and leaves a flag, which its own key clears: linking something is
  not the other look that was requested.

`alternative_idx` is the current alternative's index; any index beyond the last starts a new one.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice, product
from typing import Final

from awase.core.records.abstract import Abstract
from awase.core.records.alignment import (
    AlignmentState,
    Alternative,
    AssistOrigin,
    SentenceAlignment,
)
from awase.core.records.edit import AlignmentEdit, RankEdit
from awase.core.records.identifiers import SentenceRef

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
