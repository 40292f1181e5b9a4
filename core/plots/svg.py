"""A picture as SVG: text stays text, so it is crisp on paper and can be searched."""

from collections.abc import Mapping
from html import escape
from types import MappingProxyType
from typing import Final

from awase.core.plots.picture import Box, Dot, Label, Line, Picture, Shape

FONTS: Final = "Noto Sans, Noto Sans CJK JP, IPAexGothic, Helvetica, Arial, sans-serif"
PRINT_COLOURS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "ink": "#1f2328",
        "muted": "#5c636b",
        "line": "#d9d9d3",
        "back": "#ffffff",
        "shade": "#1f5f8b",
        **{
            f"series-{idx}": colour
            for idx, colour in enumerate(
                ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#a27400", "#3f8fc4", "#5b5b5b")
            )
        },
    }
)
"""Colours on white paper; those of the series after Okabe and Ito (2008)."""


def colour_of(role: str, colours: Mapping[str, str]) -> str:
    """Returns the `#rrggbb` of a role; shades lie between `back` and `shade`."""
    if not role.startswith("shade-"):
        return colours[role]
    part = 0.06 + 0.94 * int(role.removeprefix("shade-")) / 100
    low, high = _channels(colours["back"]), _channels(colours["shade"])
    mixed = (round(a + (b - a) * part) for a, b in zip(low, high, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def svg(picture: Picture, colours: Mapping[str, str] = PRINT_COLOURS) -> str:
    """Returns the picture as an SVG element that can stand alone or within HTML."""
    width, height = _number(picture.width), _number(picture.height)
    title = escape(picture.title)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}pt" height="{height}pt" role="img" font-family="{FONTS}">',
        f"<title>{title}</title>",
        *(_element(shape, colours) for shape in picture.shapes),
        "</svg>\n",
    ]
    return "\n".join(parts)


def _element(shape: Shape, colours: Mapping[str, str]) -> str:
    colour = colour_of(shape.colour, colours)
    if isinstance(shape, Line):
        ends = _attributes(x1=shape.x1, y1=shape.y1, x2=shape.x2, y2=shape.y2)
        return f'<line {ends} stroke="{colour}" stroke-width="{_number(shape.width)}"/>'
    if isinstance(shape, Box):
        place = _attributes(x=shape.x, y=shape.y, width=shape.width, height=shape.height)
        return _with_tip(f'<rect {place} fill="{colour}"', "rect", shape.tip)
    if isinstance(shape, Dot):
        place = _attributes(cx=shape.x, cy=shape.y, r=shape.radius)
        edge = f'stroke="{colours["back"]}" stroke-width="0.6"'
        return _with_tip(f'<circle {place} fill="{colour}" {edge}', "circle", shape.tip)
    return _text(shape, colour)


def _text(label: Label, colour: str) -> str:
    place = _attributes(x=label.x, y=label.y)
    turn = f' transform="rotate(-{_number(label.turn)} {place_of(label)})"' if label.turn else ""
    weight = ' font-weight="bold"' if label.is_bold else ""
    return (
        f'<text {place} fill="{colour}" font-size="{_number(label.size)}" '
        f'text-anchor="{label.anchor}"{weight}{turn}>{escape(label.text)}</text>'
    )


def place_of(label: Label) -> str:
    """Returns the point around which a label is turned."""
    return f"{_number(label.x)} {_number(label.y)}"


def _with_tip(opening: str, name: str, tip: str) -> str:
    return f"{opening}><title>{escape(tip)}</title></{name}>" if tip else f"{opening}/>"


def _attributes(**values: float) -> str:
    return " ".join(f'{name}="{_number(value)}"' for name, value in values.items())


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
