from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QComboBox, QLabel
from tests.gui.pages.annotate.conftest import s
from tests.gui.seeing import says

from awase.core.annotation.applying import Sight
from awase.core.records.alignment import Alignment, AlignmentState, Alternative, SentenceAlignment
from awase.core.records.corpus import Corpus
from awase.gui.pages.annotate.rows.abstract_rows import AbstractFilter, kept_by

pytestmark = pytest.mark.slow

K = Qt.Key


def shown(annotation):
    return annotation.page.abstract.model.numbers


def choose(annotation, choice):
    while annotation.page.abstract.filter.current is not choice:
        annotation.press(K.Key_G)


@pytest.mark.main
def test_that_settled_sentences_leave_the_list_of_those_that_are_not(annotation):
    model = annotation.page.abstract.model
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    choose(annotation, AbstractFilter.UNSETTLED)
    annotation.press("1", K.Key_Return)
    assert annotation.page.annotation.n == 2
    assert shown(annotation) == (2, 3)
    annotation.press(K.Key_U, K.Key_Return, K.Key_U)
    assert shown(annotation) == ()
    annotation.session.undo_stack.undo()
    assert shown(annotation) == (3,)
    assert annotation.page.abstract.view.currentIndex().row() == 0
    assert tester


def test_that_an_empty_filter_says_so_in_words(annotation):
    choose(annotation, AbstractFilter.FLAGGED)
    notice = annotation.page.abstract.content.notice
    assert notice.isVisible()
    assert notice.findChildren(QLabel)[0].text() == "No sentence is flagged"
    annotation.press(K.Key_F)
    assert shown(annotation) == (1,)
    assert annotation.stored_state() is AlignmentState.FLAGGED


def test_that_arrows_pass_over_what_is_not_shown(annotation):
    annotation.press(K.Key_Right, K.Key_U, K.Key_Left)
    choose(annotation, AbstractFilter.UNSETTLED)
    annotation.press(K.Key_Right)
    assert annotation.page.annotation.n == 3


def test_that_each_filter_tells_how_many_it_keeps(annotation):
    annotation.press(K.Key_F)
    box = annotation.page.abstract.filter.findChild(QComboBox)
    texts = [box.itemText(row) for row in range(box.count())]
    assert texts == ["all (3)", "not settled (3)", "flagged (1)", "disagreed (0)"]


@pytest.fixture
def two_annotators(table_1, lend_page):
    def entry(n, *members):
        sets = tuple(Alternative((s(member),)) for member in members)
        return SentenceAlignment(n=n, state=AlignmentState.CONFIRMED, alternatives=sets)

    one = Alignment(annotator="1", sentences=(entry(1, 1), entry(2, 3)))
    other = Alignment(annotator="2", sentences=(entry(1, 1), entry(2, 5), entry(3, 21)))
    abstract = replace(table_1.abstracts[0], alignments=(one, other))
    second = replace(table_1, id="0320", abstracts=(replace(abstract, alignments=(other,)),))
    return lend_page(Corpus(name="c", topics=(replace(table_1, abstracts=(abstract,)), second)))


def test_that_disagreements_of_two_annotators_can_be_listed(two_annotators):
    two_annotators.press(K.Key_O)
    choose(two_annotators, AbstractFilter.DISAGREED)
    assert shown(two_annotators) == (2,)
    assert two_annotators.page.annotation.n == 2


@pytest.mark.main
@pytest.mark.parametrize(
    ("sight", "kept"), [(Sight.ALL, (2,)), (Sight.SETTLED, (2,)), (Sight.NOTHING, ())]
)
def test_that_disagreements_are_listed_where_others_may_be_seen(two_annotators, sight, kept):
    place = replace(two_annotators.page.annotation.place, sight=sight)
    assert kept_by(place, shows_others=True)[AbstractFilter.DISAGREED] == kept


def test_that_disagreements_are_kept_back_until_others_are_asked_for(two_annotators):
    box = two_annotators.page.abstract.filter.findChild(QComboBox)
    assert box.itemText(3) == "disagreed (others are hidden)"
    choose(two_annotators, AbstractFilter.DISAGREED)
    assert shown(two_annotators) == ()
    notice = two_annotators.page.abstract.content.notice
    assert notice.findChildren(QLabel)[0].text() == "What others did is hidden"
    two_annotators.press(K.Key_O)
    assert box.itemText(3) == "disagreed (1)"
    assert shown(two_annotators) == (2,)
    assert two_annotators.page.annotation.n == 2
    assert not notice.isVisible()
    two_annotators.press(K.Key_O)
    assert shown(two_annotators) == ()
    assert notice.isVisible()


def test_that_topics_are_listed_with_the_progress_of_each_annotator(two_annotators):
    button = two_annotators.page.header.topics
    assert button.text() == "0310  Table 1   2/3 · 2 3"
    assert "2: 3 of 3 settled" in button.toolTip()
    button.open_list()
    model = button.chooser.view.model
    rows = [[model.index(row, column).data() for column in (0, 2, 4)] for row in range(2)]
    assert rows == [["0310  Table 1", "2/3", "2 3"], ["0320  Table 1", "0/3", "2 3"]]
    button.chooser.close()
    two_annotators.press(K.Key_U)
    assert button.text().endswith("3/3 · 2 3")


@pytest.mark.main
def test_that_i_goes_to_the_next_incomplete_sentence_even_in_another_topic(two_annotators):
    page = two_annotators.page
    assert page.annotation.n == 3
    two_annotators.press(K.Key_I)
    assert (page.annotation.place.topic.id, page.annotation.n) == ("0320", 1)
    two_annotators.press(K.Key_I)
    assert page.annotation.n == 2


def test_that_nothing_left_is_told(annotation):
    annotation.press(K.Key_U, K.Key_Right, K.Key_U, K.Key_Right, K.Key_U, K.Key_I)
    assert says(annotation.page.strip, "No other sentence")
