"""What assistance did: sentences shown with help against those drawn to be shown without."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from awase.core.statistics.exact_sums import Floats, summable

Integers = NDArray[np.int64]
_Summary = Callable[[Floats, Integers, Integers], Floats]

Family = frozenset[frozenset[str]]
"""Alternatives as sets of addresses, without their order."""

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


def compared(items: Sequence[AssistItem], seed: int = 0) -> tuple[Compared, ...]:
    """Returns seconds, keys, share equal to the suggestion and anchor index, with intervals.

    The anchor index is the difference in `anchored`: how often a suggestion that gold calls wrong
    is in what was decided, shown against not shown. Intervals are of 1,000 bootstrap samples of
    topics.
    """
    number_by_topic = {topic: n for n, topic in enumerate(dict.fromkeys(o.topic for o in items))}
    taken = [(one, float(one.has_taken)) for one in items if one.suggested]
    keys = [(one, float(one.n_keys)) for one in items if one.n_keys is not None]
    measures: tuple[tuple[str, Sequence[tuple[AssistItem, float]], _Summary, bool], ...] = (
        ("active_s", [(one, one.active_s) for one in items], _medians, True),
        ("n_keys", keys, _medians, True),
        ("as_suggested", taken, _means, False),
        ("anchored", [(one, value) for one, value in taken if one.is_wrong], _means, False),
    )
    n_topics = len(number_by_topic)
    drawn = np.random.default_rng(seed).integers(max(n_topics, 1), size=(N_SAMPLES, n_topics))
    times = np.stack([np.ones(n_topics, np.int64), *_times_drawn(drawn)])
    found = []
    for what, cases, summary, is_relative in measures:
        assisted, control = (
            summary(
                np.array([value for one, value in cases if one.is_control == is_control]),
                np.array(
                    [number_by_topic[o.topic] for o, _ in cases if o.is_control == is_control], int
                ),
                times,
            )
            for is_control in (False, True)
        )
        found.append(_compared(what, assisted, control, is_relative))
    return tuple(found)


def _times_drawn(drawn: Integers) -> Iterable[Integers]:
    """Yields how often each topic is in a sample."""
    return (np.bincount(sample, minlength=len(sample)) for sample in drawn)


def _compared(what: str, assisted: Floats, control: Floats, is_relative: bool) -> Compared:
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


def _means(values: Floats, topics: Integers, times: Integers) -> Floats:
    """Returns the mean of the values in each sample, (n_samples,); NaN = of none.

    Args:
        values: (n_values,).
        topics: The number of the topic of each.
        times: How often a topic is in a sample, (n_samples, n_topics).
    """
    n_topics = times.shape[1]
    sizes = times @ np.bincount(topics, minlength=n_topics)
    sums = times @ summable(np.bincount(topics, values, n_topics).astype(float), n_topics)
    means = np.full(len(times), np.nan)
    np.divide(sums, sizes, out=means, where=sizes > 0)
    return means


def _medians(values: Floats, topics: Integers, times: Integers) -> Floats:
    """Returns the same for the median."""
    order = np.argsort(values, kind="stable")
    ordered, topics = values[order], topics[order]
    medians = np.full(len(times), np.nan)
    for n, in_sample in enumerate(times):
        ends = in_sample[topics].cumsum()
        if len(ends) and (size := ends[-1]):
            middle = np.searchsorted(ends, [(size - 1) // 2, size // 2], side="right")
            medians[n] = ordered[middle].sum() / 2
    return medians
