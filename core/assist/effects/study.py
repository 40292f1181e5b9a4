"""What assistance did: sentences shown with help against those drawn to be shown without."""

from array import array
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from awase.core.progress import Reporter
from awase.core.statistics.exact_sums import Floats, summable

Integers = NDArray[np.int64]

Family = frozenset[Hashable]
"""Alternatives without their order, equal ones where they have the same addresses."""

N_SAMPLES: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistItem:
    """One abstract sentence as one annotator settled it.

    Attributes:
        topic: Id of the topic, by which samples are drawn.
        is_control: Whether it was shown without help.
        active_s: Seconds of work.
        n_keys: Keys pressed; None = not counted.
        final: What the annotator decided.
        suggested: What was shown, or would have been; empty = nothing.
        gold: What is right; None = not decided.
    """

    topic: str
    is_control: bool
    active_s: float
    n_keys: int | None
    final: Family
    suggested: Family = frozenset()
    gold: Family | None = None

    @property
    def has_taken(self) -> bool:
        """Whether all that was suggested is in what was decided."""
        return bool(self.suggested) and self.suggested <= self.final

    @property
    def is_wrong(self) -> bool:
        """Whether something was suggested that gold has not."""
        return self.gold is not None and not self.suggested <= self.gold


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A value in both groups.

    Attributes:
        what: Its name.
        assisted: With help; None = no case.
        control: Without; None = no case.
        difference: Assisted minus control; for seconds and keys as a share of control.
        low: Lower end of its 95 % interval; None = undefined.
        high: Upper end.
    """

    what: str
    assisted: float | None
    control: float | None
    difference: float | None
    low: float | None = None
    high: float | None = None


def compared(
    items: Iterable[AssistItem], reporter: Reporter, seed: int = 0
) -> tuple[Compared, ...]:
    """Returns seconds, keys, share equal to the suggestion and anchor index, with intervals.

    The anchor index is the difference in `anchored`: how often a suggestion that gold calls wrong
    is in what was decided, shown against not shown. Intervals are of 1,000 bootstrap samples of
    topics.

    Args:
        items: Some bytes of each are held.
        reporter: Told of the samples.
        seed: Of the samples.

    Raises:
        Cancelled: The reporter asked to stop.
    """
    numbers: dict[str, int] = {}
    columns = {what: (_Column(), _Column()) for what in _SUMMARIES}
    for one in items:
        topic = numbers.setdefault(one.topic, len(numbers))
        for what, value in _values_of(one):
            columns[what][one.is_control].add(value, topic)
    n_topics = len(numbers)
    groups = {
        what: [_SUMMARIES[what](one.values, one.topics, n_topics) for one in both]
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
        rows.append(_compared(what, assisted, control, is_relative=what in _ARE_RELATIVE))
    return tuple(rows)


def _values_of(one: AssistItem) -> Iterator[tuple[str, float]]:
    """Yields what is measured of an item; what does not apply to it is left out."""
    yield "active_s", one.active_s
    if one.n_keys is not None:
        yield "n_keys", float(one.n_keys)
    if one.suggested:
        yield "as_suggested", float(one.has_taken)
        if one.is_wrong:
            yield "anchored", float(one.has_taken)


class _Column:
    """Values, and the numbers of their topics."""

    def __init__(self) -> None:
        self._values, self._topics = array("d"), array("q")

    def add(self, value: float, topic: int) -> None:
        self._values.append(value)
        self._topics.append(topic)

    @property
    def values(self) -> Floats:
        return np.array(self._values)

    @property
    def topics(self) -> Integers:
        return np.array(self._topics)


def _samples(n_topics: int, seed: int) -> Iterator[Integers]:
    """Yields how often each topic is in some samples, (n_samples, n_topics); first all, once."""
    rng = np.random.default_rng(seed)
    yield np.ones((1, n_topics), np.int64)
    at_once = max(1, NUMBERS_AT_ONCE // max(n_topics, 1))
    for begin in range(0, N_SAMPLES, at_once):
        n_samples = min(at_once, N_SAMPLES - begin)
        drawn = rng.integers(max(n_topics, 1), size=(n_samples, n_topics))
        yield np.stack([np.bincount(sample, minlength=n_topics) for sample in drawn])


def _compared(what: str, assisted: Floats, control: Floats, *, is_relative: bool) -> Compared:
    """Returns the first of the values as what was found, the others as samples; NaN = none."""
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
        """Takes values and the number of the topic of each, both (n_values,)."""
        self._sizes = np.bincount(topics, minlength=n_topics)
        self._sums = summable(np.bincount(topics, values, n_topics).astype(float), n_topics)

    def in_samples(self, times: Integers) -> Floats:
        """Returns the mean in each sample, (n_samples,); NaN = of none.

        Args:
            times: How often a topic is in a sample, (n_samples, n_topics).
        """
        sizes = times @ self._sizes
        means = np.full(len(times), np.nan)
        np.divide(times @ self._sums, sizes, out=means, where=sizes > 0)
        return means


class _Medians:
    """Medians likewise."""

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
NUMBERS_AT_ONCE: Final = 1 << 20
"""Of topics in samples."""
