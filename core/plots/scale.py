"""A value with its interval on a scale, and what it is to be compared with."""

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
    """Something to compare with: a tick on the scale with its name.

    Attributes:
        label: Stands above the tick; it is left out where it would run into another.
        value: Where the tick is.
        tip: What is told at the tick itself.
    """

    label: str
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
    """Returns a value on a line from 0, or from the lowest thing on it, to 1.

    Args:
        value: At most 1; None = only the marks are drawn.
        interval: Its bounds.
        marks: What it is compared with.
        title: Of the picture.
        width: In points; it takes 160 in any case.
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
    """Yields a tick for each mark, and names; one that would run into another is left out.

    Marks of one name whose names would run into each other have it once, over all of them.
    """
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
    """Returns each name to be written, with the places of the first and last mark it is for."""
    found: list[tuple[str, float, float]] = []
    for label, at in names:
        if found and found[-1][0] == label:
            _, first, last = found[-1]
            if at - last < text_width(label) + _BETWEEN_NAMES:
                found[-1] = (label, first, at)
                continue
        found.append((label, at, at))
    return found
