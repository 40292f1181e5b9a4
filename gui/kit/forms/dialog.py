"""Form dialogs: validation, and protection of typed text."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import SIGNAL, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QListWidget,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from awase.core.errors import InputError
from awase.gui.kit.commands import ENTER
from awase.gui.kit.forms.controls import ask_first
from awase.gui.kit.forms.panel import (
    FormPanel,
    ScrolledPanel,
    height_for,
    make_button,
    make_note,
    takes_room,
)
from awase.gui.kit.forms.parts import Form, Note
from awase.gui.kit.i18n import bind, mark, problem_text, tr
from awase.gui.kit.jobs.running import Job, Jobs, Work
from awase.gui.kit.look.stylesheet import NEW_SIZES, set_look
from awase.gui.kit.look.theme import screen_room
from awase.gui.kit.notices import ProgressBar

if TYPE_CHECKING:
    from awase.jobs.files.writing import Target


def room_for(dialog: QWidget) -> QSize:
    """Returns the maximal size of a dialog: the screen's, or the window's below."""
    room = screen_room(dialog)
    parent = dialog.parentWidget()
    return room if parent is None else room.expandedTo(parent.window().size())


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a form is acceptable as it is."""

    text: str = ""
    look: str = "muted"  # style: `muted`, `warning`, `danger`
    is_ready: bool = True


def refused(text: str, look: str = "danger") -> Verdict:
    return Verdict(text, look, is_ready=False)


def verdict_on(target: "Target", *, is_folder: bool = False) -> Verdict:
    """Says whether a file or folder may be written there, and that a file which is there goes."""
    try:
        (target.check_folder if is_folder else target.check)()
    except InputError as error:
        return refused(problem_text(error.problems[0]))
    if not is_folder and os.path.exists(target.path):  # pathlib raises where a name is too long
        return Verdict(tr("A file with this name exists; it will be replaced."), "warning")
    return Verdict()


