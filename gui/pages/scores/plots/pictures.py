"""Pictures of scores: what can be plotted, and the picture of it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from awase.core.metrics.tables.columns import MetricColumn, column_of
from awase.core.metrics.tables.correlating import HumanSide, human_scores, measures_of
from awase.core.metrics.tables.scores import Scores
from awase.core.metrics.tables.significance import CellKey
from awase.core.plots.bars import Bar, bars, dots
from awase.core.plots.picture import Picture
from awase.core.plots.scatter import Point, scatter
from awase.core.records.corpus import Corpus
from awase.core.reports.grid import BETTER, UNDEFINED, WORSE
from awase.core.reports.score_views import View, arranged
from awase.gui.kit.picture_view import Maker
from awase.gui.kit.texts.i18n import tr
from awase.gui.pages.scores.table.wording import column_title

_MOST_NAMED = 6


class PlotKind(Enum):
    """What a picture shows."""

    BARS = "bars"
    """Means of systems, with their intervals."""
    TOPICS = "topics"
    """Systems topic by topic."""
    SCATTER = "scatter"
    """Means of one quantity against those of another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """What can be plotted: a metric for one length class, or what people said.

    Attributes:
        length: Length class of the metric's scores.
        metric: The metric; None for people's scores.
        measure: What people judged; empty for a metric.
    """

    length: str | None = None
    metric: MetricColumn | None = None
    measure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A picture to be made for the room there is, and what it leaves out.

    Attributes:
        make: Makes it; None = there is nothing to plot.
        note: What is left out, in words; empty = nothing.
    """

    make: Maker | None
    note: str = ""


def quantities(scores: Scores, corpus: Corpus) -> dict[Quantity, str]:
    """Returns what can be plotted, with its title in the window's language."""
    result = {
        Quantity(length=column.length, metric=column.metric): column_title(column, " ")
        for column in arranged(scores, View()).columns
        if column.metric is not None
    }
    for measure in measures_of(corpus):
        result[Quantity(measure=measure)] = tr("{measure} (people)", measure=measure)
    return result


def plot_of(
    kind: PlotKind, of: Quantity, against: Quantity, scores: Scores, corpus: Corpus
) -> Plot:
    """Returns a plot.

    Args:
        kind: What it shows.
        of: The quantity; of a scatter plot the one from left to right.
        against: Of a scatter plot the one from bottom to top.
        scores: As they are shown.
        corpus: For what people said.
    """
    titles = quantities(scores, corpus)
    if of not in titles or (kind is PlotKind.SCATTER and against not in titles):
        return Plot(make=None)
    if kind is PlotKind.SCATTER:
        values = [_means(quantity, scores, corpus) for quantity in (of, against)]
        return _scatter(titles[of], titles[against], values[0], values[1])
    if kind is PlotKind.TOPICS:
        return _dots(titles[of], _by_topic(of, scores, corpus))
    return _bars(titles[of], of, _means(of, scores, corpus), scores)


def _bars(
    title: str, of: Quantity, means: Mapping[str, float | None], scores: Scores
) -> Plot:  # fmt: skip
    rows = [_bar(system, mean, of, scores) for system, mean in means.items()]

    def made(width: float, _height: float) -> Picture:
        name = tr("mean over topics")
        return bars(rows, title=title, axis_title=name, undefined=UNDEFINED, width=width)

    return Plot(make=made if rows else None)


def _bar(system: str, mean: float | None, of: Quantity, scores: Scores) -> Bar:
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


def _dots(title: str, by_topic: Mapping[str, Sequence[tuple[str, float]]]) -> Plot:
    rows = [(system, points) for system, points in by_topic.items() if points]
    without = [system for system, points in by_topic.items() if not points]

    def made(width: float, _height: float) -> Picture:
        name = tr("{title}, topic by topic", title=title)
        return dots(rows, title=name, axis_title=title, width=width)

    return Plot(make=made if rows else None, note=_left_out(without))


def _scatter(
    x_title: str,
    y_title: str,
    across: Mapping[str, float | None],
    up: Mapping[str, float | None],
) -> Plot:
    systems = [*dict.fromkeys((*across, *up))]
    pairs = {system: (across.get(system), up.get(system)) for system in systems}
    points = [
        Point(label=system, x=x, y=y)
        for system, (x, y) in pairs.items()
        if x is not None and y is not None
    ]
    without = [system for system, pair in pairs.items() if None in pair]

    def made(width: float, height: float) -> Picture:
        title = tr("{metric} against {human}", metric=x_title, human=y_title)
        return scatter(
            points, title=title, x_title=x_title, y_title=y_title, width=width, height=height
        )

    return Plot(make=made if points else None, note=_left_out(without))


def _left_out(systems: Sequence[str]) -> str:
    if not systems:
        return ""
    names = ", ".join(systems[:_MOST_NAMED]) + (" …" if len(systems) > _MOST_NAMED else "")
    return tr("Left out, as a value is missing: {systems}", systems=names)


def _means(of: Quantity, scores: Scores, corpus: Corpus) -> dict[str, float | None]:
    """Returns each system's mean; None = undefined."""
    if of.metric is None:
        return {
            system: math.fsum(value for _, value in points) / len(points) if points else None
            for system, points in _by_topic(of, scores, corpus, wholes=True).items()
        }
    return {
        score.system: None if score.value is None else float(score.value)
        for score in scores.table.scores
        if score.topic is None and (score.length, column_of(score)) == (of.length, of.metric)
    }


def _by_topic(
    of: Quantity, scores: Scores, corpus: Corpus, *, wholes: bool = False
) -> dict[str, list[tuple[str, float]]]:
    """Returns by system its (topic, value); with `wholes`, judgements of systems as wholes, too."""
    result: dict[str, list[tuple[str, float]]] = {}
    if of.metric is None:
        human, _ = human_scores(corpus, HumanSide(measure=of.measure))
        for (system, topic), value in human.values.items():
            points = result.setdefault(system, [])
            if topic is not None or wholes:
                points.append((topic or "", value))
        return result
    for score in scores.table.scores:
        if score.topic is not None and (score.length, column_of(score)) == (of.length, of.metric):
            points = result.setdefault(score.system, [])
            if score.value is not None:
                points.append((score.topic, float(score.value)))
    return result
