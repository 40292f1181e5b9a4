"""Bars, scatter plots and heat maps as plain shapes."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from awase.core.plots.axis import RADIUS, ROOM_ACROSS, Area, Axis, Placed, axis_for, placed_labels
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
    on_shade,
    series,
    shade,
    shortened,
    shortened_name,
    text_width,
)

_ROW, _MOST_ROW = 20.0, 60.0
_GAP = 8.0
# Heights of the title above the rows, and of the axis below them.
_TOP, _BELOW = 2.4 * FONT_PT, 3.2 * FONT_PT
_MOST_LABEL = 130.0
_VALUE_ROOM = 34.0
_LEAST_WIDTH = 240.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A bar with its interval."""

    label: str
    value: float | None  # finite; None is shown as undefined
    low: float | None = None  # lower end of the interval; None = no interval
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

    `width` is at least 240 points; `height` grows to a line a row, and is not used up by few rows.
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

    `width` is at least 240 points; `height` grows to a line a row, and is not used up by few rows.
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
            # Equal values would overlap: neighbours are displaced, always alike.
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
        shapes = [_title(self.title, self.width), *_ticks_across(axis, self.top, bottom)]
        middle = (axis.start + axis.end) / 2
        y = bottom + 2.4 * FONT_PT + 2
        named = shortened(axis_title, axis.end - axis.start, FONT_PT - 1)
        shapes.append(Label(x=middle, y=y, text=named, anchor="middle", size=FONT_PT - 1))
        return shapes

    def picture(self, shapes: list[Shape], n_rows: int) -> Picture:
        height = self.top + n_rows * self.row + _BELOW
        back = Box(x=0, y=0, width=self.width, height=height, colour=BACK)
        return Picture(width=self.width, height=height, title=self.title, shapes=(back, *shapes))


def _title(title: str, width: float) -> Label:
    """Returns the title of a picture this wide."""
    shown = shortened(title, width - 8, FONT_PT + 1)
    return Label(x=4, y=FONT_PT + 4, text=shown, size=FONT_PT + 1, is_bold=True)


def _ticks_across(axis: Axis, top: float, bottom: float) -> Iterator[Shape]:
    """Yields the grid lines of a horizontal axis, and their numbers below."""
    for value, text in axis.ticks():
        x, y = axis.at(value), bottom + FONT_PT + 2
        yield Line(x1=x, y1=top, x2=x, y2=bottom, colour=LINE, width=0.5)
        yield Label(x=x, y=y, text=text, anchor="middle", colour=MUTED, size=FONT_PT - 1)


def _frame(labels: Sequence[str], title: str, width: float, height: float) -> _Frame:
    widest = max((text_width(label) for label in labels), default=0.0)
    width = max(width, _LEAST_WIDTH)
    left = min(widest, _MOST_LABEL, width * 0.4) + 1.5 * _GAP
    row = min(_MOST_ROW, max(_ROW, (height - _TOP - _BELOW) / max(1, len(labels))))
    return _Frame(left=left, top=_TOP, row=row, width=width, title=title)


def _whisker(low: float, high: float, y: float) -> list[Shape]:
    """Returns an interval with an outline: ink alone is hard to tell from a bar below it."""
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


_LABEL_PT = FONT_PT - 1.5
_SCATTER_LEAST_WIDTH, _LEAST_HEIGHT = 220.0, 130.0


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
    """Returns a dot for each point, labels where there is room, with a leader line when far.

    Points, in drawing order, represent (label,). At least 220 by 130 points.
    """
    width, height = max(width, _SCATTER_LEAST_WIDTH), max(height, _LEAST_HEIGHT)
    left, top = 5.5 * FONT_PT, 2.6 * FONT_PT
    right, bottom = width - 1.5 * FONT_PT, height - 3.6 * FONT_PT
    across = axis_for([p.x for p in points], left, right, with_zero=False, room=ROOM_ACROSS)
    up = axis_for([p.y for p in points], bottom, top, with_zero=False)
    shapes = _axes(across, up, x_title, y_title)
    shapes.insert(0, Box(x=0, y=0, width=width, height=height, colour=BACK))
    shapes.append(_title(title, width))
    places = [(across.at(p.x), up.at(p.y)) for p in points]
    field = Area(left, top - 4, right + FONT_PT, bottom + 4)
    found = placed_labels([p.label for p in points], places, field, _LABEL_PT)
    labelled = [(p.label, one) for p, one in zip(points, found, strict=True) if one is not None]
    shapes += [  # masks of grid lines, below all lines that lead to a label
        Box(
            x=one.area.left,
            y=one.area.top,
            width=one.area.right - one.area.left,
            height=one.area.bottom - one.area.top,
            colour=BACK,
        )
        for _, one in labelled
    ]
    for label, placed in labelled:
        shapes += _label(label, placed)
    for (x, y), p in zip(places, points, strict=True):
        tip = f"{p.label}: {number_label(p.x)}, {number_label(p.y)}"
        key = (p.label,)
        shapes.append(Dot(x=x, y=y, radius=RADIUS, colour=series(0), tip=tip, key=key))
    return Picture(width=width, height=height, title=title, shapes=tuple(shapes))


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
    shapes = [*_ticks_across(across, up.end, up.start)]
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


_HEAT_ROW = 15.0
_CELL = 34.0
_SMALL = FONT_PT - 1
_HEAT_MOST_LABEL = 110.0
_MOST_HEADING = 80.0
_HEAT_GAP = 4.0
_STEPS = 20
_LEGEND = 100.0
_MOST_TITLE = 330.0
_LEAST_CELL = 2.0
# Maximal sizes of cells: numbers that are far apart compare badly.
_MOST_CELL, _HEAT_MOST_ROW = 3 * _CELL, 3 * _HEAT_ROW


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatScale:
    """Which values are lightest and darkest; values beyond are drawn as these."""

    low: float = 0.0
    high: float = 1.0

    def share(self, value: float) -> float:
        """Returns the darkness of a value, 0 to 1; 0.5 if all values are equal."""
        if self.high <= self.low:
            return 0.5
        return min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))


