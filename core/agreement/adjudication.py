"""Adjudication: cases, their order, and the gold that results."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from awase.core.agreement.distances import alternatives_distance
from awase.core.annotation.actions import topic_after, with_duplicates, with_toggled
from awase.core.annotation.formula import Numbering, absorbed_alternatives
from awase.core.annotation.visibility import seen_by
from awase.core.errors import Reporter
from awase.core.records.abstract import (
    Abstract,
    AlignmentState,
    Alternative,
    GoldEntry,
    GoldOrigin,
    GoldSource,
    SentenceAlignment,
)
from awase.core.records.corpus import Corpus
from awase.core.records.digests import entry_digest
from awase.core.records.edits import GoldEdit
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic, map_topics
from awase.core.solvers.cover import absorbed

# Ids of the actions. They are stored in the operation log, so they are for ever.
GOLD_TAKE: Final = "gold_take"
GOLD_TOGGLE: Final = "gold_toggle"
GOLD_UNION: Final = "gold_union"
GOLD_INTERSECTION: Final = "gold_intersection"
GOLD_MAJORITY: Final = "gold_majority"
GOLD_NO_SOURCE: Final = "gold_no_source"
GOLD_LINK: Final = "gold_link"
GOLD_DUPLICATES: Final = "gold_duplicates"
GOLD_CONFIRM: Final = "gold_confirm"
GOLD_FLAG: Final = "gold_flag"
GOLD_RANK: Final = "gold_rank"
GOLD_CAUSE: Final = "gold_cause"
GOLD_NOTE: Final = "gold_note"
GOLD_UNANIMOUS: Final = "gold_unanimous"
GOLD_LOCK: Final = "gold_lock"
GOLD_UNLOCK: Final = "gold_unlock"

# (alternative that went, the one that it contains)
Dropped = tuple[tuple[Alternative, Alternative], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """An alternative in the list of a case, with the annotators who have it."""

    alternative: Alternative  # as the first of them gave it
    owners: tuple[str, ...]  # in the order of the case


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjudicationCase:
    """An abstract sentence that two or more annotators settled."""

    topic: str
    abstract: str
    n: int
    text: str
    entries: Mapping[str, SentenceAlignment]
    # Every alternative of anybody after absorption, numbered from 1 by its place.
    listed: tuple[Listed, ...]
    gold: GoldEntry | None  # what is decided or filled in; None = nothing
    distance: float  # largest distance between any two of them, 0..1; 0 = unanimous

    @property
    def is_unanimous(self) -> bool:
        """Whether all annotators agree."""
        return self.distance == 0

    @property
    def is_agreed(self) -> bool:
        """Whether all annotators agree, and nothing is decided yet."""
        return self.is_unanimous and self.gold is None

    @property
    def is_outdated(self) -> bool:
        """Whether an entry changed after the decision."""
        return self.gold is not None and any(
            source.annotator in self.entries
            and entry_digest(self.entries[source.annotator]) != source.digest
            for source in self.gold.sources
        )

    @property
    def is_open(self) -> bool:
        """Whether it is still to be decided."""
        return self.gold is None or self.gold.decided_by is None or self.is_outdated

    @property
    def key(self) -> tuple[str, str, int]:
        """Which sentence it is."""
        return self.topic, self.abstract, self.n


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A way to decide a case."""

    gold: GoldEntry  # the decision, not confirmed
    dropped: Dropped = ()


def cases_of(topic: Topic) -> Iterator[AdjudicationCase]:
    """Yields every abstract sentence of the topic that two or more annotators settled."""
    for abstract in topic.abstracts:
        yield from cases_in(topic.id, abstract)


def cases_in(topic_id: str, abstract: Abstract) -> Iterator[AdjudicationCase]:
    """Yields every sentence of an abstract that two or more annotators settled."""
    gold = {one.n: one for one in abstract.gold}
    for sentence in abstract.sentences:
        entries = _settled(abstract, sentence.n)
        if len(entries) > 1:
            yield AdjudicationCase(
                topic=topic_id,
                abstract=abstract.id,
                n=sentence.n,
                text=sentence.text,
                entries=entries,
                listed=_listed(entries),
                gold=gold.get(sentence.n),
                distance=_distance(entries.values()),
            )


def _settled(abstract: Abstract, n: int) -> dict[str, SentenceAlignment]:
    entries = {one.annotator: one.of_sentence(n) for one in abstract.alignments}
    return {who: entry for who, entry in entries.items() if entry.state.is_settled}


def _listed(entries: Mapping[str, SentenceAlignment]) -> tuple[Listed, ...]:
    first: dict[frozenset[SentenceRef], Alternative] = {}
    owners: dict[frozenset[SentenceRef], list[str]] = {}
    for who, entry in entries.items():
        for alternative in absorbed_alternatives(entry.alternatives)[0]:
            first.setdefault(alternative.as_set, alternative)
            owners.setdefault(alternative.as_set, []).append(who)
    return tuple(
        Listed(alternative=alternative, owners=tuple(owners[key]))
        for key, alternative in first.items()
    )


