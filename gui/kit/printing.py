"""Printing of pages as text and vectors, and its preview."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import groupby, pairwise
from math import ceil
from pathlib import Path
from typing import Final

from PySide6.QtCore import QAbstractItemModel, QMarginsF, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFont,
    QFontMetricsF,
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPainter,
    QPalette,
    QPdfWriter,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextTable,
)
from PySide6.QtWidgets import QTableView, QTextBrowser, QToolBar, QToolButton, QWidget

from awase.core.errors import batches
from awase.core.plots.picture import PRINT_COLOURS, Picture, colour_of, shade
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.look.theme import Theme, icon
from awase.gui.kit.number_explanation import GridRole
from awase.gui.kit.picture_canvas import draw
from awase.gui.kit.picture_view import PictureView
from awase.jobs.files.writing import Target, whole_file

FONT_PT: Final = 9
MARGIN_MM: Final = 15.0
TEXT_WIDTH_PT: Final = (210 - 2 * MARGIN_MM) / 25.4 * 72  # A4 upright, narrower than other paper
_EDGES_PT: Final = 12.0  # padding beside a cell's text
_WIDEST_WORD: Final = 0.3  # share of the page: a line may end within a longer one
_MEASURED_PX: Final = 100
_DARK: Final = 0.55  # from this share on a shade is so dark that text on it is white


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintContent:
    """Printable content."""

    title: str
    html: str
    pictures: tuple[Picture, ...] = ()


def content_of(page: QWidget, title: str) -> PrintContent:
    """Returns what a page shows: its `print_html`, or else its tables and texts.

    Below are its `print_notes`, if it has any: lines such as signatures and the meaning of marks.
    """
    print_html, print_notes = getattr(page, "print_html", None), getattr(page, "print_notes", tuple)
    body = "".join(_views(page)) if print_html is None else print_html()
    below = "".join(f"<p><small>{escape(note)}</small></p>\n" for note in print_notes())
    return PrintContent(
        title=title,
        html=f"<h2>{escape(title)}</h2>\n{body}{below}",
        pictures=tuple(_pictures(page)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _PrintCell:
    text: str
    is_number: bool = False
    is_bold: bool = False
    shade: float | None = None

    def html(self, lines: Sequence[str], percent: float) -> str:
        words = "<br/>".join(map(escape, lines))
        style = f' width="{percent:.1f}%" align="{"right" if self.is_number else "left"}"'
        if self.is_number:
            style += ' style="white-space: nowrap"'
        if self.is_bold:
            words = f"<b>{words}</b>"
        if self.shade is not None:
            style += f' bgcolor="{colour_of(shade(self.shade), PRINT_COLOURS)}"'
            if self.shade >= _DARK:
                words = f'<font color="#ffffff">{words}</font>'
        return f"<td{style}>{words}</td>"


class _Ruler:
    """Measures texts in points, as they are printed."""

    def __init__(self) -> None:
        font = QFont()
        font.setBold(True)
        font.setPixelSize(_MEASURED_PX)
        self._metrics = QFontMetricsF(font)

    def needs(self, title: str, cells: Sequence[_PrintCell]) -> tuple[float, float]:
        """Returns how wide a column must be to cut no number and no word, and to break no line."""
        words = [*title.split()]
        for one in cells:
            words += [one.text] if one.is_number else one.text.split()
        least = max(map(self._width, words), default=0.0)
        wanted = max(map(self._width, (title, *(one.text for one in cells))))
        return min(least, _WIDEST_WORD * TEXT_WIDTH_PT) + _EDGES_PT, wanted + _EDGES_PT

    def lines(self, title: str, width: float) -> list[str]:
        """Returns the words of a title in lines; Qt would break them at hyphens, too."""
        lines: list[str] = []
        for word in title.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self._width(longer) <= width - _EDGES_PT:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def _width(self, text: str) -> float:
        return self._metrics.horizontalAdvance(text) * FONT_PT / _MEASURED_PX


def _table(titles: Sequence[str], rows: Sequence[Sequence[_PrintCell]]) -> str:
    """Returns a table; where a page is too narrow, in parts that all have its first column."""
    ruler = _Ruler()
    columns = [*zip(*rows, strict=True)]
    needs = [ruler.needs(*one) for one in zip(titles, columns, strict=True)]
    parts = []
    for part in _parts([least for least, _ in needs]):
        widths = _widths([needs[at] for at in part])
        percents = [100 * width / sum(widths) for width in widths]
        head = "".join(
            _PrintCell(
                text=titles[at], is_bold=True, is_number=any(one.is_number for one in columns[at])
            ).html(ruler.lines(titles[at], width), percent)
            for at, width, percent in zip(part, widths, percents, strict=True)
        )
        body = "".join(
            "<tr>"
            + "".join(
                row[at].html(row[at].text.splitlines(), percent)
                for at, percent in zip(part, percents, strict=True)
            )
            + "</tr>\n"
            for row in rows
        )
        top = f"<thead><tr>{head}</tr></thead>\n" if any(titles) else ""
        parts.append(
            '<table border="1" cellspacing="0" cellpadding="3" width="100%">\n'
            f"{top}<tbody>\n{body}</tbody>\n</table>\n"
        )
    return "".join(parts)


def _parts(least: Sequence[float]) -> list[list[int]]:
    """Returns the columns of each part, about as many in each."""
    room, others = TEXT_WIDTH_PT - least[0], range(1, len(least))
    for n_parts in range(1, len(least)):
        parts = [*batches(others, ceil(len(others) / n_parts))]
        if all(sum(least[at] for at in part) <= room for part in parts):
            return [[0, *part] for part in parts]
    return [[0, at] for at in others] or [[0]]


def _widths(needs: Sequence[tuple[float, float]]) -> list[float]:
    """Returns the widths of columns: what each must have, and most of the rest to long texts."""
    spare = max(0.0, TEXT_WIDTH_PT - sum(least for least, _ in needs))
    shares = [1.1 * wanted - least for least, wanted in needs]
    return [
        least + spare * share / sum(shares) for (least, _), share in zip(needs, shares, strict=True)
    ]


def _view_table(view: QTableView) -> str:
    """Returns the table as shown: texts, bold ones, and shades, where the model has them."""
    model, columns = view.model(), _columns(view)
    has_row_titles = view.verticalHeader().isVisibleTo(view)
    has_shades = isinstance(view, GridView)
    titles = [""] if has_row_titles else []
    titles += [_title(model, column, Qt.Orientation.Horizontal) for column in columns]
    rows = []
    for row in range(model.rowCount()):
        cells = [_cell(model, row, column, has_shades=has_shades) for column in columns]
        if has_row_titles:
            name = _title(model, row, Qt.Orientation.Vertical)
            cells.insert(0, _PrintCell(text=name, is_bold=True))
        rows.append(cells)
    return _table(titles, rows)


def _text_html(document: QTextDocument) -> str:
    """Returns paragraphs and tables, without colours: they are of the window, not of paper."""
    parts = []
    block, before = document.begin(), -1
    while block.isValid():
        table = QTextCursor(block).currentTable()
        begin = table.firstPosition() if table else -1  # Qt returns None, against its types
        if begin < 0 and block.text():
            parts.append(f"<p>{escape(block.text())}</p>\n")
        elif begin != before and begin >= 0:
            rows = [*map(partial(_row_texts, table), range(table.rows()))]
            parts.append(_table([""] * table.columns(), rows))
        block, before = block.next(), begin
    return "".join(parts)


def _row_texts(table: QTextTable, row: int) -> list[_PrintCell]:
    cells = []
    for column in range(table.columns()):
        cell = table.cellAt(row, column)
        cursor = cell.firstCursorPosition()
        cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
        cells.append(_PrintCell(text=cursor.selection().toPlainText().replace("\xa0", " ").strip()))
    return cells


def _views(page: QWidget) -> Iterator[str]:
    tables, texts = page.findChildren(QTableView), page.findChildren(QTextBrowser)
    views = [view for view in (*tables, *texts) if view.isVisibleTo(page)]
    for view in sorted(views, key=lambda view: _place(view, page)):
        if isinstance(view, QTableView):
            if view.model() is not None and view.model().rowCount():
                yield _view_table(view)
        elif isinstance(view, QTextBrowser):
            yield _text_html(view.document())


def _columns(view: QTableView) -> list[int]:
    if isinstance(view, GridView):
        return [at for at, column in enumerate(view.grid.columns) if column.is_shown]
    return [*range(view.model().columnCount())]


def _pictures(page: QWidget) -> Iterator[Picture]:
    views = [view for view in page.findChildren(PictureView) if view.isVisibleTo(page)]
    for view in sorted(views, key=lambda view: _place(view, page)):
        picture = view.picture()
        if picture is not None:
            yield picture


def _place(view: QWidget, page: QWidget) -> tuple[int, int]:
    at = view.mapTo(page, QPoint(0, 0))
    return at.y(), at.x()


def _title(model: QAbstractItemModel, section: int, orientation: Qt.Orientation) -> str:
    return " ".join(str(model.headerData(section, orientation) or "").split())


def _cell(model: QAbstractItemModel, row: int, column: int, *, has_shades: bool) -> _PrintCell:
    index = model.index(row, column)
    text, font = index.data(), index.data(Qt.ItemDataRole.FontRole)
    alignment = index.data(Qt.ItemDataRole.TextAlignmentRole)
    share = index.data(GridRole.SHADE) if has_shades else None
    return _PrintCell(
        text="" if text is None else str(text),
        is_number=alignment is not None and bool(int(alignment) & int(Qt.AlignmentFlag.AlignRight)),
        is_bold=isinstance(font, QFont) and font.bold(),
        shade=share if isinstance(share, float) else None,
    )


_HIGHEST_ROW: Final = 0.8  # of a page: a row that is higher is cut between its lines

Span = tuple[float, float]  # top and bottom, from the top of the document


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintStrip:
    """A page's strip of a document."""

    top: float
    bottom: float
    # The repeated header of a continued table; None = none.
    head: Span | None = None


