"""Weekly drift of disagreement."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from awase.core.agreement.measures.distances import SetDistance
from awase.core.agreement.study.results import SentenceAgreement
from awase.core.batches import batches
from awase.core.records.edits.ownership import EntryKey, Versions

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