def _distance(entries: Iterable[SentenceAlignment]) -> float:
    numbering = Numbering()
    families = [absorbed(numbering.sets(entry.alternatives)) for entry in entries]
    return max(alternatives_distance(one, other) for one, other in combinations(families, 2))


# Ways to decide


def taken(case: AdjudicationCase, who: str) -> Decided:
    """Returns the decision for the entry of `who`."""
    entry = case.entries[who]
    kept, dropped = absorbed_alternatives(entry.alternatives)
    return _decided(case, kept, GoldOrigin.TAKEN, dropped, rank=entry.rank)


def union(case: AdjudicationCase) -> Decided:
    """Returns the decision for the union of alternatives."""
    return _of_listed(case, lambda _: True, GoldOrigin.UNION)


def intersection(case: AdjudicationCase) -> Decided:
    """Returns the decision for the intersection of alternatives, which may be empty."""
    return _of_listed(
        case, lambda one: len(one.owners) == len(case.entries), GoldOrigin.INTERSECTION
    )


def majority(case: AdjudicationCase) -> Decided:
    """Returns the decision for the alternatives of more than half; of two, of both."""
    return _of_listed(
        case, lambda one: 2 * len(one.owners) > len(case.entries), GoldOrigin.MAJORITY
    )


def toggled(case: AdjudicationCase, number: int) -> Decided | None:
    """Returns the gold with alternative `number` (from 1) toggled; None = no such alternative."""
    if not 1 <= number <= len(case.listed):
        return None
    chosen = case.listed[number - 1].alternative
    present = case.gold.entry.alternatives if case.gold else ()
    kept = tuple(one for one in present if one.as_set != chosen.as_set)
    if len(kept) == len(present):
        kept = (*present, chosen)
    return with_alternatives(case, kept, GoldOrigin.EDITED)


def no_source(case: AdjudicationCase) -> Decided:
    """Toggles the decision for no source."""
    is_there = case.gold is not None and case.gold.entry.state is AlignmentState.NO_SOURCE
    state = AlignmentState.TODO if is_there else AlignmentState.NO_SOURCE
    return _decided(case, (), GoldOrigin.EDITED, (), empty=state)


def _of_listed(
    case: AdjudicationCase, is_kept: Callable[[Listed], bool], origin: GoldOrigin
) -> Decided:
    return with_alternatives(
        case, tuple(one.alternative for one in case.listed if is_kept(one)), origin
    )


def with_alternatives(
    case: AdjudicationCase, alternatives: Sequence[Alternative], origin: GoldOrigin
) -> Decided:
    """Returns the gold with these alternatives, absorbed; without any it is open again."""
    kept, dropped = absorbed_alternatives(alternatives)
    return _decided(case, kept, origin, dropped, empty=AlignmentState.TODO)


def _decided(
    case: AdjudicationCase,
    alternatives: tuple[Alternative, ...],
    origin: GoldOrigin,
    dropped: Dropped,
    *,
    empty: AlignmentState = AlignmentState.NO_SOURCE,
    rank: str | None = None,
) -> Decided:
    """Returns the decision; without alternatives its state is `empty`."""
    before = _entry(case)
    state = AlignmentState.INCOMPLETE if alternatives else empty
    gold = GoldEntry(
        entry=replace(before, state=state, alternatives=alternatives, rank=rank or before.rank),
        origin=origin,
        sources=sources_of(case, alternatives),
        cause=case.gold.cause if case.gold else None,
    )
    return Decided(gold=gold, dropped=dropped)


def sources_of(
    case: AdjudicationCase, alternatives: Sequence[Alternative]
) -> tuple[GoldSource, ...]:
    """Returns the annotators who settled the sentence, with their alternatives' numbers."""
    return tuple(
        GoldSource(
            annotator=who,
            digest=entry_digest(entry),
            alternatives=tuple(
                number
                for number, one in enumerate(alternatives, start=1)
                if one.as_set in {own.as_set for own in entry.alternatives}
            ),
        )
        for who, entry in case.entries.items()
    )


# Acts


def confirmed(case: AdjudicationCase, who: str, at: str) -> Decided | None:
    """Returns the gold confirmed and absorbed; None where it is empty."""
    gold = case.gold
    if gold is None or not (
        gold.entry.alternatives or gold.entry.state is AlignmentState.NO_SOURCE
    ):
        return None
    kept, dropped = absorbed_alternatives(gold.entry.alternatives)
    state = AlignmentState.CONFIRMED if kept else AlignmentState.NO_SOURCE
    decided = replace(
        gold,
        entry=replace(gold.entry, state=state, alternatives=kept),
        decided_by=who,
        at=at,
        sources=sources_of(case, kept),
    )
    return Decided(gold=decided, dropped=dropped)