@dataclass(frozen=True, slots=True)
class _Row:
    """Of a table; a line of text is one of no table."""

    table: int  # where the table begins in the text; -1 = it is none
    number: int
    is_head: bool


@dataclass(frozen=True, slots=True)
class _Piece:
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
        # Space between two pieces, such as cell borders, is shared.
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
    if not table:  # Qt returns None, against its types
        return _Row(-1, -1, False)
    number = table.cellAt(block.position()).row()
    return _Row(table.firstPosition(), number, number < table.format().headerRowCount())


_POINTS_PER_INCH: Final = 72.0
_FOOT: Final = 0.035  # share of the page's height for its number


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


_ICON: Final = 1.4  # side of an icon, in heights of a line, as in the rail
# In the order of Qt's actions, most of which have no name but one in the window's language.
_ICONS: Final = (
    "fit-width", "fit-page", "zoom-out", "zoom-in", "portrait", "landscape", "first", "previous",
    "next", "last", "single", "facing", "overview", "setup", "print",
)  # fmt: skip


def give_icons(dialog: QWidget, theme: Theme) -> None:
    bars = dialog.findChildren(QToolBar)
    actions = [one for bar in bars for one in bar.actions() if not one.icon().isNull()]
    if len(actions) == len(_ICONS):  # or Qt has others than it had, with icons of its own
        for action, name in zip(actions, _ICONS, strict=True):
            action.setIcon(icon(f"pages/{name}", theme))
    wanted = round(dialog.fontMetrics().height() * _ICON)
    for bar in bars:
        side = max(wanted, bar.iconSize().height())
        bar.setIconSize(QSize(side, side))
        for button in bar.findChildren(QToolButton):
            button.setIconSize(bar.iconSize())  # what holds two of them does not follow the bar
