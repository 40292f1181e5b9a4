"""A value with its interval on a scale, and what it is to be compared with."""

from collections.abc import Callable, Iterator, Sequence
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
    """Yields a tick for each mark; a name that would run into the one before it is left out."""
    free_from = 0.0
    for mark in sorted(marks, key=lambda one: one.value):
        at, half = x(mark.value), text_width(mark.label) / 2
        yield Box(x=at - 1, y=_AXIS_Y - 9, width=2, height=14, colour=INK, tip=mark.tip)
        if at - half >= free_from:
            yield Label(x=at, y=_AXIS_Y - 13, text=mark.label, anchor="middle", colour=MUTED)
            free_from = at + half + 4
