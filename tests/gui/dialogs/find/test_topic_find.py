import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit
from tests.gui.pages.annotate.conftest import *  # noqa: F403  (the annotation and what it stands on)
from tests.gui.pages.annotate.conftest import s
from tests.gui.seeing import press, texts

from awase.gui.kit.i18n import set_language
from awase.gui.pages.annotate.rows.sources import AbstractRole, SourceRole

K = Qt.Key
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def finding(annotation):
    """The page with the bar open; `whale` is in abstract sentence 1 and in s1, s10 and s11."""
    annotation.press(K.Key_Slash)
    QTest.keyClicks(QApplication.focusWidget(), "WHALE")
    return annotation


def count(annotation):
    (shown,) = [text for text in texts(annotation.page.topic_find) if text != "Find in topic"]
    return shown


def test_that_typing_marks_every_place_and_counts_them(finding):
    assert finding.page.topic_find.places == (1, s(1), s(10), s(11))
    model = finding.page.centre.candidate_model
    assert len(model.index_of(s(10)).data(SourceRole.SPANS)) == 1
    assert finding.page.abstract.model.index(0).data(AbstractRole.SPANS) == ((4, 9),)
    assert count(finding) == "2 of 4"
    assert finding.stored() == []


@pytest.mark.slow
def test_that_the_count_follows_the_language_of_the_window(finding):
    set_language("ja")
    bar = finding.page.topic_find
    QApplication.sendEvent(bar, QEvent(QEvent.Type.LanguageChange))
    assert "4 件中 2 件目" in texts(bar)


def test_that_f3_goes_on_and_shift_f3_back_around_the_ends(finding):
    finding.press(K.Key_F3)
    assert finding.page.centre.current_ref() == s(10)
    finding.press(K.Key_F3, K.Key_F3)
    assert count(finding) == "1 of 4"
    finding.press(K.Key_F3, modifier=SHIFT)
    assert finding.page.centre.current_ref() == s(11)


def test_that_a_place_in_the_abstract_is_selected(finding):
    finding.page.annotation.select(3)
    finding.press(K.Key_Return, modifier=SHIFT)
    assert finding.page.annotation.n == 1


@pytest.mark.slow
def test_that_esc_takes_the_marks_away_and_gives_the_keyboard_back(finding):
    finding.press(K.Key_Escape)
    assert finding.page.topic_find.isHidden()
    assert finding.page.centre.view.hasFocus()
    assert finding.page.abstract.model.index(0).data(AbstractRole.SPANS) == ()
    finding.press("1")
    assert len(finding.stored()) == 1


@pytest.mark.slow
def test_that_esc_in_a_pane_ends_finding_too(finding):
    finding.page.centre.setFocus()
    finding.press(K.Key_Escape)
    assert finding.page.topic_find.isHidden()


def test_that_keys_in_the_bar_never_reach_the_annotation(finding):
    for _ in range(6):
        finding.press(K.Key_Backspace, K.Key_Delete)
    finding.press("1", "u", K.Key_Down)
    assert finding.store.history("1").done == ()
    assert finding.page.findChild(QLineEdit).hasFocus()


@pytest.mark.slow
def test_that_words_which_are_not_there_are_told(finding):
    QTest.keyClicks(QApplication.focusWidget(), "zz")
    assert count(finding) == "not in this topic"
    finding.press(K.Key_F3)
    assert finding.page.topic_find.places == ()


@pytest.mark.slow
def test_that_f3_without_a_search_opens_the_bar(own_annotation):
    own_annotation.press(K.Key_F3)
    assert not own_annotation.page.topic_find.isHidden()
    assert own_annotation.page.topic_find.findChildren(QLabel)[1].text() == ""


@pytest.mark.slow
def test_that_the_words_are_found_anew_in_another_topic(finding):
    finding.page.annotation.go_to(None)
    assert finding.page.topic_find.places == ()
    finding.page.annotation.go_to("0310")
    assert len(finding.page.topic_find.places) == 4


def test_that_the_mouse_can_do_all_of_it(finding):
    bar = finding.page.topic_find
    press(bar, "Next")
    assert count(finding) == "3 of 4"
    press(bar, "Previous")
    assert count(finding) == "2 of 4"
    press(bar, "Done")
    assert bar.isHidden()
