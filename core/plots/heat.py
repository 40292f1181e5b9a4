"""A heat map: the fuller a cell, the darker; the number always stands in it."""

from collections.abc import Sequence

from awase.core.plots.picture import (
    BACK,
    FONT_PT,
    MUTED,
    Box,
    Label,
    Picture,
    Shape,
    shade,
    shortened,
    text_width,
)

_ROW = 15.0
_CELL = 40.0
_MOST_LABEL = 150.0
_DARK = 0.55
"""Shade from which the number is drawn in the background's colour."""


def heat(
    rows: Sequence[tuple[str, Sequence[float | None]]],
    columns: Sequence[str],
    *,
    title: str,
    undefined: str,
) -> Picture:
    """Returns cells of values in 0..1.

    Args:
        rows: Label and a value for each column, None = undefined.
        columns: Titles.
        title: Of the picture.
        undefined: Written where there is no value.
    """
    left = min(max((text_width(label) for label, _ in rows), default=0.0), _MOST_LABEL) + 10
    top = 4.4 * FONT_PT
    width, height = left + _CELL * len(columns) + 6, top + _ROW * len(rows) + 6
    shapes: list[Shape] = [
        Box(x=0, y=0, width=width, height=height, colour=BACK),
        Label(x=4, y=FONT_PT + 4, text=title, size=FONT_PT + 1, is_bold=True),
    ]
    for at, column in enumerate(columns):
        text = shortened(column, _CELL - 2, FONT_PT - 1.5)
        x = left + (at + 0.5) * _CELL
        shapes.append(Label(x=x, y=top - 5, text=text, anchor="middle", size=FONT_PT - 1.5))
    for row_idx, (label, values) in enumerate(rows):
        y = top + row_idx * _ROW
        shapes.append(
            Label(x=left - 4, y=y + _ROW - 4, text=shortened(label, left - 8), anchor="end")
        )
        for at, value in enumerate(values):
            shapes += _cell(left + at * _CELL, y, value, f"{label}, {columns[at]}", undefined)
    return Picture(width=width, height=height, title=title, shapes=tuple(shapes))


def _cell(x: float, y: float, value: float | None, name: str, undefined: str) -> list[Shape]:
    middle, base = x + _CELL / 2, y + _ROW - 4
    if value is None:
        return [Label(x=middle, y=base, text=undefined, anchor="middle", colour=MUTED)]
    colour = BACK if value >= _DARK else "ink"
    text = f"{value:.2f}"
    box = Box(
        x=x, y=y, width=_CELL - 1, height=_ROW - 1, colour=shade(value), tip=f"{name}: {text}"
    )
    return [
        box,
        Label(x=middle, y=base, text=text, anchor="middle", colour=colour, size=FONT_PT - 1),
    ]
