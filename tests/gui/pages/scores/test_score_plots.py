"""Plots of scores: what they show is what the table shows."""

import math

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from tests.gui.conftest import small_topic
from tests.gui.seeing import pick, says
from tests.in_part import in_turn

from awase.core.errors import Silent
from awase.core.metrics.registry import requests_of
from awase.core.metrics.significance import MetricColumn, ScoreArrays
from awase.core.plots.picture import Box, Dot, Label
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score, ScoreTable
from awase.core.records.topic import HumanScore
from awase.core.reports.grid import UNDEFINED
from awase.gui.kit.i18n import set_language, tr
from awase.gui.pages.scores.page import ScoresPage
from awase.gui.pages.scores.plots import PlotKind, Quantity, plot_of, quantities
from awase.gui.pages.scores.table import ScoresFooter
from awase.gui.session.pages import Cause
from awase.jobs.scoring import StatisticsPlan, score, with_statistics
from awase.jobs.subset import Subset

METRIC = MetricColumn(metric="m")
OTHER = MetricColumn(metric="n")
VALUES = {
    ("a", "m"): (0.2, 0.6), ("b", "m"): (0.5, 0.7), ("c", "m"): (None, None),
    ("a", "n"): (0.1, 0.1), ("b", "n"): (0.9, 0.7), ("c", "n"): (0.3, None),
}  # fmt: skip
HUMAN = (
    HumanScore(system="a", measure="content", value=2, topic="t"),
    HumanScore(system="a", measure="content", value=4, topic="u"),
    HumanScore(system="b", measure="content", value=5, topic="t"),
)


def scores_by_hand() -> ScoreArrays:
    scores = []
    for (system, metric), values in VALUES.items():
        for topic, value in zip("tu", values, strict=True):
            scores.append(one(topic, system, metric, value))
        defined = [value for value in values if value is not None]
        mean = math.fsum(defined) / len(defined) if defined else None
        scores.append(one(None, system, metric, mean))
    return ScoreArrays(table=ScoreTable(scores=tuple(scores)))


def one(topic, system, metric, value) -> Score:
    return Score(
        topic=topic, length=None, system=system, metric=metric, value=value, signature=metric
    )


def shapes_of(kind, of=METRIC, against=OTHER, scores=None, corpus=None):
    quantity = of if isinstance(of, Quantity) else Quantity(metric=of)
    other = against if isinstance(against, Quantity) else Quantity(metric=against)
    corpus = corpus or Corpus(topics=(small_topic("t"), small_topic("u")), human_scores=HUMAN)
    plot = plot_of(kind, quantity, other, scores or scores_by_hand(), corpus)
    assert plot.make is not None
    return plot.make(400.0, 300.0).shapes, plot.note


def tips(shapes, kind):
    return {shape.tip for shape in shapes if isinstance(shape, kind) and shape.tip}


def test_that_bars_are_the_means_an_undefined_one_is_said_and_what_is_gone_is_none():
    shapes, _ = shapes_of(PlotKind.BARS)
    texts = [shape.text for shape in shapes if isinstance(shape, Label)]
    assert [text for text in texts if text in ("0.400", "0.600")] == ["0.400", "0.600"]
    assert texts.count(UNDEFINED) == 1
    widths = {s.tip.partition(":")[0]: s.width for s in shapes if isinstance(s, Box) and s.tip}
    assert widths["a"] / widths["b"] == pytest.approx(0.4 / 0.6)
    gone = Quantity(metric=MetricColumn(metric="gone"))
    assert plot_of(PlotKind.BARS, gone, gone, scores_by_hand(), Corpus()).make is None


@in_turn(
    ("kind", "dots"),
    [
        (PlotKind.TOPICS, {"a, t: 0.200", "a, u: 0.600", "b, t: 0.500", "b, u: 0.700"}),
        (PlotKind.SCATTER, {"a: 0.400, 0.100", "b: 0.600, 0.800"}),
    ],
)
def test_that_topics_and_systems_with_both_means_are_dots_and_others_are_told(kind, dots):
    shapes, note = shapes_of(kind)
    assert (tips(shapes, Dot), note) == (dots, "Left out, as a value is missing: c")


def test_that_people_can_be_plotted_against():
    human = Quantity(measure="content")
    shapes, _ = shapes_of(PlotKind.SCATTER, METRIC, human)
    assert tips(shapes, Dot) == {"a: 0.400, 3.000", "b: 0.600, 5.000"}
    shapes, _ = shapes_of(PlotKind.TOPICS, human)
    assert tips(shapes, Dot) == {"a, t: 2.000", "a, u: 4.000", "b, t: 5.000"}


