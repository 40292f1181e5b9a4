"""A server that answers late, or never, does not stop the window."""

import threading

import pytest
from PySide6.QtCore import QTimer
from tests.gui.conftest import small_topic
from tests.gui.session.test_session import assert_as_stored, link

from awase.core.errors import EnvironmentProblem
from awase.core.records.addition import addition_of
from awase.core.records.corpus import Corpus
from awase.gui.session.session import CorpusSession
from awase.gui.session.undo_stack import RemoteStore, answered
from awase.storage.store import CorpusStore


class Late:
    def __init__(self, store):
        self._store = store
        self.may_answer = threading.Event()
        self.error = None
        self.location = "postgresql://somewhere/x"
        self.threads = []

    def __getattr__(self, name):
        value = getattr(self._store, name)
        if not callable(value):
            return value

        def late(*args, **kwargs):
            self.threads.append(threading.current_thread())
            assert self.may_answer.wait(60)
            if self.error is not None:
                raise self.error
            return value(*args, **kwargs)

        return late


@pytest.fixture
def late(make_corpus):
    with CorpusStore.open(make_corpus(), who="1") as store:
        late = Late(store)
        late.may_answer.set()
        yield late


@pytest.fixture
def session(late, qapp):
    return CorpusSession(late, who="1")


def test_that_the_window_lives_while_a_server_is_waited_for(session, late):
    late.may_answer.clear()
    painted = []
    timer = QTimer()
    timer.timeout.connect(lambda: painted.append(1))
    timer.timeout.connect(lambda: late.may_answer.set() if len(painted) == 5 else None)
    timer.start(1)
    assert link(session, 1, 3)
    timer.stop()
    assert len(painted) >= 5
    assert threading.main_thread() not in late.threads
    assert_as_stored(session, late)


def test_that_nothing_is_written_twice_while_a_server_is_waited_for(session, late):
    late.may_answer.clear()
    answers = []

    def meanwhile():
        answers.append(link(session, 1, 4))
        session.undo_stack.undo()
        late.may_answer.set()

    QTimer.singleShot(0, session, meanwhile)
    assert link(session, 1, 3)
    assert answers == [False]
    assert session.undo_stack.index() == 1
    assert_as_stored(session, late)


def test_that_a_server_that_gives_up_is_told_and_changes_nothing(session, late, qtbot):
    before = session.corpus()
    late.error = EnvironmentProblem("The server of “{path}” cannot be reached.", path="x")
    with qtbot.waitSignal(session.failed):
        assert not link(session, 1, 3)
    late.error = None
    qtbot.waitUntil(lambda: session.undo_stack.index() == 0)
    assert session.corpus() == before
    assert link(session, 1, 3)


@pytest.mark.parametrize("step", ["undo", "redo"])
def test_that_the_window_lives_while_an_import_of_a_file_is_taken_back(
    make_corpus, monkeypatch, step
):
    may_go_on, threads, painted = threading.Event(), [], []
    with CorpusStore.open(make_corpus(), who="1") as store:
        addition = addition_of(Corpus(topics=(small_topic("new"),)))
        session = CorpusSession(store, who="1")
        session.reload(store.add(addition, who="1", source="a file"))
        before = len(session.topic_ids())
        if step == "redo":
            session.undo_stack.undo()
        own = getattr(CorpusStore, step)

        def slow(self, **named):
            threads.append(threading.current_thread())
            assert may_go_on.wait(60)
            return own(self, **named)

        monkeypatch.setattr(CorpusStore, step, slow)
        timer = QTimer()
        timer.timeout.connect(lambda: painted.append(1))
        timer.timeout.connect(lambda: may_go_on.set() if len(painted) == 5 else None)
        timer.start(1)
        getattr(session.undo_stack, step)()
        timer.stop()
        assert len(painted) >= 5
        assert threading.main_thread() not in threads
        assert len(session.topic_ids()) == before - (step == "undo")
        assert_as_stored(session, store)


def test_that_other_threads_ask_directly(late):
    asked = []
    thread = threading.Thread(
        target=lambda: asked.append(answered(lambda: threading.current_thread()))
    )
    thread.start()
    thread.join()
    assert asked == [thread]


def test_that_a_file_is_asked_at_once_and_an_attribute_is_the_stores_own(make_corpus, late):
    with CorpusStore.open(make_corpus(name="other"), who="1") as store:
        assert CorpusSession(store, who="1").store is store
    assert RemoteStore(late).location == "postgresql://somewhere/x"
