"""Printable content of a page: tables and texts in reading order, then plots."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from math import ceil
from typing import Final, Protocol, runtime_checkable

from PySide6.QtCore import QAbstractItemModel, QPoint, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QTextCursor, QTextDocument, QTextTable
from PySide6.QtWidgets import QTableView, QTextBrowser, QWidget

from awase.core.plots.picture import PRINT_COLOURS, Picture, colour_of, shade
from awase.core.progress import batches
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.grid.roles import GridRole
from awase.gui.kit.pictures.view import PictureView

FONT_PT: Final = 9
MARGIN_MM: Final = 15.0
TEXT_WIDTH_PT: Final = (210 - 2 * MARGIN_MM) / 25.4 * 72  # A4 upright, narrower than other paper
_EDGES_PT: Final = 12.0  # what a cell has beside its text
_WIDEST_WORD: Final = 0.3  # share of the page: a line may end within a longer one
_MEASURED_PX: Final = 100
_DARK: Final = 0.55  # from this share on a shade is so dark that text on it is white


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintContent:
    """Printable content."""

    title: str
    html: str
    pictures: tuple[Picture, ...] = ()


@runtime_checkable
class PrintsItself(Protocol):
    """A page with its own printable HTML."""

    def print_html(self) -> str:
        """Returns HTML that replaces its tables and texts."""
        ...


@runtime_checkable
class HasNotes(Protocol):
    """A page with notes below its tables."""

    def print_notes(self) -> Sequence[str]:
        """Returns lines such as signatures and the meaning of marks."""
        ...


def content_of(page: QWidget, title: str) -> PrintContent:
    """Returns the visible content of `page`."""
    body = page.print_html() if isinstance(page, PrintsItself) else "".join(_views(page))
    notes = page.print_notes() if isinstance(page, HasNotes) else ()
    below = "".join(f"<p><small>{escape(note)}</small></p>\n" for note in notes)
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
        begin = table.firstPosition() if table else -1  # Qt says None, which its types do not
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
    """Returns the columns with content, hidden spare ones included."""
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
