"""People take work for themselves: of two who take at once nobody gets what the other gets."""

import threading
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from awase.core.annotation.actions import CONFIRM, alignment_edit
from awase.core.errors import EnvironmentProblem, InputError, Silent
from awase.core.records.abstract import Abstract, AlignmentState, AssistOrigin, SentenceAlignment
from awase.core.records.addition import addition_of
from awase.core.records.corpus import Assignment, Corpus, Person
from awase.core.team.handing_out import Work, handed_out, next_free, pool_of
from awase.jobs.team.copies import hand_out
from awase.storage.postgresql.setup import apply_setup, plan_setup
from awase.storage.store import CorpusStore
from tests.building import abstract, corpus, topic
from tests.in_part import in_part
from tests.storage.sample import CONFIRMED, LINKED, addition, edit
from tests.storage.servers import Server
from tests.stored import corpus_file, sql
from tests.threads import run_all

PEOPLE = ("A1", "A2")


def shared(n: int, people: tuple[str, ...] = PEOPLE) -> Corpus:
    made = corpus(*(
        topic(f"t{at:02}", abstracts=(
            abstract("a", {"A9": "s1;"} if at == 1 else {}, texts=["one", "two"]),
            abstract("b", {"A1": [""]}, texts=["one"]),
            Abstract(id="empty", sentences=()),
        ))
        for at in range(n)
    ))  # fmt: skip
    return replace(made, persons=tuple(Person(id=one) for one in people))


@pytest.fixture
def store(tmp_path: Path):
    with CorpusStore.open(corpus_file(tmp_path / "c.awase", shared(5)), who="A1") as store:
        yield store


def begin(store: CorpusStore, topic_id: str, who: str) -> None:
    part = store.topic(topic_id).abstract("b")
    assert part is not None
    entry = SentenceAlignment(n=1, state=AlignmentState.NO_SOURCE)
    made = alignment_edit(topic_id, part, who, entry, verb=CONFIRM)
    assert made is not None
    store.apply(made, who=who)


def give(store: CorpusStore, *assignments: Assignment) -> None:
    store.change(
        lambda one: replace(one, assignments=assignments), verb="assign", names=(), who="L"
    )


@pytest.mark.parametrize("who", in_part(["A1", "A2"]))
def test_that_what_is_taken_without_reading_texts_is_what_the_whole_corpus_says(
    store, tmp_path, who
):
    said = ({"rank": "A"}, {"note": "?"}, {"assist": AssistOrigin.REFUSED})
    for topic_id, field in zip(("t00", "t02", "t03"), said, strict=True):  # and nothing else
        begun = SentenceAlignment(n=1, **field)
        store.apply(edit(begun, topic=topic_id, abstract="a", annotator="A9"), who="A9")
    sql(tmp_path / "c.awase", "UPDATE abstract SET position = 9 WHERE key = 'a'")
    for _ in range(5):
        expected = next_free(pool_of(store.corpus()), who)
        assert store.take_next(who=who)[0].next == expected
        begin(store, expected.topic, who)
    with pytest.raises(InputError, match="Nothing is free"):
        store.take_next(who=who)


def test_that_a_topic_is_taken_undone_and_taken_by_somebody_else(store):
    before = store.corpus()
    taken, changes = store.take_next(who="A1")
    assert (taken.next.topic, changes.corpus) == ("t00", True)
    assert store.corpus().assignments == taken.frame.assignments == tuple(
        Assignment(topic="t00", abstract=one, person="A1", order=at)
        for at, one in enumerate("ab", 1)
    )  # fmt: skip
    assert store.take_next(who="A1")[0].next == ("t00", ())
    other, _ = store.take_next(who="A2")
    assert {one.topic for one in other.next.taken} == {"t01"}  # whose first abstract is begun
    assert [one.abstract for one in other.next.taken] == ["b"]
    assert not store.find_damage()
    store.undo(who="A1")  # although A2 took one since
    assert {one.person for one in store.corpus().assignments} == {"A2"}
    assert not store.find_damage()
    store.undo(who="A2")
    assert store.corpus() == before
    store.redo(who="A2")
    assert [one.person for one in store.corpus().assignments] == ["A2"]


def test_that_assignments_go_and_come_in_whatever_order(store):
    one, two, three = (Assignment(topic=f"t0{at}", person="A1", order=at + 1) for at in range(3))
    again = replace(one, round=2)
    for wanted in (
        (one, two, three), (two, three), (three, two, one), (one,), (one, again), (one, two), (),
    ):  # fmt: skip
        give(store, *wanted)
        assert store.corpus().assignments == wanted
        assert not store.find_damage()


