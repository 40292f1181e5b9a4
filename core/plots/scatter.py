"""Two values of every system against each other, with labels that keep out of each other's way."""

from collections.abc import Sequence
from dataclasses import dataclass

from awase.core.plots.axis import ROOM_ACROSS, Axis, axis_for
from awase.core.plots.labels import RADIUS, Area, Placed, placed_labels
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
    number_label,
    series,
    shortened,
)

_LABEL_PT = FONT_PT - 1.5
_LEAST_WIDTH, _LEAST_HEIGHT = 220.0, 130.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A system with its two values, both finite."""

    label: str
    x: float
    y: float


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

    Args:
        points: In the order in which they are drawn; each stands for (label,).
        title: Of the picture.
        x_title: What lies from left to right.
        y_title: What lies from bottom to top.
        width: In points; it takes 220 in any case.
        height: In points; it takes 130 in any case.
    """
    width, height = max(width, _LEAST_WIDTH), max(height, _LEAST_HEIGHT)
    left, top = 5.5 * FONT_PT, 2.6 * FONT_PT
    right, bottom = width - 1.5 * FONT_PT, height - 3.6 * FONT_PT
    across = axis_for([p.x for p in points], left, right, with_zero=False, room=ROOM_ACROSS)
    up = axis_for([p.y for p in points], bottom, top, with_zero=False)
    shapes = _axes(across, up, x_title, y_title)
    shapes.insert(0, Box(x=0, y=0, width=width, height=height, colour=BACK))
    heading = shortened(title, width - 8, FONT_PT + 1)
    shapes.append(Label(x=4, y=FONT_PT + 4, text=heading, size=FONT_PT + 1, is_bold=True))
    places = [(across.at(p.x), up.at(p.y)) for p in points]
    field = Area(left, top - 4, right + FONT_PT, bottom + 4)
    found = placed_labels([p.label for p in points], places, field, _LABEL_PT)
    labelled = [(p.label, one) for p, one in zip(points, found, strict=True) if one is not None]
    shapes += [_ground(one.area) for _, one in labelled]  # below all lines that lead to a label
    for label, placed in labelled:
        shapes += _label(label, placed)
    for (x, y), p in zip(places, points, strict=True):
        tip = f"{p.label}: {number_label(p.x)}, {number_label(p.y)}"
        key = (p.label,)
        shapes.append(Dot(x=x, y=y, radius=RADIUS, colour=series(0), tip=tip, key=key))
    return Picture(width=width, height=height, title=title, shapes=tuple(shapes))


def _ground(area: Area) -> Box:
    """Returns what keeps the lines of the grid out of a label."""
    return Box(
        x=area.left,
        y=area.top,
        width=area.right - area.left,
        height=area.bottom - area.top,
        colour=BACK,
    )


def _label(text: str, placed: Placed) -> list[Shape]:
    shapes: list[Shape] = []
    if placed.leader is not None:
        x1, y1, x2, y2 = placed.leader
        shapes.append(Line(x1=x1, y1=y1, x2=x2, y2=y2, colour=MUTED, width=0.4))
    area = placed.area
    y = area.bottom - _LABEL_PT * 0.3
    shapes.append(Label(x=area.left, y=y, text=text, size=_LABEL_PT))
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
    across_title = shortened(x_title, across.end - across.start, small)
    up_title = shortened(y_title, up.start - up.end, small)
    middle_x, middle_y = (across.start + across.end) / 2, (up.start + up.end) / 2
    shapes.append(
        Label(
            x=middle_x, y=up.start + 2.6 * FONT_PT, text=across_title, anchor="middle", size=small
        )
    )
    shapes.append(
        Label(x=FONT_PT + 2, y=middle_y, text=up_title, anchor="middle", size=small, turn=90.0)
    )
    return shapes
