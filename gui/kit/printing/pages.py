"""Where a long document is cut into pages: between lines of text, and between rows of tables."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument

_HIGHEST_ROW: Final = 0.8
"""Of a page: a row that is higher is cut between its lines."""

Span = tuple[float, float]
"""Top and bottom, from the top of the document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """What of a document is on a page.

    Attributes:
        top: Where it begins.
        bottom: Where it ends.
        head: The titles of the table that goes on here, to be repeated; None = none does.
    """

    top: float
    bottom: float
    head: Span | None = None


@dataclass(frozen=True, slots=True)
class _Row:
    """Of a table; a line of text is one of no table."""

    table: int
    """Where the table begins in the text; -1 = it is none."""
    number: int
    is_head: bool


@dataclass(frozen=True, slots=True)
class _Piece:
    """What is not cut."""

    row: _Row
    span: Span


def strips(document: QTextDocument, height: float) -> list[Strip]:
    """Returns the pages of a document that is laid out as one; none is higher than `height`.

    Qt's own pages end within rows whose cells have several lines.
    """
    made: list[Strip] = []
    begin = cut = Strip(top=0.0, bottom=0.0)
    for cut_after in _cuts(document, height):
        head = begin.head or (0.0, 0.0)
        if cut_after.top - begin.top + head[1] - head[0] > height and cut.top > begin.top:
            made.append(Strip(top=begin.top, bottom=cut.top, head=begin.head))
            begin = cut
        cut = cut_after
    return [*made, Strip(top=begin.top, bottom=cut.top, head=begin.head)]


def _cuts(document: QTextDocument, height: float) -> Iterator[Strip]:
    """Yields where a page may begin, with what is repeated there; the last one is the end."""
    before, head = 0.0, None
    for piece, after in pairwise(_pieces(document, height)):
        # What stands between two pieces, such as the edges of cells, is shared.
        top = (piece.span[1] + after.span[0]) / 2
        if piece.row.is_head:
            head = (before, top)
        elif after.row.table != piece.row.table or after.row.table < 0:
            head = None
        before = top
        if not piece.row.is_head:  # titles stay with their first row
            yield Strip(top=top, bottom=top, head=head)
    end = document.size().height()
    yield Strip(top=end, bottom=end)


def _pieces(document: QTextDocument, height: float) -> Iterator[_Piece]:
    for row, of_row in groupby(_lines(document), key=lambda line: line.row):
        lines = sorted(line.span for line in of_row)
        whole = (lines[0][0], max(bottom for _, bottom in lines))
        if row.table >= 0 and whole[1] - whole[0] <= _HIGHEST_ROW * height:
            yield _Piece(row, whole)
            continue
        top, bottom = lines[0]
        for line in lines:  # of cells side by side, which need not have their lines in common
            if line[0] >= bottom:
                yield _Piece(row, (top, bottom))
                top = line[0]
            bottom = max(bottom, line[1])
        yield _Piece(row, (top, bottom))


def _lines(document: QTextDocument) -> Iterator[_Piece]:
    layout, block = document.documentLayout(), document.begin()
    while block.isValid():
        row = _row_of(block)
        # Qt has an empty one behind a table, within its last row.
        if block.text() or row.table >= 0:
            top = layout.blockBoundingRect(block).top()
            for number in range(block.layout().lineCount()):
                line = block.layout().lineAt(number).rect()
                yield _Piece(row, (top + line.top(), top + line.bottom()))
        block = block.next()


def _row_of(block: QTextBlock) -> _Row:
    table = QTextCursor(block).currentTable()
    if not table:  # Qt says None, which its types do not
        return _Row(-1, -1, False)
    number = table.cellAt(block.position()).row()
    return _Row(table.firstPosition(), number, number < table.format().headerRowCount())
