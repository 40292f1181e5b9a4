"""Undo of what may be as long as an import, in the window: with progress, and stopped."""

import threading

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QProgressDialog, QPushButton
from tests.gui.conftest import small_topic

from awase.core.records.addition import Addition
from awase.storage.store import CorpusStore

N_TOPICS = 5


class Held:
    """A reporter that waits in the middle of the work until it is let go on."""

    def __init__(self, reporter, go_on):
        self._reporter, self._go_on = reporter, go_on

    def advance(self, done, total, what=""):
        self._reporter.advance(done, total, what)
        if done:
            while not self._go_on.wait(0.05):
                self._reporter.advance(done, total, what)


@pytest.fixture
def imported(window_over, make_corpus):
    """A window with a corpus into which topics were imported."""
    path = make_corpus(*(small_topic(f"t{n}") for n in range(N_TOPICS - 2)))
    with CorpusStore.open(path, who="1") as store:
        more = tuple(small_topic(f"n{n}") for n in range(2))
        store.add(Addition(topics=more), who="1", source="more.json")
    window = window_over(path)
    window.shown.session.set_who("1")
    return window


def hold(monkeypatch, name, go_on):
    original = getattr(CorpusStore, name)

    def held(store, *, who, reporter=None):
        return original(store, who=who, reporter=Held(reporter, go_on))

    monkeypatch.setattr(CorpusStore, name, held)


def when_shown(window, does):
    timer = QTimer(window)

    def look():
        dialog = window.findChild(QProgressDialog)
        if dialog is not None and dialog.isVisible() and 0 < dialog.value() < N_TOPICS:
            timer.stop()
            does(dialog)

    timer.timeout.connect(look)
    timer.start(5)


def topics(window):
    session = window.shown.session
    assert session.corpus() == session.store.corpus()
    return len(session.topic_ids())


@pytest.mark.slow
def test_that_undo_and_redo_of_an_import_say_how_far_they_are(imported, monkeypatch):
    window, seen = imported, []
    undo, redo = window.menus.action("undo"), window.menus.action("redo")
    for name, choose in (("undo", undo), ("redo", redo)):
        go_on = threading.Event()
        hold(monkeypatch, name, go_on)
        when_shown(window, lambda dialog, go_on=go_on: (seen.append(dialog), go_on.set()))
        choose.trigger()
        seen.append(topics(window))
    assert seen[1::2] == [N_TOPICS - 2, N_TOPICS]
    assert window.shown.session.undo_stack.undoText() == "import more.json"


def test_that_undo_of_an_import_that_is_stopped_changes_nothing(imported, monkeypatch, qtbot):
    window, go_on, said = imported, threading.Event(), []
    stack = window.shown.session.undo_stack
    hold(monkeypatch, "undo", go_on)

    def stop(dialog):
        said.append(dialog.labelText())
        dialog.findChild(QPushButton).click()

    when_shown(window, stop)
    assert topics(window) == N_TOPICS
    window.menus.action("undo").trigger()
    assert said == ["Undoing: import more.json …"]
    qtbot.waitUntil(lambda: stack.undoText() == "import more.json")
    assert topics(window) == N_TOPICS
    assert not stack.canRedo()
    monkeypatch.undo()
    window.menus.action("undo").trigger()
    assert topics(window) == N_TOPICS - 2