def test_that_no_topic_is_taken_in_a_copy_that_was_handed_out(store, tmp_path):
    hand_out(store, "A1", tmp_path / "a1.awase", who="L", reporter=Silent())
    with CorpusStore.open(tmp_path / "a1.awase", who="A1") as copy:
        before = copy.corpus()
        with pytest.raises(InputError, match="handed out to “A1”"):
            copy.take_next(who="A1")
        assert copy.corpus() == before
    assert handed_out(store.copy(), "A1").corpus.topics


def test_that_what_is_handed_out_is_what_the_whole_copy_gives(store):
    for topic_id, who in (("t00", "A1"), ("t01", "A2"), ("t02", "A1")):
        begin(store, topic_id, who)
    everything = handed_out(store.copy(), "A1")
    assert store.copy_for("A1") == everything
    give(store, Assignment(topic="t02", person="A1"), Assignment(topic="t01", person="A2"))
    assert store.copy_for("A1") == handed_out(store.copy(), "A1") != everything
    with pytest.raises(InputError, match="A9"):
        store.copy_for("A9")


def test_that_it_is_known_when_somebody_last_worked_on_an_abstract(tmp_path):
    path = tmp_path / "c.awase"
    CorpusStore.create(path, name="c", who="ann", addition=addition()).close()
    with CorpusStore.open(path, who="ann") as store:
        before = store.worked_at()
        store.apply(edit(LINKED), who="ann")
        after = store.worked_at()
        assert {*after} - {*before} == {Work("t1", "long", "ann")}
        assert after[Work("t1", "long", "ann")].startswith("20")
        store.apply(edit(CONFIRMED, old=LINKED), who="ann")
        sql(
            path,
            "UPDATE entry_version SET at = '2001' || substr(at, 5) WHERE id = "
            "(SELECT min(id) FROM entry_version WHERE annotator = 'ann')",
        )
        assert store.worked_at()[Work("t1", "long", "ann")] >= after[Work("t1", "long", "ann")]


# On a server


@pytest.fixture
def database(server: Server) -> str:
    """A database of a team of six with sixty topics."""
    everybody = tuple(f"A{at}" for at in range(1, 7))
    name = server.make_database("pool")
    url = server.url_of(name)
    people = (*(Person(id=one) for one in everybody), Person(id="L", role="lead"))
    apply_setup(url, plan_setup(url, people, name="pool", who="admin"), {})
    with CorpusStore.open(url, who="admin") as store:
        store.add(addition_of(shared(60, everybody)), who="admin")
    return name


@pytest.mark.slow
def test_that_six_who_take_at_once_as_often_as_they_can_never_get_the_same(server, database):
    got: dict[str, list[str]] = {}

    def take(person: str) -> None:
        with CorpusStore.open(server.url_of(database, person), who=person) as store:
            got[person] = []
            for _ in range(8):
                taken, _ = store.take_next(who=person)
                got[person].append(taken.next.topic)
                begin(store, taken.next.topic, person)

    run_all(threading.Thread(target=take, args=(f"A{at}",)) for at in range(1, 7))
    topics = Counter(topic for found in got.values() for topic in found)
    assert (len(topics), set(topics.values())) == (48, {1})
    with CorpusStore.open(server.url_of(database), who="admin") as store:
        stored = Counter((one.topic, one.abstract) for one in store.corpus().assignments)
        assert set(stored.values()) == {1}
        assert not store.find_damage()


@pytest.mark.slow
def test_that_the_server_itself_lets_people_take_only_what_is_nobodys(server, database):
    import psycopg

    with CorpusStore.open(server.url_of(database, "A2"), who="A2") as store:
        store.take_next(who="A2")
    with CorpusStore.open(server.url_of(database, "A1"), who="A1") as store:
        taken, _ = store.take_next(who="A1")
        with pytest.raises(EnvironmentProblem, match="refuses that"):
            store.take_next(who="A3")
        store.undo(who="A1")
        store.redo(who="A1")
        before = store.corpus().assignments
    columns = "INSERT INTO assignment (position, topic, abstract, person, round) VALUES"
    for attempt in (
        f"{columns} (99, 't50', 'a', 'A2', 1)",
        f"{columns} (99, 't00', 'a', 'A1', 1)",
        f"{columns} (99, 't00', NULL, 'A1', 1)",
        f"{columns} (99, 't50', 'a', 'A1', 2)",
        "DELETE FROM assignment WHERE person = 'A2'",
        "UPDATE assignment SET person = 'A1'",
        "UPDATE corpus SET is_blind = false",
    ):
        url = server.url_of(database, "A1")
        with suppress(psycopg.Error), psycopg.connect(url, autocommit=True) as connection:
            assert connection.execute(attempt).rowcount == 0, attempt
    with CorpusStore.open(server.url_of(database, "A1"), who="A1") as store:
        assert store.corpus().assignments == before
    assert taken.next.taken
