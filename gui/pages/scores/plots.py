"""Plots of scores: quantities and pictures."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QWidget

from awase.core.errors import Listing
from awase.core.metrics.correlating import HumanSide, human_scores, measures_of
from awase.core.metrics.significance import CellKey, MetricColumn, ScoreArrays, column_of
from awase.core.plots.charts import Bar, HeatScale, Point, bars, dots, heat
from awase.core.plots.picture import Key, Picture
from awase.core.records.corpus import Corpus
from awase.core.records.score import by_topic_in, means_in
from awase.core.reports.grid import (
    BETTER,
    UNDEFINED,
    WORSE,
    Cell,
    Column,
    Grid,
    RowsOnDemand,
    grid_of,
    text_cell,
)
from awase.core.reports.score_report import View, arranged
from awase.gui.kit.forms.controls import fill, set_value
from awase.gui.kit.forms.parts import ChoiceField
from awase.gui.kit.grid.grid import SharingSplitter
from awase.gui.kit.i18n import follow, mark, tr
from awase.gui.kit.look.fitting import ElidedComboBox
from awase.gui.kit.look.flow import (
    FlowLayout,
    called,
    holding,
    push_button,
    scrolled_down,
    spaced,
    stacked,
    styled,
    titled,
)
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.picture_canvas import Maker
from awase.gui.kit.picture_view import Plot, PlotView, scatter_plot
from awase.gui.pages.scores.table import ScoresFooter, ScoresTable, column_title
from awase.gui.session.metric_drafts import measure_title
from awase.gui.session.pages import LOST_BY, Cause

_MOST_NAMED = 6


class PlotKind(Enum):
    """Kinds of plots."""

    BARS = "bars"  # means of systems, with their intervals
    TOPICS = "topics"  # systems topic by topic
    SCATTER = "scatter"  # means of one quantity against those of another
    HEAT = "heat"  # a cell for each system and topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A quantity to plot: a metric for one length class, or a human measure."""

    length: str | None = None
    metric: MetricColumn | None = None  # the metric; None for people's scores
    measure: str = ""  # what people judged; empty for a metric


ByTopic = Mapping[str, Sequence[tuple[str, float]]]  # (topic, value) of each system


def quantities(scores: ScoreArrays, corpus: Corpus) -> dict[Quantity, str]:
    result = {
        Quantity(length=column.length, metric=column.metric): column_title(column, " ")
        for column in arranged(scores, View()).columns
        if column.metric is not None
    }
    for measure in measures_of(corpus):
        result[Quantity(measure=measure)] = measure_title(measure)
    return result


def plot_of(
    kind: PlotKind, of: Quantity, against: Quantity, scores: ScoreArrays, corpus: Corpus
) -> Plot:
    """Returns a plot; `of` is the x axis of a scatter plot."""
    titles = quantities(scores, corpus)
    if of not in titles or (kind is PlotKind.SCATTER and against not in titles):
        return Plot(make=None)
    if kind is PlotKind.SCATTER:
        across, up = (_means(quantity, scores, corpus) for quantity in (of, against))
        return _scatter(titles[of], titles[against], across, up)
    if kind is PlotKind.TOPICS:
        return _dots(titles[of], _by_topic(of, scores, corpus))
    if kind is PlotKind.HEAT:
        return heat_map(titles[of], _by_topic(of, scores, corpus))
    return _bars(titles[of], of, _means(of, scores, corpus), scores)


def _bars(title: str, of: Quantity, means: Mapping[str, float | None], scores: ScoreArrays) -> Plot:
    rows = [_bar(system, mean, of, scores) for system, mean in means.items()]
    name = tr("mean over topics")

    def made(width: float, height: float) -> Picture:
        return bars(
            rows, title=title, axis_title=name, undefined=UNDEFINED, width=width, height=height
        )

    has_ends = any(row.low is not None for row in rows)
    columns = (
        Column(title=tr("System")),
        Column(title=title, tip=name, is_number=True),
        *(
            Column(title=end, tip=tr("End of the interval"), is_number=True, is_shown=has_ends)
            for end in (tr("from"), tr("to"))
        ),
    )
    table = grid_of(
        columns,
        (
            (text_cell(row.label + row.mark), *map(_number_cell, (row.value, row.low, row.high)))
            for row in rows
        ),
    )
    keys = [(row.label,) for row in rows]
    return Plot(make=made if rows else None, table=table, key_of=lambda row, _: keys[row])


