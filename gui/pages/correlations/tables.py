"""A study as two tables: metrics by coefficients, and metrics by metrics."""

from dataclasses import replace

from awase.core.reports.grid import UNDEFINED, Cell, Column, Grid
from awase.core.reports.numbers import change_text, decimal_text, typeset
from awase.core.reports.study_report import report_of_study
from awase.core.statistics.correlation.coefficients import Coefficient
from awase.core.statistics.correlation.resampling import Interval
from awase.core.statistics.correlation.study import Comparison, Estimate, Study
from awase.gui.kit.texts.i18n import ntr, tr, what_of
from awase.gui.session.metrics.drafts import metric_title

SIGNIFICANT = 0.05


def study_grid(study: Study) -> Grid:
    """Returns the report's table with the window's headings, and more of each value as its tip."""
    report = report_of_study(study)
    names = (one.value for one in study.request.coefficients)
    titles = (tr("Metric"), *names, tr("Systems"), tr("Topics"))
    has_rivals = len(study.results) > 1
    rows = []
    for result, (_, *values) in zip(study.results, report.rows, strict=True):
        counts = values[len(result.estimates) :]
        rows.append(
            (
                Cell(text=metric_title(result.metric), tip=result.signature, is_number=False),
                *(
                    replace(cell, tip=_explanation(one), is_best=cell.is_best and has_rivals)
                    for cell, one in zip(values, result.estimates, strict=False)
                ),
                *counts,
            )
        )
    counts_of = (tr("Systems with both values"), tr("Topics that have any of these values"))
    tips = (*("" for _ in titles[: -len(counts_of)]), *counts_of)
    columns = (
        replace(column, title=title, tip=tip)
        for column, title, tip in zip(report.columns, titles, tips, strict=True)
    )
    return Grid(columns=tuple(columns), rows=tuple(rows))


def differences_grid(study: Study, coefficient: Coefficient) -> Grid:
    """Returns the row's metric less the column's, with p after Holm's correction."""
    names = tuple(result.metric for result in study.results)
    found = {
        (one.first, one.second): one for one in study.comparisons if one.coefficient is coefficient
    }
    titles = tuple(map(metric_title, names))
    return Grid(
        columns=tuple(Column(title=title, is_number=True) for title in titles),
        rows=tuple(tuple(_difference(row, column, found) for column in names) for row in names),
        row_titles=titles,
    )


def _difference(row: str, column: str, found: dict[tuple[str, str], Comparison]) -> Cell:
    comparison, sign = found.get((row, column)), 1
    if comparison is None:
        comparison, sign = found.get((column, row)), -1
    if comparison is None:
        return Cell(text="")
    tip = ""
    if comparison.p_holm is not None:
        tip = tr(
            "{row} less {column}: p = {p}, after Holm's correction {p_holm}",
            row=metric_title(row), column=metric_title(column),
            p=f"{comparison.p:.4f}", p_holm=f"{comparison.p_holm:.4f}",
        )  # fmt: skip
    if comparison.difference is None:
        return Cell(text=UNDEFINED, tip=tr("One of the two coefficients is undefined."))
    difference = sign * comparison.difference
    is_significant = comparison.p_holm is not None and comparison.p_holm <= SIGNIFICANT
    return Cell(
        text=f"{change_text(difference)}{'*' if is_significant else ' '}",
        value=difference,
        tip=f"{difference:+.6f}\n{tip}".strip(),
        direction=(1 if difference > 0 else -1) if is_significant else 0,
    )


def _explanation(estimate: Estimate) -> str:
    if estimate.value is None:
        return what_of(estimate.reason) if estimate.reason is not None else tr("Undefined")
    lines = [f"{estimate.value:.6f}"]
    if estimate.bootstrap is not None:
        lines.append(tr("95 % interval, bootstrap: {ends}", ends=_ends(estimate.bootstrap)))
    if estimate.closed_form is not None:
        lines.append(tr("95 % interval, closed form: {ends}", ends=_ends(estimate.closed_form)))
    if estimate.undefined_topics:
        n = len(estimate.undefined_topics)
        lines.append(ntr("{n} topic is undefined", "{n} topics are undefined", n))
    return "\n".join(lines)


def _ends(interval: Interval) -> str:
    return typeset(f"{decimal_text(interval.low)} – {decimal_text(interval.high)}")
