"""What others write on a server appears, and leaves alone the sentence that somebody is at."""

import socket
import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, Qt, QTimer
from PySide6.QtTest import QTest
from tests import building
from tests.gui.conftest import ref, small_topic
from tests.gui.seeing import texts
from tests.gui.session.test_session import assert_as_stored, link
from tests.in_part import in_part
from tests.oracles.corpus_edits import corpus_edit

from awase.core.annotation import actions, content
from awase.core.errors import EnvironmentProblem
from awase.core.records.abstract import AlignmentState, Alternative, SentenceAlignment
from awase.core.records.edits import REMOVE_TOPICS, Changes
from awase.core.records.score import ScoreTable, Selection
from awase.core.records.source import SentenceRef
from awase.gui.frame.welcome import Opened
from awase.gui.frame.workspace import Workspace
from awase.gui.pages.annotate.page import AnnotatePage
from awase.gui.session.following import GONE_AFTER_S, Following
from awase.gui.session.session import CorpusSession
from awase.storage.addresses import ServerUnreachable
from awase.storage.postgresql.notices import Notice, Presence
from awase.storage.store import CorpusStore


class Listener:
    def __init__(self, hear):
        self.hear, self.said, self.n_probes, self.last = hear, [], 0, None

    def send(self, word):
        self.said.append(word)

    def probe(self):
        self.n_probes += 1

    def stop(self, last):
        self.last = last


GONE = ServerUnreachable("The server of “{path}” cannot be reached.", path="x")


def gone(*_):
    raise GONE


class Connected:
    pass


class Lost:
    problem = EnvironmentProblem("The server of “{path}” cannot be reached.", path="x")


class Served:
    """A store that takes itself for one on a server, with the listener in the test's hand."""

    def __init__(self, store):
        self._store = store
        self.location = "postgresql://somewhere/x"
        self.window = "mine"
        self.rows_written = store.rows_written
        self.listener = None
        self.error = None
        self.before_reading = None
        self.while_connecting = None
        self.while_writing = None
        self.topics_read = []

    def listen(self, hear):
        self.listener = Listener(hear)
        if self.while_connecting is not None:
            self.while_connecting(hear)
        return self.listener

    def topic(self, topic_id):
        assert threading.current_thread() is not threading.main_thread()
        read = self._store.topic(topic_id)
        self.topics_read.append(topic_id)
        if self.before_reading is not None:
            self.before_reading()
        return read

    def apply(self, *args, **kwargs):
        if self.error is not None:
            raise self.error
        if self.while_writing is not None:
            self.while_writing()
        return self._store.apply(*args, **kwargs)

    def __getattr__(self, name):
        return getattr(self._store, name)


@pytest.fixture
def store(make_corpus):
    topics = map(small_topic, "tuv")
    with CorpusStore.open(make_corpus(*topics), who="1") as store:
        yield store


@pytest.fixture
def served(store):
    return Served(store)


@pytest.fixture
def session(served, qapp):
    session = CorpusSession(served, who="1")
    session.follow_others()
    yield session
    session.stop_following()


def entry(n, *members, state=AlignmentState.INCOMPLETE):
    alternatives = (Alternative(tuple(map(ref, members))),) if members else ()
    return SentenceAlignment(n=n, state=state, alternatives=alternatives)


def others_edit(store, n=1, annotator="A2", *, topic="t", members=(3,)):
    """Makes an edit behind the session and returns the notice of it."""
    abstract = store.topic(topic).abstracts[0]
    new = entry(n, *members)
    edit = actions.alignment_edit(topic, abstract, annotator, new, verb=actions.LINK, subject="d:3")
    return heard_of(store, store.apply(edit, who=annotator), annotator)


def heard_of(store, changes, who="A2"):
    """Returns what is heard of changes that somebody else stored last."""
    return Notice(window="theirs", who=who, row=max(store.known_rows(), default=0), changes=changes)


def entries_of(session, annotator, topic="t"):
    alignment = session.topic(topic).abstracts[0].alignment_by(annotator)
    return {} if alignment is None else {e.n: e for e in alignment.sentences}


def lose(served, session, qtbot):
    served.listener.hear(Lost())
    qtbot.waitUntil(lambda: session.connection_problem is not None)


def come_back(served, session, qtbot):
    served.listener.hear(Connected())
    qtbot.waitUntil(lambda: session.connection_problem is None)


def end_pauses(session):
    """Does at once what waits for more to come."""
    QCoreApplication.processEvents()
    for timer in session.findChildren(QTimer):
        if timer.isActive() and timer.isSingleShot():
            timer.timeout.emit()


