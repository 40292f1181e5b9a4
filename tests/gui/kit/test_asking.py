"""What is asked for over a window goes when it is answered, and leaves nothing in it."""

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QFileDialog, QInputDialog, QWidget
from tests.gui.seeing import button

from awase.gui.kit.forms.controls import (
    ask_file,
    ask_files,
    ask_first,
    ask_folder,
    ask_text,
    open_once,
)


@pytest.fixture
def window(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    return window


def left_in(window: QWidget) -> list[QDialog]:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return window.findChildren(QDialog)


@pytest.mark.parametrize("answer", ["accept", "reject"])
def test_that_a_dialog_is_gone_after_it_was_closed(window, answer):
    dialog = open_once(QDialog(window))
    assert left_in(window) == [dialog]
    getattr(dialog, answer)()
    assert left_in(window) == []


def test_that_the_file_chosen_is_told_and_any_may_be_chosen(window):
    chosen: list[Path] = []
    ask_file(window, "Choose", chosen.append, kinds=("Texts (*.txt)",))
    dialog = window.findChild(QFileDialog)
    assert dialog.windowTitle() == "Choose"
    assert dialog.nameFilters() == ["Texts (*.txt)", "All files (*)"]
    assert dialog.fileMode() is QFileDialog.FileMode.ExistingFile
    dialog.fileSelected.emit("/corpora/a.txt")
    assert chosen == [Path("/corpora/a.txt")]


def test_that_several_files_and_folders_are_told(window):
    chosen: list[object] = []
    ask_files(window, "Choose", chosen.append)
    window.findChild(QFileDialog).filesSelected.emit(["/a.txt", "/b.txt"])
    window.findChild(QFileDialog).close()
    assert left_in(window) == []
    ask_folder(window, "Choose", chosen.append)
    dialog = window.findChild(QFileDialog)
    assert dialog.fileMode() is QFileDialog.FileMode.Directory
    dialog.fileSelected.emit("/corpora")
    assert chosen == [[Path("/a.txt"), Path("/b.txt")], Path("/corpora")]


def test_that_a_text_is_proposed_and_told_as_it_was_changed(window):
    chosen: list[str] = []
    ask_text(window, "Save", "Name", chosen.append, "anna-extract")
    dialog = window.findChild(QInputDialog)
    assert (dialog.labelText(), dialog.textValue()) == ("Name", "anna-extract")
    dialog.setTextValue("hand")
    dialog.accept()
    assert chosen == ["hand"]
    assert left_in(window) == []


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_that_only_the_button_that_says_so_does_what_is_asked_about(window, qtbot, key):
    done: list[bool] = []
    says = {"does": "Remove it", "leaves": "Cancel"}
    box = ask_first(window, "Remove", "Remove it?", **says, then=lambda: done.append(True))
    qtbot.waitUntil(box.isActiveWindow)
    QTest.keyClick(box, key)
    assert (left_in(window), done) == ([], [])
    box = ask_first(window, "Remove", "Remove it?", **says, then=lambda: done.append(True))
    button(box, "Remove it").click()
    assert (left_in(window), done) == ([], [True])
