"""What the window does when texts, files and the moment are not as they should be."""

import os
import re
import shutil
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox
from tests.gui.conftest import ref, small_topic
from tests.gui.seeing import press_keys, texts
from tests.in_part import in_part

import awase.gui
from awase.core.errors import EnvironmentProblem
from awase.core.records.abstract import Abstract, Alternative
from awase.core.records.source import Document
from awase.core.records.topic import Topic
from awase.gui.kit.i18n import tr
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.pages.annotate.command_button import InlineEditor
from awase.storage.store import CorpusStore

K = Qt.Key
needs_posix = pytest.mark.skipif(
    sys.platform == "win32", reason="an open file cannot be taken away"
)


@pytest.fixture
def open_window(window_over, qtbot, make_corpus):
    def open_it(*topics):
        window = window_over(make_corpus(*topics))
        window.activateWindow()
        qtbot.waitUntil(lambda: QApplication.activeWindow() is window)
        return window

    return open_it


@pytest.fixture
def defects(services):
    found: list[str] = []
    services.defects.found.connect(found.append)
    restore = services.defects.install()
    yield found
    restore()
    assert found == []


def page_of(window):
    return window.workspace.annotate


def pasted_inline(window, text):
    """Pastes `text` over the first candidate's, and stores it with Enter."""
    page = page_of(window)
    page.centre.show_in_document(ref(1))
    window.workspace.edit("edit:text")
    editor = page.findChildren(InlineEditor)[-1]  # those that are done go with the next event
    editor.selectAll()
    data = QMimeData()
    data.setText(text)
    editor.insertFromMimeData(data)
    QTest.keyClick(editor, K.Key_Return)
    QApplication.processEvents()


# Texts


TEXTS = [
    ("a\x00b\x07c\u202ed", "abcd"),
    ("one\r\ntwo\u2028three\ttabbed", "one two three tabbed"),
    ("half \ud83d of a pair", "half  of a pair"),
    ("👩‍👩‍👧 🇯🇵 e\u0301", "👩‍👩‍👧 🇯🇵 e\u0301"),
    ("שלום עולם. مرحبا", "שלום עולם. مرحبا"),
    ("long " * 10_000, ("long " * 10_000).strip()),
    ("nothing else", "nothing else"),
    ("\x00\x01", "nothing else"),
]


@pytest.mark.slow
def test_that_texts_pasted_in_place_are_stored_clean(open_window, defects):
    window = open_window()
    for text, stored in TEXTS:
        pasted_inline(window, text)
        document = window.workspace.session.store.topic("t").documents[0]
        assert document.sentences[0].text == stored
        press_keys(window, K.Key_1, K.Key_V, K.Key_Right)
    assert window.workspace.session.topic("t") == window.workspace.session.store.topic("t")


@pytest.mark.slow
def test_that_a_note_takes_any_text(open_window, defects):
    window = open_window()
    note = page_of(window).alternatives.note
    note.setFocus()
    data = QMimeData()
    data.setText("a\x00b\x08 👍 שלום\r\n" + "x" * 50_000 + "\ud800")
    note.insertFromMimeData(data)
    QTest.keyClick(note, K.Key_Escape)
    assert stored_entry(window).note == "ab 👍 שלום\n" + "x" * 50_000


def stored_entry(window):
    """What is stored of the sentence that is selected."""
    session = window.workspace.session
    alignment = session.store.topic("t").abstracts[0].alignment_by(session.who)
    return alignment.of_sentence(page_of(window).annotation.n)


def test_that_every_key_can_be_pressed_where_there_is_nothing(open_window, defects):
    empty = Document(id="d", sentences=())
    abstract = Abstract(id="a", sentences=())
    topics = [
        Topic(id="no-sentences", documents=(empty,), abstracts=(abstract,)),
        Topic(id="no-abstract", documents=(empty,)),
        replace(small_topic("no-source"), documents=(empty,), abstracts=(), outputs=()),
        Topic(id="nothing"),
    ]
    window = open_window(*topics)
    before = window.workspace.session.store.corpus()
    for topic in topics:
        page_of(window).annotation.go_to(topic.id)
        for run in page_of(window).commands.values():
            run()
            QApplication.processEvents()
    assert window.workspace.session.store.corpus() == before


