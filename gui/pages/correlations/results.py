"""Results: the papers' table, differences between metrics, a scatter plot."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from awase.core.errors import Listing, Problem
from awase.core.plots.charts import Point
from awase.core.reports.grid import Cell, Column, Grid, change_text, decimal_text, typeset
from awase.core.reports.study_report import report_of_study, signatures_of
from awase.core.statistics.bootstraps import Interval
from awase.core.statistics.coefficients import MAJORITY, MEAN, PAPERS, Coefficient, Level, Z
from awase.core.statistics.study import CorrelationComparison, Estimate, Study
from awase.gui.kit.forms.controls import fill_names
from awase.gui.kit.grid.grid import GridView, SharingSplitter, SpreadTable
from awase.gui.kit.i18n import aside, bind, follow, listed, mark, ntr, tr, what_of
from awase.gui.kit.look.fitting import ElidedComboBox
from awase.gui.kit.look.flow import TurnTabs, called, holding, spaced, stacked, titled_tabs
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.picture_view import PlotView, scatter_plot
from awase.gui.session.metric_drafts import measure_title, metric_title
from awase.gui.session.pages import LOST_BY

LEVELS: Final = {
    Level.SYSTEM: mark("Means of systems"),
    Level.TOPIC: mark("Each topic, averaged"),
    Level.GLOBAL: mark("All scores at once"),
}
# How several annotators' judgements become one score, by how it is spelled.
JOININGS: Final = {
    MEAN: mark("Mean of annotators"),
    Z: mark("Mean of their z-scores"),
    MAJORITY: mark("What more than half say"),
    f"{MAJORITY}:2": mark("What 2 of them say"),
    f"{MAJORITY}:3": mark("What 3 of them say"),
}
_SHOWN = 6


def facts_text(study: Study, far: Mapping[str, float]) -> str:
    request = study.request
    text = tr(
        "Human scores: {human}; level: {level}; left out: {names}; intervals and test resample "
        "systems and topics, N = {n}, seed {seed}; * p ≤ 0.05 after Holm's correction",
        human=_human_text(study), level=_within(tr(LEVELS[request.level])),
        names=Listing(request.excluded, most=_SHOWN, is_counted=True) or tr("none"),
        n=request.n_resamples, seed=request.seed,
    )  # fmt: skip
    if far:
        names = [f"{name} ({distance:.1f})" for name, distance in far.items()]
        text += "\n" + tr(
            "Far from the others, in MADs from the median (limit 2.5), and left in: {names}",
            names=Listing(names, most=_SHOWN, is_counted=True),
        )
    signed = (one for one in signatures_of(study) if one.startswith("correlation:"))
    return "\n".join((text, *signed))


def _human_text(study: Study) -> str:
    told = study.human_signature.removeprefix(f"{study.human}:annotators=")
    n_annotators, _, joining = told.partition(",join=")
    if n_annotators == "1":
        return study.human
    who = ntr("{n} annotator", "{n} annotators", int(n_annotators))
    return aside(study.human, listed((who, _within(tr(JOININGS.get(joining, joining))))))


def _within(title: str) -> str:
    return title[:1].lower() + title[1:]


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


def _difference(row: str, column: str, found: dict[tuple[str, str], CorrelationComparison]) -> Cell:
    comparison, sign = found.get((row, column)), 1
    if comparison is None:
        comparison, sign = found.get((column, row)), -1
    if comparison is None:
        return Cell(text="")
    tip = ""
    if comparison.p_holm is not None:
        tip = tr(
            "{row} minus {column}: p = {p}, after Holm's correction {p_holm}",
            row=metric_title(row), column=metric_title(column),
            p=f"{comparison.p:.4f}", p_holm=f"{comparison.p_holm:.4f}",
        )  # fmt: skip
    if comparison.difference is None:
        return Cell(text=decimal_text(None), tip=_why(comparison.reason))
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
        return _why(estimate.reason)
    lines = [f"{estimate.value:.6f}"]
    if estimate.bootstrap is not None:
        lines.append(tr("95 % interval, bootstrap: {ends}", ends=_ends(estimate.bootstrap)))
    if estimate.closed_form is not None:
        lines.append(tr("95 % interval, closed form: {ends}", ends=_ends(estimate.closed_form)))
    if estimate.undefined_topics:
        n = len(estimate.undefined_topics)
        lines.append(ntr("{n} topic is undefined", "{n} topics are undefined", n))
    return "\n".join(lines)


def _why(reason: Problem | None) -> str:
    return what_of(reason) if reason is not None else tr("Undefined")


def _ends(interval: Interval) -> str:
    return typeset(f"{decimal_text(interval.low)} – {decimal_text(interval.high)}")


# Below which one thing is shown at a time, in heights of a line.
_LEAST_WIDTH, _LEAST_HEIGHT = 56, 26


class StudyResults(QWidget):
    """Tables at the left, the current row's plot at the right, or stacked."""

    systemChosen = Signal(str)  # the system of the point that was chosen

    def __init__(self, themes: ThemeBox) -> None:
        super().__init__()
        self._study: Study | None = None
        self.table = called(SpreadTable(), mark("Correlations"))
        self.matrix = called(GridView(), mark("Differences between metrics"))
        for table in (self.table, self.matrix):
            _prepare(table)
        self.matrix.verticalHeader().show()
        self.coefficient, self._title = called(ElidedComboBox(), mark("Coefficient")), QLabel()
        self.plot = PlotView(themes)
        self.plot.table.way = LOST_BY
        fill_names(self.coefficient, (one.value for one in PAPERS))
        self._differences = self._titled_matrix()
        self._title_px = self._differences.sizeHint().height() - self.matrix.sizeHint().height()
        tables = SharingSplitter(self._height_of_table, Qt.Orientation.Vertical)
        self._tables = holding(tables, self.table, self._differences)
        self.both = holding(SharingSplitter(self._width_of_tables), self._tables, self.plot)
        self.tabs = TurnTabs(self.table, self._differences, self.plot)
        titled_tabs(self.tabs, mark("Correlations"), mark("Differences"), mark("Plot"))
        self.tabs.currentChanged.connect(self._share_out)
        stacked(self, self.tabs, self.both, grows=self.both)
        self.coefficient.currentIndexChanged.connect(self._show_differences)
        self.table.selectionModel().currentRowChanged.connect(self._show_plot)
        self.plot.chosen.connect(lambda key: self.systemChosen.emit(key[0]))
        follow(self, self.retranslate)

    def _titled_matrix(self) -> QWidget:
        bind(self._title, "text", mark("Row minus column"))
        heading = spaced(QHBoxLayout(), self, self._title, self.coefficient, None)
        titled = QWidget()
        stacked(titled, heading, self.matrix, grows=self.matrix)
        return titled

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_out()

    def _share_out(self) -> None:
        line_px = self.fontMetrics().height()
        has_room = self.width() >= _LEAST_WIDTH * line_px and (
            self.height() >= _LEAST_HEIGHT * line_px
        )
        self.tabs.take_turns(not has_room)
        if self._study is None:  # an empty plot and tables are useless during computation
            for part in (self.tabs, self._differences, self.plot):
                part.hide()
        ways = Qt.Orientation
        self.plot.setOrientation(ways.Vertical if has_room else ways.Horizontal)
        self._tables.setHidden(self.table.isHidden() and self._differences.isHidden())
        self.both.share_out()
        self._tables.share_out()

    def _width_of_tables(self) -> int:
        """Returns what the tables need: up to half, or more of much or for the papers' table."""
        room, bar = self.both.width(), self.table.verticalScrollBar().sizeHint().width()
        needed = self.table.preferred_width_px() + bar
        names = self.matrix.verticalHeader().sizeHint().width()
        both = max(needed, self.matrix.preferred_width_px() + names + bar)
        half, most = room // 2, room * 3 // 5
        is_wide = room >= 2 * _LEAST_WIDTH * self.fontMetrics().height()
        return max(min(both, most if is_wide else half), min(needed, most))

    def _height_of_table(self) -> int:
        """Returns the height of the papers' table's rows, up to half."""
        room = self._tables.room_px()
        rest = self.matrix.preferred_height_px() + self._title_px
        return min(self.table.preferred_height_px(), max(room // 2, room - rest))

    @property
    def place(self) -> int:
        """Which metric is chosen, as the study has them; -1 = none."""
        return self.table.row_of(self.table.currentIndex())

    def choose(self, place: int) -> None:
        self.table.choose(place)

    def show_study(self, study: Study) -> None:
        self._study = study
        self.table.show_grid(study_grid(study))
        self._share_out()
        self.choose(0)
        self._show_differences()

    def retranslate(self) -> None:
        if self._study is not None:
            place = max(0, self.place)
            self.table.show_grid(study_grid(self._study))
            self.choose(place)
            self._show_differences()

    def _show_differences(self) -> None:
        if self._study is not None:
            coefficient = Coefficient(self.coefficient.currentData())
            self.matrix.show_grid(differences_grid(self._study, coefficient))

    def _show_plot(self) -> None:
        if self._study is None or not 0 <= self.place < len(self._study.results):
            return
        result = self._study.results[self.place]
        points = [Point(label=p.system, x=p.metric, y=p.human) for p in result.points]
        titles = metric_title(result.metric), measure_title(self._study.human)
        self.plot.show_plot(scatter_plot(points, *titles))


def _prepare(table: GridView) -> None:
    table.setAlternatingRowColors(True)
    table.setSelectionBehavior(GridView.SelectionBehavior.SelectRows)
    table.horizontalHeader().setDefaultAlignment(
        Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
    )
