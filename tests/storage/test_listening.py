"""Windows on one server hear of each other: on a real one, stopped and frozen under their hands."""

import queue
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

pytest.importorskip("psycopg")

from sqlalchemy import create_engine, make_url

from awase.core.annotation.content import guidelines_edit
from awase.core.errors import EnvironmentProblem
from awase.core.records.abstract import GoldEntry
from awase.core.records.edits import AlignmentEdit, Changes
from awase.core.records.score import ScoreTable, Selection
from awase.storage.addresses import ServerUnreachable
from awase.storage.edits import StaleEdit
from awase.storage.postgresql.listening import Connected, Lost
from awase.storage.postgresql.notices import CHANNEL, Notice, Presence, text_of, word_of
from awase.storage.store import CorpusStore
from tests.in_part import in_turn
from tests.storage.sample import (
    CONFIRMED,
    LINKED,
    REFS,
    addition,
    edit,
    entry,
    gold_edit,
    rank_edit,
)
from tests.storage.servers import run_sql
from tests.threads import run_all

MINE = ("t1", "long", "ann", 5)
PATIENCE_S = 60


def ear_of(store: CorpusStore):
    """Returns what is heard, once it is heard, and what hears it."""
    heard: queue.Queue = queue.Queue()
    listener = store.listen(heard.put)
    assert isinstance(heard.get(timeout=PATIENCE_S), Connected)
    return heard, listener


# What needs no server


@in_turn(
    "word",
    [
        Notice(window="w", who="安", row=7, changes=None),
        Notice(window="w", who="ann", row=7, changes=Changes(
            alignments=frozenset([MINE]), ranks=frozenset([("t", "a", 2)]),
            gold=frozenset([("t", "a", 2)]), topics=frozenset(["犬"]), corpus=True)),
        Notice(window="w", who="ann", row=0, changes=Changes(parses=True)),
        Notice(window="w", who="ann", row=0, changes=Changes(kept_scores=True)),
        Presence(window="w", who="ann", host="h", topic="t", abstract="a", n=3, asks=True),
        Presence(window="w", who="ann", is_leaving=True),
    ],
)  # fmt: skip
def test_that_a_word_arrives_as_it_was_said(word):
    assert word_of(text_of(word)) == word


def test_that_a_long_notice_sends_others_to_the_log():
    many = Changes(topics=frozenset(f"長い話題{n}" for n in range(2000)))
    said = text_of(Notice(window="w", who="n" * 200, row=7, changes=many))
    assert len(said.encode()) < 8000
    assert word_of(said) == Notice(window="w", who="n" * 99, row=7, changes=None)
    far = Presence(window="w", who="ann", host="h" * 9000, topic="t", abstract="a", n=3)
    assert word_of(text_of(far)) == Presence(window="w", who="ann", host="h" * 99)


@in_turn(
    "said",
    ["", "x", "[]", "{}", '{"kind":"changed"}', '{"kind":"here","window":3}', "[" * 90_000,
     '{"kind":"changed","window":"w","who":"a","row":-1}',
     '{"kind":"changed","window":"w","who":"a","row":1,"changes":{"alignments":[["t"]]}}',
     '{"kind":"changed","window":"w","who":"a","row":1,"changes":{"alignments":[[1,2,3,4]]}}'],
)  # fmt: skip
def test_that_what_strangers_say_is_passed_over(said):
    assert word_of(said) is None


def test_that_nobody_listens_to_a_file_nor_owns_it(tmp_path):
    with CorpusStore.create(tmp_path / "c.awase", name="x", who="ann") as store:
        assert store.listen(lambda heard: None) is None
        assert store.person() is None


# On a real server

slow = pytest.mark.slow


@pytest.fixture
def store(url: str) -> Iterator[CorpusStore]:
    with CorpusStore.create(url, name="team", who="ann", addition=addition()) as store:
        yield store


