"""Enter on a number goes where its page promises, and Back comes to the same cell again."""

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from tests.gui.conftest import demonstration

from awase.core.reports.score_report import View, ViewKind
from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.i18n import LANGUAGES
from awase.gui.main_screens import Stage, settle, wait
from awase.gui.pages.scores.plots import PlotKind
from awase.gui.session.topic_list import ID_ROLE

pytestmark = pytest.mark.slow

_TABS_OF_DETAILS = {"comparison": 1, "buckets": 3, "spending": 4}


@pytest.fixture(params=[*LANGUAGES])
def stage(qapp, request) -> Iterator[Stage]:
    with demonstration(request.param) as stage:
        yield stage
        stage.window.close_corpus()


def at_rest(stage: Stage) -> None:
    settle()
    wait(lambda: not stage.services.jobs.is_busy)


def page_of(stage: Stage, page_id: str) -> Any:
    """Shows a page, and returns it when it is at rest."""
    stage.window.workspace.show_page(page_id)
    at_rest(stage)
    return stage.window.workspace.page(page_id)


def there_and_back(
    stage: Stage, view: GridView, cell: tuple[int, int], key: Qt.Key = Qt.Key.Key_Return
) -> tuple[str, object]:
    """Presses Enter in a cell and returns the page and place that it led to, after coming back."""
    workspace = stage.window.workspace
    page_id = workspace.page_id
    view.choose(*cell)
    view.setFocus()
    before = (view.currentIndex().data(), view.row_of(view.currentIndex()), cell[1])
    QTest.keyClick(view, key)
    at_rest(stage)
    page = workspace.page(workspace.page_id)
    led_to = workspace.page_id, page.place()
    QTest.keyClick(stage.window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    at_rest(stage)
    assert workspace.page_id == page_id
    index = view.currentIndex()
    assert (index.data(), view.row_of(index), index.column()) == before
    assert stage.window.focusWidget() is view
    return led_to


def numbers_of(view: GridView) -> list[tuple[int, int]]:
    """Returns one cell of every column, of the first and the last row in turn."""
    last, columns = view.n_rows - 1, range(1, len(view.grid.columns))
    shown = [at for at in columns if not view.isColumnHidden(at)]
    return [(last if at % 2 else 0, at) for at in shown]


@pytest.mark.parametrize("kind", [ViewKind.MEANS, ViewKind.TOPIC, ViewKind.SYSTEM, ViewKind.METRIC])
def test_that_every_score_leads_to_its_system_and_topic_and_back(stage, kind):
    page = page_of(stage, "scores")
    first = page.table.arrangement
    subject = {
        ViewKind.TOPIC: stage.window.workspace.session.topics()[-1].id,
        ViewKind.SYSTEM: first.rows[0].name,
    }
    column = first.columns[0]
    page.show_view(
        View(kind=kind, length=column.length, metric=column.metric)
        if kind is ViewKind.METRIC
        else View(kind=kind, subject=subject.get(kind, ""))
    )
    led = 0
    for row, at in numbers_of(page.table):
        column = page.table.arrangement.columns[at - 1]
        if column.metric is None:
            continue
        cause = page.table.cause_at(page.table.grid.index(row, at))
        name = page.table.arrangement.rows[row].name
        assert name in (cause.system, cause.topic)
        assert cause.metric == column.metric.metric
        assert page.table.leads_to(page.table.grid.index(row, at))
        where, place = there_and_back(stage, page.table, (row, at))
        assert where == "inspect"
        assert (place.topic, place.wanted.system) == (cause.topic, cause.system)
        assert place.wanted.length == cause.length
        led += 1
    assert led > 1


@pytest.mark.parametrize("kind", [*PlotKind])
def test_that_every_number_beside_a_plot_leads_to_its_cause_and_back(stage, kind):
    page = page_of(stage, "scores")
    page.controls.plot.setChecked(True)
    page.plot.choose(kind)
    at_rest(stage)
    view = page.plot.view.table
    for cell in numbers_of(view)[:3]:
        where, place = there_and_back(stage, view, cell)
        names = {
            view.grid.index(view.grid.order.index(cell[0]), 0).data(),
            view.grid.columns[cell[1]].title,
        }
        assert where == "inspect"
        assert place.wanted.system in {str(one).rstrip(" ▲▼") for one in names}
        assert place.topic in {None, *names}


def test_that_what_enter_shows_on_inspect_leads_back_to_the_cell(stage):
    page = page_of(stage, "inspect")
    for cell in numbers_of(page.heat):
        page.heat.choose(*cell)
        here = page.place()
        where, place = there_and_back(stage, page.heat, cell)
        assert where == "annotate"
        assert place[:3] == (here.key.topic, here.key.abstract, here.key.n)
    for name, tab in _TABS_OF_DETAILS.items():
        page.details.setCurrentIndex(tab)
        at_rest(stage)
        view = getattr(page.details, name)
        for cell in numbers_of(view)[-2:]:
            where, _place = there_and_back(stage, view, cell)
            assert where == "inspect"
            assert view.leads_to(view.currentIndex())


def test_that_a_system_of_the_correlations_leads_to_its_cause_and_back(stage):
    results = page_of(stage, "correlations").results
    results.choose(1)
    results.tabs.bring(results.plot)
    at_rest(stage)
    view = results.plot.table
    for cell in numbers_of(view):
        where, place = there_and_back(stage, view, cell)
        assert (where, results.place) == ("inspect", 1)
        assert place.wanted.system == view.grid.index(view.grid.order.index(cell[0]), 0).data()


def test_that_a_disagreement_leads_to_its_sentence_and_back(stage):
    results = page_of(stage, "review").agreement.results
    for cell in numbers_of(results.sentences):
        results.sentences.choose(*cell)
        one = results.current()
        where, place = there_and_back(stage, results.sentences, cell, Qt.Key.Key_O)
        assert where == "annotate"
        assert place[:3] == (one.topic, one.abstract, one.n)
    for view in (results.matrix, results.topics, results.kinds, results.effects):
        results.overview.setCurrentWidget(view)
        at_rest(stage)
        if view.n_rows:  # the tables above keep their cell, too, while one is at the sentence
            where, _place = there_and_back(stage, view, (view.n_rows - 1, 1), Qt.Key.Key_O)
            assert where == "annotate"


def test_that_a_case_leads_to_its_sentence_and_back(stage):
    review = page_of(stage, "review")
    tab = review.deciding()
    at_rest(stage)
    assert tab.queue.n_rows > 1
    for row in (0, tab.queue.n_rows - 1):
        tab.queue.choose(row)
        case = tab.queue.current()
        where, place = there_and_back(stage, tab.queue, (row, 0), Qt.Key.Key_O)
        assert where == "annotate"
        assert place[:3] == (case.topic, case.abstract, case.n)
        assert review.tabs.currentWidget() is tab


def test_that_a_topic_of_the_project_leads_to_it_and_back(stage):
    table = page_of(stage, "project").topics.table
    workspace = stage.window.workspace
    for row in range(table.model().rowCount()):
        table.setCurrentIndex(table.model().index(row, 0))
        table.setFocus()
        topic = table.currentIndex().data(ID_ROLE)
        QTest.keyClick(table, Qt.Key.Key_Return)
        at_rest(stage)
        assert workspace.page_id == "annotate"
        assert workspace.page("annotate").place()[0] == topic
        QTest.keyClick(stage.window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        at_rest(stage)
        assert workspace.page_id == "project"
        assert table.currentIndex().data(ID_ROLE) == topic
        assert stage.window.focusWidget() is table


def test_that_a_score_keeps_its_cell_when_the_corpus_is_changed_meanwhile(stage):
    page = page_of(stage, "scores")
    page.table.choose(2, 2)
    page.compute()
    at_rest(stage)
    index = page.table.currentIndex()
    assert (page.table.row_of(index), index.column()) == (2, 2)
