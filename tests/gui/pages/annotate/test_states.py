"""What the page shows when something is missing, cannot be changed, or fails."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTabBar
from tests.gui.pages.annotate.conftest import WHO, s
from tests.gui.seeing import button, says, texts
from tests.in_part import in_part

from awase.core.errors import EnvironmentProblem
from awase.core.records.abstract import Abstract, AlignmentState
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic
from awase.gui.kit.i18n import set_language
from awase.gui.kit.look.theme import Theme
from awase.gui.pages.annotate.command_button import CommandButton
from awase.gui.pages.annotate.header import EmptyNotice
from awase.gui.session.session import CorpusSession
from awase.storage.store import CorpusStore

pytestmark = pytest.mark.slow

K = Qt.Key


def notices(annotation):
    return [
        notice.findChildren(QLabel)[0].text()
        for notice in annotation.page.findChildren(EmptyNotice)
        if notice.isVisible()
    ]


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


def test_that_no_source_is_said_where_the_alternatives_would_be(table_1, open_page):
    annotation = open_page(replace(table_1, documents=(), outputs=()))
    annotation.press(K.Key_U)
    assert annotation.stored_state() is AlignmentState.NO_SOURCE
    assert "No source" in notices(annotation)
    annotation.press(K.Key_U)
    assert "No source" not in notices(annotation)


@pytest.mark.main
def test_that_a_read_only_corpus_shows_all_and_changes_nothing(own_annotation, open_page):
    own_annotation.press_candidates(1)
    own_annotation.store.close()
    store = CorpusStore.open(own_annotation.store.location, who=WHO, read_only=True)
    reader = open_page(session=CorpusSession(store, who=WHO))
    assert "read-only" in texts(reader.page.strip)
    reader.press("1", "2", K.Key_N, K.Key_U, K.Key_Return, K.Key_A, K.Key_F, K.Key_D, K.Key_Delete)
    assert reader.stored() == [[1]]
    assert says(reader.page.strip, "reading only")
    buttons = reader.page.findChildren(CommandButton)
    assert buttons
    assert not any(button.isEnabled() for button in buttons)
    assert reader.page.alternatives.note.isReadOnly()


@pytest.mark.main
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


def test_that_undo_goes_where_it_takes_effect(table_1, open_page):
    other = Topic(id="0320", documents=table_1.documents, abstracts=(Abstract(id="b"),))
    annotation = open_page(table_1, other)
    annotation.press_candidates(1)
    annotation.press(K.Key_Return)
    annotation.page.annotation.go_to("0320")
    annotation.press(K.Key_Z, modifier=Qt.KeyboardModifier.ControlModifier)
    assert annotation.page.annotation.place.topic.id == "0310"
    assert annotation.page.annotation.n == 1
    assert annotation.stored_state() is AlignmentState.INCOMPLETE
    redo = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    annotation.press(K.Key_Z, modifier=redo)
    assert annotation.stored_state() is AlignmentState.CONFIRMED


def test_that_abstracts_are_stepped_through_across_topics(table_1, open_page):
    bare = Topic(id="bare")
    last = Topic(id="0330", abstracts=(Abstract(id="b"), Abstract(id="c")))
    annotation = open_page(table_1, bare, last)
    control = Qt.KeyboardModifier.ControlModifier
    places = []
    for key in (K.Key_PageDown, K.Key_PageDown, K.Key_PageDown, K.Key_PageUp):
        annotation.press(key, modifier=control)
        places.append(annotation.page.annotation.place.abstract.id)
    assert places == ["b", "c", "c", "b"]


def test_that_the_topic_is_chosen_by_mouse_and_the_keyboard_returns(table_1, open_page):
    annotation = open_page(table_1, Topic(id="0330", abstracts=(Abstract(id="b"),)))
    button = annotation.page.header.topics
    button.setFocus()
    QTest.keyClick(button, K.Key_Down)
    view = button.chooser.view
    QTest.keyClicks(view.field, "033")
    QTest.keyClick(view.field, K.Key_Return)
    assert annotation.page.annotation.place.topic.id == "0330"
    assert annotation.page.centre.isAncestorOf(annotation.page.focusWidget())


@pytest.mark.main
def test_that_a_change_from_outside_is_shown_at_the_same_place(annotation):
    from awase.core.records.edits import Changes

    annotation.press(K.Key_Right)
    annotation.session.reload(Changes(topics=frozenset(["0310"])))
    assert annotation.page.annotation.n == 2


@pytest.mark.main
def test_that_the_language_changes_without_losing_the_place(annotation, qtbot):
    annotation.press_candidates(1)
    annotation.press(K.Key_Return)
    set_language("ja")
    QCoreApplication.processEvents()
    assert annotation.page.annotation.n == 2
    assert annotation.page.centre.findChild(QTabBar).tabText(0) == "候補"
    assert button(annotation.page.abstract, "確定").isEnabled()
    annotation.press_candidates(3)
    assert annotation.stored(2) == [[3]]


@pytest.mark.usefixtures("painted")
@pytest.mark.parametrize("palette", in_part(["dark", "light", "high-contrast"]))
def test_that_the_page_paints_itself_in_every_palette(own_annotation, themes, palette):
    own_annotation.press_candidates(1)
    themes.set_theme(Theme.named(palette))
    own_annotation.press(K.Key_V)
    picture = own_annotation.page.grab().toImage()
    colours = {
        picture.pixelColor(x, y).name()
        for x in range(0, picture.width(), 5)
        for y in range(0, picture.height(), 5)
    }
    named = themes.theme.colours
    assert {named.accent, named.base, named.raised, named.line} <= colours


def test_that_larger_text_makes_taller_rows(own_annotation, themes):
    themes.apply()
    QCoreApplication.processEvents()
    view = own_annotation.page.centre.candidates
    index = own_annotation.page.centre.candidate_model.index_of(s(1))
    before = view.visualRect(index).height()
    themes.set_theme(Theme.named("light", 20))
    QCoreApplication.processEvents()
    assert view.visualRect(index).height() > before