def test_that_what_others_do_is_heard_as_it_changed_and_what_failed_is_not(store, url):
    table = ScoreTable(scores=())
    mine, own_n = Changes(alignments=frozenset([MINE])), [("t1", "long", 5)]
    decided = replace(gold_edit(GoldEntry(entry=entry(5, REFS[:1]))), verb="gold_take")
    with CorpusStore.open(url, who="bob") as other:
        heard, listener = ear_of(other)
        run_sql(url, f"NOTIFY {CHANNEL}, 'of another program'")  # passed over
        for act, changes in (
            (lambda: store.apply(edit(LINKED), who="ann"), mine),
            (lambda: store.undo(who="ann"), mine),
            (lambda: store.redo(who="ann"), mine),
            (lambda: store.apply(rank_edit("C"), who="ann"), Changes(ranks=frozenset(own_n))),
            (lambda: store.apply(decided, who="ann"), Changes(gold=frozenset(own_n))),
            (lambda: store.apply(guidelines_edit("", "g"), who="ann"), Changes(corpus=True)),
        ):
            act()
            with pytest.raises(StaleEdit):
                store.apply(edit(CONFIRMED, old=entry(5, REFS[1:2])), who="ann")
            notice = heard.get(timeout=PATIENCE_S)
            assert (notice.window, notice.who, notice.changes) == (store.window, "ann", changes)
            assert notice.row == max(store.known_rows())
        store.add_parses("m", {"s": "1\ta\n"}, who="ann")
        store.remove_parses("m", who="ann")
        kept = store.keep_scores(
            table, title="x", who="ann", corpus_state="", selection=Selection(program="1")
        )
        store.remove_score_run(kept.id)
        told = [heard.get(timeout=PATIENCE_S) for _ in range(4)]
        own, mine_ear = ear_of(store)
        here = Presence(window=store.window, who="ann", topic="t1", abstract="long", n=5)
        mine_ear.send(here)
        assert heard.get(timeout=PATIENCE_S) == here
        assert own.get(timeout=PATIENCE_S) == here  # before it stops: from then on it hears nothing
        mine_ear.probe()
        assert isinstance(own.get(timeout=PATIENCE_S), Connected)
        gone = Presence(window=store.window, who="ann", is_leaving=True)
        mine_ear.stop(gone)
        assert heard.get(timeout=PATIENCE_S) == gone
        listener.stop()
    assert {one.row for one in told} == {0}
    parses, scores = Changes(parses=True), Changes(kept_scores=True)
    assert [one.changes for one in told] == [parses, parses, scores, scores]


def test_that_a_server_that_goes_and_comes_back_is_told(store, server):
    heard, listener = ear_of(store)
    server.stop()
    try:
        lost = heard.get(timeout=PATIENCE_S)
        assert isinstance(lost, Lost)
        assert isinstance(lost.problem, ServerUnreachable)
        assert "nothing" not in str(lost.problem)
        with pytest.raises(EnvironmentProblem, match="cannot be reached"):
            store.apply(edit(LINKED), who="ann")
    finally:
        assert server.start()
    assert isinstance(heard.get(timeout=PATIENCE_S), Connected)
    store.apply(edit(LINKED), who="ann")
    assert isinstance(heard.get(timeout=PATIENCE_S), Notice)
    listener.stop()


def test_that_each_loss_of_the_connection_is_told_once(store, url):
    heard, listener = ear_of(store)
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
    for _ in range(2):
        run_sql(url, f"{cut} datname = current_database() AND pid <> pg_backend_pid()")
        assert isinstance(heard.get(timeout=PATIENCE_S), Lost)
        assert isinstance(heard.get(timeout=PATIENCE_S), Connected)
    listener.stop()


def test_that_a_server_that_takes_its_time_is_waited_for(server):
    from awase.storage.postgresql.timeouts import ConnectionWithTimeout

    with ConnectionWithTimeout.connect(server.url) as connection:
        assert connection.execute("SELECT 7 FROM pg_sleep(0.25)").fetchall() == [(7,)]


@slow
def test_that_people_at_different_entries_do_not_wait_for_each_other(store, url):
    """One has her transaction open for as long as it takes; the other is done meanwhile."""
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"))
    from awase.storage.postgresql.connections import lock, parts_of

    with engine.begin() as connection, CorpusStore.open(url, who="bob") as other:
        lock(connection, parts_of(edit(LINKED), "ann"))
        other.apply(edit(LINKED, annotator="bob"), who="bob")
        with pytest.raises(EnvironmentProblem, match="is locked by awase"):
            other.apply(rank_edit("C"), who="bob")  # of the abstract, so everybody's
    engine.dispose()
    assert [a.annotator for a in store.topic("t1").abstracts[0].alignments] == ["bob"]


@slow
def test_that_first_entries_at_the_same_time_get_places_of_their_own(store, url):
    names = [f"p{person_idx}" for person_idx in range(8)]
    start = threading.Barrier(len(names))

    def work(who: str) -> None:
        with CorpusStore.open(url, who=who) as own:
            start.wait()
            own.apply(edit(entry(5, (REFS[0],)), annotator=who), who=who)

    run_all(threading.Thread(target=work, args=(who,)) for who in names)
    places = run_sql(url, "SELECT position FROM alignment ORDER BY position")
    assert places == [(at,) for at in range(len(names))]


@slow
def test_that_one_person_on_two_machines_takes_each_step_back_once(store, url):
    for n in (5, 2, 9):
        store.apply(edit(entry(n, (REFS[0],))), who="ann")
    with CorpusStore.open(url, who="ann") as other:
        run_all(threading.Thread(target=one.undo, kwargs={"who": "ann"}) for one in (store, other))
        assert len(other.history("ann").done) == len(store.history("ann").done) == 1
    alignment = store.topic("t1").abstracts[0].alignments[0]
    assert [entry.n for entry in alignment.sentences] == [5]


def test_that_an_edit_locks_its_own_entry_and_a_text_the_corpus():
    from awase.storage.postgresql.connections import WHOLE, parts_of

    own, others = parts_of(edit(LINKED), "ann"), parts_of(edit(LINKED, annotator="bob"), "bob")
    assert isinstance(edit(LINKED), AlignmentEdit)
    assert not set(own) & set(others)
    assert parts_of(rank_edit("C"), "ann") == WHOLE
