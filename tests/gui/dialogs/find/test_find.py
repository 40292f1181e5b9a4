"""Finding words in a topic and in the whole corpus."""

from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit
from tests.building import topic
from tests.gui.conftest import small_topic
from tests.gui.pages.annotate.conftest import *  # noqa: F403  (the annotation and what it stands on)
from tests.gui.pages.annotate.conftest import s
from tests.gui.pages.conftest import *  # noqa: F403  (what opens and lends pages)
from tests.gui.seeing import press, texts

from awase.core.annotation.content import without_topics
from awase.core.records.addition import Addition
from awase.core.records.edits import REMOVE_TOPICS, Changes
from awase.core.records.source import SentenceRef
from awase.gui.dialogs.find import (
    CorpusFindDialog,
    MatchRole,
    SentenceMatch,
    Sentences,
    around_match,
)
from awase.gui.kit.i18n import set_language
from awase.gui.pages.annotate.rows.sources import SUBJECT

TEXT = " ".join(f"word{n:02}" for n in range(40))


def shown(match: str, letters: int) -> tuple[str, str, bool]:
    """Returns the part shown in room for so many letters, the match in it, and whether it fits."""
    metrics = QFontMetricsF(QFont())
    width = metrics.horizontalAdvance("0" * letters)
    at = TEXT.index(match)
    part, ((start, end), *_) = around_match(TEXT, ((at, at + len(match)),), width, metrics)
    return part, part[start:end], metrics.horizontalAdvance(part) <= width


def test_that_a_sentence_is_cut_before_a_match_that_has_no_room_and_no_later_than_it_must(qapp):
    assert shown("word03", 80)[:2] == (TEXT, "word03")
    part, match, fits = shown("word20", 60)
    assert (part[0], match) == ("…", "word20")
    assert not fits, "what follows is cut where the line ends"
    part, match, fits = shown("word39", 60)
    assert (part[0], match, fits) == ("…", "word39", True)
    longer = TEXT[TEXT.index(part.removeprefix("…")) - 1] + part
    metrics = QFontMetricsF(QFont())
    assert metrics.horizontalAdvance(longer) > metrics.horizontalAdvance("0" * 60)


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
    assert len(finding.page.centre.sources.spans(s(10))) == 1
    assert finding.page.abstract.model.index(0).data(SUBJECT).spans == ((4, 9),)
    assert count(finding) == "2 of 4"
    assert finding.stored() == []


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


def test_that_esc_takes_the_marks_away_and_gives_the_keyboard_back(finding):
    finding.press(K.Key_Escape)
    assert finding.page.topic_find.isHidden()
    assert finding.page.centre.view.hasFocus()
    assert finding.page.abstract.model.index(0).data(SUBJECT).spans == ()
    finding.press(K.Key_Slash)
    finding.page.centre.setFocus()
    finding.press(K.Key_Escape)  # in a pane
    assert finding.page.topic_find.isHidden()
    finding.press("1")
    assert len(finding.stored()) == 1


def test_that_keys_in_the_bar_never_reach_the_annotation(finding):
    for _ in range(6):
        finding.press(K.Key_Backspace, K.Key_Delete)
    finding.press("1", "u", K.Key_Down)
    assert finding.store.history("1").done == ()
    assert finding.page.findChild(QLineEdit).hasFocus()


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


def japanese_topic(n_sentences=3):
    texts = ["職業訓練が始まった。", "ＮＴＴ株が上がった。", "訓練は終わった。"]
    return topic("日本", docs={"j": [texts[n % 3] for n in range(n_sentences)]})


@pytest.fixture
def workspace(window_over, make_corpus):
    second = replace(small_topic("u"), title="Cats")
    return window_over(make_corpus(small_topic(), second, japanese_topic())).workspace


@pytest.fixture
def dialog(workspace, qtbot):
    workspace.window().menus.actions["menu:find-in-corpus"].trigger()
    return workspace.findChild(CorpusFindDialog)


