"""Two values of every system against each other, with labels that keep out of each other's way."""

from collections.abc import Sequence
from dataclasses import dataclass

from awase.core.plots.axis import Axis, axis_for
from awase.core.plots.picture import (
    BACK,
    FONT_PT,
    LINE,
    MUTED,
    Box,
    Dot,
    Label,
    Line,
    Picture,
    Shape,
    series,
    text_width,
)

_LABEL_PT = FONT_PT - 1.5
_RADIUS = 3.0
_RINGS = (5.0, 12.0, 20.0, 30.0)
_DIRECTIONS = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A system with its two values, both finite."""

    label: str
    x: float
    y: float


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


def scatter(
    points: Sequence[Point],
    *,
    title: str,
    x_title: str,
    y_title: str,
    width: float = 420.0,
    height: float = 320.0,
) -> Picture:
    """Returns a dot for each point; its label where there is room, with a line when it is far.

    A label for which there is no room is left out: the dot's tip still tells it.
    """
    left, top = 5.5 * FONT_PT, 2.6 * FONT_PT
    right, bottom = width - FONT_PT, height - 3.6 * FONT_PT
    across = axis_for([p.x for p in points], left, right, with_zero=False)
    up = axis_for([p.y for p in points], bottom, top, with_zero=False)
    shapes = _axes(across, up, x_title, y_title)
    shapes.insert(0, Box(x=0, y=0, width=width, height=height, colour=BACK))
    shapes.append(Label(x=4, y=FONT_PT + 4, text=title, size=FONT_PT + 1, is_bold=True))
    places = [(across.at(p.x), up.at(p.y)) for p in points]
    field = Area(left, top - 4, right + FONT_PT, bottom + 4)
    labels = placed_labels([p.label for p in points], places, field)
    for (x, y), label, area in zip(places, (p.label for p in points), labels, strict=True):
        if area is not None:
            shapes += _label(label, area, x, y)
    for (x, y), p in zip(places, points, strict=True):
        tip = f"{p.label}: {p.x:.3f}, {p.y:.3f}"
        shapes.append(Dot(x=x, y=y, radius=_RADIUS, colour=series(0), tip=tip))
    return Picture(width=width, height=height, title=title, shapes=tuple(shapes))


def placed_labels(
    labels: Sequence[str], places: Sequence[tuple[float, float]], field: Area
) -> list[Area | None]:
    """Returns where each label can stand without touching a dot or another label, or None.

    Points with the fewest neighbours choose last: those in a crowd need the choice.
    """
    dots = [Area(x - _RADIUS, y - _RADIUS, x + _RADIUS, y + _RADIUS) for x, y in places]
    found: list[Area | None] = [None] * len(labels)
    taken: list[Area] = []
    for idx in sorted(range(len(labels)), key=lambda idx: -_crowd(places, idx)):
        for area in _candidates(labels[idx], places[idx]):
            is_inside = (
                field.left <= area.left
                and area.right <= field.right
                and field.top <= area.top
                and area.bottom <= field.bottom
            )
            if is_inside and not any(map(area.overlaps, (*dots, *taken))):
                found[idx] = area
                taken.append(area)
                break
    return found


def _crowd(places: Sequence[tuple[float, float]], idx: int) -> float:
    x, y = places[idx]
    return sum(1.0 / (25.0 + (x - u) ** 2 + (y - v) ** 2) for u, v in places)


def _candidates(label: str, place: tuple[float, float]) -> list[Area]:
    x, y = place
    width, height = text_width(label, _LABEL_PT), _LABEL_PT * 1.1
    areas = []
    for ring in _RINGS:
        for dx, dy in _DIRECTIONS:
            left = x + dx * ring - (width if dx < 0 else width / 2 if dx == 0 else 0)
            top = y + dy * ring - (height if dy < 0 else height / 2 if dy == 0 else 0)
            areas.append(Area(left, top, left + width, top + height))
    return areas


def _label(text: str, area: Area, x: float, y: float) -> list[Shape]:
    shapes: list[Shape] = []
    near_x = min(max(x, area.left), area.right)
    near_y = min(max(y, area.top), area.bottom)
    if abs(near_x - x) + abs(near_y - y) > 2 * _RADIUS:
        shapes.append(Line(x1=x, y1=y, x2=near_x, y2=near_y, colour=MUTED, width=0.4))
    shapes.append(Label(x=area.left, y=area.bottom - _LABEL_PT * 0.25, text=text, size=_LABEL_PT))
    return shapes


def _axes(across: Axis, up: Axis, x_title: str, y_title: str) -> list[Shape]:
    small = FONT_PT - 1
    shapes: list[Shape] = []
    for value, text in across.ticks():
        x = across.at(value)
        shapes.append(Line(x1=x, y1=up.end, x2=x, y2=up.start, colour=LINE, width=0.5))
        shapes.append(
            Label(
                x=x, y=up.start + FONT_PT + 2, text=text, anchor="middle", colour=MUTED, size=small
            )
        )
    for value, text in up.ticks():
        y = up.at(value)
        shapes.append(Line(x1=across.start, y1=y, x2=across.end, y2=y, colour=LINE, width=0.5))
        shapes.append(
            Label(x=across.start - 4, y=y + 3, text=text, anchor="end", colour=MUTED, size=small)
        )
    middle_x, middle_y = (across.start + across.end) / 2, (up.start + up.end) / 2
    shapes.append(
        Label(x=middle_x, y=up.start + 2.6 * FONT_PT, text=x_title, anchor="middle", size=small)
    )
    shapes.append(
        Label(x=FONT_PT + 2, y=middle_y, text=y_title, anchor="middle", size=small, turn=90.0)
    )
    return shapes
