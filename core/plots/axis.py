"""Axes, scales and their labels."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from awase.core.plots.picture import (
    INK,
    LINE,
    MUTED,
    Box,
    Dot,
    Label,
    Line,
    Picture,
    Shape,
    number_label,
    series,
    shade,
    text_width,
)

_MARGIN: Final = 14.0
_TICKS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
_AXIS_Y: Final = 26.0
_HEIGHT: Final = 44.0
_LEAST_WIDTH: Final = 160.0
_BETWEEN_NAMES: Final = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleMark:
    """Something to compare with: a tick on the scale with its name."""

    label: str  # above the tick; omitted where it would overlap
    value: float
    tip: str


def scale(
    value: float | None,
    *,
    interval: tuple[float, float] | None,
    marks: Sequence[ScaleMark],
    title: str,
    width: float = 420.0,
) -> Picture:
    """Returns a value on a line from 0, or from the lowest mark, to 1; None = the marks alone.

    The width is 160 points at least.
    """
    width = max(width, _LEAST_WIDTH)
    known = [0.0, *(mark.value for mark in marks), *(interval or ())]
    lowest: float = min([*known, *([] if value is None else [value])])

    def x(at: float) -> float:
        return _MARGIN + (width - 2 * _MARGIN) * (at - lowest) / (1 - lowest)

    shapes: list[Shape] = [
        Line(x1=x(lowest), y1=_AXIS_Y, x2=x(1), y2=_AXIS_Y, colour=LINE, width=1.5)
    ]
    for tick in _TICKS:
        shapes += [
            Line(x1=x(tick), y1=_AXIS_Y, x2=x(tick), y2=_AXIS_Y + 4, colour=LINE),
            Label(
                x=x(tick), y=_AXIS_Y + 14, text=number_label(tick, 1), anchor="middle", colour=MUTED
            ),
        ]
    if interval is not None:
        low, high = interval
        shapes.append(
            Box(
                x=x(low), y=_AXIS_Y - 5, width=max(1.0, x(high) - x(low)), height=10,
                colour=shade(0.35), tip=f"{number_label(low)} – {number_label(high)}",
            )
        )  # fmt: skip
    shapes += _drawn(marks, x)
    if value is not None:
        shapes.append(
            Dot(x=x(value), y=_AXIS_Y, radius=5, colour=series(0), tip=number_label(value))
        )
    return Picture(width=width, height=_HEIGHT, title=title, shapes=tuple(shapes))


def _drawn(marks: Sequence[ScaleMark], x: Callable[[float], float]) -> Iterator[Shape]:
    """Yields ticks and names; one that would overlap is left out."""
    # Overlapping marks of one name share a single name above all of them.
    ordered = sorted(marks, key=lambda one: one.value)
    for mark in ordered:
        at = x(mark.value)
        yield Box(x=at - 1, y=_AXIS_Y - 9, width=2, height=14, colour=INK, tip=mark.tip)
    free_from = 0.0
    for label, first, last in _named_together([(one.label, x(one.value)) for one in ordered]):
        at, half = (first + last) / 2, text_width(label) / 2
        if at - half >= free_from:
            yield Label(x=at, y=_AXIS_Y - 13, text=label, anchor="middle", colour=MUTED)
            free_from = at + half + _BETWEEN_NAMES


def _named_together(names: Iterable[tuple[str, float]]) -> list[tuple[str, float, float]]:
    """Returns each name with the first and last position that it labels."""
    found: list[tuple[str, float, float]] = []
    for label, at in names:
        if found and found[-1][0] == label:
            _, first, last = found[-1]
            if at - last < text_width(label) + _BETWEEN_NAMES:
                found[-1] = (label, first, at)
                continue
        found.append((label, at, at))
    return found


_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
ROOM_ACROSS = 40.0  # distance of ticks, in points, for texts side by side


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A linear scale."""

    low: float
    high: float
    start: float  # where `low` lies, in points
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
    """Returns an axis of about five round ticks (fewer when short) that encloses the values.

    With 0 as for bars, if requested; without any value from 0 to 1. Ticks have `room` points at
    least.
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


RADIUS = 3.0  # of the points, in points
_RINGS = (5.0, 10.0, 16.0, 24.0, 34.0)
_DIRECTIONS = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))
_FAR_ANGLES = 16
# With more points than that only the nearest places are tried: there is no room anyway.
_MOST_WITH_FAR = 120
_NEAR = 2 * RADIUS


@dataclass(frozen=True, slots=True)
class Area:
    """The bounding box of a label."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Area") -> bool:
        """Returns whether the two have more than an edge in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def is_within(self, other: "Area") -> bool:
        """Returns whether this area is inside the other."""
        return (
            other.left <= self.left
            and self.right <= other.right
            and other.top <= self.top
            and self.bottom <= other.bottom
        )

    def is_cut_by(self, x1: float, y1: float, x2: float, y2: float) -> bool:
        """Returns whether a straight line has a part inside."""
        low, high = 0.0, 1.0
        for start, way, near, far in (
            (x1, x2 - x1, self.left, self.right),
            (y1, y2 - y1, self.top, self.bottom),
        ):
            if way == 0:
                if not near < start < far:
                    return False
                continue
            ends = sorted(((near - start) / way, (far - start) / way))
            low, high = max(low, ends[0]), min(high, ends[1])
        return low < high


@dataclass(frozen=True, slots=True)
class Placed:
    """Position of a label."""

    area: Area
    leader: tuple[float, float, float, float] | None = None

    def disturbs(self, other: "Placed") -> bool:
        """Returns whether the two overlap, or one's leader line crosses the other."""
        return (
            self.area.overlaps(other.area)
            or (self.leader is not None and other.area.is_cut_by(*self.leader))
            or (other.leader is not None and self.area.is_cut_by(*other.leader))
        )


