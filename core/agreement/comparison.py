"""Sentences by disagreement, drift over weeks, and two annotators' entries side by side."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, Self

from awase.core.agreement.adjudication import AdjudicationCase, cases_in
from awase.core.agreement.distances import Kind, SetDistance, alignment_of, matching
from awase.core.agreement.results import SentenceAgreement, Worth, worth_of
from awase.core.annotation.formula import Numbering, absorbed_alternatives
from awase.core.errors import batches
from awase.core.records.abstract import (
    Abstract,
    Alignment,
    AlignmentState,
    Alternative,
    SentenceAlignment,
)
from awase.core.records.digests import EntryKey, Versions
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSource:
    """A source sentence that one of the two linked."""

    ref: SentenceRef
    text: str
    by_first: bool  # whether an alternative of the first has it
    by_second: bool  # whether one of the second has it


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceComparison:
    """Two annotators' entries of one abstract sentence."""

    annotators: Pair
    text: str
    states: tuple[AlignmentState, AlignmentState]
    # Matched alternatives after absorption, best matches first; None = no counterpart.
    alternatives: tuple[tuple[Alternative | None, Alternative | None], ...]
    dropped: tuple[int, int]  # how many of each one's alternatives absorption dropped
    sources: tuple[ComparedSource, ...]  # their links, in document order
    notes: tuple[str | None, str | None]


def compare(
    topic: Topic, abstract: Abstract, n: int, annotators: Pair
) -> SentenceComparison | None:
    """Returns both entries of abstract sentence `n`; None when one has no alignment."""
    first, second = (alignment_of(abstract, who) for who in annotators)
    text = next((one.text for one in abstract.sentences if one.n == n), None)
    if first is None or second is None or text is None:
        return None
    own, other = first.of_sentence(n), second.of_sentence(n)
    kept, dropped = absorbed_alternatives(own.alternatives)
    others, others_dropped = absorbed_alternatives(other.alternatives)
    by_first = {ref for one in kept for ref in one.members}
    by_second = {ref for one in others for ref in one.members}
    return SentenceComparison(
        annotators=annotators,
        text=text,
        states=(own.state, other.state),
        alternatives=_matched(kept, others),
        dropped=(len(dropped), len(others_dropped)),
        sources=tuple(
            ComparedSource(
                ref=ref, text=one.text, by_first=ref in by_first, by_second=ref in by_second
            )
            for ref, one in topic.sentences()
            if ref in by_first or ref in by_second
        ),
        notes=(own.note, other.note),
    )


def _matched(
    first: Sequence[Alternative], second: Sequence[Alternative]
) -> tuple[tuple[Alternative | None, Alternative | None], ...]:
    numbering = Numbering()
    masks = [numbering.mask(one.members) for one in first]
    others = [numbering.mask(one.members) for one in second]
    pairs = matching(masks, others)[0] if masks and others else ()

    def likeness(pair: tuple[int, int]) -> float:
        one, other = masks[pair[0]], others[pair[1]]
        return (one & other).bit_count() / (one | other).bit_count()

    matched = [(first[i], second[j]) for i, j in sorted(pairs, key=likeness, reverse=True)]
    alone = [first[i] for i in range(len(first)) if i not in {i for i, _ in pairs}]
    others_alone = [second[j] for j in range(len(second)) if j not in {j for _, j in pairs}]
    return (*matched, *((one, None) for one in alone), *((None, one) for one in others_alone))


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionEffects:
    """Effects of an abstract's decisions so far.

    All sides are over the same sentences: those that all of the case's annotators settled, and on
    which they agree or the gold has an entry.
    """

    by_annotator: Mapping[str, Worth]
    gold: Worth  # the abstract under the gold, what is filled in and not confirmed included
    n_sentences: int
    n_open: int


