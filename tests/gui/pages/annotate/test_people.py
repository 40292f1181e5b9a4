import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from tests.building import alignment, entry
from tests.gui.pages.annotate.conftest import s, with_work
from tests.gui.seeing import says, texts

from awase.core.records.abstract import Alignment
from awase.gui.pages.annotate.rows.sources import SUBJECT
from awase.gui.pages.annotate.status_strip import AnnotatorDialog

K = Qt.Key


@pytest.fixture
def shared(table_1, lend_page):
    """Table 1, begun by annotator 1 and by <b>2, who differ in sentence 2."""
    entries = (entry(1, "s1"), entry(2, "s5&s6", note="a & b"), entry(3, "!"))
    other = Alignment(annotator="<b>2", sentences=entries)
    return lend_page(with_work(table_1, alignment("1", "s1;s3"), other))


def others(annotation):
    view = annotation.page.alternatives.others
    return view.text.toPlainText() if view.isVisible() else ""


# What others did


def test_that_nothing_of_others_is_shown_until_it_is_asked_for(shared):
    shared.page.annotation.select(2)
    assert others(shared) == ""
    assert shared.page.alternatives.others.text.toPlainText() == ""
    shared.press(K.Key_O)
    assert "<b>2 · confirmed · differs from yours" in others(shared)
    assert "s5 ∧ s6" in others(shared)
    assert "Note: a & b" in others(shared)
    shared.press(K.Key_O)
    assert others(shared) == ""
    assert shared.page.alternatives.others.text.toPlainText() == ""


def test_that_others_follow_the_selected_sentence_and_ones_own_edits(shared):
    shared.press(K.Key_O)
    shared.page.annotation.select(1)
    assert "the same as yours" in others(shared)
    shared.page.annotation_actions.toggle(s(2))
    assert "differs from yours" in others(shared)
    shared.session.undo_stack.undo()
    assert "the same as yours" in others(shared)
    shared.page.annotation.select(3)
    assert "<b>2 · flagged" in others(shared)
    assert "yours" not in others(shared)


def test_that_looking_at_others_changes_nothing_that_is_stored(shared):
    before = shared.store.corpus()
    shared.page.annotation.select(2)
    shared.press(K.Key_O)
    text = shared.page.alternatives.others.text
    assert text.isReadOnly()
    text.anchorClicked.emit(QUrl("#d%3A5"))
    assert shared.page.centre.current_ref() == s(5)
    assert shared.page.centre.view is shared.page.centre.documents
    text.anchorClicked.emit(QUrl("https://example.org/"))
    assert shared.store.corpus() == before
    assert shared.page.alternatives.model.rowCount() == 1


def test_that_an_abstract_nobody_else_aligned_says_so(annotation):
    annotation.press(K.Key_O)
    assert others(annotation) == "Nobody else has aligned this abstract."


# Who is at work


def choose_from_menu(annotation, name):
    menu = annotation.page.strip.who.menu()
    menu.aboutToShow.emit()
    next(action for action in menu.actions() if action.text() == name).trigger()


def test_that_the_strip_hands_over_to_another_annotator_with_their_own_undo(shared):
    shared.page.annotation.select(2)
    shared.page.annotation_actions.toggle(s(60))
    assert shared.stored(2) == [[3, 60]]
    assert shared.page.strip.who.text() == "annotator 1"
    choose_from_menu(shared, "<b>2")
    assert shared.page.strip.who.text() == "annotator <b>2"
    assert not shared.session.undo_stack.canUndo()
    assert shared.page.annotation.n == 2
    assert [ref.n for ref in shared.page.annotation.entry.refs()] == [5, 6]
    shared.press(K.Key_Return)
    shared.page.annotation.select(2)
    shared.page.annotation_actions.toggle(s(61))
    abstract = shared.store.topic("0310").abstracts[0]
    assert [r.n for r in abstract.alignment_by("<b>2").of_sentence(2).refs()] == [5, 6, 61]
    assert shared.stored(2) == [[3, 60]]
    choose_from_menu(shared, "1")
    assert shared.session.undo_stack.undoText() == "link s60 to sentence 2"
    shared.session.undo_stack.undo()
    assert shared.stored(2) == [[3]]
    shared.press(K.Key_O)
    choose_from_menu(shared, "<b>2")  # who takes over sees only their own work
    assert others(shared) == ""
    assert not shared.page.annotation.shows_others


def test_that_a_new_name_is_checked_before_it_is_taken(shared, qtbot):
    shared.page.strip.who.otherChosen.emit()
    dialog = shared.page.findChild(AnnotatorDialog)
    ok = dialog.accept_button
    for bad in ("", "   ", "a\tb"):
        dialog.fields.set("who", bad)
        assert not ok.isEnabled()
        QTest.keyClick(dialog.fields["who"], Qt.Key.Key_Return)
        assert shared.session.who == "1"
    dialog.fields.set("who", " 花子 ")
    assert says(dialog, "new in this corpus")
    ok.click()
    assert shared.session.who == "花子"
    shared.page.annotation_actions.toggle(s(1))
    assert shared.store.topic("0310").abstracts[0].alignment_by("花子") is not None


@pytest.fixture
def now(monkeypatch):
    """The milliseconds of the page's clock, to be set by hand."""
    now = [0]
    monkeypatch.setattr("awase.gui.pages.annotate.page.monotonic_ns", lambda: now[0] * 1_000_000)
    return now


@pytest.mark.slow
def test_that_reading_on_counts_as_work_and_for_nobody_else(own_annotation, now):
    now[0] = 20_000
    own_annotation.session.set_who("2")
    now[0] = 21_500
    own_annotation.press("1")
    for _ in range(3):  # 75 s in which the annotator goes from row to row
        now[0] += 25_000
        own_annotation.press(K.Key_Down)
    now[0] += 1000
    own_annotation.press("2")
    assert [item.active_ms for item in own_annotation.store.logged_times()] == [1500, 76_000]


# What happens beside the obvious is told


def test_that_no_source_and_a_flag_tell_what_they_replace(shared):
    shared.page.annotation.select(1)
    shared.press(K.Key_U)
    assert "“No source” dropped 1 alternative; undo brings it back." in texts(shared.page.strip)
    shared.session.undo_stack.undo()
    assert shared.stored(1) == [[1]]
    shared.page.annotation.select(3)
    shared.press(K.Key_U)
    assert not says(shared.page.strip, "undo brings it back")
    shared.press(K.Key_F)
    assert "The flag replaced “no source”; undo brings it back." in texts(shared.page.strip)
    shared.press(K.Key_F)
    assert not says(shared.page.strip, "undo brings it back")


def test_that_the_bars_stand_there_before_the_first_edit(shared):
    model = shared.page.abstract.model
    shares = [dict(model.index(row).data(SUBJECT).shares) for row in range(2)]
    assert [sorted(part) for part in shares] == [["system 1", "system 2"]] * 2
    assert [part["system 2"] for part in shares] == [1, 0]  # h = 2: s1 and s10 count
