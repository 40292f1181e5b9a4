"""Rewriting of abstracts, with annotations carried over."""

from dataclasses import dataclass, replace
from itertools import product

from awase.core.annotation.content import state_to_review
from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.alignment import Alignment, AlignmentState, Alternative, SentenceAlignment
from awase.core.records.gold import Gold, GoldEntry, gold_alignment
from awase.core.text.resplitting import Resplit, ResplitOutcome, resplit


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriting:
    """A rewritten abstract."""

    abstract: Abstract
    resplit: Resplit
    lost: tuple[int, ...]


def rewritten(abstract: Abstract, texts: tuple[str, ...]) -> Rewriting:
    """Returns the abstract with its sentences replaced by these.

    An unchanged sentence keeps its number, rank and alignments; of a split one the first part does,
    and the other parts have its rank. Joined sentences need the sources of all: every alternative
    of one is combined with every one of the other. Confirmed entries of split or joined sentences
    become incomplete.
    """
    numbered = [(sentence.n, sentence.text) for sentence in abstract.sentences]
    found = resplit(numbered, texts)
    old_by_new = _old_by_new(found)
    ranks = {sentence.n: sentence.rank for sentence in abstract.sentences}
    sentences = tuple(
        AbstractSentence(n=n, text=text, rank=_first_rank(old_by_new.get(n, ()), ranks))
        for n, text in found.sentences
    )
    alignments = (_alignment(alignment, found) for alignment in abstract.alignments)
    after = replace(
        abstract,
        sentences=sentences,
        alignments=tuple(alignment for alignment in alignments if alignment.sentences),
        gold=_gold(abstract.gold, found),
    )
    return Rewriting(abstract=after, resplit=found, lost=_lost(abstract, found))


def _old_by_new(found: Resplit) -> dict[int, tuple[int, ...]]:
    olds: dict[int, tuple[int, ...]] = {}
    for old, places in found.found.items():
        for n in places:
            olds[n] = (*olds.get(n, ()), old)
    return olds


def _first_rank(olds: tuple[int, ...], ranks: dict[int, str | None]) -> str | None:
    return next((ranks[old] for old in olds if ranks[old] is not None), None)


def _lost(abstract: Abstract, found: Resplit) -> tuple[int, ...]:
    worked_on = {
        entry.n
        for alignment in (*abstract.alignments, gold_alignment(abstract.gold))
        for entry in alignment.sentences
        if entry != SentenceAlignment(n=entry.n)
    }
    return tuple(n for n in found.gone() if n in worked_on)


def _alignment(alignment: Alignment, found: Resplit) -> Alignment:
    carried: dict[int, SentenceAlignment] = {}
    order = {n: place for place, (n, _) in enumerate(found.sentences)}
    for entry in alignment.sentences:
        if not found.found[entry.n]:
            continue
        n = found.found[entry.n][0]
        moved = _moved(entry, n, found.fates[entry.n])
        carried[n] = _joined(carried[n], moved) if n in carried else moved
    entries = tuple(carried[n] for n in sorted(carried, key=order.__getitem__))
    kept_order = tuple(entry.n for entry in alignment.sentences)
    if sorted(kept_order) == sorted(carried):
        entries = tuple(carried[n] for n in kept_order)
    return replace(alignment, sentences=entries)


def _gold(gold: Gold, found: Resplit) -> Gold:
    """Returns the gold carried over as alignments are; a joined entry is its first one's."""
    if not gold:
        return ()
    first_by_n: dict[int, GoldEntry] = {}
    for decided in gold:
        for n in found.found[decided.n][:1]:
            first_by_n.setdefault(n, decided)
    entries = _alignment(gold_alignment(gold), found).sentences
    return tuple(first_by_n[entry.n].with_entry(entry) for entry in entries)


def _moved(entry: SentenceAlignment, n: int, fate: ResplitOutcome) -> SentenceAlignment:
    if entry == SentenceAlignment(n=entry.n) or fate not in (
        ResplitOutcome.CUT,
        ResplitOutcome.JOINED,
    ):
        return replace(entry, n=n)
    return replace(entry, n=n, state=state_to_review(entry.state, entry.alternatives))


def _joined(one: SentenceAlignment, other: SentenceAlignment) -> SentenceAlignment:
    """Combines two entries for a joined sentence."""
    alternatives = _products(one.alternatives, other.alternatives)
    states = {one.state, other.state}
    if AlignmentState.FLAGGED in states:
        state = AlignmentState.FLAGGED
    elif states == {AlignmentState.NO_SOURCE}:
        state = AlignmentState.NO_SOURCE
    else:
        state = AlignmentState.INCOMPLETE if alternatives else AlignmentState.TODO
    notes = dict.fromkeys(note for note in (one.note, other.note) if note)
    return SentenceAlignment(
        n=one.n,
        state=state,
        alternatives=alternatives,
        note=" / ".join(notes) or None,
        rank=one.rank if one.rank is not None else other.rank,
    )


def _products(
    one: tuple[Alternative, ...], other: tuple[Alternative, ...]
) -> tuple[Alternative, ...]:
    if not one or not other:
        return one or other
    both = (Alternative(a.members + b.members) for a, b in product(one, other))
    return tuple({alternative.as_set: alternative for alternative in both}.values())
