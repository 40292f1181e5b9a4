"""Puts a content on paper: text and plots stay text and lines, so that they are crisp."""

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
    QTextDocument,
)

from awase.core.plots.picture import PRINT_COLOURS
from awase.gui.kit.pictures.drawing import draw
from awase.gui.kit.printing.content import PrintContent
from awase.gui.kit.printing.pages import Span, strips
from awase.jobs.files.writing import Target, whole_file

_MARGIN_MM: Final = 15.0
_FONT_PT: Final = 9
_POINTS_PER_INCH: Final = 72.0
_FOOT: Final = 0.035
"""Share of the page's height that its number takes."""


def write_pdf(content: PrintContent, path: Path) -> int:
    """Writes A4 pages to a PDF file, which appears when it is whole; returns how many they are.

    Raises:
        InputError: A corpus is there.
        EnvironmentProblem: It cannot be written.
    """
    with whole_file(Target(path=path, replaces=True)) as partial:
        writer = QPdfWriter(str(partial))
        writer.setTitle(content.title)
        writer.setResolution(600)
        margins = QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
        size = QPageSize(QPageSize.PageSizeId.A4)
        layout = QPageLayout(
            size, QPageLayout.Orientation.Portrait, margins, QPageLayout.Unit.Millimeter
        )
        writer.setPageLayout(layout)
        n_pages = put_on(writer, content)
        del writer
    return n_pages


def put_on(device: QPagedPaintDevice, content: PrintContent) -> int:
    """Paints the content page by page and returns how many pages there are.

    Raises:
        OSError: The device cannot be painted on.
    """
    dpi = device.logicalDpiX()
    page = QRectF(device.pageLayout().paintRectPixels(dpi))
    width, height = page.width(), page.height() * (1 - _FOOT)
    document = QTextDocument()
    document.documentLayout().setPaintDevice(device)
    font = QFont()
    font.setPointSize(_FONT_PT)
    document.setDefaultFont(font)
    document.setDocumentMargin(0)
    # Paper is white, whatever the window's palette.
    document.setDefaultStyleSheet("body, p, li, td, th, h2, h4 { color: #000000; }")
    document.setHtml(f"<body>{content.html}</body>")
    document.setTextWidth(width)
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
    """Paints what is between top and bottom so far below the page's top; returns where it ends."""
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
