"""Vector pictures: shapes with colours named by role, so that any palette fits.

Lengths are in points (1/72 inch) from the top left corner. Text widths are estimated from DejaVu
Sans, the widest of usual fonts, so that a picture is the same everywhere and nothing overlaps.

One of them: two dependency trees side by side, a word a row, with links between them.
"""

import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from types import MappingProxyType
from typing import Final, Literal

INK: Final = "ink"
MUTED: Final = "muted"
LINE: Final = "line"
BACK: Final = "back"
N_SERIES: Final = 7
FONT_PT: Final = 9.0

Anchor = Literal["start", "middle", "end"]


Key = tuple[str, ...]  # what a shape represents, such as a system and a topic; empty = nothing


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
    """A filled rectangle; `tip` is its tooltip."""

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
    """A line of text; `y` is its baseline, `turn` its anticlockwise rotation in degrees."""

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
    """Shapes in the order in which they are drawn."""

    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...]  # the first one is the lowest


def number_label(value: float, decimals: int = 3) -> str:
    """Formats a number for plots: all decimals, a true minus, never `-0.0`.

    >>> number_label(-0.25), number_label(1, 1), number_label(-0.0001)
    ('−0.250', '1.0', '0.000')
    """
    return f"{value:z.{decimals}f}".replace("-", "−")


def text_width(text: str, size: float = FONT_PT) -> float:
    """Returns an upper bound of a text's width in points, in usual upright sans fonts."""
    return size * sum(map(_em, text))


# Width of Latin characters in ems; .64 for those not listed.
_EMS: Final = {
    **dict.fromkeys("ijlI|'", 0.30),
    **dict.fromkeys('.,:;!/\\ ftr[]()-`"', 0.47),
    **dict.fromkeys("mMW@%w+<>=~", 0.99),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ&#", 0.79),
}


def _em(char: str) -> float:
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WFA":
        return 1.0
    return _EMS.get(char, 0.64)


def shortened_name(name: str, width: float, size: float = FONT_PT) -> str:
    """Elides a name in the middle, as versions differ at the end.

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


FONTS: Final = "Noto Sans, Noto Sans CJK JP, IPAexGothic, Helvetica, Arial, sans-serif"
# Colours on white paper; those of the series after Okabe and Ito (2008).
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


def colour_of(role: str, colours: Mapping[str, str]) -> str:
    """Returns the `#rrggbb` of a role; shades lie between `back` and `shade`.

    Text on a shade is black or white, by contrast (WCAG 2.1): at least 4.5 on any colour.
    """
    if role.startswith("on-"):
        below = luminance(colour_of(role.removeprefix("on-"), colours))
        return "#000000" if (below + 0.05) ** 2 >= 0.05 * 1.05 else "#ffffff"
    if not role.startswith("shade-"):
        return colours[role]
    part = 0.06 + 0.94 * int(role.removeprefix("shade-")) / 100
    low, high = _channels(colours["back"]), _channels(colours["shade"])
    mixed = (round(a + (b - a) * part) for a, b in zip(low, high, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def luminance(colour: str) -> float:
    """Returns the relative luminance of `#rrggbb`, 0 to 1 (WCAG 2.1)."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in _channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def svg(
    picture: Picture, *, scale: float = 1.0, outline: Callable[[Label], str] | None = None
) -> str:
    """Returns the picture as an SVG element, stand-alone or within HTML.

    `outline` converts a label to a path, so that no font is needed; None = text stays text.
    """
    return "".join(svg_pieces(picture, scale=scale, outline=outline))


def svg_pieces(
    picture: Picture, *, scale: float = 1.0, outline: Callable[[Label], str] | None = None
) -> Iterator[str]:
    """Yields `svg` line by line: some plots have hundreds of thousands of shapes."""
    width, height = _number(picture.width), _number(picture.height)
    wide, high = _number(picture.width * scale), _number(picture.height * scale)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{wide}pt" height="{high}pt" role="img" font-family="{FONTS}">\n'
    )
    yield f"<title>{escape(picture.title)}</title>\n"
    for shape in picture.shapes:
        yield f"{_element(shape, outline)}\n"
    yield "</svg>\n"


