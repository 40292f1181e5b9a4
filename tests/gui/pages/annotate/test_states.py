"""What the page shows when something is missing or fails, and of others at work."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTabBar
from tests.building import alignment, entry
from tests.gui.pages.annotate.conftest import WHO, s, with_work
from tests.gui.seeing import button, says, texts

from awase.core.errors import EnvironmentProblem
from awase.core.records.abstract import Abstract, Alignment, AlignmentState
from awase.core.records.corpus import Corpus
from awase.core.records.edits import Changes
from awase.core.records.topic import Topic
from awase.gui.kit.i18n import set_language
from awase.gui.pages.annotate.command_button import CommandButton
from awase.gui.pages.annotate.header import EmptyNotice
from awase.gui.pages.annotate.rows.sources import SUBJECT
from awase.gui.pages.annotate.status_strip import AnnotatorDialog
from awase.gui.session.session import CorpusSession
from awase.storage.store import CorpusStore

K = Qt.Key


def notices(annotation):
    return [
        notice.findChildren(QLabel)[0].text()
        for notice in annotation.page.findChildren(EmptyNotice)
        if notice.isVisible()
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (None, ["No topics yet"]),
        ({"abstracts": ()}, ["This topic has no abstract", "No candidates"]),
        ({"abstracts": (Abstract(id="empty"),)}, ["This abstract has no sentences"]),
        ({"documents": (), "outputs": ()}, ["No source sentences"]),
    ],
)
def test_that_what_is_missing_is_named_and_no_key_does_anything_to_it(
    table_1, open_page, changes, told
):
    topics = () if changes is None else (replace(table_1, **changes),)
    annotation = open_page(corpus=Corpus(name="c", topics=topics))
    assert {*told} <= {*notices(annotation)}
    annotation.press(K.Key_1, K.Key_N, K.Key_Return, K.Key_Space, K.Key_D)
    annotation.press(K.Key_Right, K.Key_Down, K.Key_BracketLeft, K.Key_Delete, K.Key_V, K.Key_S)
    assert annotation.store.corpus().topics == topics
    has_documents = any(topic.documents for topic in topics)
    assert annotation.page.centre.documents.isVisible() is has_documents
    assert not says(annotation.page.strip, "h =") or topics[0].abstracts


def test_that_a_read_only_corpus_shows_all_and_changes_nothing(own_annotation, open_page):
    own_annotation.press_candidates(1)
    own_annotation.store.close()
    store = CorpusStore.open(own_annotation.store.location, who=WHO, read_only=True)
    reader = open_page(session=CorpusSession(store, who=WHO))
    assert "read-only" in texts(reader.page.strip)
    reader.press("1", "2", K.Key_N, K.Key_U, K.Key_Return, K.Key_A, K.Key_F, K.Key_Delete, K.Key_D)
    assert reader.stored() == [[1]]
    assert says(reader.page.strip, "reading only")
    buttons = reader.page.findChildren(CommandButton)
    assert buttons
    assert not any(button.isEnabled() for button in buttons)
    assert reader.page.alternatives.note.isReadOnly()


def test_that_a_failed_write_leaves_the_screen_as_stored(annotation, monkeypatch):
    def full(*_args, **_kwargs):
        raise EnvironmentProblem("The disk is full.", "Make room.")

    annotation.press_candidates(1)
    with monkeypatch.context() as patch:
        patch.setattr(annotation.store, "apply", full)
        annotation.press_candidates(10)
    assert "not saved" in texts(annotation.page.strip)
    assert says(annotation.page.strip, "disk is full")
    QCoreApplication.processEvents()
    assert annotation.stored() == [[1]]
    assert [len(a.members) for a in annotation.page.annotation.entry.alternatives] == [1]
    assert annotation.page.annotation.n == 1
    annotation.press_candidates(10)
    assert annotation.stored() == [[1], [10]] or annotation.stored() == [[1, 10]]
    assert "saved" in texts(annotation.page.strip)


@pytest.mark.slow
def test_that_topics_are_chosen_by_mouse_and_by_steps_and_undo_goes_where_it_takes_effect(
    table_1, open_page
):
    last = Topic(id="0330", abstracts=(Abstract(id="b"), Abstract(id="c")))
    annotation = open_page(table_1, Topic(id="bare"), last)
    places = []
    for key in (K.Key_PageDown, K.Key_PageDown, K.Key_PageDown, K.Key_PageUp):
        annotation.press(key, modifier=Qt.KeyboardModifier.ControlModifier)
        places.append(annotation.page.annotation.place.abstract.id)
    assert places == ["b", "c", "c", "b"]
    annotation.page.annotation.go_to("0310")
    annotation.press("1", K.Key_Return)
    button = annotation.page.header.topics
    button.setFocus()
    QTest.keyClick(button, K.Key_Down)
    view = button.chooser.view
    QTest.keyClicks(view.field, "033")
    QTest.keyClick(view.field, K.Key_Return)
    assert annotation.page.annotation.place.topic.id == "0330"
    assert annotation.page.centre.isAncestorOf(annotation.page.focusWidget())
    annotation.press(K.Key_Z, modifier=Qt.KeyboardModifier.ControlModifier)
    assert annotation.page.annotation.place.topic.id == "0310"  # where undo takes effect
    assert annotation.page.annotation.n == 1
    assert annotation.stored_state() is AlignmentState.INCOMPLETE
    redo = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    annotation.press(K.Key_Z, modifier=redo)
    assert annotation.stored_state() is AlignmentState.CONFIRMED


def test_that_the_language_and_the_topic_change_without_losing_the_place(annotation, qtbot):
    annotation.press_candidates(1)
    annotation.press(K.Key_Return)
    annotation.session.reload(Changes(topics=frozenset(["0310"])))  # from outside
    assert annotation.page.annotation.n == 2
    set_language("ja")
    QCoreApplication.processEvents()
    assert annotation.page.annotation.n == 2
    assert annotation.page.centre.findChild(QTabBar).tabText(0) == "候補"
    assert button(annotation.page.abstract, "確定").isEnabled()
    annotation.press_candidates(3)
    assert annotation.stored(2) == [[3]]


@pytest.fixture
def shared(table_1, lend_page):
    """Table 1, begun by annotator 1 and by <b>2, who differ in sentence 2."""
    entries = (entry(1, "s1"), entry(2, "s5&s6", note="a & b"), entry(3, "!"))
    other = Alignment(annotator="<b>2", sentences=entries)
    return lend_page(with_work(table_1, alignment("1", "s1;s3"), other))


def others(annotation):
    view = annotation.page.alternatives.others
    return view.text.toPlainText() if view.isVisible() else ""


def test_that_others_are_shown_once_asked_for_and_follow_the_sentence_and_ones_own_edits(shared):
    shared.page.annotation.select(2)
    assert others(shared) == ""
    assert shared.page.alternatives.others.text.toPlainText() == ""
    shared.press(K.Key_O)
    assert "<b>2 · confirmed · differs from yours" in others(shared)
    assert "s5 ∧ s6" in others(shared)
    assert "Note: a & b" in others(shared)
    shared.page.annotation.select(1)
    assert "the same as yours" in others(shared)
    shared.page.annotation_actions.toggle(s(2))
    assert "differs from yours" in others(shared)
    shared.session.undo_stack.undo()
    assert "the same as yours" in others(shared)
    shared.page.annotation.select(3)
    assert "<b>2 · flagged" in others(shared)
    assert "yours" not in others(shared)
    shared.press(K.Key_O)
    assert others(shared) == ""
    assert shared.page.alternatives.others.text.toPlainText() == ""


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


@pytest.mark.slow
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


def test_that_no_source_and_a_flag_tell_what_they_replace(shared):
    shared.page.annotation.select(1)
    shared.press(K.Key_U)
    assert "“No source” dropped 1 alternative; undo restores it." in texts(shared.page.strip)
    shared.session.undo_stack.undo()
    assert shared.stored(1) == [[1]]
    shared.page.annotation.select(3)
    shared.press(K.Key_U)
    assert not says(shared.page.strip, "undo restores it")
    shared.press(K.Key_F)
    assert "The flag replaced “no source”; undo restores it." in texts(shared.page.strip)
    shared.press(K.Key_F)
    assert not says(shared.page.strip, "undo restores it")


def test_that_the_bars_stand_there_before_the_first_edit(shared):
    model = shared.page.abstract.model
    shares = [dict(model.index(row).data(SUBJECT).shares) for row in range(2)]
    assert [sorted(part) for part in shares] == [["system 1", "system 2"]] * 2
    assert [part["system 2"] for part in shares] == [1, 0]  # h = 2: s1 and s10 count
