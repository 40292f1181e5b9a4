"""Sentences of a study by disagreement, and its drift over weeks."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, Self

from awase.core.agreement.distances import Kind, SetDistance
from awase.core.agreement.results import SentenceAgreement
from awase.core.progress import batches
from awase.core.records.digests import EntryKey, Versions


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
    for one, days in _with_days(sentences, versions):
        value = one.distances.get(SetDistance.ALTERNATIVES)
        known = [day for day in days if day is not None]
        if value is not None and len(known) == len(days):
            latest = max(known)
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


def _with_days(
    sentences: Iterable[SentenceAgreement], read: ReadVersions
) -> Iterator[tuple[SentenceAgreement, list[date | None]]]:
    """Yields the sentences with the day on which each annotator settled them; None = unknown."""
    for some in batches(sentences, SENTENCES_AT_ONCE):
        versions = read([*{one.topic: None for one in some}])
        for one in some:
            yield one, [_day(versions, one, who) for who in one.annotators]


def _day(versions: Versions, one: SentenceAgreement, who: str) -> date | None:
    known = versions.get(EntryKey(one.topic, one.abstract, who, one.n), ())
    at = known[-1].at if known else ""
    return datetime.fromisoformat(at).date() if at else None
