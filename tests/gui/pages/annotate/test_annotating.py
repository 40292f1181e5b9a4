"""What annotators do, by key and by mouse; the stored state decides, not the screen."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from tests.gui.pages.annotate.conftest import TABLE_1, WHO, s
from tests.gui.seeing import hearing, press, says

from awase.core.records.abstract import AlignmentState
from awase.core.records.addition import Addition
from awase.gui.pages.annotate.rows.row_view import RowView
from awase.gui.session.session import CorpusSession

K = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier


def annotate_table_1(annotation):
    for rank, _, alternatives in TABLE_1.values():
        annotation.press(rank)
        for number, members in enumerate(alternatives):
            if number:
                annotation.press(K.Key_N)
            annotation.press_candidates(*members)
        annotation.press(K.Key_Return)


@pytest.mark.parametrize(
    ("keys", "stored", "state", "n", "told"),
    [
        (("N", "N"), [], AlignmentState.TODO, 1, "The next sentence you link begins"),
        ((10, 11, 10), [[11]], AlignmentState.INCOMPLETE, 1, ""),
        ((1, "N", 10, "[", 11), [[1, 11], [10]], AlignmentState.INCOMPLETE, 1, ""),
        ((1, "N", 10, "[", 11, "]", 11), [[1, 11], [10, 11]], AlignmentState.INCOMPLETE, 1, ""),
        ((1, "N", 10, "N", "]", 11), [[1, 11], [10]], AlignmentState.INCOMPLETE, 1, ""),
        ((1, "N", 10, K.Key_Delete), [[1]], AlignmentState.INCOMPLETE, 1, ""),
        ((1, "U"), [], AlignmentState.NO_SOURCE, 1, ""),
        ((1, "U", 10), [[10]], AlignmentState.INCOMPLETE, 1, ""),
        (("U", K.Key_Return), [], AlignmentState.NO_SOURCE, 2, ""),
        ((K.Key_Return,), [], AlignmentState.TODO, 1, "Nothing to confirm"),
        (("F",), [], AlignmentState.FLAGGED, 1, ""),
        (("F", "F"), [], AlignmentState.TODO, 1, ""),
        (("F", 1, K.Key_Return), [[1]], AlignmentState.FLAGGED, 2, "The flag stays"),
    ],
)
def test_that_every_key_is_stored_at_once(annotation, keys, stored, state, n, told):
    for key in keys:  # a number is the digit beside this source sentence
        (annotation.press_candidates if type(key) is int else annotation.press)(key)
    assert annotation.stored() == stored
    assert annotation.stored_state() is state
    assert annotation.page.annotation.n == n
    assert annotation.page.annotation.alternative_idx < max(len(stored), 1)
    assert not told or says(annotation.page.strip, told)


def test_that_digits_mean_the_same_while_a_sentence_is_selected_and_then_the_linked_first(
    annotation,
):
    before = annotation.page.annotation.order
    annotation.press("1", "2", K.Key_N, "3", "1")
    annotation.page.annotation_actions.toggle(before[30])
    assert annotation.page.annotation.order == before
    annotation.press(K.Key_Right, K.Key_Left)
    assert {*annotation.page.annotation.order[:4]} == {*before[:3], before[30]}


def test_that_a_note_is_stored_when_it_is_left(annotation):
    annotation.press(K.Key_M)
    QTest.keyClicks(annotation.page.alternatives.note, "1 or 2?")
    QTest.keyClick(annotation.page.alternatives.note, K.Key_Return)
    assert annotation.stored_alignment().of_sentence(1).note == "1 or 2?"
    assert annotation.page.centre.candidates.hasFocus()
    assert annotation.stored() == []


def test_that_d_adds_near_duplicates(annotation, monkeypatch):
    monkeypatch.setattr(
        annotation.page.annotation.index,
        "near_duplicates",
        lambda ref: (s(10),) if ref == s(1) else (),
    )
    annotation.press_candidates(1)
    annotation.press(K.Key_D)
    assert annotation.stored() == [[1], [10]]
    annotation.press(K.Key_D)
    assert annotation.stored() == [[1], [10]]
    assert says(annotation.page.strip, "near-duplicate")


def test_that_there_is_a_way_round_the_panes(annotation):
    views = [
        annotation.page.alternatives.view,
        annotation.page.abstract.view,
        annotation.page.centre.candidates,
    ]
    for view in views:
        annotation.page.step_pane(1)
        assert view.hasFocus()
    annotation.page.step_pane(-1)
    assert annotation.page.abstract.view.hasFocus()
    off = Qt.WidgetAttribute.WA_InputMethodEnabled  # in the panes, where letters are keys
    assert not any(view.testAttribute(off) for view in annotation.page.findChildren(RowView))
    assert annotation.page.alternatives.note.testAttribute(off)


@pytest.mark.parametrize("pane", ["abstract", "alternatives"])
def test_that_digits_link_whichever_pane_has_the_keyboard(annotation, pane):
    getattr(annotation.page, pane).view.setFocus()
    annotation.press_candidates(1)
    assert annotation.stored() == [[1]]


def test_that_rows_step_in_the_pane_that_has_the_keyboard(annotation):
    annotation.page.abstract.view.setFocus()
    annotation.press(K.Key_Down)
    assert annotation.page.annotation.n == 2
    annotation.press(K.Key_K)
    assert annotation.page.annotation.n == 1
    annotation.page.centre.candidates.setFocus()
    annotation.press(K.Key_J, K.Key_Down, K.Key_K, K.Key_Space)
    assert annotation.stored() == [[annotation.page.annotation.order[1].n]]
    annotation.press(K.Key_N)
    annotation.press_candidates(10)
    annotation.page.alternatives.view.setFocus()
    annotation.press(K.Key_Up)
    assert annotation.page.annotation.alternative_idx == 0


def click(view, index, modifier=Qt.KeyboardModifier.NoModifier, at=None):
    view.scrollTo(index)
    point = at or view.visualRect(index).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, modifier, point)


def click_candidate(annotation, number, *modifier):
    centre = annotation.page.centre
    click(centre.candidates, centre.candidate_model.index_of(s(number)), *modifier)


def test_that_one_click_links_and_one_unlinks(annotation):
    click_candidate(annotation, 1)
    assert annotation.stored() == [[1]]
    click_candidate(annotation, 1)
    assert annotation.stored() == []
    click_candidate(annotation, 1)
    click_candidate(annotation, 10, CONTROL)  # begins a new alternative
    click_candidate(annotation, 11)
    assert annotation.stored() == [[1], [10, 11]]
    model, view = annotation.page.centre.candidate_model, annotation.page.centre.candidates
    first, second = (view.visualRect(model.index(row)).center() for row in (0, 1))
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=first)
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=second)
    assert annotation.stored() == [[1], [10, 11]]  # the press ended on another row


def test_that_alternatives_are_chosen_and_removed_by_mouse(annotation):
    annotation.press_candidates(1)
    annotation.press(K.Key_N)
    annotation.press_candidates(10)
    pane = annotation.page.alternatives
    click(pane.view, pane.model.index(0), at=pane.view.visualRect(pane.model.index(0)).center())
    assert annotation.page.annotation.alternative_idx == 0
    rect = pane.view.visualRect(pane.model.index(0))
    line = pane.view.fontMetrics().height()
    cross = QPoint(rect.right() - round(line * 0.9), rect.top() + round(line * 0.9))
    QTest.mouseClick(pane.view.viewport(), Qt.MouseButton.RightButton, pos=cross)
    assert annotation.stored() == [[1], [10]]
    click(pane.view, pane.model.index(0), at=cross)
    assert annotation.stored() == [[10]]


def test_that_buttons_and_a_click_do_what_keys_do(annotation):
    pane = annotation.page.abstract
    press(pane, "No source")
    assert annotation.stored_state() is AlignmentState.NO_SOURCE
    press(pane, "Confirm")
    assert annotation.page.annotation.n == 2
    press(pane, "Flag")
    assert annotation.stored_state(2) is AlignmentState.FLAGGED
    press(pane, "B")
    assert annotation.stored_ranks() == [None, "B", None]
    click(pane.view, pane.model.index(2))
    assert annotation.page.annotation.n == 3


def test_that_documents_link_as_candidates_do(annotation):
    annotation.press(K.Key_V)
    centre = annotation.page.centre
    assert centre.view is centre.documents
    centre.show_ref(s(20))
    annotation.press(K.Key_Down, K.Key_Space)
    assert annotation.stored() == [[21]]
    click(centre.documents, centre.document_model.index_of(s(22)))
    assert annotation.stored() == [[21, 22]]
    annotation.press(K.Key_V)
    assert centre.current_ref() == s(22)


@pytest.mark.slow
def test_that_the_last_confirmation_of_an_abstract_goes_on_to_the_next_one(table_1, open_page):
    annotation = open_page(table_1, replace(table_1, id="0311"))
    annotate_table_1(annotation)
    assert (annotation.page.annotation.place.topic.id, annotation.page.annotation.n) == ("0311", 1)


@pytest.mark.slow
def test_that_a_topic_that_was_imported_can_be_chosen_at_once(annotation, table_1):
    changes = annotation.session.store.add(Addition(topics=(replace(table_1, id="new"),)), who="1")
    annotation.session.reload(changes)
    button = annotation.page.header.topics
    button.open_list()
    button.chooser.view.chosen.emit("new")
    assert annotation.page.annotation.place.topic.id == "new"


@pytest.mark.slow
def test_that_the_page_begins_where_the_work_stopped(own_annotation, open_page):
    own_annotation.press_candidates(1)
    own_annotation.press(K.Key_Return)
    again = open_page(session=CorpusSession(own_annotation.store, who=WHO))
    assert again.page.annotation.n == 2


def test_that_h_and_what_a_key_did_are_read_out(annotation, monkeypatch):
    heard = hearing(monkeypatch)
    annotation.press_candidates(1)
    assert heard == [("h = 1 (1 minimal cover)", False)]
    heard.clear()
    annotation.press(K.Key_N, K.Key_N)
    assert heard == [("The next sentence you link begins this alternative.", False)]


@pytest.mark.slow
def test_that_a_letter_of_ours_is_not_a_shortcut_of_the_window(annotation):
    event = QKeyEvent(QEvent.Type.ShortcutOverride, K.Key_N, Qt.KeyboardModifier.NoModifier)
    event.ignore()
    QCoreApplication.sendEvent(annotation.page.centre.candidates, event)
    assert event.isAccepted()
