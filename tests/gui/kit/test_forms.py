"""Forms and dialogs: what they ask, where they end, and what they leave."""

import threading
from itertools import product
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QInputDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QMainWindow,
    QScrollArea,
    QStyle,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)
from tests.gui.looking import cut_texts, overlaps, sideways
from tests.gui.seeing import button
from tests.in_part import in_part
from tests.programs import ran

from awase.core.errors import InputError, Problem
from awase.gui.dialogs.editing.text_dialog import ReviewList, ReviewRow
from awase.gui.kit.commands import step_pane
from awase.gui.kit.forms.controls import ask_file, ask_files, ask_first, ask_text, open_once
from awase.gui.kit.forms.dialog import FormDialog, JobDialog
from awase.gui.kit.forms.panel import height_for
from awase.gui.kit.forms.parts import Asks, Button, Field, Form, Line, Note
from awase.gui.kit.i18n import bind, bind_problems, mark, set_language
from awase.gui.kit.look.theme import Theme, ThemeBox


@pytest.fixture
def window(qtbot):
    return qtbot.shown(QWidget())


def left_in(window: QWidget) -> list[QDialog]:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return window.findChildren(QDialog)


def test_that_files_and_folders_chosen_are_told_and_any_may_be_chosen(window):
    chosen: list[object] = []
    modes = QFileDialog.FileMode
    for ask, more, names, mode, found in (
        (ask_file, {"kinds": ("Texts (*.txt)",)}, ["/a.txt"], modes.ExistingFile, Path("/a.txt")),
        (ask_files, {}, ["/a", "/b"], modes.ExistingFiles, [Path("/a"), Path("/b")]),
        (ask_files, {"asks": Asks.FOLDER}, ["/c"], modes.Directory, [Path("/c")]),
    ):
        ask(window, "Choose", chosen.append, **more)
        dialog = window.findChild(QFileDialog)
        assert (dialog.windowTitle(), dialog.fileMode()) == ("Choose", mode)
        if more.get("kinds"):
            assert dialog.nameFilters() == ["Texts (*.txt)", "All files (*)"]
        dialog.filesSelected.emit(names)
        assert chosen.pop() == found
        dialog.close()
        assert left_in(window) == []


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


_FEW = Problem(
    what=mark("Agreement needs at least two annotators; found {n}."), hint="", fields={"n": 1}
)


def _switch(label: QLabel, language: str) -> None:
    set_language(language)
    QCoreApplication.sendEvent(label, QEvent(QEvent.Type.LanguageChange))


def test_that_what_is_wrong_is_told_in_the_language_that_is_chosen_later(qtbot):
    label = qtbot.added(QLabel())
    bind_problems(label, [_FEW, _FEW])
    english = label.text()
    assert english.splitlines() == ["Agreement needs at least two annotators; found 1."] * 2
    _switch(label, "ja")
    assert label.text() != english
    assert "1" in label.text()
    bind(label, "text", mark("Copy table"))
    _switch(label, "en")
    assert label.text() == "Copy table"


class Dialog(JobDialog):
    headline = "It went wrong."

    def __init__(self, jobs):
        fields = (Field("words", "Words", Line()), Button("other", "Other", lambda: None))
        form = Form(title="Work", parts=fields, accept="Do it", leave="Close", width=20)
        super().__init__(form, jobs)
        self.results = []
        self.show_state()


@pytest.fixture
def dialog(services, qtbot):
    return qtbot.shown(Dialog(services.jobs))


def test_that_close_stops_the_job_first_and_the_dialog_then(dialog, qtbot):
    go_on = threading.Event()

    def work(reporter):
        while not go_on.is_set():
            reporter.advance(1, 2, "halfway")

    dialog.start("work", work, dialog.results.append)
    assert (dialog.leave_button.text(), dialog.progress.isVisible()) == ("Stop", True)
    qtbot.waitUntil(lambda: dialog.message.text() == "halfway")
    for name in ("words", "other"):
        assert not dialog.fields[name].isEnabled()
    assert not dialog.accept_button.isEnabled()
    dialog.reject()
    assert dialog.isVisible()
    qtbot.waitUntil(lambda: not dialog.is_busy)
    go_on.set()
    assert (dialog.leave_button.text(), dialog.progress.isVisible()) == ("Close", False)
    assert dialog.message.text() == ""
    assert dialog.fields["words"].isEnabled()
    assert dialog.accept_button.isEnabled()
    assert dialog.results == []
    dialog.reject()
    assert not dialog.isVisible()


def test_that_a_failure_is_told_under_the_headline(dialog, qtbot):
    def work(_reporter):
        raise InputError.of("No such thing.", "Choose another.")

    with qtbot.waitSignal(dialog.failed) as failed:
        dialog.start("work", work, dialog.results.append)
    assert failed.args[0] == "It went wrong."
    assert "No such thing." in str(failed.args[1])
    assert not dialog.is_busy


def test_that_the_result_arrives_at_rest_and_what_was_typed_is_asked_about_no_more(dialog, qtbot):
    told = []
    qtbot.keyClicks(dialog.fields["words"], "typed")
    assert dialog.has_unsaved()
    dialog.start("work", lambda _reporter: 3, lambda result: told.append((result, dialog.is_busy)))
    qtbot.waitUntil(lambda: told == [(3, False)])
    assert not dialog.has_unsaved()


LONG = "A reason that takes several lines wherever it stands, as reasons do. " * 4


def test_that_a_dialog_neither_closes_nor_begins_anew_while_it_does_what_was_asked(window):
    class Waiting(FormDialog):
        n_times = 0

        def submit(self):
            self.n_times += 1
            for done in (self.reject, self.confirm, self.close):
                done()
            assert self.isVisible()
            super().submit()

    form = Form(title=mark("Remove"), parts=(), accept=mark("Remove"), width=20)
    dialog = open_once(Waiting(form, window))
    dialog.confirm()
    dialog.confirm()
    assert (dialog.n_times, dialog.result()) == (1, QDialog.DialogCode.Accepted)


