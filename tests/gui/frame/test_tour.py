"""The tour, and the way from a number to its sentence."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox, QPushButton
from tests.gui.looking import least_size
from tests.gui.seeing import has_button, press, press_keys, says
from tests.in_part import in_part

from awase.gui.frame.above_page import STEPS, StepsBanner, TourPanel, Trail
from awase.gui.frame.welcome import WelcomePage
from awase.gui.kit.commands import EnterPresses
from awase.gui.main_screens import offstage, settle, wait

pytestmark = pytest.mark.slow


K = Qt.Key


@pytest.fixture
def tour(window, window_over, make_corpus, qtbot, monkeypatch):
    """The tour from the menu, over a corpus of one's own in which a note cannot be saved."""
    own, unsaved = window_over(make_corpus()).workspace, iter([("So.",)])
    monkeypatch.setattr(own, "unsaved_texts", lambda: next(unsaved, ()))
    window.menus.actions["menu:tour"].trigger()
    press(window.findChild(QMessageBox), "Discard and close")
    qtbot.waitUntil(lambda: window.workspace not in (None, own))
    window.activateWindow()
    return tour_of(window)


def tour_of(window):
    QApplication.processEvents()
    found = [panel for panel in window.findChildren(TourPanel) if panel.isVisibleTo(window)]
    assert len(found) < 2
    return found[0] if found else None


@pytest.mark.main
def test_that_the_tour_opens_the_demonstration_and_follows_each_step(window, tour, services):
    page = window.workspace.annotate
    assert "demo-en" in window.workspace.session.location
    assert tour.at == 0
    assert says(tour, "Step 1 of 9")
    assert says(tour, "**Right**")
    press_keys(window, "1", "1")  # something else
    assert tour.at == 0
    press_keys(window, K.Key_Right)
    assert tour.at == 1
    page.centre.fold(True)  # nine digits are in sight
    unlinked = next(
        str(at + 1)
        for at, ref in enumerate(page.annotation.order)
        if ref not in page.annotation.entry.refs()
    )
    press_keys(window, unlinked)
    assert tour.at == 2
    press_keys(window, K.Key_N)
    assert tour.at == 2
    press_keys(window, unlinked)
    assert tour.at == 3
    window.workspace.session.undo_stack.undo()
    assert tour.at == 4
    sentence = page.annotation.place.abstract.sentences[page.annotation.n - 1]
    press_keys(window, {"A": K.Key_B}.get(sentence.rank, K.Key_A))
    assert tour.at == 5
    for at, key in enumerate((K.Key_Return, K.Key_O, K.Key_H), start=6):
        press_keys(window, key)
        assert tour.at == at
    window.workspace.show_page("scores")
    assert tour.at == len(STEPS)
    own = services.settings.settings
    window.change_point_size(99)
    window.workspace.session.set_who("A2")  # for the demonstration alone
    left = services.settings.settings
    assert (left.annotator, left.point_size) == (own.annotator, own.point_size)
    assert [Path(one).name for one in left.recent] == ["small.awase"]
    assert not has_button(tour, "Skip this step")
    assert says(tour, "That was the tour.")
    window.workspace.show_page("annotate")  # and nothing follows
    assert tour.at == len(STEPS)
    there = window.workspace
    window.begin_tour()
    assert (window.workspace, tour_of(window).at) == (there, 0)


def test_that_the_tour_makes_no_window_higher_than_a_low_screen():
    with offstage(23, QSize(1366, 728)) as stage:  # lines as high as those of Noto at 20 points
        stage.look("ja", "light")
        stage.window.open_demonstration("ja")
        wait(lambda: stage.window.workspace is not None)
        assert tour_of(stage.window) is None
        stage.window.begin_tour()
        settle()
        assert least_size(stage.window).height() <= 728
        assert says(tour_of(stage.window), "**→**")
        press(tour_of(stage.window), "スキップ")
        assert tour_of(stage.window).at == 1
        press(tour_of(stage.window), "ツアーを終わる")
        assert tour_of(stage.window) is None


def test_that_steps_can_be_skipped_and_the_tour_ended_at_any_time(window, tour):
    press(tour, "Skip this step")
    press(tour, "Skip this step")
    assert tour.at == 2
    press(tour, "End the tour")
    assert tour_of(window) is None
    press_keys(window, K.Key_Right)


