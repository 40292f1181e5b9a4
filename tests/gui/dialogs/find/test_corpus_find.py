from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from tests.building import topic
from tests.gui.conftest import small_topic

from awase.core.records.addition import Addition
from awase.core.records.identifiers import SentenceRef
from awase.gui.dialogs.find import CorpusFindDialog, FoundModel, FoundRole, FoundSentence, Sentences

pytestmark = pytest.mark.slow

K = Qt.Key


def japanese_topic(n_sentences=3):
    texts = ["職業訓練が始まった。", "ＮＴＴ株が上がった。", "訓練は終わった。"]
    return topic("日本", docs={"j": [texts[n % 3] for n in range(n_sentences)]})


@pytest.fixture
def workspace(window_over, make_corpus):
    second = replace(small_topic("u"), title="Cats")
    return window_over(make_corpus(small_topic(), second, japanese_topic())).workspace


@pytest.fixture
def dialog(workspace, qtbot):
    workspace.window().menus.action("menu:find-in-corpus").trigger()
    return workspace.findChild(CorpusFindDialog)


def rows(model):
    return [model.index(row).data() for row in range(model.rowCount())]


def test_that_every_sentence_is_listed_until_words_are_typed(dialog):
    assert dialog.model.rowCount() == 2 * (2 + 3) + 3
    assert dialog.field("status").text() == "13 sentences"


def test_that_words_are_found_in_all_topics(dialog, qtbot):
    for words, found in (
        ("訓練", ["職業訓練が始まった。", "訓練は終わった。"]),
        ("ntt", ["ＮＴＴ株が上がった。"]),
        ("THE CAT", ["The cat slept.", "The cat slept."]),
    ):
        dialog.words.setText(words)
        qtbot.waitUntil(lambda: not dialog.model.is_searching)
        assert rows(dialog.model) == found
        start, end = dialog.model.index(0).data(FoundRole.SPANS)[0]
        assert end - start == len(words)
    # Words that nobody wrote are told.
    dialog.words.setText("鯨")
    qtbot.waitUntil(lambda: not dialog.model.is_searching)
    assert dialog.field("status").text() == "No sentence has “鯨”."
    QTest.keyClick(dialog.words, K.Key_Return)
    assert dialog.isVisible()


@pytest.mark.main
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


def test_that_enter_goes_to_an_abstract_sentence(dialog, workspace, qtbot):
    dialog.words.setText("two")
    qtbot.waitUntil(lambda: not dialog.model.is_searching)
    dialog.list.setCurrentIndex(dialog.model.index(1))
    QTest.keyClick(dialog.list, K.Key_Return)
    assert (workspace.annotate.annotation.place.topic.id, workspace.annotate.annotation.n) == (
        "u",
        2,
    )


def test_that_what_is_chosen_in_the_topic_at_hand_keeps_the_place(dialog, workspace, qtbot):
    workspace.annotate.annotation.select(2)
    with qtbot.assertNotEmitted(workspace.annotate.annotation.placeChanged):
        dialog.sentenceChosen.emit(FoundSentence("t", None, SentenceRef("d", 3), "It rained."), "")
    assert workspace.annotate.annotation.n == 2


def test_that_sentences_imported_meanwhile_are_found_the_next_time(dialog, workspace):
    dialog.close()
    session = workspace.session
    session.reload(session.store.add(Addition(topics=(small_topic("new"),)), who="1"))
    assert dialog.model.rowCount() == 13
    workspace.find_in_corpus()
    assert dialog.model.rowCount() == 18


class InBlocks(Sentences):
    """Searched a block at a time, however fast the machine is."""

    def search(self, needle, at, _seconds):
        return super().search(needle, at, 0.0)


@pytest.mark.parametrize("n_rows", [9_000])
def test_that_the_model_keeps_qts_rules_while_rows_come_in_slices(qtbot, n_rows):
    model = FoundModel(lambda sentence: sentence.topic_id)
    fatal = QAbstractItemModelTester.FailureReportingMode.Warning
    tester = QAbstractItemModelTester(model, fatal)
    model.set_sentences(InBlocks([japanese_topic(n_rows)]))
    model.set_words("訓練")
    assert model.is_searching
    qtbot.waitUntil(lambda: not model.is_searching)
    assert model.rowCount() == n_rows * 2 // 3
    model.set_words("")
    assert model.rowCount() == n_rows
    assert tester