def readings():
    return [one for one in threading.enumerate() if one.name == "reading again"]


def at_rest(qtbot, session, served):
    qtbot.waitUntil(lambda: session.corpus() == served.corpus())
    QCoreApplication.processEvents()


def test_that_what_somebody_else_wrote_appears(session, served, store, qtbot):
    notice = others_edit(store)
    assert not entries_of(session, "A2")
    with qtbot.waitSignal(session.changed) as told:
        served.listener.hear(notice)
    assert entries_of(session, "A2") == {1: entry(1, 3)}
    assert told.args == [replace(notice.changes, by=("A2",))]
    assert_as_stored(session, store)


def test_that_an_own_step_is_undone_after_somebody_elses(session, served, store, qtbot):
    assert link(session, 1, 3)
    served.listener.hear(others_edit(store, n=2))
    at_rest(qtbot, session, served)
    assert session.undo_stack.index() == 1
    session.undo_stack.undo()
    assert entries_of(session, "1")[1].alternatives == (Alternative((ref(1),)),)
    assert entries_of(session, "A2") == {2: entry(2, 3)}
    assert_as_stored(session, store)


def test_that_the_same_person_elsewhere_shares_the_undo_stack(session, served, store, qtbot):
    edit = others_edit(store, n=2, annotator="1")
    served.listener.hear(edit)
    qtbot.waitUntil(lambda: session.undo_stack.index() == 1)
    session.undo_stack.undo()
    assert len(entries_of(session, "1")[2].alternatives) == 2
    assert_as_stored(session, store)


@pytest.mark.parametrize("arrives", ["while it is written", "later"])
def test_that_an_edit_made_while_others_are_read_is_not_lost(
    session, served, store, qtbot, arrives
):
    """What was read is older than the edit, so it is read once more."""
    read, go_on, held = threading.Event(), threading.Event(), []

    def wait_once():
        served.before_reading = None
        held.append(threading.current_thread())
        read.set()
        assert go_on.wait(60)

    def let_it_arrive():
        go_on.set()
        for reading in readings():
            reading.join()
        arrived = threading.Event()
        QTimer.singleShot(0, QCoreApplication.instance(), arrived.set)
        assert arrived.wait(60)
        shown.append(bool(entries_of(session, "A2")))

    served.before_reading, shown = wait_once, []
    if arrives != "later":
        served.while_writing = let_it_arrive
    others_edit(store, topic="u")  # nobody hears of it: it is in the log alone
    served.listener.hear(Connected())
    served.listener.hear(others_edit(store))
    qtbot.waitUntil(read.is_set)
    served.listener.hear(others_edit(store, n=2))
    end_pauses(session)
    for reading in {*readings()} - {*held}:  # a second one could be overtaken
        reading.join()
    assert served.topics_read == ["t"]
    own = []
    session.changed.connect(lambda: own.append(len(entries_of(session, "1")[1].alternatives)))
    assert link(session, 1, 3)
    go_on.set()
    assert True not in shown
    qtbot.waitUntil(lambda: len(entries_of(session, "A2")) == 2)
    qtbot.waitUntil(lambda: bool(entries_of(session, "A2", topic="u")))
    assert {*own} == {2}
    assert_as_stored(session, store)


def test_that_a_reading_that_failed_is_done_once_the_server_is_back(session, served, store, qtbot):
    def lost():
        raise Lost.problem

    served.before_reading = lost
    served.listener.hear(others_edit(store))
    qtbot.waitUntil(lambda: session.connection_problem is Lost.problem)
    end_pauses(session)
    for reading in readings():
        reading.join()
    assert (served.topics_read, served.listener.n_probes) == (["t"], 1)
    served.before_reading = None
    come_back(served, session, qtbot)
    assert entries_of(session, "A2") == {1: entry(1, 3)}


def test_that_no_number_of_a_notice_hides_what_is_stored(session, served, store, qtbot):
    served.listener.hear(Notice(window="x", who="x", row=2**31 - 1, changes=Changes()))
    others_edit(store)
    served.listener.hear(Connected())
    qtbot.waitUntil(lambda: entries_of(session, "A2") == {1: entry(1, 3)})


