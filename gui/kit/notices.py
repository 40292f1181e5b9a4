"""Notices beside the pages, empty states, and progress of jobs: a bar, a strip, modal waiting."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, TypeVar

from PySide6.QtCore import QEventLoop, QSize, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QFocusEvent, QGuiApplication, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QProgressDialog,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from awase.core.errors import Cancelled, FieldValue, Reporter
from awase.gui.kit.commands import Base, pressed_by_enter
from awase.gui.kit.i18n import Message, announce, bind, mark, tr
from awase.gui.kit.jobs.running import Job, Jobs, once
from awase.gui.kit.look.flow import FollowsWidth, push_button, spaced, styled
from awase.gui.kit.look.theme import Theme, ThemeBox, pixmap


class ProgressBar(QProgressBar):
    """A progress bar without text that repaints with the window."""

    # Qt's repaints immediately on every change, with everything pending behind it.

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextVisible(False)

    def show_progress(self, done: int, total: int) -> None:
        """Shows progress; a total of 0 = unknown."""
        if (done, total) == (self.value(), self.maximum()):
            return
        self.setUpdatesEnabled(False)
        self.setRange(0, total)
        self.setValue(done)
        self.setUpdatesEnabled(True)


class JobStrip(QWidget):
    """Hidden while there is no job."""

    againChosen = Signal()  # the user wants to resume the cancelled work

    def __init__(self, stopped: str = "", *, again: str = mark("Compute again")) -> None:
        """Shows `stopped` when the work was, and a button `again`; English messages."""
        super().__init__()
        self._job: Job | None = None
        self.bar = ProgressBar()
        self.note = bind(styled(QLabel(), "warning"), "text", stopped)
        self.cancel = push_button(mark("Cancel"), self.stop)
        self.again = push_button(again, self.againChosen)
        line_px = self.fontMetrics().height()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(line_px, 0, line_px, 0)
        for widget in (self.bar, self.cancel, self.note, self.again):
            layout.addWidget(widget, 2 if widget in (self.bar, self.note) else 0)
        self.bar.setMaximumWidth(line_px * 20)
        layout.addStretch(1)
        self.clear()

    def watch(self, job: Job, stopped: str = "") -> None:
        """Follows a job until it ends; one watched before is forgotten."""
        self.clear()
        self._job = job
        if stopped:
            bind(self.note, "text", stopped)
        job.progressed.connect(self._on_progressed)
        job.cancelled.connect(self._on_cancelled)
        job.ended.connect(self._on_ended)

    def clear(self) -> None:
        for widget in (self.bar, self.cancel, self.note, self.again):
            widget.hide()

    def stop(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _on_progressed(self, done: int, total: int, _what: str) -> None:
        self.bar.show_progress(done, total)
        self.bar.show()
        self.cancel.show()

    def _on_cancelled(self) -> None:
        announce(self, self.note.text())
        self.note.show()
        self.again.show()

    def _on_ended(self) -> None:
        if self.sender() is self._job:  # not an earlier one, which was dropped
            self._job = None
            if not self.bar.isHidden() and self.note.isHidden():
                announce(self, tr("Done."))
            self.bar.hide()
            self.cancel.hide()


class Recomputes(Base):
    """Mixed into a page before Qt's class: while it is shown, what has changed is computed anew."""

    PAUSE_MS: int | None = None  # without a further change, before it computes; None = at once
    is_stale = True  # what is shown is not of the corpus as it is

    def compute(self) -> None:
        """Begins to compute, and says that nothing is stale."""
        raise NotImplementedError

    def went_stale(self) -> None:
        """Called after each change."""

    def forget(self) -> None:
        """Called when less may be seen: what is hidden now goes before all is computed."""

    def recompute_on(self, changed: SignalInstance, sight: SignalInstance | None = None) -> None:
        self._pause = once(self, self.PAUSE_MS or 0, self.compute_if_stale)
        changed.connect(self._on_changed)
        if sight is not None:
            sight.connect(self._on_sight_changed)

    def compute_if_stale(self) -> None:
        if self.is_stale and self.isVisible():
            self.compute()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.compute_if_stale()

    def _on_sight_changed(self) -> None:
        self.forget()
        self._on_changed()

    def _on_changed(self, _change: object = None) -> None:
        self.is_stale = True
        self.went_stale()
        if self.PAUSE_MS is None:
            self.compute_if_stale()
        elif self.isVisible():
            self._pause.start()


WITHOUT_WORDS_MS: Final = 300  # a shorter dialog would only flicker

_Result = TypeVar("_Result")