def shown_form(qtbot, *parts, width=20):
    form = Form(title=mark("Settings"), parts=parts, leave=mark("Close"), width=width)
    dialog = qtbot.shown(FormDialog(form))
    QApplication.processEvents()
    return dialog


def fields(n_fields):
    return [Field(f"field-{n}", mark("Name"), Line()) for n in range(n_fields)]


def test_that_a_long_message_squeezes_no_field(qtbot):
    dialog = shown_form(qtbot, *fields(6))
    before = [field.height() for field in dialog.findChildren(QLineEdit)]
    dialog.show_message(LONG)
    QApplication.processEvents()
    assert [field.height() for field in dialog.findChildren(QLineEdit)] == before
    assert cut_texts(dialog) == overlaps(dialog) == []


def test_that_a_form_higher_than_the_screen_is_scrolled_and_its_buttons_stay(qtbot):
    dialog = shown_form(qtbot, *fields(40))
    assert dialog.height() < QApplication.primaryScreen().availableSize().height()
    assert dialog.leave_button.visibleRegion().boundingRect() == dialog.leave_button.rect()
    last = dialog.fields["field-39"]
    assert last.visibleRegion().isEmpty()
    last.setFocus()
    dialog.fields["field-38"].setFocus()
    QTest.keyClick(dialog.fields["field-38"], Qt.Key.Key_Tab)
    QApplication.processEvents()
    assert last.visibleRegion().boundingRect() == last.rect()


def test_that_a_form_with_room_is_no_higher_than_what_it_says_and_has_no_bar(qtbot):
    dialog = shown_form(qtbot, Note(LONG), *fields(1), width=46)
    (area,) = dialog.findChildren(QScrollArea)
    assert not area.verticalScrollBar().isVisible()
    panel = dialog.fields
    assert panel.height() == height_for(panel.layout(), panel.width(), is_least=False)
    font = dialog.font()
    font.setPointSize(20)
    dialog.setFont(font)
    line_px = dialog.fontMetrics().height()
    assert dialog.layout().contentsMargins().left() == line_px
    assert dialog.layout().spacing() == line_px // 2


@pytest.mark.parametrize(("points", "width"), in_part(product((8, 10, 20), (600, 760, 811, 995))))
def test_that_sentences_to_be_looked_at_are_wrapped(qtbot, points, width):
    ThemeBox(Theme.named("light", points)).apply()
    review = qtbot.shown(ReviewList(), width, 300)
    review.show_rows([ReviewRow(n, "木造船" * (8 * n), is_gone=True) for n in range(1, 6)])
    QApplication.processEvents()
    assert sideways(review) == []
    (rows,) = review.findChildren(QListWidget)
    option = QStyleOptionViewItem()
    rows.initViewItemOption(option)
    option.features |= QStyleOptionViewItem.ViewItemFeature.HasDisplay
    option.rect = rows.visualItemRect(rows.item(4))
    room = rows.style().subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, rows)
    lines = rows.fontMetrics().boundingRect(0, 0, room.width(), 0, 0x1000, "木造船" * 40)
    assert room.height() >= lines.height()


A_SHOWN_DIALOG_DIES = """
import gc
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from awase.gui.kit.forms.dialog import FormDialog
from awase.gui.kit.forms.parts import Field, Form, Line
from awase.gui.kit.i18n import mark

program = QApplication([])
gc.disable()
parts = (Field("name", mark("Name"), Line()),)
form = Form(title=mark("x"), parts=parts, leave=mark("Close"), width=20)
older, dialog = FormDialog(form), FormDialog(form)
dialog.in_a_circle = dialog
dialog.show()
del dialog
gc.collect()
assert QGuiApplication.screens()
"""


@pytest.mark.slow
def test_that_a_dialog_in_sight_may_be_collected():
    assert "Error" not in ran(A_SHOWN_DIALOG_DIES).stderr


def test_that_the_menus_outlive_a_page_whose_panes_were_gone_through(qtbot):
    window, centre, page = QMainWindow(), QWidget(), QWidget()
    qtbot.addWidget(window)
    window.setCentralWidget(centre)
    panes = [QListWidget(), QListWidget()]
    for box, parts in ((page, [panes[0], QLineEdit(), panes[1]]), (centre, [QListWidget(), page])):
        layout = QVBoxLayout(box)
        for part in parts:
            layout.addWidget(part)
    menu = window.menuBar().addMenu("Edit")
    undo = menu.addAction("Undo")
    window.show()
    seen = []
    for by in (1, 1, 1, -1, -1):
        step_pane(page, by)
        seen.append(panes.index(window.focusWidget()))
    assert seen == [0, 1, 0, 1, 0]
    page.deleteLater()
    QCoreApplication.sendPostedEvents(page, QEvent.Type.DeferredDelete)
    assert not shiboken6.isValid(page)
    assert shiboken6.isValid(menu)
    assert shiboken6.isValid(undo)
    undo.setEnabled(False)


def test_that_a_page_without_panes_is_gone_through_once(qtbot):
    page, notice = QMainWindow(), QLabel("Nothing yet")
    qtbot.addWidget(page)
    centre = QWidget()
    page.setCentralWidget(centre)
    layout = QVBoxLayout(centre)
    notice.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # Tab does not come back to it
    for part in (notice, QLineEdit(), QLineEdit()):
        layout.addWidget(part)
    page.show()
    for by in (1, -1):
        notice.setFocus()
        step_pane(centre, by)
        assert isinstance(page.focusWidget(), QLineEdit)