def rows(model):
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def test_that_every_sentence_is_listed_until_words_are_typed_and_these_are_found(dialog, qtbot):
    assert dialog.model.rowCount() == 2 * (2 + 3) + 3
    assert dialog.fields["status"].text() == "13 sentences"
    for words, found in (
        ("訓練 ", ["職業訓練が始まった。", "訓練は終わった。"]),
        ("ntt", ["ＮＴＴ株が上がった。"]),
        ("THE CAT", ["The cat slept.", "The cat slept."]),
    ):
        dialog.words.setText(words)
        qtbot.waitUntil(lambda: not dialog.model.is_searching)
        assert rows(dialog.model) == found
        start, end = dialog.model.index(0, 0).data(MatchRole.SPANS)[0]
        assert end - start == len(words.strip())
    dialog.words.setText("鯨")
    qtbot.waitUntil(lambda: not dialog.model.is_searching)
    assert dialog.fields["status"].text() == "No sentence has “鯨”."
    QTest.keyClick(dialog.words, K.Key_Return)
    assert dialog.isVisible()


def test_that_enter_goes_to_the_source_sentence_of_another_topic(dialog, workspace, qtbot):
    workspace.show_page("scores")
    dialog.words.setText("訓練")
    qtbot.waitUntil(lambda: not dialog.model.is_searching)
    QTest.keyClick(dialog.words, K.Key_Down)
    QTest.keyClick(dialog.words, K.Key_Return)
    page = workspace.annotate
    assert page.isVisible()
    assert page.annotation.place.topic.id == "日本"
    assert page.centre.current_ref() == SentenceRef("j", 3)
    assert page.topic_find.places == (SentenceRef("j", 1), SentenceRef("j", 3))
    assert not dialog.isVisible()
    (field := page.topic_find.findChild(QLineEdit)).setFocus()
    workspace.session.changed.emit(Changes(topics=frozenset(["日本"])))
    assert workspace.window().focusWidget() is field
    dialog.sentenceChosen.emit(SentenceMatch("t", None, SentenceRef("d", 3), ""), " ")
    assert field.text() == "訓練"


@pytest.mark.slow
def test_that_enter_goes_to_an_abstract_sentence(dialog, workspace, qtbot):
    dialog.words.setText("two")
    qtbot.waitUntil(lambda: not dialog.model.is_searching)
    dialog.list.setCurrentIndex(dialog.model.index(1, 0))
    QTest.keyClick(dialog.list, K.Key_Return)
    annotation = workspace.annotate.annotation
    assert (annotation.place.topic.id, annotation.n) == ("u", 2)


@pytest.mark.slow
def test_that_what_is_chosen_in_the_topic_at_hand_keeps_the_place(dialog, workspace, qtbot):
    workspace.annotate.annotation.select(2)
    with qtbot.assertNotEmitted(workspace.annotate.annotation.placeChanged):
        dialog.sentenceChosen.emit(SentenceMatch("t", None, SentenceRef("d", 3), "It rained."), "")
    assert workspace.annotate.annotation.n == 2


class InBlocks(Sentences):
    """Searched a block at a time, however fast the machine is."""

    def search(self, needle, at, _seconds):
        return super().search(needle, at, 0.0)


@pytest.fixture
def finder(session_over, services, qtbot):
    session = session_over(small_topic(), small_topic("u"), japanese_topic())
    dialog = qtbot.added(CorpusFindDialog(session, services, None))
    dialog.open_at_field()
    return dialog, session


def test_that_an_open_list_follows_the_corpus_and_a_closed_one_once_it_is_opened(finder):
    dialog, session = finder
    session.reload(session.store.add(Addition(topics=(small_topic("new"),)), who="1"))
    assert dialog.model.rowCount() == 18
    dialog.close()
    left = partial(without_topics, ids=["new", "u"])
    session.change(left, verb=REMOVE_TOPICS, subject="new, u")
    assert dialog.model.rowCount() == 18
    dialog.open_at_field()
    assert dialog.model.rowCount() == 8


def test_that_a_long_search_leaves_the_row_that_was_chosen_and_keeps_qts_rules(finder, qtbot):
    dialog, _ = finder
    rules = QAbstractItemModelTester(dialog.model)
    dialog.model.set_sentences(InBlocks([japanese_topic(600)]))
    dialog.words.setText("訓練")
    assert dialog.fields["status"].text() == "171 sentences …"
    dialog.list.setCurrentIndex(dialog.model.index(1, 0))
    qtbot.waitUntil(lambda: dialog.fields["status"].text() == "400 sentences")
    assert dialog.list.currentIndex().row() == 1
    dialog.open_at_field()
    assert dialog.words.selectedText() == "訓練"
    for words in ("雨", ""):  # the one before is still looked for
        dialog.words.setText(words)
    assert (dialog.model.rowCount(), dialog.model.is_searching) == (600, False)
    assert rules
