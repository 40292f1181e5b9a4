from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from tests import building
from tests.gui.conftest import small_topic
from tests.gui.frame.test_language import left_in_english
from tests.gui.seeing import button, copies_once, has_button, pick, press, resize, says

from awase.core.errors import Silent
from awase.core.metrics.correlating import HumanSide
from awase.core.metrics.registry import requests_of
from awase.core.records.corpus import Corpus
from awase.core.records.topic import HumanScore
from awase.core.statistics.coefficients import PAPERS, Level
from awase.core.statistics.study import PairTest, StudyRequest
from awase.gui.kit.grid.model import GridModel
from awase.gui.kit.i18n import set_language
from awase.gui.pages.correlations.page import CorrelationsPage, SubsetChoice
from awase.gui.pages.correlations.results import (
    StudyResults,
    differences_grid,
    facts_text,
    study_grid,
)
from awase.jobs.correlating import CorrelationPlan, correlate
from awase.jobs.subset import Subset

pytestmark = pytest.mark.slow

TEXTS = {
    "all": "One. Two.",
    "half": "One or three words.",
    "none": "Nothing at all of it.",
    "gold": "One. Two.",
}
HUMAN = {"all": 4.0, "half": 3.0, "none": 1.0, "last": 0.5}


def corpus(written=TEXTS, human=HUMAN) -> Corpus:
    """Two small topics with the text of each system, and what people said of it."""
    texts = [building.text(system, text, length="short") for system, text in written.items()]
    topics = [
        replace(topic, outputs=(*topic.outputs, *texts)) for topic in map(small_topic, ("t", "u"))
    ]
    scores = [
        HumanScore(topic=topic.id, system=system, measure="quality", value=value)
        for topic in topics
        for system, value in human.items()
    ]
    return building.corpus(*topics, scores=scores)


def plan(*metrics: str, level: Level = Level.SYSTEM) -> CorrelationPlan:
    return CorrelationPlan(
        requests=requests_of(metrics or ("rouge-1:tokens=unicode",)),
        side=HumanSide(measure="quality", length="short"),
        study=StudyRequest(level=level, test=PairTest.PERMUTATION),
    )


@pytest.fixture(scope="module")
def computed():
    return correlate(corpus(), plan(), Silent())


def of_rouge(session, services, parent) -> CorrelationsPage:
    page = CorrelationsPage(session, services, parent)
    page.controls.metrics.show_metrics(("rouge-1:tokens=unicode",))
    return page


@pytest.fixture
def page(page_over):
    return page_over(
        of_rouge, corpus=corpus(), size=(900, 600),
        ready=lambda page: page.results.table.grid.rowCount() == 3,
    )  # fmt: skip


def menu_of(page):
    return page.controls.subset.systems.menu().actions()


@pytest.mark.main
def test_that_the_table_has_the_metrics_and_their_coefficients(computed):
    model = GridModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show(study_grid(computed.study))
    heading = [model.headerData(at, Qt.Orientation.Horizontal) for at in range(6)]
    assert heading == ["Metric", "r", "rho", "tau-b", "Systems", "Topics"]
    assert [model.index(row, 0).data() for row in range(3)] == [
        "rouge-1.r", "rouge-1.p", "rouge-1.f"
    ]  # fmt: skip
    assert [model.index(0, column).data() for column in (4, 5)] == ["4", "2"]
    assert "95 % interval, bootstrap" in model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)


@pytest.mark.main
def test_that_metrics_are_called_as_on_the_scores_page(services, qtbot):
    study = correlate(corpus(), plan("coverage", "coverage:strict=yes"), Silent()).study
    english = ["Coverage:strict=no", "Coverage:strict=yes"]
    assert [row[0].text for row in study_grid(study).rows] == english
    set_language("ja")
    grids = study_grid(study), differences_grid(study, PAPERS[0])
    titles = [row[0].text for row in grids[0].rows]
    assert titles[1] == "Coverage（一部だけ抽出された対応文集合の得点 = まったくない）"
    assert [column.title for column in grids[1].columns] == titles
    assert [*grids[1].row_titles] == titles
    results = qtbot.added(StudyResults(services.themes))
    results.show_study(study)
    x_title, y_title = (column.title for column in results.plot.table.grid.columns[1:])
    assert (x_title, y_title) == (titles[0], "quality（人手評価）")
    set_language("en")
    results.retranslate()
    assert [column.title for column in results.matrix.grid.columns] == english