def _bar(system: str, mean: float | None, of: Quantity, scores: ScoreArrays) -> Bar:
    if of.metric is None:
        return Bar(label=system, value=mean)
    key = CellKey(system=system, length=of.length, column=of.metric)
    interval, comparison = (scores.intervals or {}).get(key), (scores.comparisons or {}).get(key)
    direction = comparison.direction if comparison is not None else 0
    return Bar(
        label=system,
        value=mean,
        low=interval.low if interval is not None else None,
        high=interval.high if interval is not None else None,
        mark={1: f" {BETTER}", -1: f" {WORSE}"}.get(direction, ""),
    )


def _dots(title: str, by_topic: ByTopic) -> Plot:
    rows = [(system, points) for system, points in by_topic.items() if points]
    name = tr("{title}, topic by topic", title=title)

    def made(width: float, height: float) -> Picture:
        # The minimal size is requested without dots.
        shown = rows if width else [(system, []) for system, _ in rows]
        return dots(shown, title=name, axis_title=title, width=width, height=height)

    return _topics_plot(made, by_topic)


def heat_map(title: str, by_topic: ByTopic) -> Plot:
    topics, rows = _matrix_of(by_topic)
    name = tr("{title}, topics by systems", title=title)
    scale = _scale_of(by_topic)
    no_values: tuple[float | None, ...] = ()
    frames = [(system, no_values) for system, _ in rows]
    # The last one, by its layout without cells: thousands, laid out once for each layout.
    filled: dict[Picture, Picture] = {}

    def made(width: float, height: float) -> Picture:
        draw = partial(heat, columns=topics, title=name, undefined=UNDEFINED, scale=scale)
        frame = draw(frames, width=width, height=height)
        if width <= 0:
            return frame  # the minimal size is requested without dots
        if frame not in filled:
            filled.clear()
            filled[frame] = draw(rows, width=width, height=height)
        return filled[frame]

    return _topics_plot(made if rows else None, by_topic)


def _topics_plot(make: Maker | None, by_topic: ByTopic) -> Plot:
    """Returns a plot of systems and topics with its table: a row a topic, a column a system."""
    topics, matrix = _matrix_of(by_topic)
    note = _left_out([system for system, points in by_topic.items() if not points])
    scale = _scale_of(by_topic)
    titles = (Column(title=system, is_number=True) for system, _ in matrix)

    def row(at: int) -> tuple[Cell, ...]:
        return (text_cell(topics[at]), *(_number_cell(values[at], scale) for _, values in matrix))

    def values_in(column: int) -> Sequence[float | str | None]:
        return matrix[column - 1][1] if column else topics

    def key_of(row: int, column: int) -> Key:
        return (matrix[column - 1][0], topics[row]) if column else ()

    rows = RowsOnDemand(len(topics), row, values_in)
    table = Grid(columns=(Column(title=tr("Topic")), *titles), rows=rows)
    return Plot(make=make if topics else None, note=note, table=table, key_of=key_of)


def _matrix_of(by_topic: ByTopic) -> tuple[list[str], list[tuple[str, list[float | None]]]]:
    """Returns the topics, and a value for each of every system that has any."""
    topics = [*dict.fromkeys(topic for points in by_topic.values() for topic, _ in points)]
    known = {system: dict(points) for system, points in by_topic.items() if points}
    return topics, [(system, [*map(values.get, topics)]) for system, values in known.items()]


