"""Edits, undo and redo, asserted on what is stored."""

import time
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread, current_thread, main_thread

import pytest
from PySide6.QtCore import QCoreApplication
from tests.gui.conftest import small_topic
from tests.in_part import in_turn

from awase.core.annotation import actions
from awase.core.errors import Cancelled, EnvironmentProblem, Silent
from awase.core.records.abstract import Alignment, AlignmentState
from awase.core.records.corpus import Corpus, Person
from awase.core.records.edits import Changes
from awase.core.records.source import SentenceRef
from awase.gui.kit.forms.controls import documents_folder
from awase.gui.kit.i18n import set_language
from awase.gui.session.session import CorpusSession
from awase.gui.session.undo_stack import UndoStack
from awase.storage.files import opening
from awase.storage.files.locks_and_backups import backups_of
from awase.storage.store import CorpusStore

WHO = "1"


@pytest.fixture
def store(make_corpus):
    with CorpusStore.open(make_corpus(), who=WHO) as store:
        yield store


@pytest.fixture
def session(store, qapp):
    return CorpusSession(store, who=WHO)


def link(session, n, number, alternative_idx=9):
    """Links a source sentence in the name of whoever is at work."""
    abstract = session.topic("t").abstracts[0]
    known = abstract.alignment_by(session.who) or Alignment(annotator=session.who)
    ref = SentenceRef("d", number)
    new = actions.with_toggled(known.of_sentence(n), alternative_idx, ref)
    edit = actions.alignment_edit(
        "t", abstract, session.who, new, verb=actions.LINK, subject=str(ref)
    )
    return session.perform(edit)


def rank(session, n, rank):
    return session.perform(actions.rank_edit("t", session.topic("t").abstracts[0], n, rank))


def stored(store, n=1):
    entry = store.topic("t").abstracts[0].alignment_by(WHO).of_sentence(n)
    return [[ref.n for ref in alternative.members] for alternative in entry.alternatives]


def assert_as_stored(session, store):
    assert session.corpus() == store.corpus()


def test_that_an_edit_is_stored_and_told(session, store, qtbot):
    with qtbot.waitSignals([session.changed, session.edited]):
        assert link(session, 1, 3)
    assert stored(store) == [[1], [3]]
    assert_as_stored(session, store)


def test_that_a_file_is_proposed_beside_the_corpus_or_in_the_documents(session, monkeypatch):
    for location, asked, proposed in (
        ("there/1.2.awase", (".html",), Path("there/1.2.html")),
        ("there/x.awase", (".json", "3/4"), Path("there/3-4.json")),
        ("postgresql://ann@host/tsc3", (".pdf",), documents_folder() / "tsc3.pdf"),
    ):
        monkeypatch.setattr(CorpusSession, "location", location)
        assert session.file_beside(*asked) == proposed


def test_that_the_corpus_is_put_together_once_for_a_state_of_it(session, store):
    before = session.corpus()
    assert session.corpus() is before
    link(session, 1, 3)
    after = session.corpus()
    assert session.corpus() is after is not before
    assert_as_stored(session, store)


def test_that_the_corpus_is_read_again_off_the_windows_thread(session, store, monkeypatch):
    threads, read = [], store.corpus
    monkeypatch.setattr(store, "corpus", lambda: threads.append(current_thread()) or read())
    session.reload(Changes(topics=frozenset(["t"])))
    assert [thread is main_thread() for thread in threads] == [False]


def test_that_undo_and_redo_change_what_is_stored(session, store):
    link(session, 1, 3)
    rank(session, 2, "C")
    session.undo_stack.undo()
    session.undo_stack.undo()
    assert stored(store) == [[1]]
    assert store.topic("t").abstracts[0].sentences[1].rank == "B"
    session.undo_stack.redo()
    assert stored(store) == [[1], [3]]
    session.undo_stack.redo()
    assert store.topic("t").abstracts[0].sentences[1].rank == "C"
    assert_as_stored(session, store)
    session.undo_stack.undo()
    link(session, 1, 2)  # and what was undone is forgotten
    assert not session.undo_stack.canRedo()
    assert CorpusSession(store, who=WHO).undo_stack.index() == 2


def test_that_undo_survives_a_restart(session, store):
    for number in (2, 3):
        link(session, 1, number)
    rank(session, 1, "C")
    session.undo_stack.undo()
    again = CorpusSession(store, who=WHO)
    assert (again.undo_stack.index(), again.undo_stack.canRedo()) == (2, True)
    again.undo_stack.redo()
    assert store.topic("t").abstracts[0].sentences[0].rank == "C"
    for _ in range(3):
        again.undo_stack.undo()
    assert stored(store) == [[1]]
    assert_as_stored(again, store)
    third = CorpusSession(store, who=WHO)
    assert third.undo_stack.redoText() == "link s2 to sentence 1"
    third.undo_stack.redo()
    assert stored(store) == [[1], [2]]


