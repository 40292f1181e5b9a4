"""From a score to its cause, to the annotation, and back."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPushButton
from tests.gui.seeing import says
from tests.in_part import in_part

from awase.gui.frame.above_page import StepsBanner, Trail
from awase.gui.frame.welcome import WelcomePage
from awase.gui.kit.commands import EnterPresses
from awase.gui.session.pages import Cause

pytestmark = pytest.mark.slow


@pytest.fixture
def window(window_over, make_corpus):
    return window_over(make_corpus())


@pytest.mark.main
def test_that_one_goes_from_a_number_to_the_sentence_and_back(window, services, qtbot):
    workspace = window.shown
    workspace.show_page("scores")
    scores, inspect = workspace.page("scores"), workspace.page("inspect")
    qtbot.waitUntil(lambda: not services.jobs.is_busy)
    table = scores.table
    column = [one.title for one in table.arrangement.columns].index("coverage") + 1
    row = [one.name for one in table.arrangement.rows].index("last")
    table.setCurrentIndex(table.grid.index(row, column))
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert workspace.page_id == "inspect"
    qtbot.waitUntil(lambda: inspect.heat.n_rows == 1)
    assert inspect.filters.wanted.system == "last"
    assert says(window, "Scores › Inspect")
    qtbot.keyClick(inspect.heat, Qt.Key.Key_Return)
    assert workspace.page_id == "annotate"
    assert workspace.annotate.live_results.system == "last"
    window.menus.choose("menu:back")
    assert workspace.page_id == "inspect"
    window.menus.choose("menu:back")
    assert workspace.page_id == "scores"
    assert table.currentIndex() == table.grid.index(row, column)
    assert not says(window, "›")


def test_that_going_elsewhere_oneself_ends_the_way_back(window):
    workspace = window.shown
    workspace.show_page("scores")
    workspace.page("scores").causeChosen.emit(Cause(topic=None, system="last"))
    assert workspace.page_id == "inspect"
    workspace.show_page("annotate")
    workspace.go_back()
    assert workspace.page_id == "annotate"


def test_that_a_filter_is_a_step_of_the_way_and_an_explanation_leads_to_inspect(
    window, services, qtbot
):
    workspace = window.shown
    window.menus.choose("menu:pyramid")
    assert workspace.page_id == "inspect"
    inspect = workspace.page("inspect")
    assert inspect.details.panes[0].isVisibleTo(inspect)
    qtbot.waitUntil(lambda: not services.jobs.is_busy)
    inspect.details.bucketChosen.emit(frozenset(), lambda: "Rank: A")
    assert says(window, "Annotate › Inspect › Inspect")
    inspect.details.bucketChosen.emit(frozenset(), lambda: "Rank: B")
    assert says(window, "Annotate › Inspect › Inspect (Rank: A) › Inspect")
    window.menus.choose("menu:back")
    assert inspect.filters.told == "Rank: A"
    window.menus.choose("menu:back")
    assert inspect.heat.n_rows > 0
    window.menus.choose("menu:back")
    assert workspace.page_id == "annotate"


def test_that_the_way_back_names_the_key_that_it_has(window, services):
    button = window.findChild(Trail).findChild(QPushButton)
    assert button.toolTip() == "Back to where you came from (Alt+Left)"
    services.keys.bind("menu:back", ["Ctrl+9"])
    assert button.toolTip() == "Back to where you came from (Ctrl+9)"


@pytest.mark.parametrize("page_id", in_part(["scores", "annotate", "inspect"]))
def test_that_numbers_of_a_page_say_what_they_are(window, services, qtbot, page_id):
    workspace = window.shown
    workspace.show_page(page_id)
    qtbot.waitUntil(lambda: not services.jobs.is_busy)
    page = workspace.page(page_id)
    if page_id == "annotate":
        qtbot.waitUntil(lambda: page.live_results.state.upper is not None)
    window.menus.choose("menu:why")
    page.setFocus()
    workspace.why.refresh()
    expected = {"annotate": "h = ", "inspect": "e(i) of", "scores": "mean h"}
    assert expected[page_id] in workspace.why.text.text()
    window.menus.choose("menu:why")
    assert workspace.why.isHidden()


def test_that_w_asks_on_a_page_that_has_no_other_use_for_it(window, services, qtbot):
    workspace = window.shown
    workspace.show_page("scores")
    qtbot.waitUntil(lambda: not services.jobs.is_busy)
    table = workspace.page("scores").table
    qtbot.keyClick(table, Qt.Key.Key_W)
    assert not workspace.why.isHidden()
    qtbot.keyClick(table, Qt.Key.Key_W)
    assert workspace.why.isHidden()


def test_that_enter_presses_the_buttons_around_the_pages(
    bare_window, window_over, qtbot, make_corpus
):
    window = bare_window
    welcome = window.findChild(WelcomePage)
    (texts,) = (one for one in welcome.findChildren(QPushButton) if "from texts" in one.text())
    texts.setFocus()
    with qtbot.waitSignal(welcome.commandChosen):
        qtbot.keyClick(texts, Qt.Key.Key_Return)
    for dialog in window.findChildren(QDialog):
        dialog.close()
    workspace = window_over(make_corpus()).shown
    workspace.show_page("correlations")  # which wants human scores
    pages = [workspace.page(one) for one in ("annotate", "correlations")]
    around = [
        one for one in pressed_by_space_alone(window)
        if not any(page.isAncestorOf(one) for page in pages)
    ]  # fmt: skip
    assert [one.text() for one in around] == []
    assert workspace.findChild(StepsBanner).isVisible()
    window.close_corpus()


def pressed_by_space_alone(window) -> list[QPushButton]:
    buttons = (one for one in window.findChildren(QPushButton) if one.isVisible())
    return [one for one in buttons if not one.findChildren(EnterPresses)]
