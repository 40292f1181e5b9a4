"""A heat map: the higher a cell's value, the darker; its number stands in it while it fits."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from awase.core.plots.picture import (
    BACK,
    FONT_PT,
    MUTED,
    Box,
    Label,
    Picture,
    Shape,
    number_label,
    on_shade,
    shade,
    shortened,
    shortened_name,
    text_width,
)

_ROW = 15.0
_CELL = 34.0
_SMALL = FONT_PT - 1
_MOST_LABEL = 110.0
_MOST_HEADING = 80.0
_GAP = 4.0
_STEPS = 20
_LEGEND = 100.0
_MOST_TITLE = 330.0
_LEAST_CELL = 2.0
_MOST_CELL, _MOST_ROW = 3 * _CELL, 3 * _ROW
"""What a cell grows to where there is room: numbers that stand farther apart compare badly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatScale:
    """Which values are lightest and darkest; values beyond are drawn as these."""

    low: float = 0.0
    high: float = 1.0

    def share(self, value: float) -> float:
        """Returns how dark a value is, 0 to 1; half where all values are the same."""
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
    """Returns a cell for each row and column; what it stands for is (row, column).

    Colours differ in lightness alone, from the background to one hue, so that they keep their
    order for every kind of colour vision and in print without colours. More columns than there is
    room for are drawn narrower, without numbers and with as many titles as there is room for; few
    are drawn larger.

    Args:
        rows: Label and a value for each column, None = undefined.
        columns: Titles; they stand upright where one is wider than a cell.
        title: Of the picture.
        undefined: Written where there is no value.
        scale: Which values are lightest and darkest; None = 0 and 1.
        number: Writes a value.
        width: What there is, in points; 0 = as much as the numbers take.
        height: What there is, in points; it takes a line a row in any case.
    """
    scale = scale or HeatScale()
    left = min(max((text_width(label) for label, _ in rows), default=0.0), _MOST_LABEL) + 10
    widest = max((text_width(column, _SMALL) for column in columns), default=0.0)
    least = _least_with_numbers(scale, number)
    cell = _cell_width(width - left - 6, len(columns), least) if width > 0 and columns else least
    is_turned = widest > cell - 2
    heading = min(widest, _MOST_HEADING) if is_turned else FONT_PT
    top = 4.2 * FONT_PT + heading
    title_width = min(text_width(title, FONT_PT + 1) + 9, _MOST_TITLE)
    width = max(left + cell * len(columns) + 6, left + _LEGEND + 60, title_width)
    row_height = min(_MOST_ROW, max(_ROW, (height - top - 6) / max(1, len(rows))))
    height = top + row_height * len(rows) + 6
    shown = shortened(title, width - 8, FONT_PT + 1)
    shapes: list[Shape] = [
        Box(x=0, y=0, width=width, height=height, colour=BACK),
        Label(x=4, y=FONT_PT + 4, text=shown, size=FONT_PT + 1, is_bold=True),
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
        shapes.append(Label(x=left - _GAP, y=base, text=text, anchor="end"))
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
    """Returns how wide a cell with a number is at least: it has all decimals of tables, or none."""
    widest = max(text_width(number(end), _SMALL) for end in (scale.low, scale.high))
    return max(_CELL, widest + 2)


def _cell_width(room: float, n_columns: int, least: float) -> float:
    """Returns how wide a cell is; numbers stand in it where it is no narrower than `least`."""
    share = room / n_columns
    if share < least:
        return max(_LEAST_CELL, share)
    return min(_MOST_CELL, share)


def _base(y: float, row_height: float) -> float:
    """Returns where the letters of a row stand."""
    return y + row_height / 2 + 3.5


def _heading(text: str, middle: float, bottom: float, *, is_turned: bool) -> Label:
    if is_turned:
        shown = shortened_name(text, _MOST_HEADING, _SMALL)
        return Label(x=middle + _SMALL * 0.35, y=bottom, text=shown, size=_SMALL, turn=90.0)
    return Label(x=middle, y=bottom, text=text, anchor="middle", size=_SMALL)


def _legend(
    left: float, top: float, scale: HeatScale, number: Callable[[float], str]
) -> list[Shape]:
    """Returns the colours from the lowest to the highest value, with both numbers."""
    low, high = number(scale.low), number(scale.high)
    start = left + text_width(low, _SMALL) + _GAP
    base, step = top + _SMALL, _LEGEND / _STEPS
    shapes: list[Shape] = [Label(x=left, y=base, text=low, colour=MUTED, size=_SMALL)]
    for at in range(_STEPS):
        colour = shade(at / (_STEPS - 1))
        shapes.append(
            Box(x=start + at * step, y=top + 1, width=step + 0.2, height=_SMALL - 1, colour=colour)
        )
    x = start + _LEGEND + _GAP
    shapes.append(Label(x=x, y=base, text=high, colour=MUTED, size=_SMALL))
    return shapes


def _number(written: str, share: float | None, middle: float, base: float) -> Label:
    """Returns what is written in a cell that is full to `share`; None = it has no value."""
    if share is None:
        return Label(x=middle, y=base, text=written, anchor="middle", colour=MUTED)
    colour = on_shade(share)
    return Label(x=middle, y=base, text=written, anchor="middle", colour=colour, size=_SMALL)