def test_that_the_menu_reads_in_plain_words_of_the_windows_language(session):
    rank(session, 2, None)
    assert session.undo_stack.undoText() == "no rank for sentence 2"
    link(session, 1, 3)
    assert session.undo_stack.undoText() == "link s3 to sentence 1"
    set_language("ja")
    assert "s3" in session.undo_stack.undoText()
    assert "link" not in session.undo_stack.undoText()


def broken(*_, **__):
    raise EnvironmentProblem("The disk is full.", "Make room.")


def test_that_a_failed_write_changes_nothing_and_says_why(session, store, monkeypatch, qtbot):
    link(session, 1, 2)
    before = session.corpus()
    monkeypatch.setattr(store, "apply", lambda edit, **_: broken())
    with qtbot.waitSignal(session.failed) as failure:
        assert not link(session, 1, 3)
    assert failure.args[0].problem.what == "The disk is full."
    QCoreApplication.processEvents()
    assert session.corpus() == before == store.corpus()
    assert session.undo_stack.index() == 1


@pytest.mark.parametrize(
    ("step", "before", "after"), [("undo", [[1], [2]], [[1]]), ("redo", [[1]], [[1], [2]])]
)
def test_that_a_failed_step_can_be_tried_again(
    session, store, monkeypatch, qtbot, step, before, after
):
    link(session, 1, 2)
    if step == "redo":
        session.undo_stack.undo()
    with monkeypatch.context() as patch, qtbot.waitSignal(session.failed):
        patch.setattr(store, step, broken)
        getattr(session.undo_stack, step)()
    QCoreApplication.processEvents()
    assert stored(store) == before
    getattr(session.undo_stack, step)()
    assert stored(store) == after


def test_that_the_undo_stack_is_not_rebuilt_within_one_of_its_steps(
    session, store, monkeypatch, qtbot
):
    """The step, which ends later, would be on the stack twice."""
    link(session, 1, 2)
    with monkeypatch.context() as patch, qtbot.waitSignal(session.failed):
        patch.setattr(store, "apply", lambda edit, **_: broken())
        assert not link(session, 1, 3)  # so the stack is to be what the store says, soon
    undo, within = store.undo, []

    def waiting(**options):
        within.append(True)
        QCoreApplication.processEvents()  # as while a server is waited for
        within.clear()
        return undo(**options)

    rebuilt, rebuild = [], UndoStack.rebuild
    monkeypatch.setattr(store, "undo", waiting)
    monkeypatch.setattr(
        UndoStack, "rebuild", lambda *steps: (rebuilt.append([*within]), rebuild(*steps))
    )
    session.undo_stack.undo()
    qtbot.waitUntil(lambda: bool(rebuilt))
    assert rebuilt == [[]]
    assert stored(store) == [[1]]
    assert session.undo_stack.canRedo()


def test_that_a_file_that_is_gone_leaves_what_was_stored_on_the_screen(
    session, store, monkeypatch, qtbot
):
    before = session.corpus()
    monkeypatch.setattr(store, "apply", lambda edit, **_: broken())
    monkeypatch.setattr(store, "corpus", broken)
    with qtbot.waitSignal(session.failed):
        link(session, 1, 3)
    QCoreApplication.processEvents()
    assert session.corpus() == before


def test_that_a_file_that_goes_and_comes_back_is_told_once_each(session, store, tmp_path):
    path, heard = Path(store.location), []
    session.connectionChanged.connect(heard.append)
    for old, new in ((path, tmp_path / "away"), (tmp_path / "away", path)):
        old.rename(new)
        if new != path:  # else an edit notices it
            session.reconnect()
        assert rank(session, 1, "C") is (new == path)
        session.reconnect()
    assert ["no longer there" in str(one) for one in heard] == [True, False]


def test_that_somebody_elses_change_is_not_overwritten(session, store, qtbot):
    elsewhere, told = CorpusSession(store, who=WHO), []
    link(elsewhere, 1, 2)
    session.changed.connect(told.append)
    with qtbot.waitSignal(session.failed):
        assert not link(session, 1, 3)
    QCoreApplication.processEvents()
    assert told == [Changes(topics=frozenset("t"), corpus=True)]  # once all is read again
    assert stored(store) == [[1], [2]]
    assert_as_stored(session, store)


