"""Editing topics, documents and abstracts without losing work on them."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox
from tests import building
from tests.gui.conftest import ref, small_topic
from tests.gui.seeing import press, says
from tests.in_part import in_part, in_turn

from awase.core.records.abstract import Abstract, Alternative, Limit
from awase.gui.dialogs.editing.editing import AbstractDialog, DocumentDialog, Editing, TopicDialog
from awase.gui.dialogs.editing.text_dialog import SentenceEditor
from awase.gui.dialogs.transfer.texts_dialog import TextsDialog
from awase.gui.kit.i18n import set_language
from awase.gui.pages.annotate.command_button import InlineEditor
from awase.storage.store import CorpusStore

K = Qt.Key


def stored(session) -> object:
    topic = session.store.topic("t")
    assert session.topic("t") == topic
    return topic


@pytest.fixture
def show(session, services, qtbot):
    """Shows a dialog of a class over what `of` takes of the topic, or over nothing yet."""

    def shown(kind, of=lambda topic: None):
        topic = session.topic("t")
        return qtbot.shown(kind(session, services.jobs, topic, of(topic)))

    return shown


@pytest.fixture
def abstract_dialog(show):
    return show(AbstractDialog, lambda topic: topic.abstracts[0])


@pytest.fixture
def new_abstract(show):
    return show(AbstractDialog)


@pytest.fixture
def document_dialog(show):
    return show(DocumentDialog, lambda topic: topic.documents[0])


@pytest.fixture
def new_document(show):
    return show(DocumentDialog)


def paste(editor, text):
    data = QMimeData()
    data.setText(text)
    editor.insertFromMimeData(data)


# The editor


@pytest.fixture
def editor(qtbot):
    return qtbot.shown(SentenceEditor(None))


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("The dog ran. The cat slept.", ("The dog ran.", "The cat slept.")),
        ("犬が走った。猫は眠った。", ("犬が走った。", "猫は眠った。")),
        ("One.\r\n\r\nTwo.", ("One.", "Two.")),
        ("Great 👨‍👩‍👧. Yes.", ("Great 👨‍👩‍👧.", "Yes.")),
        ("שלום עולם.", ("שלום עולם.",)),
        ("", ()),
        (" \n\t\n", ()),
    ],
)
def test_that_a_pasted_text_is_split_into_sentences(editor, text, sentences):
    paste(editor, text)
    assert editor.sentences() == sentences


def test_that_control_characters_of_a_paste_are_left_out_and_told(editor, qtbot):
    with qtbot.waitSignal(editor.pasted) as told:
        paste(editor, "The\x00 dog\x07 ran.\u202e")
    assert editor.sentences() == ("The dog ran.",)
    assert told.args[0].n_removed == 3


def test_that_enter_splits_and_backspace_joins(editor):
    paste(editor, "The dog ran")
    cursor = editor.textCursor()
    cursor.setPosition(len("The dog"))
    editor.setTextCursor(cursor)
    QTest.keyClick(editor, K.Key_Return)
    assert editor.sentences() == ("The dog", "ran")
    QTest.keyClick(editor, K.Key_Home)
    QTest.keyClick(editor, K.Key_Backspace)
    assert editor.sentences() == ("The dog ran",)
    QTest.keyClick(editor, K.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert editor.sentences() == ("The dog", "ran")
    editor.insertPlainText("\n\n")
    for _ in range(2):
        QTest.keyClick(editor, K.Key_Backspace)
    assert editor.toPlainText() == "The dog\n ran"
    editor.set_sentences(["One."])
    for key in (K.Key_Home, K.Key_Backspace):  # there is nothing before the very beginning
        QTest.keyClick(editor, key)
    assert editor.sentences() == ("One.",)
    for begin, end, key in (("Start", "End", K.Key_Delete), ("End", "Start", K.Key_Backspace)):
        editor.set_sentences(["One.", "Two."])
        editor.moveCursor(QTextCursor.MoveOperation[begin])
        editor.moveCursor(QTextCursor.MoveOperation[end], QTextCursor.MoveMode.KeepAnchor)
        QTest.keyClick(editor, key)
        assert editor.sentences() == (), key


def test_that_japanese_sentences_are_joined_without_a_blank(editor):
    editor.set_sentences(["犬が", "走った。"])
    cursor = editor.textCursor()
    cursor.setPosition(2)
    editor.setTextCursor(cursor)
    QTest.keyClick(editor, K.Key_Delete)
    assert editor.sentences() == ("犬が走った。",)
    assert editor.textCursor().position() == 2


# Abstracts


def test_that_an_abstract_is_written_with_its_class_author_and_limit(session, new_abstract):
    paste(new_abstract.editor, "One dog. Two cats.")
    new_abstract.fields.set("length", "long")
    new_abstract.fields.set("author", "Sato")
    new_abstract.fields.set("limit", 3)
    new_abstract.confirm()
    assert not new_abstract.isVisible()
    abstract = stored(session).abstracts[1]
    assert [sentence.text for sentence in abstract.sentences] == ["One dog.", "Two cats."]
    assert (abstract.length, abstract.author) == ("long", "Sato")
    assert abstract.limit == Limit(unit="words", size=3)
    assert session.undo_stack.undoText() == f"write abstract {abstract.id}"
    session.undo_stack.undo()
    assert len(stored(session).abstracts) == 1


def test_that_the_counter_says_in_words_how_much_is_too_much_and_follows_typing(
    new_abstract, qtbot
):
    paste(new_abstract.editor, "One dog. Two cats.")
    new_abstract.fields.set("limit", 3)
    assert new_abstract.fields["count"].text() == "▲ 4 of 3 words: 1 too many"
    assert new_abstract.fields["count"].property("look") == "danger"
    new_abstract.fields.set("limit", 4)
    assert new_abstract.fields["count"].text() == "4 of 4 words"
    assert new_abstract.fields["count"].property("look") == "muted"
    new_abstract.fields.set("limit", 0)
    assert new_abstract.fields["count"].text() == "4 words"
    QTest.keyClicks(new_abstract.editor, " One two")
    qtbot.waitUntil(lambda: new_abstract.fields["count"].text() == "6 words")


@in_turn("name", ["", "t-short", "a\tb"])
def test_that_a_name_that_is_taken_or_none_is_refused(session, new_abstract, name):
    paste(new_abstract.editor, "One.")
    new_abstract.fields.set("id", name)
    new_abstract.confirm()
    assert new_abstract.message.text()
    assert len(stored(session).abstracts) == 1


def test_that_work_on_a_sentence_that_goes_must_be_let_go(session, abstract_dialog):
    abstract_dialog.editor.set_sentences(["Two."])
    abstract_dialog.confirm()
    assert abstract_dialog.isVisible()
    assert [row.n for row in abstract_dialog.review.rows] == [1]
    assert stored(session) == small_topic()
    for texts in (["New."], ["Two."]):
        abstract_dialog.review.set("agree", True)
        abstract_dialog.editor.set_sentences(texts)
        abstract_dialog.show_state()
        assert abstract_dialog.review.is_decided is (texts == ["Two."])  # as more go, or fewer
    abstract_dialog.confirm()
    assert [sentence.n for sentence in stored(session).abstracts[0].sentences] == [2]
    session.undo_stack.undo()
    assert stored(session) == small_topic()


# Documents


def test_that_a_document_is_added_by_pasting(session, new_document):
    paste(new_document.editor, "First. \x00Second.")
    new_document.fields.set("id", "980722")
    new_document.fields.set("title", "News")
    assert "U+0000" in new_document.message.text()
    new_document.confirm()
    document = stored(session).documents[1]
    assert (document.id, document.title, document.date) == ("980722", "News", None)
    assert [sentence.text for sentence in document.sentences] == ["First.", "Second."]
    session.undo_stack.undo()
    assert stored(session) == small_topic()


def test_that_a_document_is_added_from_a_file(session, new_document, qtbot, tmp_path):
    path = tmp_path / "980723.txt"
    path.write_bytes("湖底の木造船を東嶺大学が調べた。年代は古墳時代とみられる。\n".encode("cp932"))
    new_document.load(path)
    assert new_document.editor.isReadOnly() > new_document.accept_button.isEnabled()
    qtbot.waitUntil(lambda: not new_document.is_busy)
    new_document.confirm()
    document = stored(session).documents[1]
    assert document.id == "980723"
    assert len(document.sentences) == 2


def test_that_a_file_that_cannot_be_read_is_told_and_the_text_stays(new_document, qtbot, tmp_path):
    paste(new_document.editor, "Mine.")
    for name, data in (("nowhere.txt", None), ("binary.txt", b"a\0b\0\x01")):
        if data is not None:
            (tmp_path / name).write_bytes(data)
        new_document.load(tmp_path / name)
        qtbot.waitUntil(lambda: not new_document.is_busy)
        assert new_document.message.property("look") == "danger"
        assert new_document.editor.sentences() == ("Mine.",)


@pytest.mark.slow
def test_that_reading_a_long_file_can_be_stopped(session, new_document, qtbot, tmp_path):
    paste(new_document.editor, "Mine.")
    path = tmp_path / "long.txt"
    path.write_bytes(b"The dog ran. " * 300_000)
    new_document.load(path)
    assert new_document.is_busy
    new_document.reject()
    qtbot.waitUntil(lambda: not new_document.is_busy)
    assert new_document.isVisible()
    assert new_document.editor.sentences() == ("Mine.",)
    new_document.reject()
    assert new_document.isVisible()
    press(new_document.question, "Discard and close")
    assert not new_document.isVisible()


def test_that_links_to_a_sentence_that_goes_are_kept_until_it_is_let_go(session, document_dialog):
    document_dialog.editor.set_sentences(["The cat slept.", "It rained."])
    document_dialog.confirm()
    assert document_dialog.isVisible()
    (row,) = document_dialog.review.rows
    assert "2 links in 2 alternatives, 1 extract member" in row.text
    assert stored(session) == small_topic()
    document_dialog.review.button("put-back").click()
    assert document_dialog.editor.sentences()[0] == "The dog ran."
    document_dialog.editor.set_sentences(["The cat slept.", "It rains."])
    document_dialog.show_state()
    document_dialog.review.set("agree", True)
    document_dialog.confirm()
    topic = stored(session)
    assert [one.text for one in topic.documents[0].sentences] == ["The cat slept.", "It rains."]
    one, two = topic.abstracts[0].alignments[0].sentences
    assert one.alternatives == ()
    assert two.alternatives == (Alternative((ref(2), ref(3))),)
    assert topic.outputs[0].sentences == (ref(2),)


def test_that_the_text_stays_when_it_cannot_be_stored(session, new_document, qtbot):
    from tests.storage.failures import failing_write

    paste(new_document.editor, "Mine.")
    with failing_write(0), qtbot.waitSignal(session.failed):
        new_document.confirm()
    assert new_document.isVisible()
    assert "still here" in new_document.message.text()
    assert new_document.editor.sentences() == ("Mine.",)
    new_document.confirm()
    assert stored(session).documents[1].sentences[0].text == "Mine."


# From the menus and the Annotate page


@pytest.fixture
def window(open_window, qtbot):
    open_window.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is open_window)
    return open_window


def test_that_a_document_is_removed_only_when_confirmed_and_counts_what_goes(window, qtbot):
    window.menus.choose("menu:edit:remove-document")
    box = window.findChild(QMessageBox)
    assert "5 links in 3 alternatives, 4 extract members" in box.informativeText()
    press(box, "Cancel")
    store = window.workspace.session.store
    assert store.topic("t") == small_topic()
    qtbot.waitUntil(lambda: window.findChild(QMessageBox) is None)
    window.menus.choose("menu:edit:remove-document")
    press(window.findChild(QMessageBox), "Remove it")
    assert store.topic("t").documents == ()
    window.menus.actions["undo"].trigger()
    assert store.topic("t") == small_topic()


def test_that_an_abstract_is_removed_only_when_confirmed(window):
    window.menus.choose("menu:edit:remove-abstract")
    box = window.findChild(QMessageBox)
    assert "1 annotator" in box.informativeText()
    press(box, "Remove it")
    session = window.workspace.session
    assert session.store.topic("t").abstracts == ()
    assert window.workspace.page("annotate").annotation.place.abstract is None
    window.menus.actions["undo"].trigger()
    assert session.store.topic("t") == small_topic()
    assert window.workspace.page("annotate").annotation.place.abstract == small_topic().abstracts[0]


def inline(window):
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # the one before
    window.menus.choose("menu:edit:text")
    return window.findChild(InlineEditor)


@pytest.mark.slow
def test_that_f2_edits_a_source_sentence_where_it_stands(window):
    page = window.workspace.page("annotate")
    page.centre.show_ref(ref(2))
    editor = inline(window)
    assert editor.toPlainText() == "The cat slept."
    editor.setPlainText("The cat\nslept\x00 well.")
    QTest.keyClick(editor, K.Key_Return)
    store = window.workspace.session.store
    assert store.topic("t").documents[0].sentences[1].text == "The cat slept well."
    assert store.topic("t").abstracts == small_topic().abstracts
    assert window.menus.actions["undo"].text() == "&Undo: edit sentence s2"
    assert page.centre.current_ref() == ref(2)
    page.centre.show_ref(ref(1))
    window.menus.actions["undo"].trigger()
    assert (store.topic("t"), page.centre.current_ref()) == (small_topic(), ref(2))
    page.centre.show_ref(ref(3))
    inline(window).setPlainText("It snowed.")
    page.abstract.view.setFocus()  # which leaves the editor
    assert store.topic("t").documents[0].sentences[2].text == "It snowed."


@pytest.mark.slow
def test_that_f2_edits_the_abstract_sentence_that_has_the_keyboard(window):
    page = window.workspace.page("annotate")
    page.annotation.select(2)
    page.abstract.view.setFocus()
    editor = inline(window)
    editor.setPlainText("Second.")
    QTest.keyClick(editor, K.Key_Enter)
    assert window.workspace.session.store.topic("t").abstracts[0].sentences[1].text == "Second."
    assert page.annotation.n == 2


def test_that_an_empty_or_equal_text_and_escape_change_nothing(window):
    for text, key in (
        ("", K.Key_Return), ("   ", K.Key_Return), ("The dog ran.", K.Key_Return),
        ("x", K.Key_Escape),
    ):  # fmt: skip
        window.workspace.page("annotate").centre.show_ref(ref(1))
        editor = inline(window)
        editor.setPlainText(text)
        QTest.keyClick(editor, key)
        assert window.workspace.session.store.topic("t") == small_topic()
        assert not window.workspace.session.undo_stack.canUndo()


@pytest.mark.slow
@pytest.mark.parametrize(
    "topic",
    in_part(
        [
            building.topic("a", docs={}),
            small_topic("a"),
            building.topic("a", docs={"d": ()}, abstracts=(Abstract(id="x"),)),
        ]
    ),
)
def test_that_every_entry_of_the_menu_can_be_chosen_anywhere(window_over, make_corpus, topic):
    window = window_over(make_corpus(topic, name="other"))
    for entry_id in window.findChild(Editing).commands:
        window.menus.choose(f"menu:{entry_id}")
        for dialog in window.findChildren(AbstractDialog) + window.findChildren(DocumentDialog):
            dialog.reject()
        for box in window.findChildren(QMessageBox):
            box.close()
    assert window.workspace.session.store.topic("a") == topic


@pytest.mark.slow
def test_that_f2_edits_no_sentence_that_is_out_of_sight(window):
    page = window.workspace.page("annotate")
    page.abstract.filter.step(2)  # no sentence is flagged
    assert page.abstract.content.notice.isVisible()
    assert inline(window) is None
    assert says(page.strip, "Choose a sentence first.")
    page.abstract.filter.step(-2)
    assert window.findChild(InlineEditor) is None


def test_that_nothing_is_edited_in_a_corpus_open_for_reading(window_over, make_corpus, tmp_path):
    path = make_corpus(name="locked")
    with CorpusStore.open(path, who="Sato"):
        window = window_over(path)
        assert not window.menus.actions["menu:edit:text"].isEnabled()
        for command in window.findChild(Editing).commands.values():
            command()
        assert window.findChild(AbstractDialog) is None
        assert window.findChild(InlineEditor) is None
        assert not window.accepts([tmp_path / "links.tsv"])
        window.add_files([tmp_path / "a.txt"])
        assert "place" in window.findChild(TextsDialog).fields.names()  # of another corpus
        set_language("ja")
        QApplication.processEvents()
        assert "読み取り専用" in window.windowTitle()


@pytest.fixture
def ask(session, qtbot):
    def asked():
        return qtbot.added(TopicDialog(session, session.topics()[0]))

    return asked


def test_that_title_and_language_may_be_taken_away(session, ask):
    dialog = ask()
    for name in ("title", "language"):
        dialog.fields.set(name, "")
    dialog.confirm()
    topic = session.store.topic("t")
    assert (topic.title, topic.language) == (None, None)
    assert session.topic("t") == topic


def test_that_a_language_that_is_none_is_refused_in_words(session, ask):
    dialog = ask()
    dialog.fields.set("language", "e\tn")
    assert not dialog.accept_button.isEnabled()
    assert "control character" in dialog.message.text()
    dialog.confirm()
    assert session.store.topic("t") == small_topic()


def test_that_nothing_changed_is_no_step(session, ask):
    ask().confirm()
    assert not session.undo_stack.canUndo()
