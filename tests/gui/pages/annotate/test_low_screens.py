"""The page on a low screen in the largest letters."""

import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtWidgets import QMenu, QToolButton
from tests.gui.looking import least_size, outside, sideways
from tests.gui.seeing import labels

from awase.gui.frame.page_stack import Rail
from awase.gui.kit.i18n import LANGUAGES
from awase.gui.kit.look.fitting import ElidedButton
from awase.gui.kit.look.theme import Theme, ThemeBox
from awase.gui.main_screens import offstage, settle, wait
from awase.storage.store import CorpusStore

LOW = QSize(1366, 728)


@pytest.fixture(params=LANGUAGES)
def low_stage(request):
    """A low screen with the largest letters, and the demonstration opened."""
    with offstage(20, LOW) as stage:
        stage.look(request.param, "light")
        stage.window.open_demonstration(request.param)
        wait(lambda: stage.window.workspace is not None)
        yield stage


def assert_all_in_sight(window):
    settle()
    least = least_size(window)
    assert least.width() <= LOW.width()
    assert least.height() <= LOW.height()
    page = window.workspace.annotate
    for pane in (page.abstract, page.centre, page.alternatives):
        assert pane.isHidden() or pane.height() >= pane.minimumSizeHint().height()
    assert outside(window) == []
    assert sideways(window) == []


@pytest.mark.slow
def test_that_nothing_is_cut_on_a_low_screen_in_letters_of_20_points(low_stage):
    window = low_stage.window
    page = window.workspace.annotate
    window.workspace.begin_tour()
    assert_all_in_sight(window)
    window.workspace.end_tour()
    page.annotation.toggle_others()
    page.toggle_guidelines()
    assert_all_in_sight(window)
    location = window.workspace.session.location
    window.close_corpus()
    with CorpusStore.open(location, who="Sato"):
        window.open_location(location)
        wait(lambda: window.workspace is not None)
        assert_all_in_sight(window)
        window.close_corpus()


@pytest.mark.slow
def test_that_guidelines_stand_in_the_abstracts_place_where_four_panes_have_no_room(low_stage):
    window = low_stage.window
    page = window.workspace.annotate
    page.abstract.setFocus()
    page.toggle_guidelines()
    settle()
    assert not page.abstract.isVisible()
    assert page.guidelines.mapTo(page, QPoint()).x() < page.centre.mapTo(page, QPoint()).x()
    assert page.centre.isAncestorOf(window.focusWidget())
    page.step_pane(1)
    assert page.alternatives.isAncestorOf(window.focusWidget())
    page.step_pane(1)
    assert page.centre.isAncestorOf(window.focusWidget())
    page.focus_pane(0)
    settle()
    assert not page.guidelines.isVisible()
    assert page.abstract.isAncestorOf(window.focusWidget())
    page.toggle_guidelines()
    window.resize(2400, 900)
    settle()
    assert page.abstract.isVisible()
    assert page.guidelines.isVisible()


@pytest.mark.slow
def test_that_the_icons_of_the_rail_are_as_high_as_its_letters(low_stage):
    for button in low_stage.window.workspace.findChild(Rail).findChildren(QToolButton):
        assert button.iconSize().height() >= button.fontMetrics().capHeight()


@pytest.mark.slow
def test_that_a_notice_in_the_place_of_the_sentences_is_whole(low_stage):
    pane = low_stage.window.workspace.annotate.abstract
    pane.filter.step(3)
    settle()
    for label in labels(pane.content.notice):
        assert label.height() >= label.heightForWidth(label.width()) > 0


def test_that_a_button_without_room_for_its_text_says_a_shorter_one(qtbot):
    ThemeBox(Theme.named("light", 20)).apply()
    long, short = ElidedButton(), ElidedButton()
    for button in (long, short):
        qtbot.addWidget(button)
        button.setMenu(QMenu(button))
    short.setText("Yamamoto")
    long.setText("annotator Yamamoto")
    long.set_short("Yamamoto")
    least = short.sizeHint()
    assert least.width() < long.sizeHint().width()
    for button in (long, short):
        button.resize(least)
    assert long.grab().toImage() == short.grab().toImage()
    long.shorten(True)
    assert long.sizeHint() == least
    long.shorten(False)
    assert long.sizeHint().width() == long.whole_width() > least.width()