@pytest.mark.main
def test_that_scores_are_not_computed_again_for_another_level(computed):
    known = computed
    again = correlate(known.corpus, plan(level=Level.GLOBAL), Silent(), known=known)
    assert again.table is known.table
    assert again.study.request.level is Level.GLOBAL
    other = correlate(known.corpus, plan("coverage"), Silent(), known=known)
    assert other.table is not known.table
    less = Subset(topics=tuple(one.id for one in known.corpus.topics[:-1]))
    part = correlate(known.corpus, replace(plan(), subset=less), Silent(), known=known)
    assert part.table is not known.table
    edited = correlate(replace(known.corpus), plan(), Silent(), known=known)
    assert edited.table is not known.table


def test_that_the_papers_table_has_its_room_before_the_plot_beside_it_and_no_more(page):
    page.resize(1600, page.fontMetrics().height() * 60)
    table, matrix = page.results.table, page.results.matrix
    assert table.height() == pytest.approx(table.preferred_height_px(), abs=2)
    assert matrix.height() > table.height()
    wanted, both = page.results.table.preferred_width_px(), page.results.both
    both.resize(wanted * 5 // 3 + 10, 400)
    assert both.sizes()[0] >= wanted
    both.resize(3000, 400)
    assert wanted <= both.sizes()[0] < 1500


@pytest.mark.main
@pytest.mark.parametrize("size", [(1300, 800), (800, 400)])
def test_that_nothing_is_parted_into_tables_and_plot_before_there_is_something(
    services, qtbot, size
):
    results = qtbot.shown(StudyResults(services.themes), *size)
    assert results.table.isVisible()
    assert results.table.width() == results.width()
    assert not any(one.isVisible() for one in (results.tabs, results.matrix, results.plot))


@pytest.mark.main
def test_that_a_system_can_be_left_out_and_that_is_told(page, qtbot):
    next(one for one in menu_of(page) if one.text() == "none").setChecked(False)
    qtbot.waitUntil(lambda: page.results.table.grid.index(0, 4).data() == "3")
    assert page.controls.subset.systems.text() == "Systems: 3 of 4"
    assert "left out: none, gold" in page.facts.text()


@pytest.mark.main
def test_that_a_wrong_metric_is_told_in_the_page(page, qtbot):
    page.controls.metrics.choose(("rouge-0",))
    qtbot.waitUntil(lambda: page.body.currentWidget() is page.empty)
    assert says(page.empty, "There is no metric “rouge-0”.")
    assert button(page.empty, "Metrics").isVisible()
    assert not has_button(page.empty, "All systems")
    set_language("ja")
    QApplication.processEvents()
    assert page.facts.text() == ""  # nothing of the correlations that went
    assert not page.copy.isVisible()
    page.controls.metrics.choose(("coverage",))
    qtbot.waitUntil(page.copy.isVisible)
    assert page.facts.text()


def test_that_where_no_system_is_left_a_button_brings_all(page, qtbot):
    for name in [action.data() for action in menu_of(page)]:
        next(action for action in menu_of(page) if action.data() == name).setChecked(False)
    qtbot.waitUntil(lambda: page.body.currentWidget() is page.empty)
    press(page.empty, "All systems")
    qtbot.waitUntil(lambda: page.body.currentWidget() is page.results)
    assert page.results.table.grid.index(0, 4).data() == "4"


@pytest.mark.main
def test_that_a_system_added_to_a_kind_makes_it_ones_own_choice(qtbot):
    subset = qtbot.added(SubsetChoice())
    subset.fill(corpus())
    pick(subset.box, "extractive")
    subset.fill(corpus())
    (half,) = (one for one in subset.systems.menu().actions() if one.data() == "half")
    with qtbot.waitSignal(subset.chosen):
        half.setChecked(True)
    assert subset.box.currentData() == "own"
    assert subset.excluded() == ("all", "none")
    assert subset.kind() is None


def test_that_far_systems_are_suggested_and_left_out_only_when_told(page_over, qtbot):
    human = {"a": 1.0, "b": 1.1, "c": 1.2, "d": 1.3, "e": 9.0}
    far = corpus({name: f"One {name}." for name in human}, human)
    far = replace(far, topics=tuple(replace(t, outputs=t.outputs[2:]) for t in far.topics))
    page = page_over(of_rouge, corpus=far)
    qtbot.waitUntil(lambda: "left in: e (" in page.facts.text())
    assert page.results.table.grid.index(0, 4).data() == "5"
    suggestion = menu_of(page)[0]
    assert suggestion.text() == "Leave out 1 system far from the others"
    suggestion.trigger()
    qtbot.waitUntil(lambda: page.results.table.grid.index(0, 4).data() == "4")
    assert "left out: e;" in page.facts.text()


def test_that_the_joining_of_annotators_is_offered_where_there_are_several(page, session_over):
    controls = page.controls
    assert controls.joining.isHidden()
    two = tuple(replace(one, annotator=who) for one in corpus().human_scores for who in ("x", "y"))
    several = replace(corpus(), name="several", human_scores=two)
    controls.fill(session_over(corpus=several))
    assert not controls.joining.isHidden()
    pick(controls.joining, "majority:2")
    study = correlate(several, replace(plan("coverage"), side=controls.side()), Silent()).study
    assert study.human_signature == "quality:annotators=2,join=majority:2"
    assert facts_text(study, {}).startswith(
        "Human scores: quality (2 annotators, what 2 of them say); level: means of systems; "
    )
    *_, signature = facts_text(study, {}).splitlines()
    estimate = study.results[0].estimates[0].signature
    assert signature == estimate.replace("coefficient=r,", "coefficient=r+rho+tau-b,")
    assert signature.startswith("correlation:level=system,")


def test_that_what_it_rests_on_takes_one_line_of_a_low_window(page):
    line_px = page.facts.fontMetrics().height()
    resize(page, 620, 900)
    assert page.facts.height() > 2 * line_px
    assert page.facts.text().startswith("Human scores: quality; level: means of systems; ")
    assert page.facts.cut_text() == ""
    resize(page, 620, 400)
    assert page.facts.heightForWidth(page.facts.width()) < 2 * line_px
    assert page.facts.cut_text() == page.facts.text()


@pytest.mark.main
def test_that_the_table_can_be_copied_written_and_read_in_another_language(page):
    with copies_once():
        page.copy.click()
    copied = QGuiApplication.clipboard().text().splitlines()
    marked = [cell for name in ("r", "rho", "tau-b") for cell in (name, f"{name} *")]
    assert copied[0].split("\t") == ["metric", *marked, "systems", "topics"]
    assert copied[1].startswith("rouge-1.r\t")
    assert any("seed 0" in line for line in copied)
    assert "\\begin{tabular}" in page.text_of("tex")
    assert page.text_of("csv").splitlines()[0].startswith("metric,coefficient,value,low,high")
    assert left_in_english(page) == []


def test_that_one_thing_is_shown_at_a_time_where_there_is_no_room_for_all(page):
    results = page.results
    resize(page, 1400, 900)
    panes = (results.table, results.matrix, results.plot)
    assert not results.tabs.isVisible()
    assert all(pane.isVisible() for pane in panes)
    resize(page, 700, 450)
    assert [pane.isVisible() for pane in panes] == [True, False, False]
    for at in (1, 2):
        results.tabs.setCurrentIndex(at)
        assert [pane.isVisible() for pane in panes] == [at == 0, at == 1, at == 2]
        QApplication.processEvents()
        assert panes[at].width() > 600
    results.tabs.setCurrentIndex(0)
    page.return_to(1)
    assert results.plot.isVisible()
    resize(page, 1400, 900)
    assert all(pane.isVisible() for pane in panes)