class FormDialog(QDialog):
    """Shows a form above its buttons.

    Enter accepts from a field, presses the focused button, belongs to a focused list, and never
    cancels. Escape and closing ask before typed text is lost.
    """

    keeps_text = False  # whether what is typed is still there when the dialog is shown again

    def __init__(self, form: Form, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.form = form
        self.fields = FormPanel(form.parts)
        self.message = make_note(Note(is_selectable=True))
        self.message.hide()
        self.question: QMessageBox | None = None
        self.accept_button: QPushButton | None = None
        self.leave_button: QPushButton | None = None
        self._told = Verdict()
        self._texts: dict[QWidget, str] = {}
        self._was_shown = False
        self._is_submitting = self._is_over = False
        self._lay_out()
        if form.title:
            bind(self, "windowTitle", form.title)
        self.fields.changed.connect(self._on_changed)

    # What a dialog of its own fills in

    def verdict(self) -> Verdict:
        return Verdict()

    def refresh(self) -> None:
        """Updates texts that depend on the fields, translated."""

    def submit(self) -> None:
        self.accept()

    def changed(self, name: str) -> None:
        """Called when a field changes, before `refresh`."""

    def has_unsaved(self) -> bool:
        """Returns whether leaving would lose something that was typed."""
        return not self.keeps_text and any(
            text != self._texts.get(widget, "") for widget, text in self._typed().items()
        )

    def leave(self) -> None:
        super().reject()

    # What they share

    def confirm(self) -> None:
        self.show_state()
        if self.accept_button is None or not self.accept_button.isEnabled():
            return
        # What it waits for runs a loop of events, in which it must neither close nor begin anew;
        # and the second of two clicks comes when it is hidden.
        if not self._is_submitting and not self._is_over:
            self._is_submitting = True
            try:
                self.submit()
            finally:
                self._is_submitting = False

    def show_state(self) -> None:
        self.refresh()
        verdict = self.verdict()
        is_told = self._told.look == "danger" or not verdict.text
        shown = self._told if self._told.text and is_told else verdict
        self.show_message(shown.text, shown.look)
        if self.accept_button is not None:
            self.accept_button.setEnabled(verdict.is_ready)

    def show_outcome(self, text: str, look: str = "muted") -> None:
        """Shows a result until the next one or the form's own message; errors until a change."""
        self._told = Verdict(text, look)
        self.show_state()

    def forget_failure(self) -> None:
        if self._told.look == "danger":
            self._told = Verdict()

    def show_message(self, text: str, look: str = "muted") -> None:
        set_look(self.message, look)
        self.message.setText(text)
        self.message.setVisible(bool(text))
        self._make_room()

    def settle(self) -> None:
        self._texts = {widget: _text_of(widget) for widget in self._writable()}

    def ask_to_leave(self) -> None:
        self.question = ask_first(
            self,
            self.windowTitle(),
            tr("Your changes are not saved."),
            does=tr("Discard and close"),
            leaves=tr("Continue editing"),
            then=self.leave,
        )
        self.question.finished.connect(self._on_answered)

    # Qt

    def done(self, result: int) -> None:
        self._is_over = True
        super().done(result)

    def reject(self) -> None:
        if self._is_submitting:
            return
        if self.has_unsaved():
            if self.question is None:
                self.ask_to_leave()
            return
        self.leave()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in ENTER:
            super().keyPressEvent(event)
            return
        focus = self.focusWidget()
        if isinstance(focus, QAbstractItemView) and _has_own_enter(focus):
            return
        if isinstance(focus, QPushButton) and focus is not self.accept_button:
            if focus is not self.leave_button or self.accept_button is None:
                focus.click()
        elif self.accept_button is not None:
            self.accept_button.click()

    def setVisible(self, visible: bool) -> None:
        if visible and not self._was_shown:
            self.show_state()  # before Qt measures it
        super().setVisible(visible)

    def showEvent(self, event: QShowEvent) -> None:
        self._is_over = False
        for button in self.findChildren(QPushButton):
            if button.window() is self:
                button.setAutoDefault(False)
        default = self.accept_button or self.leave_button
        if default is not None:
            default.setDefault(True)
        super().showEvent(event)
        if not self._was_shown:  # it may be hidden and shown again, and what is typed stays typed
            self._was_shown = True
            for view in self.findChildren(QListView):
                view.scheduleDelayedItemsLayout()  # rows were measured before being styled
            self.settle()
            if not self.form.height:  # Qt measured wrapped texts at their minimal width
                self.resize(self.width(), 0)
        self._make_room()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.LanguageChange:
            self.show_state()
        elif event.type() in NEW_SIZES:
            self._fit()
            self._make_room()

    # Within

    def _make_room(self) -> None:
        """Keeps a long message from squeezing the fields above it."""
        layout = self.layout()
        if layout is None or not self.isVisible():
            return
        grows, width = bool(self.form.height), self.width()
        hint = self._scrolled.minimumSizeHint() if grows else self._scrolled.sizeHint()
        others = height_for(layout, width, is_least=grows) - hint.height()
        margins = layout.contentsMargins()
        within = width - margins.left() - margins.right()
        needed = others + self._scrolled.height_for(within, is_least=grows)
        self.resize(width, max(self.height(), min(needed, room_for(self).height())))

    def _lay_out(self) -> None:
        form, layout = self.form, QVBoxLayout(self)
        is_growing = takes_room(form.parts)
        self._scrolled = ScrolledPanel(self.fields)
        self._scrolled.needsChanged.connect(self._make_room)
        layout.addWidget(self._scrolled, int(is_growing))
        layout.addWidget(self.message)
        if not is_growing:
            layout.addStretch(1)
        if form.accept or form.leave or form.actions:
            layout.addLayout(self._button_row())
        if form.height:
            self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._fit()
        line_px = self.fontMetrics().height()
        room = room_for(self)
        width = min(form.width * line_px, room.width())
        self.setMinimumWidth(0 if form.height else width)
        if form.height:
            self.resize(width, min(form.height * line_px, room.height()))
        if form.focus:
            self.fields[form.focus].setFocus()

    def _button_row(self) -> QHBoxLayout:
        form, row = self.form, QHBoxLayout()
        for action in form.actions:
            button = make_button(action)
            row.addWidget(button)
            self.fields.add(action.name, button, None, is_live=action.is_live)
        row.addStretch(1)
        box = QDialogButtonBox()
        if form.accept:
            self.accept_button = box.addButton("", QDialogButtonBox.ButtonRole.AcceptRole)
            bind(self.accept_button, "text", form.accept)
            self.accept_button.clicked.connect(self.confirm)
        if form.leave:
            self.leave_button = box.addButton("", QDialogButtonBox.ButtonRole.RejectRole)
            bind(self.leave_button, "text", form.leave)
            self.leave_button.clicked.connect(self.reject)
        row.addWidget(box)
        return row

    def _fit(self) -> None:
        layout, line_px = self.layout(), self.fontMetrics().height()
        if layout is not None:
            layout.setContentsMargins(line_px, line_px, line_px, line_px)
            layout.setSpacing(line_px // 2)

    def _writable(self) -> list[QLineEdit | QPlainTextEdit]:
        found: list[QLineEdit | QPlainTextEdit] = [
            *self.findChildren(QLineEdit),
            *self.findChildren(QPlainTextEdit),
        ]
        return [widget for widget in found if widget.window() is self and not widget.isReadOnly()]

    def _typed(self) -> dict[QWidget, str]:
        return {widget: _text_of(widget) for widget in self._writable() if _is_typed(widget)}

    def _on_changed(self, name: str) -> None:
        self.forget_failure()
        self.changed(name)
        self.show_state()

    def _on_answered(self) -> None:
        self.question = None


def _has_own_enter(view: QAbstractItemView) -> bool:
    """Returns whether Enter in a view has its own meaning: a cell, a row."""
    of_rows = SIGNAL("itemActivated(QListWidgetItem*)")
    return not isinstance(view, QListWidget) or view.receivers(of_rows) > 0


def _text_of(widget: QLineEdit | QPlainTextEdit) -> str:
    return widget.text() if isinstance(widget, QLineEdit) else widget.toPlainText()


def _is_typed(widget: QLineEdit | QPlainTextEdit) -> bool:
    if isinstance(widget, QLineEdit):
        return widget.isModified()
    return widget.document().isModified()


class JobDialog(FormDialog):
    """A form dialog with a progress bar; during a job closing cancels that instead."""

    # Only live parts are usable meanwhile.

    failed = Signal(str, object)  # headline and error

    _then: Callable[..., None]

    headline = ""  # English message above errors
    uses_text = True  # whether what is typed has served its purpose once a job is done

    def __init__(self, form: Form, jobs: Jobs, parent: QWidget | None = None) -> None:
        super().__init__(form, parent)
        self.jobs = jobs
        self._job: Job | None = None
        self._focus: QWidget | None = None
        self.progress = ProgressBar()
        self.progress.hide()
        bind(self.progress, "accessibleName", mark("Progress"))
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.insertWidget(layout.indexOf(self.message) + 1, self.progress)

    @property
    def is_busy(self) -> bool:
        return self._job is not None

    def start(self, key: str, work: Work, then: Callable[..., None]) -> None:
        """Starts `work`; `then` receives its result once the dialog is idle."""
        self._told, self._then = Verdict(), then
        job = self._job = self.jobs.start(key, work, self._on_finished, self._on_failed)
        job.progressed.connect(self._on_progressed)
        job.cancelled.connect(self._on_cancelled)
        job.ended.connect(self._rest)
        self.progress.setRange(0, 0)
        self._focus = self.focusWidget()
        self._show_work()

    def stopped(self) -> None:
        """Called when the job was cancelled."""

    def went_wrong(self, error: BaseException) -> None:
        self.failed.emit(self.headline, error)

    def reject(self) -> None:
        if self._job is not None:
            self._job.cancel()
            return
        super().reject()

    def show_state(self) -> None:
        super().show_state()
        if self._job is not None:
            if self.accept_button is not None:
                self.accept_button.setEnabled(False)
            self.show_message(self._told.text, self._told.look)

    def _show_work(self) -> None:
        self.progress.setVisible(self.is_busy)
        self.fields.set_busy(self.is_busy)
        if self.leave_button is not None:
            bind(self.leave_button, "text", mark("Stop") if self.is_busy else self.form.leave)
        self.show_state()

    def _rest(self) -> None:
        if self._job is not None:
            self._job = None
            self._told = Verdict()
            self._show_work()

    def _on_progressed(self, done: int, total: int, what: str) -> None:
        self.progress.show_progress(done, total)
        self._told = Verdict(what)
        self.show_message(what)

    def _on_finished(self, result: object) -> None:
        self._rest()
        if self.uses_text:
            self.settle()
        self._then(result)
        self.show_state()
        self._restore_focus()

    def _on_failed(self, error: BaseException) -> None:
        self._rest()
        self.went_wrong(error)
        self._restore_focus()

    def _on_cancelled(self) -> None:
        self._rest()
        self.stopped()
        self._restore_focus()

    def _restore_focus(self) -> None:
        """Restores the focus that Qt moved to the cancel button, or focuses the default button."""
        before, self._focus = self._focus, None
        if before is None or not self.isVisible() or self.focusWidget() is not self.leave_button:
            return
        accept = self.accept_button
        if isinstance(before, QPushButton) and accept is not None and accept.isEnabled():
            before = accept
        if before.isEnabled() and before.isVisible():
            before.setFocus()
