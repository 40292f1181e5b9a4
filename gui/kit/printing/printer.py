"""Printing to paged devices, as text and vectors."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from typing import Final

from PySide6.QtCore import QMarginsF, QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFont,
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPainter,
    QPalette,
    QPdfWriter,
    QTextBlock,
    QTextCursor,
    QTextDocument,
)

from awase.core.plots.picture import PRINT_COLOURS
from awase.gui.kit.pictures.drawing import draw
from awase.gui.kit.printing.content import FONT_PT, MARGIN_MM, PrintContent
from awase.jobs.files.writing import Target, whole_file

_HIGHEST_ROW: Final = 0.8  # of a page: a row that is higher is cut between its lines

Span = tuple[float, float]  # top and bottom, from the top of the document


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintStrip:
    """A page's strip of a document."""

    top: float
    bottom: float
    # The titles of the table that goes on here, to be repeated; None = none does.
    head: Span | None = None


@dataclass(frozen=True, slots=True)
class _Row:
    """Of a table; a line of text is one of no table."""

    table: int  # where the table begins in the text; -1 = it is none
    number: int
    is_head: bool


@dataclass(frozen=True, slots=True)
class _Piece:
    """An unbreakable piece."""

    row: _Row
    span: Span


def strips(document: QTextDocument, height: float) -> list[PrintStrip]:
    """Splits a document, laid out as one page, into strips of at most `height`."""
    # Qt's own pages break inside rows with cells of several lines.
    made: list[PrintStrip] = []
    begin = cut = PrintStrip(top=0.0, bottom=0.0)
    for cut_after in _cuts(document, height):
        head = begin.head or (0.0, 0.0)
        if cut_after.top - begin.top + head[1] - head[0] > height and cut.top > begin.top:
            made.append(PrintStrip(top=begin.top, bottom=cut.top, head=begin.head))
            begin = cut
        cut = cut_after
    return [*made, PrintStrip(top=begin.top, bottom=cut.top, head=begin.head)]


def _cuts(document: QTextDocument, height: float) -> Iterator[PrintStrip]:
    """Yields possible page breaks, with repeated headers; the last one is the end."""
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
            yield PrintStrip(top=top, bottom=top, head=head)
    end = document.size().height()
    yield PrintStrip(top=end, bottom=end)


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


_POINTS_PER_INCH: Final = 72.0
_FOOT: Final = 0.035  # share of the page's height that its number takes


def write_pdf(content: PrintContent, path: Path) -> int:
    """Writes an A4 PDF atomically; returns the number of pages."""
    with whole_file(Target(path=path, replaces=True)) as partial:
        writer = QPdfWriter(str(partial))
        writer.setTitle(content.title)
        writer.setResolution(600)
        margins = QMarginsF(MARGIN_MM, MARGIN_MM, MARGIN_MM, MARGIN_MM)
        size = QPageSize(QPageSize.PageSizeId.A4)
        layout = QPageLayout(
            size, QPageLayout.Orientation.Portrait, margins, QPageLayout.Unit.Millimeter
        )
        writer.setPageLayout(layout)
        n_pages = put_on(writer, content)
        del writer
    return n_pages


def laid_out(device: QPagedPaintDevice, content: PrintContent) -> QTextDocument:
    """Returns the texts and tables, as wide as the pages of the device."""
    document = QTextDocument()
    document.documentLayout().setPaintDevice(device)
    font = QFont()
    font.setPointSize(FONT_PT)
    document.setDefaultFont(font)
    document.setDocumentMargin(0)
    # Paper is white, whatever the window's palette.
    document.setDefaultStyleSheet("body, p, li, td, th, h2, h4 { color: #000000; }")
    document.setHtml(f"<body>{content.html}</body>")
    document.setTextWidth(device.pageLayout().paintRectPixels(device.logicalDpiX()).width())
    return document


def put_on(device: QPagedPaintDevice, content: PrintContent) -> int:
    """Paints the content page by page and returns their number; `OSError` on failure."""
    dpi = device.logicalDpiX()
    page = QRectF(device.pageLayout().paintRectPixels(dpi))
    width, height = page.width(), page.height() * (1 - _FOOT)
    document = laid_out(device, content)
    font = document.defaultFont()
    pages = strips(document, height)
    painter = QPainter()
    if not painter.begin(device):
        raise OSError(content.title)
    for number, strip in enumerate(pages):
        if number:
            device.newPage()
        below = 0.0
        if strip.head is not None:
            below = _put_strip(painter, document, strip.head, 0.0)
        _put_strip(painter, document, (strip.top, strip.bottom), below)
        _put_number(painter, page, number + 1, font)
    for number, picture in enumerate(content.pictures, start=len(pages) + 1):
        device.newPage()
        scale = min(width / picture.width, height / picture.height, 2 * dpi / _POINTS_PER_INCH)
        painter.save()
        painter.scale(scale, scale)
        draw(painter, picture, PRINT_COLOURS, QFont())
        painter.restore()
        _put_number(painter, page, number, font)
    painter.end()
    return len(pages) + len(content.pictures)


def _put_strip(painter: QPainter, document: QTextDocument, span: Span, at: float) -> float:
    """Paints a strip at an offset from the page's top; returns its bottom."""
    top, bottom = span
    painter.save()
    painter.translate(0, at - top)
    context = QAbstractTextDocumentLayout.PaintContext()
    context.clip = QRectF(0, top, document.textWidth(), bottom - top)
    context.palette.setColor(QPalette.ColorRole.Text, Qt.GlobalColor.black)
    painter.setClipRect(context.clip)
    document.documentLayout().draw(painter, context)
    painter.restore()
    return at + bottom - top


def _put_number(painter: QPainter, page: QRectF, number: int, font: QFont) -> None:
    painter.setFont(font)
    painter.setPen(Qt.GlobalColor.black)
    below = QRectF(0, page.height() * (1 - _FOOT), page.width(), page.height() * _FOOT)
    painter.drawText(below, Qt.AlignmentFlag.AlignCenter, str(number))
