"""Tables as TSV, CSV, HTML, Markdown and LaTeX; and every score as tidy CSV."""

import re
from dataclasses import replace
from html import escape

from awase.core.metrics.significance import ScoreArrays
from awase.core.reports.grid import (
    BETTER,
    PROVISIONAL,
    UNDEFINED,
    WORSE,
    Cell,
    Column,
    Grid,
    csv_text,
    rows_of_grid,
    spread_text,
)
from awase.core.reports.score_report import tidy_rows
from awase.core.text.script import as_cells, to_cell

_MARKDOWN = re.compile(r"[\\|*_`<>#\[\]]")

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
        "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
        "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
        UNDEFINED: "---", "–": "--", BETTER: r"$\blacktriangle$", WORSE: r"$\blacktriangledown$",
        "≤": r"$\leq$",
    }
)  # fmt: skip


def numbers_apart(report: Grid) -> Grid:
    """Returns the report with marks and intervals in columns of their own."""
    # A number with a mark is a text to a spreadsheet.
    marks = [[cell.full_text()[len(cell.text) :].strip() for cell in row] for row in report.rows]
    marked = {at for row in marks for at, text in enumerate(row) if text}
    columns, rows = list[Column](), [list[Cell]() for _ in report.rows]
    for at, column in enumerate(report.columns):
        columns.append(column)
        if at in marked:
            columns.append(replace(column, title=f"{column.title} {PROVISIONAL}"))
        for row, texts, cells in zip(rows, marks, report.rows, strict=True):
            cell = cells[at]
            row.append(Cell(text=cell.text, is_best=cell.is_best) if texts[at] else cell)
            if at in marked:
                row.append(Cell(text=texts[at]))
    return replace(report, columns=tuple(columns), rows=tuple(map(tuple, rows)))


def as_tsv(report: Grid) -> str:
    """Returns the report as people see it, for pasting, the notes below as comments."""
    rows = [report.headings, *(tuple(cell.full_text() for cell in row) for row in report.rows)]
    return as_cells(rows) + "".join(f"# {note}\n" for note in report.notes)


def as_html(report: Grid) -> str:
    """Returns the report as an HTML table with notes, for word processors and spreadsheets."""
    # Formulas are escaped.
    head = "".join(f"<th>{escape(to_cell(text))}</th>" for text in report.headings)
    body = "".join(
        "<tr>"
        + "".join(_html_cell(cell, at < report.n_names) for at, cell in enumerate(row))
        + "</tr>\n"
        for row in report.rows
    )
    notes = "".join(f"<p><small>{escape(note)}</small></p>\n" for note in report.notes)
    return (
        f'<meta charset="utf-8">\n<table>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}</tbody>\n</table>\n{notes}"
    )


def _html_cell(cell: Cell, is_name: bool) -> str:
    text = escape(to_cell(cell.full_text()))
    if is_name:
        return f"<td>{text}</td>"
    return f'<td align="right">{f"<b>{text}</b>" if cell.is_best else text}</td>'


def as_wide_csv(report: Grid, *, for_spreadsheet: bool = False) -> str:
    """Returns the report's numbers as CSV, unrounded, with columns for intervals and ranges.

    For a spreadsheet with a byte order mark and escaped formulas.
    """
    return csv_text(rows_of_grid(report, has_spreads=True), for_spreadsheet=for_spreadsheet)


def as_tidy_csv(made: ScoreArrays, *, for_spreadsheet: bool = False) -> str:
    """Returns a row a score as CSV, unrounded, with columns for statistics, if any.

    For a spreadsheet with a byte order mark and escaped formulas.
    """
    return csv_text(tidy_rows(made.table.scores, made), for_spreadsheet=for_spreadsheet)


def as_markdown(report: Grid) -> str:
    """Returns the report as a Markdown table with the notes below, numbers to the right."""
    names = report.n_names
    rule = ["---" if at < names else "---:" for at in range(len(report.headings))]
    rows = [[*map(_markdown_text, report.headings)], rule]
    rows += [[_markdown_cell(cell) for cell in row] for row in report.rows]
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    notes = "".join(f"\n`{note.replace('`', chr(39))}`\n" for note in report.notes)
    return table + notes


def _markdown_cell(cell: Cell) -> str:
    text = _markdown_text(cell.full_text())
    return f"**{text}**" if cell.is_best else text


def _markdown_text(text: str) -> str:
    """Escapes Markdown and table syntax."""
    return _MARKDOWN.sub(r"\\\g<0>", " ".join(text.split()))


def as_latex(report: Grid) -> str:
    """Returns the report as a LaTeX table with notes; needs booktabs and, for marks, amssymb."""
    columns = "l" * report.n_names + "r" * (len(report.headings) - report.n_names)
    n_columns = len(report.headings)
    lines = [
        "% \\usepackage{booktabs,amssymb}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _latex_row([text.translate(_LATEX) for text in report.headings]),
        r"\midrule",
        *(_latex_row([_latex_cell(cell) for cell in row]) for row in report.rows),
        r"\bottomrule",
        *(
            rf"\multicolumn{{{n_columns}}}{{l}}{{\footnotesize {note.translate(_LATEX)}}} \\"
            for note in report.notes
        ),
        r"\end{tabular}",
    ]
    return "".join(f"{line}\n" for line in lines)


def _latex_cell(cell: Cell) -> str:
    text = cell.text.translate(_LATEX)
    if cell.is_best:
        text = rf"\textbf{{{text}}}"
    if cell.is_provisional:
        text += rf"\rlap{{{PROVISIONAL}}}"
    if cell.spread is not None:
        text += f" {spread_text(cell.spread)}".translate(_LATEX)
    if cell.interval is not None:
        text += f" [{cell.interval[0]:.4f}, {cell.interval[1]:.4f}]"
    if cell.n_topics is not None:
        text += f" ({cell.n_topics})"
    if cell.direction:
        text += " " + (BETTER if cell.direction > 0 else WORSE).translate(_LATEX)
    return text


def _latex_row(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"