# The file goes away


@needs_posix
def test_that_work_goes_on_when_a_corpus_that_was_away_is_back(open_window, defects, qtbot):
    window = open_window()
    session = window.workspace.session
    path = session.location
    before = session.topic("t")
    os.rename(path, path + ".away")
    press_keys(window, K.Key_1)
    dialog = window.findChild(ProblemsDialog)
    assert dialog is not None
    assert "no longer there" in dialog.table.model().index(0, 1).data()
    assert tr("not saved") in texts(page_of(window).strip)
    dialog.close()
    QApplication.processEvents()
    session.reconnect()  # as is done every second
    press_keys(window, K.Key_1)
    assert not [one for one in window.findChildren(ProblemsDialog) if one.isVisible()]
    assert session.topic("t") == before
    session.undo_stack.undo()
    os.rename(path + ".away", path)
    QApplication.processEvents()
    page_of(window).annotation_actions.toggle(ref(3))
    assert tr("saved") in texts(page_of(window).strip)
    assert not [text for text in texts(page_of(window).strip) if "server" in text]
    entry = stored_entry(window)
    assert Alternative((ref(3),)) in entry.alternatives or ref(3) in entry.refs()
    os.rename(path, path + ".away")
    window.close()
    assert window.isVisible()  # or nobody would read where the file is
    window.close()
    assert not window.isVisible()


@pytest.mark.slow
@needs_posix
@pytest.mark.parametrize("is_read", [True, False])
def test_that_texts_typed_while_the_corpus_is_away_are_stored_when_it_is_back(
    open_window, defects, qtbot, monkeypatch, is_read
):
    def gone(_store):
        raise EnvironmentProblem("It is away.", "Bring it back.")

    window = open_window()
    session = window.workspace.session
    if not is_read:  # an open connection still reads what has another name
        monkeypatch.setattr(CorpusStore, "corpus", gone)
    note = page_of(window).alternatives.note
    path = session.location
    os.rename(path, path + ".away")
    note.setFocus()
    QTest.keyClicks(note, "typed with care")
    QTest.keyClick(note, K.Key_Escape)
    (told,) = window.findChildren(ProblemsDialog)
    told.close()
    QApplication.processEvents()
    assert note.toPlainText() == "typed with care"
    os.rename(path + ".away", path)
    QTest.keyClick(note, K.Key_Escape)
    assert stored_entry(window).note == "typed with care"


@needs_posix
@pytest.mark.parametrize(
    "leave", in_part([lambda window: window.close(), lambda w: w.leave_corpus()])
)
@pytest.mark.parametrize("loses", in_part([True, False]))
def test_that_nobody_leaves_a_note_unsaved_without_being_asked(
    open_window, defects, qtbot, leave, loses
):
    window = open_window()
    page, path = page_of(window), window.workspace.session.location
    note = page.alternatives.note
    note.setFocus()
    os.rename(path, path + ".away")
    QTest.keyClicks(note, "typed with care")
    if not loses:  # what was noticed of the file must not outlive its return
        session = window.workspace.session
        qtbot.waitUntil(lambda: session.connection_problem is not None)
    leave(window)
    (asked,) = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
    assert "typed with care" in asked.informativeText()
    assert window.isVisible()
    assert window.workspace is not None
    os.rename(path + ".away", path)
    for told in window.findChildren(ProblemsDialog):
        told.close()
    lose, stay = (next(b for b in asked.buttons() if b.text().replace("&", "") == text)
                  for text in ("Discard and close", "Continue"))  # fmt: skip
    QTest.mouseClick(lose if loses else stay, Qt.MouseButton.LeftButton)
    QApplication.processEvents()
    if not loses:
        assert note.toPlainText() == "typed with care"
        leave(window)
    assert window.workspace is None
    with CorpusStore.open(path, who="1", read_only=True) as store:
        alignment = store.topic("t").abstracts[0].alignment_by("1")
        stored = alignment.of_sentence(1).note if alignment is not None else None
    assert stored == (None if loses else "typed with care")


