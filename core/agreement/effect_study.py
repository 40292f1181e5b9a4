"""Effects of assistance on annotators: logged edits, decoys, controls."""

import json
from array import array
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import Reporter
from awase.core.metrics.extracts.gold import ASSISTED, assisted_in_gold
from awase.core.records.abstract import Abstract, Alternative, LoggedSuggestion
from awase.core.records.topic import Topic
from awase.core.statistics.bootstraps import FEWEST_TOPICS, Floats, summable

Integers = NDArray[np.int64]

# Alternatives without order; equal by addresses.
Family = frozenset[Hashable]

N_SAMPLES: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistItem:
    """One abstract sentence as one annotator settled it."""

    topic: str
    is_control: bool  # whether it was shown without help
    active_s: float
    n_keys: int | None
    final: Family
    suggested: Family = frozenset()  # what was shown, or would have been; empty = nothing
    gold: Family | None = None  # what is right; None = not decided

    @property
    def contains_suggestion(self) -> bool:
        """Whether the entry contains the whole suggestion."""
        return bool(self.suggested) and self.suggested <= self.final

    @property
    def is_wrong(self) -> bool:
        """Whether something was suggested that gold has not."""
        return self.gold is not None and not self.suggested <= self.gold


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A value in both groups."""

    what: str
    assisted: float | None  # with help; None = no case
    control: float | None  # without; None = no case
    difference: float | None  # assisted minus control; for seconds and keys as a share of control
    low: float | None = None  # lower end of its 95 % interval; None = undefined
    high: float | None = None


def compared(
    items: Iterable[AssistItem], reporter: Reporter, seed: int = 0
) -> tuple[Compared, ...]:
    """Returns seconds, keys, share equal to the suggestion and anchor index, with intervals.

    The anchor index is the difference in `anchored`: how often a suggestion that is wrong by the
    gold is in the entry, shown against not shown. Intervals are of 1,000 bootstrap samples of
    topics, where there are eight or more.
    """
    numbers: dict[str, int] = {}
    # Values of both groups, each with the numbers of their topics.
    columns = {what: [(array("d"), array("q")) for _ in range(2)] for what in _SUMMARIES}
    for one in items:
        topic = numbers.setdefault(one.topic, len(numbers))
        for what, value in _values_of(one):
            values, topics = columns[what][one.is_control]
            values.append(value)
            topics.append(topic)
    n_topics = len(numbers)
    groups = {
        what: [
            _SUMMARIES[what](np.array(values), np.array(topics), n_topics)
            for values, topics in both
        ]
        for what, both in columns.items()
    }
    found = {what: [np.empty((2, 0))] for what in groups}
    n_done = 0
    for times in _samples(n_topics, seed):
        reporter.advance(n_done, N_SAMPLES)
        n_done += len(times)
        for what, both in groups.items():
            found[what].append(np.stack([one.in_samples(times) for one in both]))
    rows = []
    for what, parts in found.items():
        assisted, control = np.concatenate(parts, axis=1)
        if n_topics < FEWEST_TOPICS:
            assisted, control = assisted[:1], control[:1]
        rows.append(_compared(what, assisted, control, is_relative=what in _ARE_RELATIVE))
    return tuple(rows)


def _values_of(one: AssistItem) -> Iterator[tuple[str, float]]:
    yield "active_s", one.active_s
    if one.n_keys is not None:
        yield "n_keys", float(one.n_keys)
    if one.suggested:
        yield "as_suggested", float(one.contains_suggestion)
        if one.is_wrong:
            yield "anchored", float(one.contains_suggestion)


def _samples(n_topics: int, seed: int) -> Iterator[Integers]:
    """Yields topics' multiplicities in samples, (n_samples, n_topics), the original first."""
    rng = np.random.default_rng(seed)
    yield np.ones((1, n_topics), np.int64)
    at_once = max(1, NUMBERS_AT_ONCE // max(n_topics, 1))
    for begin in range(0, N_SAMPLES, at_once):
        n_samples = min(at_once, N_SAMPLES - begin)
        drawn = rng.integers(max(n_topics, 1), size=(n_samples, n_topics))
        yield np.stack([np.bincount(sample, minlength=n_topics) for sample in drawn])


def _compared(what: str, assisted: Floats, control: Floats, *, is_relative: bool) -> Compared:
    """Returns the comparison; the first value is observed, others are samples; NaN = none."""
    differences = assisted - control
    if is_relative:
        differences /= np.where(control == 0, np.nan, control)
    samples = differences[1:][~np.isnan(differences[1:])]
    first = _defined(differences[0])
    has_interval = first is not None and len(samples)
    low, high = map(float, np.quantile(samples, [0.025, 0.975])) if has_interval else (None, None)
    return Compared(
        what=what, assisted=_defined(assisted[0]), control=_defined(control[0]), difference=first,
        low=low, high=high,
    )  # fmt: skip


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


class _Means:
    """Means of values in samples of their topics."""

    def __init__(self, values: Floats, topics: Integers, n_topics: int) -> None:
        """Takes (n_values,) values and topic numbers."""
        self._sizes = np.bincount(topics, minlength=n_topics)
        self._sums = summable(np.bincount(topics, values, n_topics).astype(float), n_topics)

    def in_samples(self, times: Integers) -> Floats:
        """Returns the mean in each sample, (n_samples,); NaN = of none."""
        sizes = times @ self._sizes
        means = np.full(len(times), np.nan)
        np.divide(times @ self._sums, sizes, out=means, where=sizes > 0)
        return means


class _Medians:
    def __init__(self, values: Floats, topics: Integers, n_topics: int) -> None:
        order = np.argsort(values, kind="stable")
        self._ordered, self._topics = values[order], topics[order]

    def in_samples(self, times: Integers) -> Floats:
        medians = np.full(len(times), np.nan)
        for n, in_sample in enumerate(times):
            ends = in_sample[self._topics].cumsum()
            if len(ends) and (size := ends[-1]):
                middle = np.searchsorted(ends, [(size - 1) // 2, size // 2], side="right")
                medians[n] = self._ordered[middle].sum() / 2
        return medians


_SUMMARIES: Final[Mapping[str, type[_Means] | type[_Medians]]] = {
    "active_s": _Medians,
    "n_keys": _Medians,
    "as_suggested": _Means,
    "anchored": _Means,
}
_ARE_RELATIVE: Final = ("active_s", "n_keys")
NUMBERS_AT_ONCE: Final = 1 << 20  # of topics in samples


Place = tuple[str, str, str, int]  # topic, abstract, annotator and number of an abstract sentence


class Work(NamedTuple):
    """Work on an entry."""

    active_ms: int
    n_keys: int | None
    suggested: Family  # the suggestion that was shown last; empty = none was


_NO_WORK: Final = Work(active_ms=0, n_keys=None, suggested=frozenset())


def family_of(alternatives: Iterable[Alternative]) -> Family:
    """Converts alternatives to the log's form."""
    return _family([map(str, one.members) for one in alternatives])


def _family(alternatives: Iterable[Iterable[str]]) -> Family:
    return frozenset(tuple(sorted(names)) for names in alternatives)


def logged_work(log: Iterable[LoggedSuggestion], left_out: Collection[Place]) -> dict[Place, Work]:
    """Returns the work on each entry; the log comes oldest first."""
    work: dict[Place, Work] = {}
    for row in log:
        place = (row.topic, row.abstract, row.annotator, row.n)
        if place in left_out:
            continue
        known = work.get(place, _NO_WORK)
        n_keys = known.n_keys
        if row.n_keys is not None:
            n_keys = (n_keys or 0) + row.n_keys
        work[place] = Work(
            active_ms=known.active_ms + row.active_ms,
            n_keys=n_keys,
            suggested=_family(json.loads(row.family)) if row.family else known.suggested,
        )
    return work


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistedEntry:
    """An entry that began with a suggestion, unchanged or edited."""

    topic: str
    abstract: str
    n: int
    # None = the gold's, with an alternative from such an entry.
    annotator: str | None

    def __str__(self) -> str:
        return f"{self.topic} · {self.abstract} · {self.n} ({self.annotator or 'gold'})"


def assisted_entries(topic: Topic) -> Iterator[AssistedEntry]:
    """Yields the entries of a topic that began with a suggestion, the gold's last."""
    for abstract in topic.abstracts:
        for alignment in abstract.alignments:
            for n in (one.n for one in alignment.sentences if one.assist in ASSISTED):
                yield AssistedEntry(
                    topic=topic.id, abstract=abstract.id, n=n, annotator=alignment.annotator
                )
        for n in _assisted_of_gold(abstract):
            yield AssistedEntry(topic=topic.id, abstract=abstract.id, n=n, annotator=None)


def without_assisted(topic: Topic) -> Topic:
    """Returns the topic with those entries to do: a part of one would be presented as whole."""
    return replace(topic, abstracts=tuple(map(_without_assisted, topic.abstracts)))


def _without_assisted(abstract: Abstract) -> Abstract:
    left_out = _assisted_of_gold(abstract)
    return replace(
        abstract,
        alignments=tuple(
            replace(
                alignment,
                sentences=tuple(one for one in alignment.sentences if one.assist not in ASSISTED),
            )
            for alignment in abstract.alignments
        ),
        gold=tuple(one for one in abstract.gold if one.n not in left_out),
    )


def _assisted_of_gold(abstract: Abstract) -> dict[int, None]:
    return dict.fromkeys(n for n, _ in assisted_in_gold(abstract))
