"""What assistance did: sentences shown with help against those drawn to be shown without."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Final

import numpy as np

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
    measures: tuple[tuple[str, Callable[[list[AssistItem]], float | None], bool], ...] = (
        ("active_s", lambda part: _median(one.active_s for one in part), True),
        ("n_keys", _keys, True),
        ("as_suggested", _taken, False),
        ("anchored", lambda part: _taken(one for one in part if one.is_wrong), False),
    )
    by_topic: dict[str, list[AssistItem]] = {}
    for item in items:
        by_topic.setdefault(item.topic, []).append(item)
    topics = list(by_topic.values())
    found = []
    for what, measure, is_relative in measures:
        assisted, control, difference = _both(items, measure, is_relative)
        rng = np.random.default_rng(seed)
        drawn = (
            _both([one for at in rng.integers(len(topics), size=len(topics)) for one in topics[at]],
                  measure, is_relative)[2]
            for _ in range(N_SAMPLES if difference is not None else 0)
        )  # fmt: skip
        values = [one for one in drawn if one is not None]
        low, high = np.quantile(values, [0.025, 0.975]) if values else (None, None)
        found.append(
            Compared(
                what=what, assisted=assisted, control=control, difference=difference,
                low=None if low is None else float(low), high=None if high is None else float(high),
            )
        )  # fmt: skip
    return tuple(found)


def _both(
    items: Sequence[AssistItem],
    measure: Callable[[list[AssistItem]], float | None],
    is_relative: bool,
) -> tuple[float | None, float | None, float | None]:
    assisted = measure([one for one in items if not one.is_control])
    control = measure([one for one in items if one.is_control])
    if assisted is None or control is None or (is_relative and not control):
        return assisted, control, None
    difference = assisted - control
    return assisted, control, difference / control if is_relative else difference


def _keys(items: Iterable[AssistItem]) -> float | None:
    return _median(one.n_keys for one in items if one.n_keys is not None)


def _taken(items: Iterable[AssistItem]) -> float | None:
    return _share(one.has_taken for one in items if one.suggested)


def _median(values: Iterable[float]) -> float | None:
    found = list(values)
    return float(median(found)) if found else None


def _share(values: Iterable[bool]) -> float | None:
    found = list(values)
    return fmean(found) if found else None