def test_that_intervals_and_marks_are_those_of_the_table():
    corpus = Corpus(topics=tuple(small_topic(name) for name in "stuvwxyz"))
    table = score(corpus, requests_of(["coverage"]), Silent())
    plan = StatisticsPlan(has_intervals=True, baseline="last")
    scores = with_statistics(table, plan, Silent())
    (quantity,) = quantities(scores, corpus)
    (of_lead,) = [i for key, i in scores.intervals.items() if key.system == "lead"]
    plot = plot_of(PlotKind.BARS, quantity, quantity, scores, corpus)
    assert plot.make is not None
    bars = [s for s in plot.make(400, 300).shapes if isinstance(s, Box) and "lead" in s.tip]
    assert f"{of_lead.low:.3f}" in bars[0].tip
    direction = next(c.direction for k, c in scores.comparisons.items() if k.system == "lead")
    assert direction == 1
    labels = [s.text for s in plot.make(400, 300).shapes if isinstance(s, Label)]
    assert "lead ▲" in labels


@pytest.fixture
def page(page_over):
    human = tuple(
        HumanScore(system=system, measure="content", value=value, topic="t")
        for system, value in (("lead", 3), ("last", 1))
    )
    corpus = Corpus(topics=(small_topic("t"), small_topic("u")), human_scores=human)
    return page_over(ScoresPage, corpus=corpus, ready=lambda page: page.table.n_rows == 2)


def test_that_the_plot_follows_what_the_table_shows(page, qtbot):
    assert not page.plot.isVisible()
    page.controls.plot.setChecked(True)
    assert page.plot.isVisible()
    picture = page.plot.view.picture.picture()
    assert picture is not None
    assert picture.title.startswith("short Precision")
    page.choose_subset(Subset(systems=("lead",)))
    qtbot.waitUntil(lambda: page.table.scores.rowCount() == 1)
    assert len(tips(page.plot.view.picture.picture().shapes, Box)) == 1


@pytest.mark.slow
def test_that_a_plot_out_of_sight_waits_until_it_is_shown(page):
    set_language("ja")
    QCoreApplication.sendEvent(page.plot, QEvent(QEvent.Type.LanguageChange))
    assert page.plot.kind.itemText(0) == tr("Bars with intervals")
    assert page.plot.view.picture.picture() is None
    page.controls.plot.setChecked(True)
    assert page.plot.view.picture.picture() is not None


def test_that_the_heat_map_has_every_topic_and_system_and_its_table_too():
    corpus = Corpus(topics=(small_topic("t"), small_topic("u")), human_scores=HUMAN)
    quantity = Quantity(metric=METRIC)
    plot = plot_of(PlotKind.HEAT, quantity, quantity, scores_by_hand(), corpus)
    shapes = plot.make(400.0, 300.0).shapes
    cells = {s.key: s.tip for s in shapes if isinstance(s, Box) and s.key}
    assert cells["b", "u"] == "b, u: 0.700"
    assert {*cells} == {("a", "t"), ("a", "u"), ("b", "t"), ("b", "u")}
    assert plot.note == "Left out, as a value is missing: c"
    assert [[cell.text for cell in row] for row in plot.table.rows] == [
        ["t", "0.200", "0.500"], ["u", "0.600", "0.700"]
    ]  # fmt: skip
    assert plot.key_of(1, 2) == ("b", "u")
    assert plot.key_of(1, 0) == ()


def test_that_a_mark_and_a_cell_beside_it_lead_to_the_cause_of_their_number_alone(page, qtbot):
    page.controls.plot.setChecked(True)
    page.plot.choose(PlotKind.HEAT)
    with qtbot.waitSignal(page.causeChosen) as heard:
        page.plot.view.chosen.emit(("last", "u"))
    assert heard.args == [Cause(topic="u", system="last", length="short", metric="precision")]
    page.plot.choose(PlotKind.BARS)
    picture = page.plot.view.picture
    qtbot.keyClick(picture, Qt.Key.Key_Down)
    with qtbot.waitSignal(page.causeChosen) as heard:
        qtbot.keyClick(picture, Qt.Key.Key_Return)
    assert heard.args[0].topic is None
    page.table.choose(0, 1)
    page.plot.view.table.choose(1, 1)
    causes = []
    page.causeChosen.connect(causes.append)
    qtbot.keyClick(page.plot.view.table, Qt.Key.Key_Return)
    assert [one.system for one in causes] == ["last"]


def test_that_a_low_window_scrolls_to_a_whole_plot_and_explains_no_marks_out_of_sight(page, qtbot):
    line_px = page.fontMetrics().height()
    (footer,) = page.findChildren(ScoresFooter)
    pick(page.controls.baseline, "last")
    qtbot.waitUntil(lambda: footer.legend.isVisible())
    assert says(page, "▲ better than last")
    page.controls.plot.setChecked(True)
    page.resize(line_px * 40, line_px * 50)
    assert page.table.isVisible()
    page.resize(line_px * 40, line_px * 18)
    assert not page.table.isVisible()
    assert not footer.legend.isVisible()
    picture = page.plot.view.picture
    assert picture.height() <= page.plot.view.height()
    assert page.plot.view.mapTo(page.plot, QPoint(0, 0)).y() > page.plot.save.geometry().bottom()
    page.resize(line_px * 40, line_px * 50)
    assert footer.legend.isVisible()