def heat(
    rows: Sequence[tuple[str, Sequence[float | None]]],
    columns: Sequence[str],
    *,
    title: str,
    undefined: str,
    scale: HeatScale | None = None,
    number: Callable[[float], str] = number_label,
    width: float = 0.0,
    height: float = 0.0,
) -> Picture:
    """Returns a heat map; a cell represents (row, column), a value of None = undefined.

    Colours vary in lightness alone, so that their order survives colour blindness and grey prints;
    the lightest and darkest are of 0 and 1 without a `scale`. Titles are upright where one is wider
    than a cell. Too many columns are drawn narrower, without numbers and with fewer titles; few are
    drawn larger. `width` 0 = as much as the numbers take; `height` grows to a line a row.
    """
    scale = scale or HeatScale()
    left = min(max((text_width(label) for label, _ in rows), default=0.0), _HEAT_MOST_LABEL) + 10
    widest = max((text_width(column, _SMALL) for column in columns), default=0.0)
    least = _least_with_numbers(scale, number)
    cell = _cell_width(width - left - 6, len(columns), least) if width > 0 and columns else least
    is_turned = widest > cell - 2
    heading = min(widest, _MOST_HEADING) if is_turned else FONT_PT
    top = 4.2 * FONT_PT + heading
    title_width = min(text_width(title, FONT_PT + 1) + 9, _MOST_TITLE)
    width = max(left + cell * len(columns) + 6, left + _LEGEND + 60, title_width)
    row_height = min(_HEAT_MOST_ROW, max(_HEAT_ROW, (height - top - 6) / max(1, len(rows))))
    height = top + row_height * len(rows) + 6
    shapes: list[Shape] = [
        Box(x=0, y=0, width=width, height=height, colour=BACK),
        _title(title, width),
        *_legend(left, 1.9 * FONT_PT, scale, number),
    ]
    step = 1 if cell > _SMALL + 1 else math.ceil((_SMALL + 1) / cell)
    for at, column in [*enumerate(columns)][::step]:
        shapes.append(_heading(column, left + (at + 0.5) * cell, top - 3, is_turned=is_turned))
    apart = cell - (1 if cell > _SMALL else 0)  # from the next cell
    for row_idx, (label, values) in enumerate(rows):
        y = top + row_idx * row_height
        text = shortened_name(label, left - 8)
        base = _base(y, row_height)
        shapes.append(Label(x=left - _HEAT_GAP, y=base, text=text, anchor="end"))
        for at, value in enumerate(values):
            x, key = left + at * cell, (label, columns[at])
            share = None if value is None else scale.share(value)
            written = undefined if value is None else number(value)
            shapes.append(
                Box(
                    x=x, y=y, width=apart, height=row_height - 1,
                    colour=BACK if share is None else shade(share),
                    tip=f"{', '.join(key)}: {written}", key=key,
                )
            )  # fmt: skip
            if cell >= least:
                shapes.append(_number(written, share, x + cell / 2, base))
    return Picture(width=width, height=height, title=title, shapes=tuple(shapes))


def _least_with_numbers(scale: HeatScale, number: Callable[[float], str]) -> float:
    """Returns the least width of a cell with a number, all decimals included."""
    widest = max(text_width(number(end), _SMALL) for end in (scale.low, scale.high))
    return max(_CELL, widest + 2)


def _cell_width(room: float, n_columns: int, least: float) -> float:
    """Returns the width of a cell; numbers are drawn from width `least` on."""
    share = room / n_columns
    if share < least:
        return max(_LEAST_CELL, share)
    return min(_MOST_CELL, share)


def _base(y: float, row_height: float) -> float:
    return y + row_height / 2 + 3.5


def _heading(text: str, middle: float, bottom: float, *, is_turned: bool) -> Label:
    if is_turned:
        shown = shortened_name(text, _MOST_HEADING, _SMALL)
        return Label(x=middle + _SMALL * 0.35, y=bottom, text=shown, size=_SMALL, turn=90.0)
    return Label(x=middle, y=bottom, text=text, anchor="middle", size=_SMALL)


def _legend(
    left: float, top: float, scale: HeatScale, number: Callable[[float], str]
) -> list[Shape]:
    """Returns the colour legend with lowest and highest value."""
    low, high = number(scale.low), number(scale.high)
    start = left + text_width(low, _SMALL) + _HEAT_GAP
    base, step = top + _SMALL, _LEGEND / _STEPS
    shapes: list[Shape] = [Label(x=left, y=base, text=low, colour=MUTED, size=_SMALL)]
    for at in range(_STEPS):
        colour = shade(at / (_STEPS - 1))
        shapes.append(
            Box(x=start + at * step, y=top + 1, width=step + 0.2, height=_SMALL - 1, colour=colour)
        )
    x = start + _LEGEND + _HEAT_GAP
    shapes.append(Label(x=x, y=base, text=high, colour=MUTED, size=_SMALL))
    return shapes


def _number(written: str, share: float | None, middle: float, base: float) -> Label:
    """Returns the text of a cell filled to `share`; None = no value."""
    if share is None:
        return Label(x=middle, y=base, text=written, anchor="middle", colour=MUTED)
    colour = on_shade(share)
    return Label(x=middle, y=base, text=written, anchor="middle", colour=colour, size=_SMALL)