def _scale_of(by_topic: ByTopic) -> HeatScale:
    known = [value for points in by_topic.values() for _, value in points]
    return HeatScale(low=min(known), high=max(known)) if known else HeatScale()


def _number_cell(value: float | None, scale: HeatScale | None = None) -> Cell:
    if value is None:
        return Cell(text=UNDEFINED, tip=tr("There is no value; the table of scores says why."))
    shade = scale.share(value) if scale is not None else None
    return Cell(text=f"{value:.3f}", value=value, tip=f"{value:.6f}", shade=shade)


def _scatter(
    x_title: str,
    y_title: str,
    across: Mapping[str, float | None],
    up: Mapping[str, float | None],
) -> Plot:
    pairs = {system: (across.get(system), up.get(system)) for system in (*across, *up)}
    points = [
        Point(label=system, x=x, y=y)
        for system, (x, y) in pairs.items()
        if x is not None and y is not None
    ]
    without = [system for system, pair in pairs.items() if None in pair]
    return replace(scatter_plot(points, x_title, y_title), note=_left_out(without))


def _left_out(systems: Sequence[str]) -> str:
    if not systems:
        return ""
    names = Listing(systems, most=_MOST_NAMED)
    return tr("Left out, as a value is missing: {systems}", systems=names)


def _means(of: Quantity, scores: ScoreArrays, corpus: Corpus) -> dict[str, float | None]:
    """Returns each system's mean; None = undefined."""
    if of.metric is None:
        return {
            system: math.fsum(value for _, value in points) / len(points) if points else None
            for system, points in _by_topic(of, scores, corpus, wholes=True).items()
        }
    return {
        score.system: None if score.value is None else float(score.value)
        for score in means_in(scores.table.scores)
        if (score.length, column_of(score)) == (of.length, of.metric)
    }


def _by_topic(
    of: Quantity, scores: ScoreArrays, corpus: Corpus, *, wholes: bool = False
) -> dict[str, list[tuple[str, float]]]:
    """Returns (topic, value) by system; with `wholes`, system-level judgements, too."""
    result: dict[str, list[tuple[str, float]]] = {}
    if of.metric is None:
        human, _ = human_scores(corpus, HumanSide(measure=of.measure))
        for (system, topic), value in human.values.items():
            points = result.setdefault(system, [])
            if topic is not None or wholes:
                points.append((topic or "", value))
        return result
    for score in by_topic_in(scores.table.scores, metric=of.metric.metric):
        if score.length == of.length and column_of(score) == of.metric:
            points = result.setdefault(score.system, [])
            if score.value is not None and score.topic is not None:
                points.append((score.topic, float(score.value)))
    return result


_TITLES = {
    PlotKind.BARS: mark("Bars with intervals"),
    PlotKind.TOPICS: mark("Topic by topic"),
    PlotKind.SCATTER: mark("One against another"),
    PlotKind.HEAT: mark("Topics by systems"),
}

# Maximal requested height of a plot, in heights of a line; longer ones scroll.
_MOST_PLOT = 16


class _WholePlot(PlotView):
    """Plot at its full height, inside the scrolling panel."""

    def minimumSizeHint(self) -> QSize:
        usual, bar = super().minimumSizeHint(), self.table.horizontalScrollBar().sizeHint()
        most = self.fontMetrics().height() * _MOST_PLOT
        needed = min(most, self.picture.minimumHeight() + bar.height())
        return QSize(usual.width(), max(usual.height(), needed))


