"""Two windows on one real server: what one does appears in the other, whatever happens to both."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("psycopg")
from dataclasses import replace
from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot
from tests.gui.conftest import ref, small_topic
from tests.gui.seeing import says
from tests.gui.session.test_session import link
from tests.storage.servers import Server

from awase.core.records.abstract import Alternative
from awase.core.records.addition import addition_of
from awase.core.records.corpus import Corpus
from awase.gui.app import compose
from awase.gui.frame.main_window import MainWindow
from awase.gui.frame.workspace import Workspace
from awase.gui.session.settings import Services
from awase.storage.store import CorpusStore

pytestmark = pytest.mark.slow


@pytest.fixture
def url(server: Server) -> str:
    corpus = Corpus(name="team", topics=(small_topic(), small_topic("u")))
    url = server.url_of(server.make_database())
    CorpusStore.create(url, name="team", who="lead", addition=addition_of(corpus)).close()
    return url


@pytest.fixture
def open_window(qtbot: QtBot, tmp_path: Path, url: str) -> Iterator[Callable[[str], Workspace]]:
    made: list[Services] = []  # a window is closed before this goes on, and may be gone

    def open_as(who: str) -> Workspace:
        services = compose(config=tmp_path / who, data=tmp_path / "data", log=tmp_path / "log")
        file = services.settings
        file.change(replace(file.settings, language="en", palette="light", annotator=who))
        window = qtbot.shown(MainWindow(services))
        made.append(services)
        window.open_location(url)
        qtbot.waitUntil(lambda: window.workspace is not None)
        qtbot.waitUntil(lambda: not services.jobs.is_busy)
        assert window.workspace is not None
        return window.workspace

    yield open_as
    for services in made:
        services.jobs.stop_all()


def entries_of(space: Workspace, who: str, topic: str = "t") -> dict:
    alignment = space.session.topic(topic).abstracts[0].alignment_by(who)
    return {} if alignment is None else {entry.n: entry for entry in alignment.sentences}


def test_that_two_windows_see_each_others_toggles(open_window, qtbot):
    one, two = open_window("A1"), open_window("A2")
    for step in range(10):
        at, other, who = (one, two, "A1") if step % 2 else (two, one, "A2")
        n_members = sum(len(e.alternatives) for e in entries_of(other, who).values())
        assert link(at.session, step % 2 + 1, step % 3 + 1)
        qtbot.waitUntil(
            lambda o=other, w=who, n=n_members: (
                sum(len(e.alternatives) for e in entries_of(o, w).values()) != n
            )
        )
    assert one.session.corpus() == two.session.corpus() == one.session.store.corpus()
    for space in (one, two):
        for _ in range(5):
            space.session.undo_stack.undo()
    qtbot.waitUntil(lambda: one.session.corpus() == two.session.corpus())
    assert not entries_of(one, "A1")
    assert not entries_of(one, "A2")


def test_that_the_place_stays_and_others_are_named(open_window, qtbot):
    one, two = open_window("A1"), open_window("A2")
    qtbot.waitUntil(lambda: [p.who for p in one.session.others] == ["A2"])
    two.annotate.annotation.go_to("t")
    two.annotate.annotation.select(2)
    one.annotate.annotation.go_to("u")
    one.annotate.annotation.select(2)
    qtbot.waitUntil(lambda: one.annotate.header.others.text() == "A2: t")
    assert link(two.session, 1, 3)
    qtbot.waitUntil(lambda: bool(entries_of(one, "A2")))
    assert (one.annotate.annotation.place.topic.id, one.annotate.annotation.n) == ("u", 2)
    two.window().close()
    qtbot.waitUntil(lambda: one.session.others == ())


def test_that_a_server_that_stops_is_told_in_a_strip_and_comes_back(open_window, server, qtbot):
    one, two = open_window("A1"), open_window("A2")
    assert link(one.session, 1, 1)
    qtbot.waitUntil(lambda: bool(entries_of(two, "A1")))
    server.stop()
    for space in (one, two):
        qtbot.waitUntil(lambda s=space: s.session.connection_problem is not None)
    assert not link(one.session, 1, 3)
    note = one.annotate.alternatives.note
    note.setFocus()
    QTest.keyClicks(note, "typed while it was away")
    assert says(one.annotate.strip, "not saved")
    one.window().close()  # asks
    (asked,) = one.window().findChildren(QMessageBox)
    asked.reject()
    assert server.start()
    for space in (one, two):
        qtbot.waitUntil(lambda s=space: s.session.connection_problem is None)
    assert note.pending == {}
    qtbot.waitUntil(lambda: entries_of(two, "A1")[1].note == "typed while it was away")
    assert link(one.session, 1, 2)
    qtbot.waitUntil(lambda: one.session.corpus() == two.session.corpus())
    assert entries_of(two, "A1")[1].alternatives == (
        Alternative((ref(1),)), Alternative((ref(2),)),
    )  # fmt: skip


def test_that_a_frozen_server_is_told_and_the_window_lives(open_window, server, qtbot, monkeypatch):
    from awase.storage.postgresql.timeouts import ConnectionWithTimeout

    one = open_window("A1")
    assert link(one.session, 1, 1)
    who_waits, wait = set(), ConnectionWithTimeout.wait

    def waiting(connection, *given, **named):
        who_waits.add(threading.current_thread())
        return wait(connection, *given, **named)

    monkeypatch.setattr(ConnectionWithTimeout, "wait", waiting)
    with server.frozen():
        qtbot.waitUntil(lambda: one.session.connection_problem is not None)
        assert not link(one.session, 1, 3)
    qtbot.waitUntil(lambda: one.session.connection_problem is None)
    assert link(one.session, 1, 2)
    assert who_waits
    assert threading.main_thread() not in who_waits
    assert one.session.corpus() == one.session.store.corpus()


def test_that_an_edit_under_way_when_the_server_freezes_is_not_lost_silently(
    open_window, server, qtbot, monkeypatch
):
    """It is refused and told; whether the server took it after all is seen when it is back."""
    from awase.storage.postgresql.timeouts import ConnectionWithTimeout

    one = open_window("A1")
    told = []
    one.session.failed.connect(told.append)
    with server.frozen(), monkeypatch.context() as patch:
        patch.setattr(ConnectionWithTimeout, "silence_s", 2.0)
        assert not link(one.session, 1, 2)
        assert told
        assert one.session.connection_problem is not None
    qtbot.waitUntil(lambda: one.session.connection_problem is None)
    qtbot.waitUntil(
        lambda: one.session.corpus() == one.session.store.corpus())  # fmt: skip
    assert one.session.undo_stack.index() == len(one.session.store.history("A1").done)


_ANNOTATES = """
import sys
from tests.storage.sample import *  # noqa
from awase.core.annotation import actions
from awase.core.records.abstract import SentenceAlignment
from awase.storage.store import CorpusStore
from tests.gui.conftest import ref

