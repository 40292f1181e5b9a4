"""What annotators do, by key and by mouse; the stored state decides, not the screen."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from tests.gui.pages.annotate.conftest import TABLE_1, s
from tests.gui.seeing import press, says

from awase.core.records.alignment import AlignmentState
from awase.core.records.edits.addition import Addition
from awase.gui.pages.annotate.rows.row_view import RowView

K = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


def annotate_table_1(desk):
    for rank, _, alternatives in TABLE_1.values():
        desk.press(rank)
        for number, members in enumerate(alternatives):
            if number:
                desk.press(K.Key_N)
            desk.press_candidates(*members)
        desk.press(K.Key_Return)


def test_that_table_1_of_the_tsc_3_paper_takes_19_keys(desk):
    annotate_table_1(desk)
    assert desk.n_keys == 19
    for n, (_, _, alternatives) in TABLE_1.items():
        assert desk.stored(n) == alternatives
        assert desk.stored_state(n) is AlignmentState.CONFIRMED
    assert desk.stored_ranks() == ["A", "B", "C"]


def test_that_table_1_has_h_6_with_two_minimal_covers(desk):
    annotate_table_1(desk)
    state = desk.page.live.state
    assert (state.lower, state.upper, state.n_covers) == (6, 6, 2)
    assert not state.is_provisional


def test_that_every_key_is_stored_at_once(desk):
    desk.press_candidates(10)
    assert desk.stored() == [[10]]
    desk.press_candidates(11)
    assert desk.stored() == [[10, 11]]
    desk.press_candidates(10)
    assert desk.stored() == [[11]]


def test_that_digits_mean_the_same_sentences_while_a_sentence_is_selected(desk):
    before = desk.page.desk.order
    desk.press("1", "2", K.Key_N, "3", "1")
    assert desk.page.desk.order == before


def test_that_linked_sentences_come_first_when_a_sentence_is_selected_again(desk):
    far_down = desk.page.desk.order[30]
    desk.page.work.toggle(far_down)
    desk.press(K.Key_Right, K.Key_Left)
    assert desk.page.desk.order[0] == far_down


def test_that_space_toggles_the_current_row(desk):
    desk.press(K.Key_J, K.Key_Down, K.Key_K, K.Key_Space)
    assert desk.stored() == [[desk.page.desk.order[1].n]]


def test_that_brackets_switch_the_alternative_that_links_join(desk):
    desk.press_candidates(1)
    desk.press(K.Key_N)
    desk.press_candidates(10)
    desk.press(K.Key_BracketLeft)
    desk.press_candidates(11)
    assert desk.stored() == [[1, 11], [10]]
    desk.press(K.Key_BracketRight)
    desk.press_candidates(3 if s(3) in desk.page.desk.order[:9] else 11)
    assert len(desk.stored()[1]) == 2


def test_that_delete_removes_the_current_alternative(desk):
    desk.press_candidates(1)
    desk.press(K.Key_N)
    desk.press_candidates(10)
    desk.press(K.Key_Delete)
    assert desk.stored() == [[1]]
    assert desk.page.desk.alternative_idx == 0


def test_that_u_marks_no_source_and_a_link_reopens(desk):
    desk.press_candidates(1)
    desk.press(K.Key_U)
    assert desk.stored() == []
    assert desk.stored_state() is AlignmentState.NO_SOURCE
    desk.press_candidates(10)
    assert desk.stored_state() is AlignmentState.INCOMPLETE


def test_that_enter_on_no_source_only_goes_on(desk):
    desk.press(K.Key_U, K.Key_Return)
    assert desk.stored_state() is AlignmentState.NO_SOURCE
    assert desk.page.desk.n == 2


def test_that_a_sentence_without_links_is_not_confirmed_and_why_is_said(desk):
    desk.press(K.Key_Return)
    assert desk.stored_state() is AlignmentState.TODO
    assert desk.page.desk.n == 1
    assert says(desk.page.strip, "Nothing to confirm")


def test_that_f_flags_and_unflags(desk):
    desk.press(K.Key_F)
    assert desk.stored_state() is AlignmentState.FLAGGED
    desk.press(K.Key_F)
    assert desk.stored_state() is AlignmentState.TODO


def test_that_a_rank_typed_again_stays(desk):
    desk.press(K.Key_A, K.Key_A, K.Key_Right, K.Key_C)
    assert desk.stored_ranks() == ["A", "C", None]
    desk.press(K.Key_0)
    assert desk.stored_ranks() == ["A", None, None]


def test_that_a_note_is_stored_when_it_is_left(desk):
    desk.press(K.Key_M)
    QTest.keyClicks(desk.page.alternatives.note, "1 or 2?")
    QTest.keyClick(desk.page.alternatives.note, K.Key_Return)
    assert desk.stored_alignment().of_sentence(1).note == "1 or 2?"
    assert desk.page.centre.candidates.hasFocus()
    assert desk.stored() == []


def test_that_d_adds_near_duplicates(desk, monkeypatch):
    monkeypatch.setattr(
        desk.page.desk.index, "near_duplicates", lambda ref: (s(10),) if ref == s(1) else ()
    )
    desk.press_candidates(1)
    desk.press(K.Key_D)
    assert desk.stored() == [[1], [10]]
    desk.press(K.Key_D)
    assert desk.stored() == [[1], [10]]
    assert says(desk.page.strip, "near-duplicate")


def test_that_keys_of_the_number_pad_and_with_caps_lock_count(desk):
    desk.press("1", modifier=Qt.KeyboardModifier.KeypadModifier)
    assert len(desk.stored()) == 1
    # Caps Lock changes the text of the event and neither its key nor its modifiers.
    QTest.keyClick(desk.page.centre.candidates, "A")
    assert desk.stored_ranks()[0] == "A"


def test_that_f6_goes_round_the_panes(desk):
    views = [desk.page.alternatives.view, desk.page.abstract.view, desk.page.centre.candidates]
    for view in views:
        desk.press(K.Key_F6)
        assert view.hasFocus()
    desk.press(K.Key_F6, modifier=SHIFT)
    assert desk.page.abstract.view.hasFocus()


@pytest.mark.parametrize("pane", ["abstract", "alternatives"])
def test_that_digits_link_whichever_pane_has_the_keyboard(desk, pane):
    getattr(desk.page, pane).view.setFocus()
    desk.press_candidates(1)
    assert desk.stored() == [[1]]


def test_that_rows_step_in_the_pane_that_has_the_keyboard(desk):
    desk.page.abstract.view.setFocus()
    desk.press(K.Key_Down)
    assert desk.page.desk.n == 2
    desk.press(K.Key_K)
    assert desk.page.desk.n == 1
    desk.press_candidates(1)
    desk.press(K.Key_N)
    desk.press_candidates(10)
    desk.page.alternatives.view.setFocus()
    desk.press(K.Key_Up)
    assert desk.page.desk.alternative_idx == 0


def test_that_the_panes_turn_the_input_method_off_and_the_note_does_not(desk):
    off = Qt.WidgetAttribute.WA_InputMethodEnabled
    assert not any(view.testAttribute(off) for view in desk.page.findChildren(RowView))
    assert desk.page.alternatives.note.testAttribute(off)


def click(view, index, modifier=Qt.KeyboardModifier.NoModifier, at=None):
    point = at or view.visualRect(index).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, modifier, point)


def test_that_one_click_links_and_one_unlinks(desk):
    model, view = desk.page.centre.candidate_model, desk.page.centre.candidates
    click(view, model.index_of(s(1)))
    assert desk.stored() == [[1]]
    click(view, model.index_of(s(1)))
    assert desk.stored() == []


def test_that_a_click_with_ctrl_begins_a_new_alternative(desk):
    model, view = desk.page.centre.candidate_model, desk.page.centre.candidates
    click(view, model.index_of(s(1)))
    click(view, model.index_of(s(10)), CONTROL)
    click(view, model.index_of(s(11)))
    assert desk.stored() == [[1], [10, 11]]


def test_that_a_press_that_ends_on_another_row_links_nothing(desk):
    model, view = desk.page.centre.candidate_model, desk.page.centre.candidates
    first, second = (view.visualRect(model.index(row)).center() for row in (0, 1))
    QTest.mousePress(view.viewport(), Qt.MouseButton.LeftButton, pos=first)
    QTest.mouseRelease(view.viewport(), Qt.MouseButton.LeftButton, pos=second)
    assert desk.stored_alignment() is None


def test_that_alternatives_are_chosen_and_removed_by_mouse(desk):
    desk.press_candidates(1)
    desk.press(K.Key_N)
    desk.press_candidates(10)
    pane = desk.page.alternatives
    click(pane.view, pane.model.index(0), at=pane.view.visualRect(pane.model.index(0)).center())
    assert desk.page.desk.alternative_idx == 0
    rect = pane.view.visualRect(pane.model.index(0))
    line = pane.view.fontMetrics().height()
    cross = QPoint(rect.right() - round(line * 0.9), rect.top() + round(line * 0.9))
    click(pane.view, pane.model.index(0), at=cross)
    assert desk.stored() == [[10]]


def test_that_a_click_selects_an_abstract_sentence(desk):
    pane = desk.page.abstract
    click(pane.view, pane.model.index(2))
    assert desk.page.desk.n == 3


def test_that_buttons_do_what_keys_do(desk):
    pane = desk.page.abstract
    press(pane, "No source")
    assert desk.stored_state() is AlignmentState.NO_SOURCE
    press(pane, "Confirm")
    assert desk.page.desk.n == 2
    press(pane, "Flag")
    assert desk.stored_state(2) is AlignmentState.FLAGGED
    press(pane, "B")
    assert desk.stored_ranks()[1] == "B"


def test_that_documents_link_as_candidates_do(desk):
    desk.press(K.Key_V)
    centre = desk.page.centre
    assert centre.view is centre.documents
    centre.show_ref(s(20))
    desk.press(K.Key_Down, K.Key_Space)
    assert desk.stored() == [[21]]
    click(centre.documents, centre.document_model.index_of(s(22)))
    assert desk.stored() == [[21, 22]]
    desk.press(K.Key_V)
    assert centre.current_ref() == s(22)


def test_that_the_last_confirmation_says_that_nothing_is_left(desk):
    annotate_table_1(desk)
    assert desk.page.desk.n == 3
    assert says(desk.page.strip, "No other sentence is left")


def test_that_the_last_confirmation_of_an_abstract_goes_on_to_the_next_one(
    table_1, corpus_path, open_desk
):
    desk = open_desk(corpus_path(table_1, replace(table_1, id="0311")))
    annotate_table_1(desk)
    assert (desk.page.desk.place.topic.id, desk.page.desk.n) == ("0311", 1)


def test_that_a_topic_that_was_imported_can_be_chosen_at_once(desk, table_1):
    changes = desk.session.store.add(Addition(topics=(replace(table_1, id="new"),)), who="1")
    desk.session.reload(changes)
    button = desk.page.header.topics
    button.open_list()
    button.chooser.view.chosen.emit("new")
    assert desk.page.desk.place.topic.id == "new"


def test_that_the_page_begins_where_the_work_stopped(desk, corpus_path, open_desk):
    desk.press_candidates(1)
    desk.press(K.Key_Return)
    path = desk.store.location
    desk.store.close()
    assert open_desk(path).page.desk.n == 2


def test_that_active_time_is_logged(desk):
    desk.press_candidates(1)
    operation = desk.store.history("1").done[-1]
    assert operation.active_ms >= 0
    assert operation.edit.verb == "link"
    assert operation.edit.subject == "d:1"