def waited_for(
    jobs: Jobs,
    title: str,
    work: Callable[[Reporter], _Result],
    parent: QWidget,
    *,
    silent_ms: int = WITHOUT_WORDS_MS,
) -> _Result:
    """Runs `work` modally and returns its result or raises its error.

    Input is blocked; after `silent_ms` a dialog shows progress and Cancel.
    """
    loop, outcome = QEventLoop(), Future[_Result]()

    def end() -> None:
        if not outcome.done():  # it was stopped
            outcome.set_exception(Cancelled())
        loop.quit()

    job = jobs.start("step", work, outcome.set_result, outcome.set_exception, is_step=True)
    job.ended.connect(end)
    without_input = QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents
    QTimer.singleShot(silent_ms, loop, loop.quit)
    QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
    try:
        loop.exec(without_input)
    finally:
        QGuiApplication.restoreOverrideCursor()
    if not outcome.done():
        dialog = QProgressDialog(title, tr("Cancel"), 0, 0, parent)
        dialog.setWindowTitle("Awase")
        dialog.setWindowModality(Qt.WindowModality.ApplicationModal)
        dialog.setAutoReset(False)
        dialog.canceled.connect(job.cancel)
        dialog.canceled.connect(loop.quit)

        def show_progress(done: int, total: int, _what: str) -> None:
            dialog.setMaximum(total)
            dialog.setValue(done)

        job.progressed.connect(show_progress)
        dialog.show()
        loop.exec()
        job.progressed.disconnect(show_progress)
        dialog.close()
        dialog.deleteLater()
    if not outcome.done():
        loop.exec(without_input)  # until it has noticed
    return outcome.result()


# A button's text and its action.
Step = tuple[Message, Callable[[], object]]


class StepRow(QHBoxLayout):
    """As many buttons as there are steps; a button with the keyboard stays."""

    def __init__(self) -> None:
        super().__init__()
        self._buttons: list[QPushButton] = []
        self._steps: tuple[Step, ...] = ()

    def offer(self, *steps: Step) -> None:
        self._steps = steps
        while len(self._buttons) < len(steps):
            button, at = pressed_by_enter(QPushButton()), len(self._buttons)
            button.clicked.connect(lambda _=False, at=at: self._steps[at][1]())
            self._buttons.append(button)
            self.addWidget(button)
        for at, button in enumerate(self._buttons):
            button.setVisible(at < len(steps))
        for button, (message, _) in zip(self._buttons, steps, strict=False):
            bind(button, "text", message)

    def has_keyboard(self) -> bool:
        return any(button.hasFocus() for button in self._buttons)


class EmptyLabel(QLabel):
    """A centred text, usable as a page of a stack.

    WORKAROUND: a stack focuses a page without other focusable widgets. A focused label makes a
    control of its text, as a child, which the next plain text deletes: during a language change Qt
    is notifying every child, and goes on to the deleted one. No end.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setProperty("look", "muted")

    def focusInEvent(self, event: QFocusEvent) -> None:
        QWidget.focusInEvent(self, event)


class EmptyNote(QWidget):
    """A text in the middle with buttons below it."""

    def __init__(self) -> None:
        super().__init__()
        self.label, self.steps = EmptyLabel(), StepRow()
        layout = QVBoxLayout(self)
        layout.setSpacing(self.fontMetrics().height())
        layout.addStretch(1)
        layout.addWidget(self.label)
        layout.addLayout(spaced(QHBoxLayout(), self, None, self.steps, None, across=0, down=0))
        layout.addStretch(1)


class WholeLabel(FollowsWidth, QLabel):
    """Wraps, with a minimum height for all lines: in a splitter, Qt would cut the last ones."""

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self.heightForWidth(self.width()))


class Banner(QFrame):
    """A banner with an icon and one button."""

    chosen = Signal()

    def __init__(self, themes: ThemeBox, *, icon: str = "lock") -> None:
        super().__init__()
        self.setProperty("look", "banner")
        self._icon_name = icon
        self._icon, self._text = QLabel(), WholeLabel()
        self._button = pressed_by_enter(push_button("", self.chosen))
        parts = (self._icon, self._text, self._button)
        spaced(QHBoxLayout(self), self, *parts, grows=self._text, down=1 / 3)
        themes.changed.connect(self._on_theme_changed)
        self._on_theme_changed(themes.theme)
        self.hide()

    def show_message(self, message: Message, action: Message, **fields: FieldValue) -> None:
        """Shows a message and what the button does; both follow the window's language."""
        bind(self._text, "text", message, **fields)
        bind(self._button, "text", action, **fields)
        self.show()
        announce(self, self._text.text())

    def _on_theme_changed(self, theme: Theme) -> None:
        side = round(self.fontMetrics().height() * 1.2)
        self._icon.setPixmap(pixmap(self._icon_name, theme, side, self.devicePixelRatioF()))


class LoadingPage(QWidget):
    """Placeholder of the pages while a corpus is opened."""

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = QLabel()
        self._title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._bar = bind(ProgressBar(), "accessibleName", mark("Progress"))
        button = pressed_by_enter(push_button(mark("Cancel"), self.cancelled))
        line_px = self.fontMetrics().height()
        self._bar.setFixedWidth(line_px * 16)
        layout = QVBoxLayout(self)
        layout.setSpacing(line_px)
        layout.addStretch(2)
        for widget in (self._title, self._bar, button):
            layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)

    def begin(self, name: str) -> None:
        """Shows that `name` is being opened, with indeterminate progress."""
        self._bar.setRange(0, 0)
        bind(self._title, "text", mark("Opening “{name}” …"), name=name)

    def show_progress(self, done: int, total: int) -> None:
        self._bar.show_progress(done, total)
