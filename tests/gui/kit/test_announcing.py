from threading import Event

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from tests.gui.hearing import Heard, hearing

from awase.core.progress import Reporter
from awase.gui.kit.forms.dialog import FormDialog, refused
from awase.gui.kit.forms.parts import Form
from awase.gui.kit.jobs.running import Jobs
from awase.gui.kit.jobs.waiting import JobStrip
from awase.gui.kit.look.stylesheet import set_look
from awase.gui.kit.texts import LiveLabel, announce


@pytest.fixture
def heard(monkeypatch) -> Heard:
    return hearing(monkeypatch)


def test_that_a_text_is_read_out_and_interrupts_only_where_it_is_urgent(qtbot, heard):
    widget = QWidget()
    qtbot.addWidget(widget)
    announce(widget, "too early: nothing is shown")
    widget.show()
    announce(widget, "")
    announce(widget, "h = 4")
    announce(widget, "not saved", is_urgent=True)
    assert heard == [("h = 4", False), ("not saved", True)]


def test_that_a_live_label_is_read_out_once_for_each_new_text(qtbot, heard):
    window, label = QWidget(), LiveLabel()
    qtbot.addWidget(window)
    QVBoxLayout(window).addWidget(label)
    window.show()
    for text in ("3 of 5", "3 of 5", "", "4 of 5"):
        label.setText(text)
    set_look(label, "danger")
    label.setText("The file is damaged.")
    assert heard == [("3 of 5", False), ("4 of 5", False), ("The file is damaged.", True)]


def test_that_a_dialog_reads_its_refusal_out(qtbot, heard):
    class Asking(FormDialog):
        def verdict(self):
            return refused("Name the corpus.")

    dialog = qtbot.shown(
        Asking(Form(title="New", parts=(), accept="Make", leave="Cancel", width=20))
    )
    dialog.show_outcome("The disk is full.", "danger")
    dialog.show_outcome("The disk is full.", "danger")
    assert heard == [("The disk is full.", True)]


def test_that_the_end_of_work_that_showed_its_progress_is_read_out(qtbot, heard):
    def work(reporter: Reporter) -> None:
        reporter.advance(1, 2, "one")

    strip, jobs = JobStrip("Stopped.", again="Again"), Jobs()
    qtbot.addWidget(strip)
    strip.show()
    job = jobs.start("work", work)
    strip.watch(job)
    with qtbot.waitSignal(job.ended):
        pass
    jobs.stop_all()
    assert heard == [("Done.", False)]


def test_that_stopping_work_is_read_out(qtbot, heard):
    strip, jobs, is_cancelled = JobStrip("Stopped.", again="Again"), Jobs(), Event()

    def work(reporter: Reporter) -> None:
        is_cancelled.wait(60)
        reporter.advance(1, 2, "one")

    qtbot.addWidget(strip)
    strip.show()
    job = jobs.start("work", work)
    strip.watch(job)
    job.cancel()
    with qtbot.waitSignal(job.ended):
        is_cancelled.set()
    jobs.stop_all()
    assert heard == [("Stopped.", False)]
