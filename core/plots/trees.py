"""Two dependency trees side by side, a word a row, with links between them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from awase.core.plots.picture import (
    BACK,
    FONT_PT,
    INK,
    MUTED,
    Anchor,
    Box,
    Label,
    Line,
    Picture,
    Shape,
    series,
    shade,
    shortened,
    text_width,
)

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
