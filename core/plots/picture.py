"""A picture: shapes whose colours are named by what they mean, so that any palette fits.

Lengths are in points (1/72 inch) from the top left corner. Text widths are estimated without a
font, so that a picture is the same everywhere: those of DejaVu Sans, as good as the widest of the
fonts that screens and papers have, so that what stands free by this measure does so in print.
"""

import unicodedata
from dataclasses import dataclass
from typing import Final, Literal

INK: Final = "ink"
MUTED: Final = "muted"
LINE: Final = "line"
BACK: Final = "back"
N_SERIES: Final = 7
FONT_PT: Final = 9.0

Anchor = Literal["start", "middle", "end"]


Key = tuple[str, ...]
"""What a shape stands for, such as a system and a topic; empty = nothing."""


def series(idx: int) -> str:
    """Returns the colour of the system at `idx`; they repeat."""
    return f"series-{idx % N_SERIES}"


def shade(share: float) -> str:
    """Returns the colour of a cell that is full to `share`, 0..1, in steps of a hundredth."""
    return f"shade-{round(100 * min(1.0, max(0.0, share)))}"


def on_shade(share: float) -> str:
    """Returns the colour of text on a cell that is full to `share`: black or white, by contrast."""
    return f"on-{shade(share)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    colour: str = INK
    width: float = 0.75


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A filled rectangle; `tip` is told where the pointer rests on it."""

    x: float
    y: float
    width: float
    height: float
    colour: str
    tip: str = ""
    key: Key = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A filled circle with a thin edge in the background's colour."""

    x: float
    y: float
    radius: float
    colour: str
    tip: str = ""
    key: Key = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A line of text; `y` is its baseline, `turn` the degrees it is turned to the left."""

    x: float
    y: float
    text: str
    anchor: Anchor = "start"
    colour: str = INK
    size: float = FONT_PT
    is_bold: bool = False
    turn: float = 0.0


Shape = Line | Box | Dot | Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Shapes in the order in which they are drawn.

    Attributes:
        width: In points.
        height: In points.
        title: What it shows, also for those who cannot see it.
        shapes: The first one is the lowest.
    """

    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...]


def number_label(value: float, decimals: int = 3) -> str:
    """Returns a number as plots show it: all its decimals, a true minus, never `-0.0`.

    >>> number_label(-0.25), number_label(1, 1), number_label(-0.0001)
    ('−0.250', '1.0', '0.000')
    """
    return f"{value:z.{decimals}f}".replace("-", "−")


def text_width(text: str, size: float = FONT_PT) -> float:
    """Returns how wide a text is at most, in points, in the usual upright sans fonts."""
    return size * sum(map(_em, text))


_EMS: Final = {
    **dict.fromkeys("ijlI|'", 0.30),
    **dict.fromkeys('.,:;!/\\ ftr[]()-`"', 0.47),
    **dict.fromkeys("mMW@%w+<>=~", 0.99),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ&#", 0.79),
}
"""Width of Latin characters in ems; .64 for those not listed."""


def _em(char: str) -> float:
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WFA":
        return 1.0
    return _EMS.get(char, 0.64)


def shortened_name(name: str, width: float, size: float = FONT_PT) -> str:
    """Returns a name, its middle replaced by … where it is wider than `width`.

    Names of systems often differ at their ends alone, as versions do.

    >>> shortened_name("model-0001", 30.0), shortened_name("model", 30.0)
    ('m…01', 'model')
    """
    if text_width(name, size) <= width:
        return name
    head, tail = name[: len(name) // 2], name[len(name) // 2 :]
    while tail and text_width(f"{head}…{tail}", size) > width:
        if text_width(head) >= text_width(tail):
            head = head[:-1]
        else:
            tail = tail[1:]
    return f"{head}…{tail}"


def shortened(text: str, width: float, size: float = FONT_PT) -> str:
    """Returns the text, its end replaced by … where it is wider than `width`."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(text + "…", size) > width:
        text = text[:-1]
    return text + "…"