def decision_effects(
    topic: Topic,
    abstract: Abstract,
    case: AdjudicationCase,
    still_wanted: Callable[[], None] = lambda: None,
) -> DecisionEffects:
    """Returns the effects; `still_wanted` is called now and then and may raise to stop."""
    entries: dict[str, list[SentenceAlignment]] = {who: [] for who in case.entries}
    gold: list[SentenceAlignment] = []
    n_open = 0
    for one in cases_in(topic.id, abstract):
        if not entries.keys() <= one.entries.keys():
            continue
        decided = _gold_entry(one)
        if decided is None:
            n_open += 1
            continue
        gold.append(decided)
        for who, of_person in entries.items():
            of_person.append(one.entries[who])

    def side(found: list[SentenceAlignment]) -> Worth:
        alignment = Alignment(annotator="-", sentences=tuple(found))
        return worth_of(topic, abstract, alignment, still_wanted)

    return DecisionEffects(
        by_annotator={who: side(found) for who, found in entries.items()},
        gold=side(gold),
        n_sentences=len(gold),
        n_open=n_open,
    )


def _gold_entry(case: AdjudicationCase) -> SentenceAlignment | None:
    """Returns the gold entry that counts; None where it is open."""
    if case.gold is not None and (case.gold.entry.alternatives or case.gold.entry.state.is_settled):
        return case.gold.entry
    return next(iter(case.entries.values())) if case.is_unanimous else None


class WorstFirst(tuple[SentenceAgreement, ...]):
    """Sentences with the largest differences first; ties in the given order."""

    __slots__ = ()

    def __new__(cls, sentences: Iterable[SentenceAgreement] = ()) -> Self:  # noqa: D102
        return super().__new__(cls, sorted(sentences, key=_likeness))

    def narrowed(self, pair: tuple[str, str] | None, kind: Kind | None) -> "WorstFirst":
        """Returns the sentences of a pair (None = all) and a kind (None = all differences)."""
        return WorstFirst(
            one
            for one in self
            if pair in (None, one.annotators)
            and (one.kind is kind if kind else not one.kind.is_agreement)
        )

    def place_of(self, wanted: SentenceAgreement | None) -> int:
        """Returns the position of the sentence with this address and pair; -1 = none."""
        key = None if wanted is None else _key_of(wanted)
        return next((at for at, one in enumerate(self) if _key_of(one) == key), -1)


def _likeness(one: SentenceAgreement) -> float:
    return -(one.distances[SetDistance.ALTERNATIVES] or 0.0)


def _key_of(one: SentenceAgreement) -> tuple[object, ...]:
    return one.topic, one.abstract, one.n, one.annotators


SENTENCES_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekOfAgreement:
    """The sentences that were settled by both within one week."""

    begins: date
    n_items: int  # pairs of entries; the later of the two entries is of this week
    mean_distance: float  # their mean distance, 0..1, not corrected for chance
    n_same: int


# Returns the versions of all entries in some topics, by their ids.
ReadVersions = Callable[[Sequence[str]], Versions]
# A pair of annotators, None = all of them, to the weeks in which something was settled.
Drifts = Mapping[tuple[str, str] | None, tuple[WeekOfAgreement, ...]]


def drifts_of(sentences: Iterable[SentenceAgreement], versions: ReadVersions) -> Drifts:
    """Returns the weeks in which sentences were settled, in order, of pairs and of all.

    An entry belongs to the week of its present value; unknown times and undefined distances are
    excluded.
    """
    found: dict[tuple[str, str] | None, dict[date, list[float]]] = {None: defaultdict(list)}
    for some in batches(sentences, SENTENCES_AT_ONCE):
        known = versions([*{one.topic: None for one in some}])
        for one in some:
            value = one.distances.get(SetDistance.ALTERNATIVES)
            days = [_day(known, one, who) for who in one.annotators]
            if value is not None and None not in days:
                latest = max(day for day in days if day is not None)
                monday = latest - timedelta(days=latest.weekday())
                for pair in (None, one.annotators):
                    found.setdefault(pair, defaultdict(list))[monday].append(value)
    return {pair: _weeks(by_monday) for pair, by_monday in found.items()}


def _weeks(by_monday: Mapping[date, list[float]]) -> tuple[WeekOfAgreement, ...]:
    return tuple(
        WeekOfAgreement(
            begins=monday,
            n_items=len(values),
            mean_distance=sum(values) / len(values),
            n_same=sum(value == 0 for value in values),
        )
        for monday, values in sorted(by_monday.items())
    )


def _day(versions: Versions, one: SentenceAgreement, who: str) -> date | None:
    """Returns the day on which `who` settled the sentence; None = unknown."""
    known = versions.get(EntryKey(one.topic, one.abstract, who, one.n), ())
    at = known[-1].at if known else ""
    return datetime.fromisoformat(at).date() if at else None
