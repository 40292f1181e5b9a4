"""Axes: round ticks that enclose the values, and where a value lies."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from awase.core.plots.picture import number_label

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
ROOM_ACROSS = 40.0
"""From tick to tick, in points, where their texts stand side by side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A linear scale.

    Attributes:
        low: Value at `start`.
        high: Value at `end`.
        start: Where `low` lies, in points.
        end: Where `high` lies.
        step: From tick to tick.
    """

    low: float
    high: float
    start: float
    end: float
    step: float

    def at(self, value: float) -> float:
        """Returns where `value` lies, in points."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[tuple[float, str]]:
        """Returns the values with ticks and their texts."""
        n_steps = round((self.high - self.low) / self.step)
        places = max(0, -math.floor(math.log10(self.step) + 1e-9))
        if self.step * 10**places % 1 > 1e-6:
            places += 1
        values = [self.low + idx * self.step for idx in range(n_steps + 1)]
        return [(value, number_label(value, places)) for value in values]


def axis_for(
    values: Iterable[float], start: float, end: float, *, with_zero: bool, room: float = 18.0
) -> Axis:
    """Returns an axis with up to about five round ticks that encloses the values.

    On a short axis there are fewer, so that their texts keep apart.

    Args:
        values: Finite; none gives 0 to 1.
        start: Where the lowest tick lies, in points.
        end: Where the highest lies.
        with_zero: Whether 0 must be on it: lengths of bars lie without it.
        room: About how far ticks are apart at least, in points.
    """
    n_ticks = min(5, max(1, int(abs(end - start) / room)))
    known = [value for value in values if math.isfinite(value)]
    if with_zero:
        known.append(0.0)
    low, high = (min(known), max(known)) if known else (0.0, 1.0)
    if high - low < 1e-12:
        low, high = (low - 0.5, high + 0.5) if not with_zero or low else (0.0, 1.0)
    step = _round_step((high - low) / n_ticks)
    first = math.floor(low / step + 1e-9)
    last = math.ceil(high / step - 1e-9)
    return Axis(low=first * step, high=last * step, start=start, end=end, step=step)


def _round_step(least: float) -> float:
    power: float = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in _STEPS if step * power >= least * (1 - 1e-9))