def test_that_what_was_missed_is_read_when_the_server_is_back(session, served, store, qtbot):
    heard = []
    session.connectionChanged.connect(heard.append)
    served.listener.hear(there())
    qtbot.waitUntil(lambda: bool(session.others))
    session.othersMoved.connect(lambda: heard.append(session.others))
    served.before_reading = lambda: served.listener.hear(Lost())
    with qtbot.waitSignal(session.changed):  # by what was read before
        served.listener.hear(others_edit(store, n=2))
    served.before_reading = None
    assert session.connection_problem is Lost.problem
    others_edit(store)
    abstract = content.source_text_edit(store.topic("u"), ref(1), "Another text.")
    store.apply(abstract, who="A2")
    come_back(served, session, qtbot)
    assert heard == [(), Lost.problem, None]
    at_rest(qtbot, session, served)
    assert entries_of(session, "A2") == {1: entry(1, 3), 2: entry(2, 3)}


def test_that_nothing_is_changed_while_the_server_is_gone(session, served, store, qtbot):
    assert link(session, 1, 3)
    before = store.corpus()
    lose(served, session, qtbot)
    told = []
    session.failed.connect(told.append)
    assert not link(session, 1, 2)
    session.undo_stack.undo()
    session.undo_stack.redo()
    assert told == [Lost.problem] * 2  # there is nothing to redo
    assert store.corpus() == before
    assert session.undo_stack.index() == 1
    come_back(served, session, qtbot)
    session.undo_stack.undo()
    assert_as_stored(session, store)


def test_that_news_that_come_while_the_server_is_asked_for_the_first_time_are_heard(
    served, store, qtbot
):
    def connect(hear):
        arrived = threading.Event()
        hear(others_edit(store))
        hear(Connected())
        QTimer.singleShot(0, QCoreApplication.instance(), arrived.set)
        assert arrived.wait(60)

    session = CorpusSession(served, who="1")
    served.while_connecting = connect
    session.follow_others()
    assert [word.asks for word in served.listener.said] == [True]
    at_rest(qtbot, session, served)
    assert entries_of(session, "A2") == {1: entry(1, 3)}
    session.stop_following()


def test_that_a_server_that_goes_as_a_corpus_is_opened_is_told_and_asked_for(
    served, store, services, qtbot, monkeypatch
):
    opened = Opened(store=served, corpus=served.corpus(), who="1")
    workspace = qtbot.shown(Workspace(opened, services))
    with monkeypatch.context() as patched:
        for query in ("score_runs", "history"):
            patched.setattr(served, query, gone, raising=False)
        for step in ("make_first_page", "begin", "arrive", "go_on"):
            getattr(workspace, step)()
    assert workspace.session.connection_problem == GONE
    assert served.listener.n_probes == 4
    assert texts(workspace)[0].startswith("No connection to the server")
    assert workspace.annotate.place() is not None
    others_edit(store)
    come_back(served, workspace.session, qtbot)
    assert entries_of(workspace.session, "A2")
    workspace.close_corpus()


def test_that_an_edit_that_meets_no_server_asks_for_it(session, served, store, qtbot):
    served.error = ServerUnreachable("The server of “{path}” cannot be reached.", path="x")
    assert not link(session, 1, 3)
    assert session.connection_problem is served.error
    assert served.listener.n_probes == 1
    served.error = None
    come_back(served, session, qtbot)
    assert link(session, 1, 3)
    assert_as_stored(session, store)


def test_that_an_edit_that_was_stored_without_an_answer_appears(session, served, store, qtbot):
    """The server took it after this window had given up."""
    notice = others_edit(store, n=2, annotator="1")
    store.rows_written.clear()
    served.listener.hear(replace(notice, window="mine"))
    qtbot.waitUntil(lambda: session.undo_stack.index() == 1)
    served.listener.hear(others_edit(store, topic="u"))
    qtbot.waitUntil(lambda: bool(entries_of(session, "A2", topic="u")))
    assert served.topics_read == ["t", "u"]  # each once
    assert_as_stored(session, store)


def test_that_own_edits_are_not_read_again(session, served, store, qtbot):
    assert link(session, 1, 3)
    told = []
    session.changed.connect(told.append)
    row = served.rows_written[-1]
    served.listener.hear(Notice(window="mine", who="1", row=row, changes=Changes()))
    served.listener.hear(Notice(window="theirs", who="A2", row=row, changes=Changes()))
    QCoreApplication.processEvents()
    assert told == []
    served.listener.hear(others_edit(store, n=2))
    qtbot.waitUntil(lambda: bool(told))
    assert len(told) == 1


