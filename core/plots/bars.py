"""Bars with intervals, and the values topic by topic."""

from collections.abc import Sequence
from dataclasses import dataclass

from awase.core.plots.axis import ROOM_ACROSS, Axis, axis_for
from awase.core.plots.picture import (
    BACK,
    FONT_PT,
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
    shortened,
    shortened_name,
    text_width,
)

_ROW, _MOST_ROW = 20.0, 60.0
_GAP = 8.0
_TOP, _BELOW = 2.4 * FONT_PT, 3.2 * FONT_PT
"""Heights of the title above the rows, and of the axis below them."""
_MOST_LABEL = 130.0
_VALUE_ROOM = 34.0
_LEAST_WIDTH = 240.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar with its interval.

    Attributes:
        label: Usually a system.
        value: Finite; None is shown as undefined.
        low: Lower end of the interval; None = no interval.
        high: Upper end.
        mark: Shown behind the label, such as a sign of significance.
    """

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    mark: str = ""


def bars(
    rows: Sequence[Bar],
    *,
    title: str,
    axis_title: str,
    undefined: str,
    width: float = 420.0,
    height: float = 0.0,
) -> Picture:
    """Returns horizontal bars from 0, in the order given.

    Args:
        rows: One bar each.
        title: Of the picture.
        axis_title: What the values are.
        undefined: Written where there is no value.
        width: Of the picture, in points; it takes 240 in any case.
        height: What there is, in points; it takes a line a row in any case, and not all of much.
    """
    frame = _frame([row.label + row.mark for row in rows], title, width, height)
    ends = [v for row in rows for v in (row.value, row.low, row.high) if v is not None]
    axis = axis_for(ends, frame.left, frame.width - _VALUE_ROOM, with_zero=True, room=ROOM_ACROSS)
    shapes = frame.shapes(axis, axis_title, len(rows))
    for idx, row in enumerate(rows):
        middle = frame.middle(idx)
        shapes.append(frame.label(idx, row.label + row.mark))
        if row.value is None:
            shapes.append(Label(x=frame.left + 4, y=middle + 3, text=undefined, colour=MUTED))
            continue
        zero, end = axis.at(0.0), axis.at(row.value)
        shapes.append(
            Box(
                x=min(zero, end), y=middle - frame.row * 0.32, width=abs(end - zero),
                height=frame.row * 0.64, colour=series(0), tip=_tip(row, row.value),
                key=(row.label,),
            )
        )  # fmt: skip
        right = end
        if row.low is not None and row.high is not None:
            shapes += _whisker(axis.at(row.low), axis.at(row.high), middle)
            right = max(end, axis.at(row.high))
        shapes.append(
            Label(x=right + 4, y=middle + 3, text=number_label(row.value), size=FONT_PT - 1)
        )
    return frame.picture(shapes, len(rows))


def dots(
    rows: Sequence[tuple[str, Sequence[tuple[str, float]]]],
    *,
    title: str,
    axis_title: str,
    width: float = 420.0,
    height: float = 0.0,
) -> Picture:
    """Returns a dot for each topic in a row for each system; a stroke is the mean.

    Args:
        rows: Label, then (topic, value).
        title: Of the picture.
        axis_title: What the values are.
        width: Of the picture, in points; it takes 240 in any case.
        height: What there is, in points; it takes a line a row in any case, and not all of much.
    """
    frame = _frame([label for label, _ in rows], title, width, height)
    values = [value for _, points in rows for _, value in points]
    axis = axis_for(
        values, frame.left, frame.width - _VALUE_ROOM, with_zero=False, room=ROOM_ACROSS
    )
    shapes = frame.shapes(axis, axis_title, len(rows))
    for idx, (label, points) in enumerate(rows):
        middle = frame.middle(idx)
        shapes.append(frame.label(idx, label))
        for at, (topic, value) in enumerate(points):
            # Equal values would hide each other: neighbours stand a little apart, always the same.
            y = middle + ((at * 7) % 11 - 5) / 5 * frame.row * 0.22
            tip = f"{label}, {topic}: {number_label(value)}"
            key = (label, topic)
            x = axis.at(value)
            shapes.append(Dot(x=x, y=y, radius=2.2, colour=series(0), tip=tip, key=key))
        if points:
            mean = sum(value for _, value in points) / len(points)
            x = axis.at(mean)
            shapes.append(
                Line(
                    x1=x, y1=middle - frame.row * 0.4, x2=x, y2=middle + frame.row * 0.4, width=1.5
                )
            )
    return frame.picture(shapes, len(rows))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    left: float
    top: float
    row: float
    width: float
    title: str

    def middle(self, idx: int) -> float:
        return self.top + (idx + 0.5) * self.row

    def label(self, idx: int, text: str) -> Label:
        shown = shortened_name(text, self.left - _GAP)
        return Label(x=self.left - _GAP / 2, y=self.middle(idx) + 3, text=shown, anchor="end")

    def shapes(self, axis: Axis, axis_title: str, n_rows: int) -> list[Shape]:
        bottom = self.top + n_rows * self.row
        heading = shortened(self.title, self.width - _GAP, FONT_PT + 1)
        shapes: list[Shape] = [
            Label(x=_GAP / 2, y=FONT_PT + 4, text=heading, size=FONT_PT + 1, is_bold=True)
        ]
        for value, text in axis.ticks():
            x = axis.at(value)
            shapes.append(Line(x1=x, y1=self.top, x2=x, y2=bottom, colour=LINE, width=0.5))
            shapes.append(
                Label(
                    x=x, y=bottom + FONT_PT + 2, text=text, anchor="middle", colour=MUTED,
                    size=FONT_PT - 1,
                )
            )  # fmt: skip
        middle = (axis.start + axis.end) / 2
        y = bottom + 2.4 * FONT_PT + 2
        named = shortened(axis_title, axis.end - axis.start, FONT_PT - 1)
        shapes.append(Label(x=middle, y=y, text=named, anchor="middle", size=FONT_PT - 1))
        return shapes

    def picture(self, shapes: list[Shape], n_rows: int) -> Picture:
        height = self.top + n_rows * self.row + _BELOW
        back = Box(x=0, y=0, width=self.width, height=height, colour=BACK)
        return Picture(width=self.width, height=height, title=self.title, shapes=(back, *shapes))


def _frame(labels: Sequence[str], title: str, width: float, height: float) -> _Frame:
    widest = max((text_width(label) for label in labels), default=0.0)
    width = max(width, _LEAST_WIDTH)
    left = min(widest, _MOST_LABEL, width * 0.4) + 1.5 * _GAP
    row = min(_MOST_ROW, max(_ROW, (height - _TOP - _BELOW) / max(1, len(labels))))
    return _Frame(left=left, top=_TOP, row=row, width=width, title=title)


def _whisker(low: float, high: float, y: float) -> list[Shape]:
    """Returns an interval with an edge: ink alone is hard to tell from a bar that it lies on."""
    ends = [(low, y, high, y), *((x, y - 3, x, y + 3) for x in (low, high))]
    return [
        Line(x1=x1, y1=y1, x2=x2, y2=y2, colour=colour, width=width)
        for colour, width in ((BACK, 2.6), (INK, 1.0))
        for x1, y1, x2, y2 in ends
    ]


def _tip(row: Bar, value: float) -> str:
    interval = ""
    if row.low is not None and row.high is not None:
        interval = f" [{number_label(row.low)}, {number_label(row.high)}]"
    return f"{row.label}: {number_label(value)}{interval}"