class PlotPanel(QWidget):
    """Plots the table, keeping the selection."""

    causeChosen = Signal(object)  # the `Cause` of the mark that was chosen

    def __init__(self, themes: ThemeBox) -> None:
        super().__init__()
        self._scores: ScoreArrays | None = None
        self._corpus = Corpus()
        self.kind = called(ElidedComboBox(), mark("Kind of plot"))
        self.plotted = called(ElidedComboBox(), mark("What is plotted"))
        self.against = ElidedComboBox()
        self.note = styled(QLabel(), "muted", wraps=True)
        fill(self.kind, ChoiceField(messages=[*_TITLES.items()]))
        self.view = _WholePlot(themes)
        self.view.table.way = LOST_BY
        self.save = push_button(mark("Save the picture…"), self.view.picture.save)
        self.copy = push_button(mark("Copy the picture"), self.view.picture.copy)
        self._lay_out()
        for box in (self.kind, self.plotted, self.against):
            box.activated.connect(self._draw)
        self.view.chosen.connect(self._on_chosen)
        follow(self, self._fill_if_shown)

    def show_scores(self, scores: ScoreArrays, corpus: Corpus) -> None:
        self._scores, self._corpus = scores, corpus
        self._fill_if_shown()

    def _fill_if_shown(self) -> None:
        if self.isVisible():
            self._fill()

    def choose(
        self, kind: PlotKind, of: Quantity | None = None, against: Quantity | None = None
    ) -> None:
        self.kind.setCurrentIndex(self.kind.findData(kind))
        for box, quantity in ((self.plotted, of), (self.against, against)):
            set_value(box, quantity)
        self._draw()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fill()

    def _lay_out(self) -> None:
        self._pair = titled(mark("against"), self.against, name=mark("Against what"))
        shown = (self.kind, self.plotted, self._pair, self.copy, self.save, self.note)
        choices = spaced(FlowLayout(), self, *shown)
        parts = QWidget()
        stacked(parts, choices, self.view, grows=self.view)
        scroll = scrolled_down(parts)
        stacked(self, scroll, grows=scroll)

    def _on_chosen(self, key: Key) -> None:
        """Goes from a mark to the loss behind its number."""
        system, *topic = key
        of: Quantity = self.plotted.currentData()
        self.causeChosen.emit(
            Cause(
                topic=topic[0] if topic else None,
                system=system,
                length=of.length,
                metric=of.metric.metric if of.metric is not None else "",
            )
        )

    def _fill(self) -> None:
        if self._scores is None:
            return
        titles = quantities(self._scores, self._corpus)
        for box, usual in ((self.plotted, [*titles][:1]), (self.against, [*titles][1:2])):
            chosen = box.currentData() if box.currentData() in titles else next(iter(usual), None)
            fill(box, ChoiceField([*titles.items()], value=chosen), keeps=False)
        self._draw()

    def _draw(self) -> None:
        kind = self.kind.currentData()
        is_pair = kind is PlotKind.SCATTER
        self._pair.setVisible(is_pair)
        plot = Plot(make=None)
        if self._scores is not None and self.plotted.count():
            of, against = self.plotted.currentData(), self.against.currentData()
            plot = plot_of(kind, of, against, self._scores, self._corpus)
        self.view.show_plot(plot)
        self.view.updateGeometry()
        self.note.setText(plot.note)
        for button in (self.copy, self.save):
            button.setEnabled(plot.make is not None)


_LEAST = 29  # height for both, in heights of a line


class TableAndPlot(SharingSplitter):
    """Sizes the table to its rows, up to a third."""

    def __init__(self, table: ScoresTable, plot: PlotPanel, footer: ScoresFooter) -> None:
        super().__init__(self._height_of_table, Qt.Orientation.Vertical)
        self._table, self._plot, self._footer = table, plot, footer
        holding(self, table, plot)

    def _height_of_table(self) -> int:
        return min(self._table.preferred_height_px(), self.room_px() // 3)

    def share_out(self) -> None:
        needed = _LEAST * self.fontMetrics().height()
        has_room = self.height() - self._footer.spared_px() >= needed
        self._table.setVisible(has_room or self._plot.isHidden())
        self._footer.explain_marks(not self._table.isHidden())
        super().share_out()

    def setFocus(self, reason: Qt.FocusReason = Qt.FocusReason.OtherFocusReason) -> None:
        """Focuses the table, or the plot in its place."""
        part = self._plot.view.picture if self._table.isHidden() else self._table
        part.setFocus(reason)