def test_that_a_topic_that_came_or_went_is_seen(session, served, store, qtbot):
    old = store.corpus()
    new = content.without_topics(old, ids=("u",))
    edit = corpus_edit(old, new, verb=REMOVE_TOPICS, subject="u")
    for act in (lambda: store.apply(edit, who="A2"), lambda: store.undo(who="A2")):
        served.listener.hear(heard_of(store, act()))
        at_rest(qtbot, session, served)
    assert session.topic_ids() == ("t", "u", "v")


def test_that_of_a_corpus_read_again_only_what_differs_is_told(session, served, store, qtbot):
    others_edit(store, topic="u")  # which is not heard of
    back = Changes(ranks=frozenset([("t", "t-short", 1)]))  # of a rank that is as it was
    with qtbot.waitSignal(session.changed) as told:
        changes = store.apply(content.guidelines_edit("", "# new"), who="A2")
        served.listener.hear(heard_of(store, changes | back))
    assert told.args == [Changes(topics=frozenset("u"), corpus=True, by=("A2",))]


def test_that_running_numbers_follow_a_document_whoever_adds_it(session, served, store, qtbot):
    def added(name):
        topic, document = store.topic("t"), building.document(name, ["One."])
        new = content.with_document(topic, document)
        return content.topic_edit(topic, new, verb=content.ADD_DOCUMENT, subject=name)

    def elsewhere(name):
        served.listener.hear(heard_of(store, store.apply(added(name), who="A2")))
        at_rest(qtbot, session, served)

    acts = (
        lambda name: session.perform(added(name)),
        elsewhere,
        lambda name: session.reload(store.apply(added(name), who="1")),  # as an import does
    )
    for n, act in enumerate(acts, start=4):
        assert len(session.numbers("t")) == n - 1
        act(f"d{n}")
        assert session.numbers("t")[SentenceRef(f"d{n}", 1)] == n


def test_that_others_parses_and_kept_scores_are_heard_of_and_own_are_no_news(
    session, served, qtbot
):
    changed, kept = [], []
    session.changed.connect(changed.append)
    session.scoresKept.connect(lambda: kept.append(1))
    mine = Notice(window="mine", who="1", row=0, changes=Changes(kept_scores=True))
    served.listener.hear(mine)
    for changes, told in ((Changes(parses=True), changed), (Changes(kept_scores=True), kept)):
        served.listener.hear(Notice(window="theirs", who="A2", row=0, changes=changes))
        qtbot.waitUntil(lambda told=told: bool(told))
    assert [(one.parses, one.by) for one in changed] == [(True, ("A2",))]
    assert kept == [1]


def test_that_scores_kept_or_removed_while_nobody_listened_are_told_once(
    session, served, store, qtbot
):
    kept = []
    session.scoresKept.connect(lambda: kept.append(1))
    added = store.keep_scores(
        ScoreTable(scores=()), title="a", who="A2", corpus_state="", selection=Selection()
    )
    for act in (lambda: None, lambda: store.remove_score_run(added.id)):
        act()
        told = len(kept)
        served.listener.hear(Lost())
        served.listener.hear(Connected())
        qtbot.waitUntil(lambda told=told: len(kept) == told + 1)
    served.listener.hear(Connected())
    served.listener.hear(Notice(window="theirs", who="A2", row=0, changes=Changes(parses=True)))
    with qtbot.waitSignal(session.changed):
        pass
    assert len(kept) == 2


# Who is where


def there(**more):
    return Presence(**{"window": "w2", "who": "A2", "host": "annotation", "topic": "t", **more})


def test_that_it_is_known_who_is_where_until_they_leave(session, served, qtbot):
    served.listener.hear(there())
    qtbot.waitUntil(lambda: session.others == (there(),))
    served.listener.hear(there(topic="u", n=3))
    qtbot.waitUntil(lambda: session.others == (there(topic="u", n=3),))
    served.listener.hear(there(is_leaving=True))
    qtbot.waitUntil(lambda: session.others == ())