def flagged(case: AdjudicationCase) -> GoldEntry:
    """Returns the gold with its flag toggled."""
    gold = _begun(case)
    has_flag = gold.entry.state is AlignmentState.FLAGGED
    usual = AlignmentState.INCOMPLETE if gold.entry.alternatives else AlignmentState.TODO
    state = usual if has_flag else AlignmentState.FLAGGED
    return replace(gold, entry=replace(gold.entry, state=state), decided_by=None, at=None)


def with_cause(case: AdjudicationCase, cause: str | None) -> GoldEntry:
    """Returns the gold with the cause of disagreement."""
    return replace(_begun(case), cause=cause)


def with_rank(case: AdjudicationCase, rank: str | None) -> GoldEntry:
    """Returns the gold with a rank of its own; None = the abstract's."""
    gold = _begun(case)
    return replace(gold, entry=replace(gold.entry, rank=rank))


def _begun(case: AdjudicationCase) -> GoldEntry:
    return case.gold or GoldEntry(entry=SentenceAlignment(n=case.n), sources=sources_of(case, ()))


def gold_edit(
    case: AdjudicationCase, new: GoldEntry | None, verb: str, subject: str = ""
) -> GoldEdit | None:
    """Returns the edit to the gold `new`; None when equal or locked."""
    if new == case.gold or (case.gold is not None and case.gold.locked):
        return None
    return GoldEdit(
        verb=verb,
        topic=case.topic,
        abstract=case.abstract,
        n=case.n,
        old=case.gold,
        new=new,
        subject=subject,
    )


def with_unanimous(corpus: Corpus, who: str, at: str) -> Corpus:
    """Returns the corpus with all undecided unanimous entries in the gold."""

    def taken_in(topic: Topic) -> Topic:
        for case in cases_of(topic):
            if case.is_agreed:
                edit = gold_edit(case, _unanimous(case, who, at), GOLD_UNANIMOUS)
                topic = topic_after(topic, edit) if edit else topic
        return topic

    return corpus.with_topics(map_topics(corpus.topics, taken_in))


def _unanimous(case: AdjudicationCase, who: str, at: str) -> GoldEntry:
    first = next(iter(case.entries.values()))
    ranks = {entry.rank for entry in case.entries.values()}
    kept, _ = absorbed_alternatives(first.alternatives)
    decided = _decided(case, kept, GoldOrigin.UNANIMOUS, ())
    rank = first.rank if len(ranks) == 1 else None
    state = AlignmentState.CONFIRMED if kept else AlignmentState.NO_SOURCE
    entry = replace(decided.gold.entry, state=state, rank=rank)
    return replace(decided.gold, entry=entry, decided_by=who, at=at)


def linked(case: AdjudicationCase, alternative_idx: int, ref: SentenceRef) -> Decided:
    """Returns the gold with a sentence toggled in an alternative; past the last = in a new one."""
    entry = with_toggled(_entry(case), alternative_idx, ref)
    gold = replace(
        _begun(case), entry=entry, origin=GoldOrigin.EDITED,
        sources=sources_of(case, entry.alternatives), decided_by=None, at=None,
    )  # fmt: skip
    return Decided(gold=gold)


def with_near_duplicates(
    case: AdjudicationCase, duplicates_of: Callable[[SentenceRef], Iterable[SentenceRef]]
) -> Decided | None:
    """Returns the gold with near-duplicates' alternatives added; None = no further alternative."""
    entry = before = _entry(case)
    for idx in range(len(before.alternatives)):
        entry = with_duplicates(entry, idx, duplicates_of)
    if entry == before:
        return None
    return with_alternatives(case, entry.alternatives, GoldOrigin.EDITED)


def _entry(case: AdjudicationCase) -> SentenceAlignment:
    return case.gold.entry if case.gold else SentenceAlignment(n=case.n)


# What is to be decided


@dataclass(frozen=True, slots=True, kw_only=True)
class Worklist:
    """The cases that somebody can decide."""

    # In which annotators differ, the worst first; equal ones in their order.
    cases: tuple[AdjudicationCase, ...]
    n_agreed: int
    n_compared: int
    n_hidden: int


def worklist_of(corpus: Corpus, who: str, reporter: Reporter) -> Worklist:
    """Returns the cases that `who` can decide."""
    shown = seen_by(corpus, who).topics
    cases: list[AdjudicationCase] = []
    n_agreed = n_compared = 0
    for done, topic in enumerate(shown):
        reporter.advance(done, len(shown), topic.id)
        for case in cases_of(topic):
            n_compared += 1
            n_agreed += case.is_agreed
            if not case.is_unanimous:
                cases.append(case)
    return Worklist(
        cases=tuple(sorted(cases, key=lambda case: -case.distance)),
        n_agreed=n_agreed,
        n_compared=n_compared,
        n_hidden=len(corpus.topics) - len(shown),
    )