def _element(shape: Shape, outline: Callable[[Label], str] | None) -> str:
    colour = colour_of(shape.colour, PRINT_COLOURS)
    if isinstance(shape, Line):
        ends = _attributes(x1=shape.x1, y1=shape.y1, x2=shape.x2, y2=shape.y2)
        return f'<line {ends} stroke="{colour}" stroke-width="{_number(shape.width)}"/>'
    if isinstance(shape, Box):
        place = _attributes(x=shape.x, y=shape.y, width=shape.width, height=shape.height)
        return _with_tip(f'<rect {place} fill="{colour}"', "rect", shape.tip)
    if isinstance(shape, Dot):
        place = _attributes(cx=shape.x, cy=shape.y, r=shape.radius)
        edge = f'stroke="{PRINT_COLOURS["back"]}" stroke-width="0.6"'
        return _with_tip(f'<circle {place} fill="{colour}" {edge}', "circle", shape.tip)
    return _text(shape, colour) if outline is None else _letters(shape, colour, outline(shape))


def _letters(label: Label, colour: str, path: str) -> str:
    return f'<path d="{path}" fill="{colour}"{_turned(label)} aria-label="{escape(label.text)}"/>'


def _turned(label: Label) -> str:
    if not label.turn:
        return ""
    return f' transform="rotate(-{_number(label.turn)} {place_of(label)})"'