def placed_labels(
    labels: Sequence[str], places: Sequence[tuple[float, float]], field: Area, size: float
) -> list[Placed | None]:
    """Returns positions of labels inside `field`, free of points and of each other, or None."""
    dots = [Area(x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS) for x, y in places]
    is_roomy = len(labels) <= _MOST_WITH_FAR
    choices = [
        [
            one
            for one in _candidates(label, place, size, has_far=is_roomy)
            if one.area.is_within(field) and not any(map(one.area.overlaps, dots))
        ]
        for label, place in zip(labels, places, strict=True)
    ]
    found: dict[int, Placed] = {}
    for idx in sorted(range(len(labels)), key=lambda idx: (len(choices[idx]), idx)):
        free = next(_free(choices[idx], found), None)
        if free is not None:
            found[idx] = free
        else:
            _make_room(idx, choices, found)
    return [found.get(idx) for idx in range(len(labels))]


def _free(choice: Sequence[Placed], found: dict[int, Placed]) -> Iterator[Placed]:
    return (one for one in choice if not any(map(one.disturbs, found.values())))


def _make_room(idx: int, choices: Sequence[Sequence[Placed]], found: dict[int, Placed]) -> None:
    """Moves a single blocking label elsewhere, if possible."""
    for one in choices[idx]:
        in_way = [at for at, other in found.items() if one.disturbs(other)]
        if len(in_way) != 1:
            continue
        (other,) = in_way
        without = {at: placed for at, placed in found.items() if at != other} | {idx: one}
        elsewhere = next(_free(choices[other], without), None)
        if elsewhere is not None:
            found[idx], found[other] = one, elsewhere
            return


def _candidates(
    label: str, place: tuple[float, float], size: float, *, has_far: bool
) -> Iterator[Placed]:
    """Yields candidate positions around a point, the nearest first."""
    x, y = place
    width, height = text_width(label, size), size * 1.2
    angles = [2 * math.pi * at / _FAR_ANGLES for at in range(_FAR_ANGLES)]
    for ring in _RINGS if has_far else _RINGS[:1]:
        directions = (
            _DIRECTIONS if ring == _RINGS[0] else [(math.cos(a), math.sin(a)) for a in angles]
        )
        for dx, dy in directions:
            left = x + dx * ring - width * (1 - _side(dx)) / 2
            top = y + dy * ring - height * (1 - _side(dy)) / 2
            area = Area(left, top, left + width, top + height)
            near_x, near_y = min(max(x, left), area.right), min(max(y, top), area.bottom)
            is_far = abs(near_x - x) + abs(near_y - y) > _NEAR
            yield Placed(area, (x, y, near_x, near_y) if is_far else None)


def _side(direction: float) -> float:
    """Returns -1, 0 or 1, the label's side of the point; 0 = centred."""
    return 0.0 if abs(direction) < 0.38 else math.copysign(1.0, direction)
