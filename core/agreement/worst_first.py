"""Sentences of a study by disagreement, and its drift over weeks."""

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, overload

import numpy as np

from awase.core.agreement.distances import OF_FAMILIES, Kind, SetDistance
from awase.core.agreement.results import SentenceAgreement
from awase.core.progress import batches
from awase.core.records.digests import EntryKey, Versions

_KINDS: Final = tuple(Kind)
_DIFFERS: Final = np.array([not kind.is_agreement for kind in _KINDS])
_TOPIC, _ABSTRACT, _N, _PAIR, _KIND = range(5)
_WORST: Final = OF_FAMILIES.index(SetDistance.ALTERNATIVES)


class WorstFirst(Sequence[SentenceAgreement]):
    """Sentences with the largest differences first; ties in the given order."""

    def __init__(self, sentences: Iterable[SentenceAgreement] = ()) -> None:
        topics, abstracts = dict[str, int](), dict[str, int]()
        pairs = dict[tuple[str, str], int]()
        kind_at = {kind: at for at, kind in enumerate(_KINDS)}
        codes, distances = array("i"), array("d")
        for one in sentences:
            codes.append(topics.setdefault(one.topic, len(topics)))
            codes.append(abstracts.setdefault(one.abstract, len(abstracts)))
            codes.append(one.n)
            codes.append(pairs.setdefault(one.annotators, len(pairs)))
            codes.append(kind_at[one.kind])
            found = one.distances
            distances.extend(
                np.nan if (value := found[level]) is None else value for level in OF_FAMILIES
            )
        self._topics, self._abstracts, self._pairs = tuple(topics), tuple(abstracts), tuple(pairs)
        given = np.frombuffer(codes, np.intc).reshape(-1, 5)
        values = np.frombuffer(distances).reshape(-1, len(OF_FAMILIES))
        order = np.argsort(-np.nan_to_num(values[:, _WORST]), kind="stable")
        self._codes, self._distances = given[order], values[order]

    def narrowed(self, pair: tuple[str, str] | None, kind: Kind | None) -> "WorstFirst":
        """Returns the sentences of a pair (None = all) and a kind (None = all differences)."""
        kinds = self._codes[:, _KIND]
        is_wanted = _DIFFERS[kinds] if kind is None else kinds == _KINDS.index(kind)
        if pair is not None:
            wanted = self._pairs.index(pair) if pair in self._pairs else -1
            is_wanted = is_wanted & (self._codes[:, _PAIR] == wanted)
        found = WorstFirst()
        found._topics, found._abstracts, found._pairs = self._topics, self._abstracts, self._pairs
        found._codes, found._distances = self._codes[is_wanted], self._distances[is_wanted]
        return found

    def pairs(self) -> list[tuple[str, str]]:
        """Returns the pair of each sentence."""
        return [self._pairs[code] for code in self._codes[:, _PAIR].tolist()]

    def kinds(self) -> list[int]:
        """Returns the index of each sentence's kind in `Kind`."""
        kinds: list[int] = self._codes[:, _KIND].tolist()
        return kinds

    def distances(self, level: SetDistance) -> list[float | None]:
        """Returns the distance of each sentence on a level; None = undefined."""
        column: list[float] = self._distances[:, OF_FAMILIES.index(level)].tolist()
        return [None if value != value else value for value in column]  # NaN alone differs

    def place_of(self, wanted: SentenceAgreement | None) -> int:
        """Returns the position of the sentence with this address and pair; -1 = none."""
        try:
            assert wanted is not None
            code = (
                self._topics.index(wanted.topic), self._abstracts.index(wanted.abstract), wanted.n,
                self._pairs.index(wanted.annotators),
            )  # fmt: skip
        except (AssertionError, ValueError):
            return -1
        found = np.flatnonzero((self._codes[:, :_KIND] == code).all(axis=1))
        return int(found[0]) if len(found) else -1

    def __len__(self) -> int:
        return len(self._codes)

    @overload
    def __getitem__(self, at: int) -> SentenceAgreement: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[SentenceAgreement, ...]: ...
    def __getitem__(self, at: int | slice) -> SentenceAgreement | tuple[SentenceAgreement, ...]:
        places = range(len(self))[at]
        return self._at(places) if isinstance(places, int) else tuple(map(self._at, places))

    def _at(self, at: int) -> SentenceAgreement:
        topic, abstract, n, pair, kind = self._codes[at].tolist()
        values: list[float] = self._distances[at].tolist()
        return SentenceAgreement(
            topic=self._topics[topic],
            abstract=self._abstracts[abstract],
            n=n,
            annotators=self._pairs[pair],
            kind=_KINDS[kind],
            distances={
                level: None if value != value else value
                for level, value in zip(OF_FAMILIES, values, strict=True)
            },
        )


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
