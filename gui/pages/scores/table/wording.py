"""Texts of the table of scores."""

from dataclasses import replace
from fractions import Fraction
from itertools import chain
from textwrap import wrap
from typing import Final
from unicodedata import east_asian_width

from awase.core.metrics.registry import greatest_of
from awase.core.reports.grid import Cell
from awase.core.reports.numbers import typeset
from awase.core.reports.score_report import report_cell, spread_of
from awase.core.reports.score_views import ScoreCell, ScoreColumn
from awase.gui.kit.texts.i18n import ntr, tr
from awase.gui.session.metrics.drafts import metric_title, options_in_words, reason_of

_DIGITS: Final = 3
# Characters of a line of a heading that says options in words: some are whole clauses.
_WIDEST_WORDS: Final = 11


def heading(column: ScoreColumn) -> str:
    """Returns the title of a column, a word a line: numbers are narrow."""
    if column.system:
        return "\n".join(wrap(column.system, _widest(column.system)))
    options = options_in_words(column.title) if column.metric is not None else []
    plain = column_title(replace(column, title="") if options else column, " ")
    words = plain.replace(":", "\n", 1).replace(",", "\n").replace(" ", "\n")
    told = (wrap(f"{name} = {_before_aside(value)}", _WIDEST_WORDS) for name, value in options)
    return "\n".join((words, *chain.from_iterable(told)))


def _widest(name: str) -> int:
    """Returns the number of characters of a name that fit; wide ones count double."""
    is_wide = any(east_asian_width(one) in "WF" for one in name)
    return _WIDEST_WORDS if is_wide else 2 * _WIDEST_WORDS


def column_title(column: ScoreColumn, separator: str) -> str:
    """Returns the heading of a column: its length class and its metric, or its system."""
    if column.system:
        return column.system
    if column.metric is None:
        title = tr("Topics")
    else:
        title = metric_title(column.title or column.metric.metric)
    return f"{column.length}{separator}{title}" if column.length is not None else title


def _before_aside(value: str) -> str:
    return value.partition("（")[0]


def shown_cell(cell: ScoreCell, column: ScoreColumn) -> Cell:
    """Returns a display cell: three decimals, a bar, the best in bold."""
    if column.metric is None:
        return report_cell(None, column, cell)
    worded = replace(report_cell(None, column, cell, _DIGITS), change=cell.change)
    if cell.value is None:
        return Cell(text=worded.text)
    return Cell(
        text=worded.full_text(_DIGITS),
        value=cell.value,
        shade=cell.value / greatest_of(column.metric.metric),
        is_best=cell.is_best,
    )


def cell_explanation(cell: ScoreCell, column: ScoreColumn, baseline: str = "") -> str:
    """Explains a cell's exact value and inputs, or why it is undefined."""
    if column.metric is None:
        return ntr("Mean over {n} topic", "Mean over {n} topics", cell.n_topics)
    score = cell.score
    if score is None:
        return tr("The system has no output for this.")
    whose = (score.system, score.topic or "", column_title(replace(column, system=""), " "))
    if score.value is None:
        return "\n".join((reason_of(score), " · ".join(filter(None, whose))))
    lines = [f"{float(score.value):.6f}"]
    if isinstance(score.value, Fraction):
        lines[0] = f"{score.value} = {lines[0]}"
    if score.topic is not None:
        lines.append(" · ".join(whose))
    else:
        lines.append(ntr("Mean over {n} topic", "Mean over {n} topics", cell.n_topics))
    if cell.earlier is not None and cell.earlier.value is not None:
        lines.append(tr("Kept: {value}", value=f"{float(cell.earlier.value):.6f}"))
    if cell.interval is not None:
        low, high = typeset(f"{cell.interval.low:.4f}"), typeset(f"{cell.interval.high:.4f}")
        lines.append(tr("Interval: {low} to {high}", low=low, high=high))
    spread = spread_of(score)
    if spread is not None:
        low, high = f"{spread[0]:.4f}", f"{spread[1]:.4f}"
        lines.append(tr("The annotators' own alignments give {low} to {high}", low=low, high=high))
    lines += _comparison_lines(cell, baseline)
    if score.provisional:
        lines.append(tr("Provisional: the annotation it rests on is unfinished."))
    lines.append(score.signature)
    return "\n".join(lines)


def _comparison_lines(cell: ScoreCell, baseline: str) -> list[str]:
    one = cell.comparison
    if one is None:
        return []
    if one.p is None or one.adjusted_p is None or one.difference is None:
        return [tr("No topic in common with {baseline}: not compared.", baseline=baseline)]
    return [
        tr(
            "{difference} against {baseline} on {n} common topics: p = {p}, {adjusted} after Holm",
            difference=typeset(f"{one.difference:+.4f}"),
            baseline=baseline,
            n=one.n_topics,
            p=f"{one.p:.4f}",
            adjusted=f"{one.adjusted_p:.4f}",
        )
    ]