def _text(label: Label, colour: str) -> str:
    place = _attributes(x=label.x, y=label.y)
    weight = ' font-weight="bold"' if label.is_bold else ""
    return (
        f'<text {place} fill="{colour}" font-size="{_number(label.size)}" '
        f'text-anchor="{label.anchor}"{weight}{_turned(label)}>{escape(label.text)}</text>'
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


_ROW: Final = FONT_PT * 1.7
_HEADING: Final = FONT_PT + 1
_MARGIN: Final = 8.0
_STEP: Final = 12.0
_GAP: Final = 5.0
_LEAST_BETWEEN: Final = 40.0
_MOST_MORE: Final = 80.0
_LONGEST_WORD: Final = 110.0
_BAND: Final = 0.16
_LINKED: Final = series(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnTree:
    """A tree and what is marked in it."""

    title: str
    words: tuple[str, ...]
    heads: tuple[int, ...]  # (n_words,) number of each word's head, from 1; 0 = it is the root
    # Positions of highlighted words, from 0; the others fade if there are any.
    marked: Collection[int] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeLink:
    """A line from a word of the left tree to one of the right tree."""

    left: int  # place of the one, from 0
    right: int
    weight: float  # 0 to 1: how strong the line is


@dataclass(frozen=True, slots=True)
class _Side:
    """Where a tree is drawn: from its outer edge inwards."""

    tree: DrawnTree
    edge: float
    inwards: int

    def depths(self) -> list[int]:
        """Returns each word's depth."""
        depths = []
        for head in self.tree.heads:
            depth = 0
            while head:
                depth, head = depth + 1, self.tree.heads[head - 1]
            depths.append(depth)
        return depths

    def breadth(self) -> float:
        """Returns the tree's width from its edge."""
        return max(
            depth * _STEP + min(text_width(word), _LONGEST_WORD)
            for word, depth in zip(self.tree.words, self.depths(), strict=True)
        )


def tree_pair(
    left: DrawnTree, right: DrawnTree, links: Sequence[TreeLink], title: str, width: float
) -> Picture:
    """Returns two trees: words top to bottom, roots at the outer edges, at least `width` wide."""
    sides = [_Side(left, _MARGIN, 1), _Side(right, 0.0, -1)]
    of_title = max(min(text_width(side.tree.title, _HEADING), _LONGEST_WORD) for side in sides)
    needed = max(
        2 * _MARGIN + sum(side.breadth() for side in sides) + _LEAST_BETWEEN,
        2 * of_title + 5 * _MARGIN,
    )
    sides[1] = _Side(right, min(max(width, needed), needed + _MOST_MORE) - _MARGIN, -1)
    n_rows = max(len(left.words), len(right.words))
    shapes: list[Shape] = []
    for link in links:
        shapes += _link(link, sides)
    for side in sides:
        shapes += _edges(side)
        shapes += _backs(side)
        shapes += _words(side, sides[1].edge)
    return Picture(
        width=sides[1].edge + _MARGIN,
        height=_y(n_rows) + _MARGIN,
        title=title,
        shapes=tuple(shapes),
    )


def _y(row: float) -> float:
    """Returns the middle of a row; the titles' is -1."""
    return _MARGIN + (row + 1.5) * _ROW


def _ends(side: _Side) -> list[tuple[float, float]]:
    """Returns each word's outer and inner x."""
    return [
        (
            side.edge + side.inwards * depth * _STEP,
            side.edge + side.inwards * (depth * _STEP + min(text_width(word), _LONGEST_WORD)),
        )
        for word, depth in zip(side.tree.words, side.depths(), strict=True)
    ]


def _backs(side: _Side) -> list[Shape]:
    """Returns backgrounds of words: a band where marked, which also masks lines."""
    # Elbows of words that attach across pass through the column.
    return [
        Box(
            x=min(ends) - _GAP / 2,
            y=_y(row) - _ROW / 2,
            width=abs(ends[1] - ends[0]) + _GAP,
            height=_ROW,
            colour=shade(_BAND) if row in side.tree.marked else BACK,
        )
        for row, ends in enumerate(_ends(side))
    ]


def _link(link: TreeLink, sides: Sequence[_Side]) -> list[Shape]:
    """Returns a link's line: slanting between the trees, along the words' rows elsewhere."""
    rows = (link.left, link.right)
    from_word = [
        (_ends(side)[row][1] + side.inwards * _GAP, _y(row))
        for side, row in zip(sides, rows, strict=True)
    ]
    between = [
        (side.edge + side.inwards * (side.breadth() + _GAP), _y(row))
        for side, row in zip(sides, rows, strict=True)
    ]
    points = (from_word[0], *between, from_word[1])
    return [
        Line(x1=x1, y1=y1, x2=x2, y2=y2, colour=_LINKED, width=0.3 + 1.7 * link.weight)
        for (x1, y1), (x2, y2) in pairwise(points)
    ]


def _edges(side: _Side) -> list[Shape]:
    """Returns an elbow from each word to its head: below the head, then inwards."""
    ends, marked = _ends(side), side.tree.marked
    shapes: list[Shape] = []
    below = [(row, head) for row, head in enumerate(side.tree.heads) if head]
    for row, head in sorted(below, key=lambda edge: {edge[0], edge[1] - 1} <= {*marked}):
        is_marked = row in marked and head - 1 in marked
        colour, thickness = (_LINKED, 1.5) if is_marked else (MUTED, 0.75)
        along = ends[head - 1][0] + side.inwards * _STEP / 3
        begin = _y(head - 1) + (_ROW / 2 if head - 1 < row else -_ROW / 2)
        end = ends[row][0] - side.inwards * _GAP / 2
        shapes += [
            Line(x1=along, y1=begin, x2=along, y2=_y(row), colour=colour, width=thickness),
            Line(x1=along, y1=_y(row), x2=end, y2=_y(row), colour=colour, width=thickness),
        ]
    return shapes


def _words(side: _Side, width: float) -> list[Shape]:
    anchor: Anchor = "start" if side.inwards > 0 else "end"
    marked = side.tree.marked
    heading = shortened(side.tree.title, width / 2 - 2 * _MARGIN, _HEADING)
    baseline = FONT_PT * 0.35
    return [
        Label(
            x=side.edge,
            y=_y(-1) + baseline,
            text=heading,
            anchor=anchor,
            size=_HEADING,
            is_bold=True,
        ),
        *(
            Label(
                x=ends[0],
                y=_y(row) + baseline,
                text=shortened(word, _LONGEST_WORD),
                anchor=anchor,
                colour=INK if not marked or row in marked else MUTED,
                is_bold=bool(marked) and row in marked,
            )
            for row, (word, ends) in enumerate(zip(side.tree.words, _ends(side), strict=True))
        ),
    ]