def test_that_somebody_of_whom_nothing_is_heard_is_gone(served, qapp, qtbot, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("awase.gui.session.following.monotonic", lambda: now[0])
    session = CorpusSession(served, who="1")
    following = Following(session, served, session)
    served.listener.hear(there())
    qtbot.waitUntil(lambda: len(following.others) == 1)
    (heartbeat,) = (one for one in following.findChildren(QTimer) if not one.isSingleShot())
    for now[0], n_others in ((GONE_AFTER_S - 1, 1), (GONE_AFTER_S + 1, 0)):
        heartbeat.timeout.emit()
        assert len(following.others) == n_others
    assert [(word.who, word.asks) for word in served.listener.said] == [("1", False)] * 2
    following.stop()


def test_that_a_window_says_where_it_is_when_asked_and_when_it_goes(session, served, qtbot):
    session.publish_position("t", "t-short", 2)
    end_pauses(session)
    here = served.listener.said[-1]
    assert (here.who, here.topic, here.abstract, here.n) == ("1", "t", "t-short", 2)
    assert here.host == socket.gethostname()
    served.listener.said.clear()
    served.listener.hear(there(asks=True))
    qtbot.waitUntil(lambda: served.listener.said == [here])
    session.set_who("2")
    session.publish_position("t", "t-short", 2)
    end_pauses(session)
    here = replace(here, who="2")
    assert served.listener.said[1:] == [here]
    session.stop_following()
    assert served.listener.last == replace(here, is_leaving=True)
    served.listener.hear(Lost())
    served.listener.hear(there(window="w9"))
    QCoreApplication.processEvents()
    assert (session.connection_problem, session.others) == (None, (there(),))


# What the annotator sees


@pytest.fixture
def page(session, services, qtbot):
    page = AnnotatePage(session, services, None)
    page.annotation.go_to("t")
    qtbot.addWidget(page)
    page.show()
    yield page
    page.live_results.stop()


def test_that_others_work_does_not_move_the_annotator(page, session, served, store, qtbot):
    page.annotation.select(2)
    page.annotation.stand_at(1)
    order, moved = page.annotation.order, []
    for signal in (
        page.annotation.placeChanged,
        page.annotation.sentenceChanged,
        page.annotation.orderChanged,
        page.annotation.othersChanged,  # which are not shown
    ):
        signal.connect(lambda: moved.append(1))
    entries = []
    page.annotation.entryChanged.connect(entries.append)
    for n, annotator in ((2, "A2"), (1, "1"), (1, "A3")):
        served.listener.hear(others_edit(store, n=n, annotator=annotator))
        at_rest(qtbot, session, served)
    assert (moved, entries) == ([], [1])
    assert page.header.topics.text() == "t  Dogs   1/2 · A2 0 · A3 0"
    assert (page.annotation.n, page.annotation.alternative_idx) == (2, 1)
    assert page.annotation.order == order
    assert page.annotation.place.entry(1).alternatives == (Alternative((ref(3),)),)
    assert page.strip.news.isHidden()
    page.annotation.toggle_others()
    served.listener.hear(others_edit(store, n=2, annotator="A2", members=(1,)))
    shown = page.alternatives.others.text
    qtbot.waitUntil(lambda: "The dog ran." in shown.toPlainText())
    assert moved == [1, 1]


def test_that_a_change_of_the_sentence_in_sight_waits_for_a_key(
    page, session, served, store, qtbot
):
    page.annotation.select(2)
    before = page.annotation.entry
    served.listener.hear(others_edit(store, n=2, annotator="1"))
    qtbot.waitUntil(page.strip.news.isVisible)
    ranked = actions.rank_edit("t", store.topic("t").abstracts[0], 2, "C")
    served.listener.hear(heard_of(store, store.apply(ranked, who="lead"), "lead"))
    qtbot.waitUntil(lambda: "1, lead" in page.strip.news.text())
    served.listener.hear(others_edit(store, n=1, annotator="1"))
    at_rest(qtbot, session, served)
    assert page.annotation.entry == before
    assert "R" in page.strip.news.text()
    for _ in range(2):  # nothing new the second time
        page.annotation.assign_digits(1, 2)
        page.commands["rank-anew"]()
        assert (page.annotation.n, page.annotation.first_digit) == (2, 0)
    assert page.annotation.entry == entry(2, 3)
    assert page.strip.news.isHidden()


def others_text_edit(store):
    """Corrects the text of a sentence as the lead; returns what is heard of it."""
    edit = content.source_text_edit(store.topic("t"), ref(2), "The cat sat.")
    return heard_of(store, store.apply(edit, who="lead"), "lead")


@pytest.mark.slow
@pytest.mark.parametrize("goes_on", ["to the next sentence", "with a link"])
def test_that_a_corrected_text_waits_until_work_goes_on(
    page, session, served, store, qtbot, goes_on
):
    page.annotation.select(1)
    served.listener.hear(others_text_edit(store))
    qtbot.waitUntil(page.strip.news.isVisible)
    assert "lead" in page.strip.news.text()
    assert page.annotation.place.topic.documents[0].sentences[1].text == "The cat slept."
    if goes_on == "with a link":
        page.annotation_actions.toggle(ref(3))
        assert page.annotation.n == 1
    else:
        page.annotation.select(2)
        assert page.annotation.n == 2
    assert_as_stored(session, store)
    assert page.annotation.place.topic.documents[0].sentences[1].text == "The cat sat."
    assert page.strip.news.isHidden()


def test_that_it_is_said_who_else_is_there(page, session, served, qtbot):
    assert page.header.others.isHidden()
    served.listener.hear(there())
    served.listener.hear(there(window="w3", who="A3", topic="u"))
    served.listener.hear(there(window="w4", who="1", topic="u", host="laptop"))
    qtbot.waitUntil(lambda: len(session.others) == 3)
    shown = page.header.others
    assert shown.isVisible()
    assert shown.text() == "A2 here · you on laptop · A3: u"
    page.annotation.go_to("u")
    assert shown.text() == "you on laptop · A3 here · A2: t"
    lose(served, session, qtbot)
    assert shown.isHidden()  # nobody is known to be there


# What is typed while the server is away


def note_of(store, n, topic="t"):
    alignment = store.topic(topic).abstracts[0].alignment_by("1")
    return alignment.of_sentence(n).note if alignment is not None else None


@pytest.mark.parametrize("leaves_by", in_part(["nothing", "key", "mouse"]))
def test_that_a_note_typed_while_the_server_is_away_is_stored_when_it_is_back(
    page, session, served, store, qtbot, leaves_by
):
    page.annotation.select(1)
    lose(served, session, qtbot)
    assert "no connection" in texts(page.strip)
    note, view = page.alternatives.note, page.abstract.view
    if leaves_by == "mouse":
        QTest.mouseClick(note.viewport(), Qt.MouseButton.LeftButton)
    else:
        note.setFocus()
    assert note.hasFocus()
    QTest.keyClicks(note, "typed with care")
    assert "not saved" in texts(page.strip)
    if leaves_by == "key":
        QTest.keyClick(note, Qt.Key.Key_Escape)
        page.annotation.select(2)
    elif leaves_by == "mouse":
        row = view.visualRect(view.model().index(1, 0)).center()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=row)
    n = 1 if leaves_by == "nothing" else 2
    assert page.annotation.n == n
    assert "not saved" in texts(page.strip)
    others_edit(store)
    come_back(served, session, qtbot)
    qtbot.waitUntil(lambda: note_of(store, 1) == "typed with care")
    assert "saved" in texts(page.strip)
    assert page.annotation.n == n
    at_rest(qtbot, session, served)
    assert_as_stored(session, store)
    page.annotation.select(1)
    assert note.toPlainText() == "typed with care"


