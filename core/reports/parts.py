"""Pieces of HTML: tables, headings, folds."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from html import escape

from awase.core.reports.grid import UNDEFINED, Cell
from awase.core.reports.numbers import decimal_text, typeset


def words(text: str, tip: str = "") -> Cell:
    """Returns a cell of text."""
    return Cell(text=text, tip=tip, is_number=False)


def share_cell(value: Fraction | None) -> Cell:
    """Returns a cell of a value in 0..1 with its shade."""
    if value is None:
        return Cell(text=UNDEFINED)
    return Cell(text=decimal_text(value, 2), tip=str(value), shade=float(value))


def table(titles: Sequence[str], rows: Iterable[Sequence[Cell]], *, name: str) -> str:
    """Returns a table; `name` is its id on the page."""
    head = "".join(f'<th scope="col">{escape(title)}</th>' for title in titles)
    body = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return (
        f'<div class="wide"><table id="{escape(name, quote=True)}"><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>\n"
    )


def _cell(cell: Cell) -> str:
    attributes = ""
    if cell.is_number:
        attributes += ' class="number"'
    if cell.shade is not None:
        attributes += f' style="--share:{min(1.0, max(0.0, cell.shade)):.3f}" data-shade=""'
    if cell.tip:
        attributes += f' title="{escape(cell.tip, quote=True)}"'
    if cell.key:
        attributes += f' data-key="{escape(cell.key, quote=True)}"'
    return f"<td{attributes}>{escape(typeset(cell.text) if cell.is_number else cell.text)}</td>"


def heading(text: str, level: int = 2) -> str:
    """Returns a heading."""
    return f"<h{level}>{escape(text)}</h{level}>\n"


def paragraph(text: str, style: str = "") -> str:
    """Returns a paragraph; `style` is a class of the page's style sheet."""
    return f'<p class="{style}">{escape(text)}</p>\n' if style else f"<p>{escape(text)}</p>\n"


def bullets(texts: Iterable[str], style: str = "") -> str:
    """Returns a list."""
    items = "".join(f"<li>{escape(text)}</li>" for text in texts)
    return f'<ul class="{style}">{items}</ul>\n'


def fold(summary: str, content: str) -> str:
    """Returns content that is shown on demand; a printed page shows it all."""
    return f"<details><summary>{escape(summary)}</summary>\n{content}</details>\n"


def figure(picture: Iterable[str]) -> Iterator[str]:
    """Yields the pieces of an SVG picture in its place."""
    yield "<figure>"
    yield from picture
    yield "</figure>\n"


STYLE = """
:root { color-scheme: light; --accent: 31, 95, 139; }
body { font: 15px/1.5 "Noto Sans", "Noto Sans CJK JP", "Hiragino Sans", "Yu Gothic", sans-serif;
  color: #1f2328; background: #fff; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin-bottom: .2rem; } h2 { margin-top: 2.4rem; }
.muted { color: #5c636b; } .code { font: .82rem/1.5 monospace; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid #d9d9d3; text-align: left;
  vertical-align: top; }
th { background: #f5f5f2; font-weight: 600; } th:first-child { white-space: nowrap; }
td.number { text-align: right; white-space: nowrap; }
td[data-shade] { background: linear-gradient(to right, rgba(var(--accent), .28)
  calc(var(--share) * 100%), rgba(var(--accent), .05) calc(var(--share) * 100%)); }
figure { margin: 1rem 0; overflow-x: auto; } figure svg { max-width: 100%; height: auto; }
details { border: 1px solid #d9d9d3; border-radius: .3rem; margin: .4rem 0; padding: .3rem .8rem; }
summary { cursor: pointer; font-weight: 600; }
@media print { details > * { display: block; } body { margin: 0; max-width: none; } }
"""