with CorpusStore.open(sys.argv[1], who="A2") as store:
    entry, number = SentenceAlignment(n=1), 0
    while True:
        number = number % 3 + 1
        abstract = store.topic("t").abstracts[0]
        new = actions.with_toggled(entry, 9, ref(number))
        edit = actions.alignment_edit("t", abstract, "A2", new, verb="link", subject=f"d:{number}")
        store.apply(edit, who="A2")
        entry = new
        print(len(new.alternatives), flush=True)
"""


def test_that_a_killed_window_leaves_what_was_confirmed_and_no_lock(open_window, url, qtbot):
    one = open_window("A1")
    for _ in range(5):
        with subprocess.Popen(
            [sys.executable, "-c", _ANNOTATES, url],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
            env={**os.environ, "PYTHONPATH": ".links:."},
        ) as child:
            assert child.stdout is not None
            said = [child.stdout.readline() for _ in range(7)]
            os.kill(child.pid, signal.SIGKILL)
            rest = child.stdout.read().split()
        n_confirmed = len(said) + len(rest)
        done = len(one.session.store.history("A2").done)
        assert done >= n_confirmed
        with CorpusStore.open(url, who="A2") as again:  # nothing keeps the next one from writing
            for _ in range(len(again.history("A2").done)):
                again.undo(who="A2")
        qtbot.waitUntil(lambda: one.session.corpus() == one.session.store.corpus())
        assert link(one.session, 1, 1)
        one.session.undo_stack.undo()