@pytest.mark.main
def test_that_one_goes_from_a_number_to_the_sentence_and_back(open_window, services, qtbot):
    workspace = open_window.shown
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
    assert says(open_window, "Scores › Inspect")
    qtbot.keyClick(inspect.heat, Qt.Key.Key_Return)
    assert workspace.page_id == "annotate"
    assert workspace.annotate.live_results.system == "last"
    open_window.menus.choose("menu:back")
    assert workspace.page_id == "inspect"
    open_window.menus.choose("menu:back")
    assert workspace.page_id == "scores"
    assert table.currentIndex() == table.grid.index(row, column)
    assert not says(open_window, "›")
    qtbot.keyClick(table, Qt.Key.Key_Return)
    workspace.show_page("annotate")  # who goes elsewhere has no way back
    workspace.go_back()
    assert workspace.page_id == "annotate"


@pytest.mark.main
def test_that_a_filter_is_a_step_of_the_way_and_an_explanation_leads_to_inspect(
    open_window, services, qtbot
):
    workspace = open_window.shown
    open_window.menus.choose("menu:pyramid")
    assert workspace.page_id == "inspect"
    inspect = workspace.page("inspect")
    assert inspect.details.panes[0].isVisibleTo(inspect)
    qtbot.waitUntil(lambda: not services.jobs.is_busy)
    inspect.details.bucketChosen.emit(frozenset(), lambda: "Rank: A")
    assert says(open_window, "Annotate › Inspect › Inspect")
    inspect.details.bucketChosen.emit(frozenset(), lambda: "Rank: B")
    assert says(open_window, "Annotate › Inspect › Inspect (Rank: A) › Inspect")
    button = open_window.findChild(Trail).findChild(QPushButton)
    for keys in ("Alt+Left", "Ctrl+9"):
        services.keys.bind("menu:back", [keys])
        assert button.toolTip() == f"Back to where you came from ({keys})"
    open_window.menus.choose("menu:back")
    assert inspect.filters.told == "Rank: A"
    open_window.menus.choose("menu:back")
    assert inspect.heat.n_rows > 0
    open_window.menus.choose("menu:back")
    assert workspace.page_id == "annotate"


@pytest.mark.parametrize("page_id", in_part(["scores", "annotate", "inspect"]))
def test_that_numbers_of_a_page_say_what_they_are(open_window, services, qtbot, page_id):
    workspace = open_window.shown
    workspace.show_page(page_id)
    qtbot.waitUntil(lambda: not services.jobs.is_busy)
    page = workspace.page(page_id)
    if page_id == "annotate":
        qtbot.waitUntil(lambda: page.live_results.state.upper is not None)
    by_key = page_id == "scores"  # which has no other use for it

    def ask():
        if by_key:
            qtbot.keyClick(page.table, Qt.Key.Key_W)
        else:
            open_window.menus.choose("menu:why")

    ask()
    page.setFocus()
    workspace.why.refresh()
    expected = {"annotate": "h = ", "inspect": "e(i) of", "scores": "mean h"}
    assert expected[page_id] in workspace.why.text.text()
    ask()
    assert workspace.why.isHidden()


def test_that_enter_presses_the_buttons_around_the_pages(
    bare_window, window_over, qtbot, make_corpus
):
    open_window = bare_window
    welcome = open_window.findChild(WelcomePage)
    (texts,) = (one for one in welcome.findChildren(QPushButton) if "from texts" in one.text())
    texts.setFocus()
    with qtbot.waitSignal(welcome.commandChosen):
        qtbot.keyClick(texts, Qt.Key.Key_Return)
    for dialog in open_window.findChildren(QDialog):
        dialog.close()
    workspace = window_over(make_corpus()).shown
    workspace.show_page("correlations")  # which wants human scores
    pages = [workspace.page(one) for one in ("annotate", "correlations")]
    around = [
        one for one in open_window.findChildren(QPushButton)
        if one.isVisible() and not one.findChildren(EnterPresses)
        and not any(page.isAncestorOf(one) for page in pages)
    ]  # fmt: skip
    assert [one.text() for one in around] == []
    assert workspace.findChild(StepsBanner).isVisible()
    open_window.close_corpus()
