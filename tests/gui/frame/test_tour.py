import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.conftest import small_topic
from tests.gui.looking import least_size
from tests.gui.seeing import has_button, says
from tests.gui.seeing import press as press_button

from awase.gui.frame.help import HelpWindow
from awase.gui.frame.tour import STEPS, TourPanel
from awase.gui.main_screens import offstage, settle, wait

pytestmark = pytest.mark.slow

K = Qt.Key


@pytest.fixture
def tour(window, qtbot):
    """The tour from the menu, with no corpus open before."""
    window.menus.action("menu:tour").trigger()
    qtbot.waitUntil(lambda: window.workspace is not None)
    window.activateWindow()
    return tour_of(window)


def tour_of(window):
    QApplication.processEvents()
    found = [panel for panel in window.findChildren(TourPanel) if panel.isVisibleTo(window)]
    return found[0] if found else None


def press(window, *keys):
    for key in keys:
        widget = QApplication.focusWidget() or window.workspace.annotate.centre.view
        QTest.keyClick(widget, key)


@pytest.mark.main
def test_that_the_tour_opens_the_demonstration_and_follows_each_step(window, tour):
    page = window.workspace.annotate
    assert "demo-en" in window.workspace.session.location
    assert tour.at == 0
    assert says(tour, "Step 1 of 9")
    assert says(tour, "**Right**")
    press(window, "1", "1")  # something else
    assert tour.at == 0
    press(window, K.Key_Right)
    assert tour.at == 1
    page.centre.fold(True)  # nine digits are in sight
    unlinked = next(
        str(at + 1)
        for at, ref in enumerate(page.annotation.order)
        if ref not in page.annotation.entry.refs()
    )
    press(window, unlinked)
    assert tour.at == 2
    press(window, K.Key_N)
    assert tour.at == 2
    press(window, unlinked)
    assert tour.at == 3
    window.workspace.session.undo_stack.undo()
    assert tour.at == 4
    press(window, {"A": K.Key_B}.get(page.annotation.place.rank(page.annotation.n), K.Key_A))
    assert tour.at == 5
    press(window, K.Key_Return)
    assert tour.at == 6
    press(window, K.Key_O)
    assert tour.at == 7
    press(window, K.Key_H)
    assert tour.at == 8
    window.workspace.show_page("scores")
    assert tour.at == len(STEPS)
    assert not has_button(tour, "Skip this step")
    assert says(tour, "That was the tour.")


def test_that_the_tour_makes_no_window_higher_than_a_low_screen():
    with offstage(23, QSize(1366, 728)) as stage:  # lines as high as those of Noto at 20 points
        stage.look("ja", "light")
        stage.window.open_demonstration("ja")
        wait(lambda: stage.window.workspace is not None)
        stage.window.begin_tour()
        settle()
        assert least_size(stage.window).height() <= 728
        assert says(tour_of(stage.window), "**→**")
        press_button(tour_of(stage.window), "スキップ")
        assert tour_of(stage.window).at == 1
        press_button(tour_of(stage.window), "ツアーを終わる")
        assert tour_of(stage.window) is None


def test_that_steps_can_be_skipped_and_the_tour_ended_at_any_time(window, tour):
    press_button(tour, "Skip this step")
    press_button(tour, "Skip this step")
    assert tour.at == 2
    press_button(tour, "End the tour")
    assert tour_of(window) is None
    press(window, K.Key_Right)
    window.menus.action("menu:tour").trigger()
    assert tour_of(window).at == 0


def test_that_the_tour_leaves_a_corpus_of_ones_own_alone(window, qtbot, make_corpus):
    window.open_location(str(make_corpus(small_topic())))
    qtbot.waitUntil(lambda: window.workspace is not None)
    own = window.workspace
    window.begin_tour()
    qtbot.waitUntil(lambda: window.workspace not in (None, own))
    assert tour_of(window) is not None
    assert "demo-en" in window.workspace.session.location


def test_that_the_open_demonstration_is_used(window, qtbot):
    window.open_demonstration("ja")
    qtbot.waitUntil(lambda: window.workspace is not None)
    workspace = window.workspace
    assert tour_of(window) is None
    window.begin_tour()
    assert window.workspace is workspace
    assert tour_of(window) is not None


def test_that_f1_opens_the_help_beside_the_work(window):
    assert window.menus.action("menu:help").shortcut().toString() == "F1"
    window.menus.action("menu:help").trigger()
    help_window = window.findChild(HelpWindow)
    assert help_window.isVisible()
    help_window.close()
