"""Places labels beside points so that no two things overlap.

Each label has places to choose from, the nearest first. Labels with fewest free places choose
first; one that finds none asks those in its way, one at a time, to go elsewhere. What still finds
no place is left out: a label that cannot be read says less than none. Deterministic.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from awase.core.plots.picture import text_width

RADIUS = 3.0
"""Of the points, in points."""
_RINGS = (5.0, 10.0, 16.0, 24.0, 34.0)
_DIRECTIONS = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))
_FAR_ANGLES = 16
_MOST_WITH_FAR = 120
"""With more points than that only the nearest places are tried: there is no room anyway."""
_NEAR = 2 * RADIUS


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle: what a label takes up."""

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
        """Returns whether nothing of this one is outside the other."""
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
    """Where a label stands.

    Attributes:
        area: What it takes up.
        leader: From the point to the label, where it is far from it: x and y of both ends.
    """

    area: Area
    leader: tuple[float, float, float, float] | None = None

    def disturbs(self, other: "Placed") -> bool:
        """Returns whether the two overlap, or the line of one runs through the other."""
        return (
            self.area.overlaps(other.area)
            or (self.leader is not None and other.area.is_cut_by(*self.leader))
            or (other.leader is not None and self.area.is_cut_by(*other.leader))
        )


def placed_labels(
    labels: Sequence[str], places: Sequence[tuple[float, float]], field: Area, size: float
) -> list[Placed | None]:
    """Returns where each label stands without touching a point or another label, or None.

    Args:
        labels: Their texts.
        places: (n,) points that they belong to.
        field: Where labels may stand.
        size: Of the letters, in points.
    """
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
    """Takes a place that one other label is in the way of, where that one can go elsewhere."""
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
    """Yields places around a point, the nearest first."""
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
    """Returns -1, 0 or 1: on which side of the point the label stands, 0 = around its middle."""
    return 0.0 if abs(direction) < 0.38 else math.copysign(1.0, direction)
