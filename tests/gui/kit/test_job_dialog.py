"""What every dialog with a job does: it stops the job rather than close over it, and says why."""

import threading

import pytest

from awase.core.errors import InputError
from awase.gui.kit.forms.dialog import JobDialog
from awase.gui.kit.forms.parts import Button, Field, Form, Line


class Dialog(JobDialog):
    def __init__(self, jobs):
        fields = (Field("words", "Words", Line()), Button("other", "Other", lambda: None))
        form = Form(title="Work", parts=fields, accept="Do it", leave="Close", width=20)
        super().__init__(form, jobs, "It went wrong.")
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
        assert not dialog.field(name).isEnabled()
    assert not dialog.accept_button.isEnabled()
    dialog.reject()
    assert dialog.isVisible()
    qtbot.waitUntil(lambda: not dialog.is_busy)
    go_on.set()
    assert (dialog.leave_button.text(), dialog.progress.isVisible()) == ("Close", False)
    assert dialog.message.text() == ""
    assert dialog.field("words").isEnabled()
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


def test_that_the_result_arrives_when_the_dialog_is_at_rest(dialog, qtbot):
    states = []
    dialog.start("work", lambda _reporter: 3, lambda result: states.append(dialog.is_busy))
    qtbot.waitUntil(lambda: states == [False])


def test_that_what_was_typed_for_a_job_is_not_asked_about_once_it_is_done(dialog, qtbot):
    qtbot.keyClicks(dialog.field("words"), "typed")
    assert dialog.has_unsaved()
    dialog.start("work", lambda _reporter: 3, dialog.results.append)
    qtbot.waitUntil(lambda: dialog.results == [3])
    assert not dialog.has_unsaved()
