"""Printable content of a page: tables and texts in reading order, then plots."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, Protocol, runtime_checkable

from PySide6.QtCore import QAbstractItemModel, QPoint, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QTableView, QTextBrowser, QWidget

from awase.core.plots.picture import PRINT_COLOURS, Picture, colour_of, shade
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.grid.roles import GridRole
from awase.gui.kit.pictures.view import PictureView

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


def table_html(
    model: QAbstractItemModel,
    columns: Sequence[int],
    *,
    has_row_titles: bool = False,
    has_shades: bool = False,
) -> str:
    """Returns the table as shown: texts, bold ones, and shades, where the model has them."""
    rows = range(model.rowCount())
    head = ["<th></th>"] if has_row_titles else []
    head += [f"<th>{_title(model, column, Qt.Orientation.Horizontal)}</th>" for column in columns]
    lines = []
    for row in rows:
        cells = [_cell(model, row, column, has_shades=has_shades) for column in columns]
        if has_row_titles:
            cells.insert(0, f"<th>{_title(model, row, Qt.Orientation.Vertical)}</th>")
        lines.append(f"<tr>{''.join(cells)}</tr>\n")
    return (
        '<table border="1" cellspacing="0" cellpadding="3" width="100%">\n'
        f"<thead><tr>{''.join(head)}</tr></thead>\n<tbody>\n{''.join(lines)}</tbody>\n</table>\n"
    )


def _views(page: QWidget) -> Iterator[str]:
    tables, texts = page.findChildren(QTableView), page.findChildren(QTextBrowser)
    views = [view for view in (*tables, *texts) if view.isVisibleTo(page)]
    for view in sorted(views, key=lambda view: _place(view, page)):
        if isinstance(view, QTableView):
            model = view.model()
            if model is not None and model.rowCount():
                yield table_html(
                    model,
                    _columns(view),
                    has_row_titles=view.verticalHeader().isVisibleTo(view),
                    has_shades=isinstance(view, GridView),
                )
        elif isinstance(view, QTextBrowser):
            # The text alone: its colours are those of the window's palette, not of paper.
            yield "".join(f"<p>{escape(line)}</p>\n" for line in view.toPlainText().splitlines())


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
    return escape(" ".join(str(model.headerData(section, orientation) or "").split()))


def _cell(model: QAbstractItemModel, row: int, column: int, *, has_shades: bool) -> str:
    index = model.index(row, column)
    text = index.data()
    words = escape("" if text is None else str(text))
    font = index.data(Qt.ItemDataRole.FontRole)
    if isinstance(font, QFont) and font.bold():
        words = f"<b>{words}</b>"
    alignment = index.data(Qt.ItemDataRole.TextAlignmentRole)
    is_right = alignment is not None and bool(int(alignment) & int(Qt.AlignmentFlag.AlignRight))
    style = ""
    share = index.data(GridRole.SHADE) if has_shades else None
    if isinstance(share, float):
        back = colour_of(shade(share), PRINT_COLOURS)
        style = f' bgcolor="{back}"'
        if share >= _DARK:
            words = f'<font color="#ffffff">{words}</font>'
    return f'<td align="{"right" if is_right else "left"}"{style}>{words}</td>'