def removal(store, *topics):
    """Removes topics as the lead; returns what is heard of it."""
    changes = store.change(
        lambda corpus: replace(
            corpus, topics=tuple(one for one in corpus.topics if one.id not in topics)
        ),
        verb="remove_topics", names=(), who="lead",
    )  # fmt: skip
    return heard_of(store, changes, "lead")


@pytest.mark.parametrize(("removed", "beside"), in_part([("v", "u"), ("t", "u")]))
def test_that_the_topic_beside_one_that_is_removed_is_shown(
    page, session, served, store, qtbot, removed, beside
):
    page.annotation.go_to(removed)
    page.alternatives.note.setFocus()
    QTest.keyClicks(page.alternatives.note, "half a thou")
    served.listener.hear(removal(store, removed))
    qtbot.waitUntil(lambda: session.topic(removed) is None)
    assert page.annotation.place.topic.id == beside
    assert f"lead removed topic “{removed}”." in texts(page.strip)
    assert "not saved" in texts(page.strip)
    assert "half a thou" in page.alternatives.note.pending.values()
    store.undo(who="lead")
    served.listener.hear(Connected())
    qtbot.waitUntil(lambda: session.topic(removed) is not None)
    page.annotation.go_to(removed)
    assert page.alternatives.note.toPlainText() == "half a thou"


def test_that_what_is_typed_stays_when_others_change_what_is_in_sight(
    page, session, served, store, qtbot
):
    page.annotation.select(2)
    page.annotation.stand_at(1)
    page.alternatives.note.setFocus()
    QTest.keyClicks(page.alternatives.note, "half a thou")
    served.listener.hear(others_text_edit(store))
    qtbot.waitUntil(page.strip.news.isVisible)
    page.strip.news.click()
    assert (page.annotation.n, page.annotation.alternative_idx) == (2, 1)
    assert page.alternatives.note.toPlainText() == "half a thou"