def test_that_a_read_only_corpus_is_not_changed(session, store, make_corpus):
    link(session, 1, 3)
    store.close()
    with CorpusStore.open(store.location, who=WHO, read_only=True) as reading:
        reader = CorpusSession(reading, who=WHO)
        assert reader.read_only
        assert not link(reader, 1, 2)
        reader.undo_stack.undo()
        reader.undo_stack.redo()
        assert stored(reading) == [[1], [3]]


def test_that_nobody_takes_over_and_nothing_fails_while_the_store_cannot_be_read(
    session, store, monkeypatch, qtbot
):
    with monkeypatch.context() as patch:
        for name in ("history", "corpus"):
            patch.setattr(store, name, broken)
        with qtbot.assertNotEmitted(session.whoChanged), qtbot.waitSignal(session.failed):
            session.set_who("2")
        assert session.who == WHO
        with qtbot.waitSignal(session.failed):
            session.reload(Changes(corpus=True))
    session.set_who("2")
    assert session.who == "2"


def test_that_who_leaves_is_still_at_work_while_it_is_told(session):
    told = []
    session.whoLeaving.connect(lambda: told.append(session.who))  # their place is kept for them
    session.whoChanged.connect(lambda who: told.append(f"{who} {session.who}"))
    session.set_who("2")
    session.set_who("2")
    assert told == ["1", "2 2"]


@in_turn(
    ("role", "is_blind", "state", "is_hidden"),
    [
        ("annotator", False, AlignmentState.TODO, True),
        ("annotator", False, AlignmentState.CONFIRMED, False),
        ("annotator", True, AlignmentState.CONFIRMED, True),
        ("lead", True, AlignmentState.TODO, False),
    ],
)
def test_that_annotators_see_others_work_once_theirs_is_settled_and_never_in_a_blind_project(
    session_over, role, is_blind, state, is_hidden
):
    made = Corpus(name=f"{role}{is_blind}{state.name}", topics=(small_topic(state=state),))
    made = replace(made, persons=(Person(id=WHO, role=role),), is_blind=is_blind)
    session = session_over(corpus=made)
    assert session.hides_others(session.topic("t")) is is_hidden


class _Waits:
    """Waits for what is asked for; the first time somebody stops that."""

    def __init__(self, goes_on: Event) -> None:
        self.titles: list[str] = []
        self._goes_on = goes_on

    def __call__(self, title, work):
        self.titles.append(title)
        if len(self.titles) == 1:
            raise Cancelled
        self._goes_on.set()
        return work(Silent())


def test_that_the_first_edit_of_a_large_file_waits_for_nothing_and_closing_for_the_backup(
    make_corpus, held_back, qapp
):
    path, waits = make_corpus(), _Waits(held_back)
    with CorpusStore.open(path, who=WHO) as store:
        session = CorpusSession(store, who=WHO, waits=waits)
        session.finish_backup()
        assert link(session, 1, 3)
        assert (stored(store), waits.titles) == ([[1], [3]], [])
        waits.titles.append("nobody stops it")
        session.finish_backup()
        session.finish_backup()
        assert (len(waits.titles), len(backups_of(path))) == (2, 1)


def test_that_stopping_to_wait_for_the_backup_at_the_end_gives_it_up(make_corpus, held_back, qapp):
    path = make_corpus()
    with CorpusStore.open(path, who=WHO) as store:
        session = CorpusSession(store, who=WHO, waits=_GivesUp(held_back, store))
        assert link(session, 1, 3)
        session.finish_backup()
        assert not store.owes_backup
    assert backups_of(path) == ()


class _GivesUp:
    """Stops waiting; pages are looked at once nobody wants that any more."""

    def __init__(self, goes_on: Event, store: CorpusStore) -> None:
        self._goes_on, self._store = goes_on, store

    def __call__(self, title, work):
        Thread(target=self._let_go, daemon=True).start()
        raise Cancelled

    def _let_go(self) -> None:
        while self._store.owes_backup:
            time.sleep(0.001)
        self._goes_on.set()


def test_that_the_first_edit_waits_where_a_file_cannot_be_written_while_its_state_is_held(
    make_corpus, monkeypatch, held_back, qapp
):
    monkeypatch.setattr(
        opening.sqlite_files, "TO_WRITE", ("foreign_keys = ON", "journal_mode = DELETE")
    )
    waits = _Waits(held_back)
    with CorpusStore.open(make_corpus(), who=WHO) as store:
        session = CorpusSession(store, who=WHO, waits=waits)
        assert not link(session, 1, 3)
        QCoreApplication.processEvents()
        assert (stored(store), session.undo_stack.index()) == ([[1]], 0)
        assert link(session, 1, 3)
        assert stored(store) == [[1], [3]]
        session.undo_stack.undo()
        QCoreApplication.processEvents()
        assert (stored(store), len(waits.titles)) == ([[1]], 2)