@pytest.mark.slow
@needs_posix
def test_that_the_window_closes_while_the_corpus_is_away(open_window, defects):
    window = open_window()
    path = window.workspace.session.location
    os.rename(path, path + ".away")
    window.close()
    assert not window.isVisible()
    os.rename(path + ".away", path)
    with CorpusStore.open(path, who="1") as store:
        assert store.topic("t") == small_topic()


# Closing while something is under way


@pytest.fixture
def importing(open_window, services, qtbot, tmp_path, monkeypatch):
    """A window in the middle of an import that waits until it is let go on."""
    import awase.gui.dialogs.transfer.files_dialog as module

    go_on, is_at_work = threading.Event(), threading.Event()

    def slow_import(store, files, who, reporter, **options):
        is_at_work.set()
        while not go_on.wait(0.01):
            reporter.advance(0, 2)
        return read(store, files, who, reporter, **options)

    read = module.import_files
    monkeypatch.setattr(module, "import_files", slow_import)
    window = open_window()
    path = tmp_path / "run.extracts"
    path.write_text("mmr\tt\tshort\td:1 d:3\n", "utf-8")
    window.menus.actions["menu:import"].trigger()
    dialog = window.findChild(module.ImportDialog)
    dialog.add_files([path])
    dialog.file_form.set("encoding", "utf-8")  # which the dialog alone would ask about
    dialog.accept_button.click()
    qtbot.waitUntil(is_at_work.is_set)
    yield window, dialog, go_on
    go_on.set()


@pytest.mark.parametrize("answer", in_part(["Stop and close", "Continue"]))
def test_that_closing_during_an_import_asks_and_stops_it_or_lets_it_go_on(
    importing, defects, qtbot, answer
):
    window, dialog, go_on = importing
    path = window.workspace.session.location
    window.close()
    assert window.isVisible()
    box = QApplication.activeModalWidget()
    assert isinstance(box, QMessageBox)
    assert "still under way" in box.text()
    next(button for button in box.buttons() if button.text() == answer).click()
    if answer == "Continue":
        with qtbot.waitSignal(dialog.accepted):
            go_on.set()
        window.close()
    assert not window.isVisible()
    with CorpusStore.open(path, who="1") as store:
        systems = [output.system for output in store.topic("t").outputs]
    assert systems == ["lead", "last"] + ["mmr"] * (answer == "Continue")


def test_that_no_object_of_qts_is_made_with_properties_by_name():
    """PySide finds their setters by the locale's capitals: Turkish has no `setInterval`."""
    brackets = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
    found = []
    for path in Path(awase.gui.__file__).parent.rglob("*.py"):
        text = path.read_text("utf-8")
        lists = re.findall(r"^from PySide6\S* import (\([^)]*\)|.*)$", text, re.MULTILINE)
        own = set(re.findall(r"\w+", " ".join(lists))) - {"Signal", "Slot"}
        by_name = rf"\b({'|'.join(own)})\((?:[^()]|{brackets})*?\b(?!parent\b)\w+=(?!=)"
        if own:
            found += [f"{path.name}: {call[0]}" for call in re.finditer(by_name, text)]
    assert found == []


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("localedef"), reason="needs localedef")
@pytest.mark.parametrize("code", ["tr_TR", "az_AZ"])
def test_that_the_window_opens_where_capitals_are_turkish(tmp_path, code):
    place = tmp_path / f"{code}.UTF-8"
    made = subprocess.run(["localedef", "-i", code, "-f", "UTF-8", place], capture_output=True)
    if made.returncode:
        pytest.skip("the sources of locales are not installed")
    program = "from awase.gui.main_screens import offstage\nwith offstage(): print('open')"
    environment = os.environ | {"LOCPATH": str(tmp_path), "LC_ALL": place.name}
    shown = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True
    )
    assert shown.stdout == "open\n", shown.stderr
