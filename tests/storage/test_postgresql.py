"""The same store on a server; skipped where PostgreSQL's programs are not found."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

import pytest

from awase.core.errors import CorpusFormatError, EnvironmentProblem, InputError
from awase.core.records.abstract import Alignment
from awase.core.records.addition import Addition, AlignmentPart, addition_of
from awase.core.records.digests import EntryKey
from awase.core.records.source import SentenceRef
from awase.storage.edits import StaleEdit
from awase.storage.postgresql import connections
from awase.storage.store import CorpusStore
from tests.storage.sample import (
    CONFIRMED,
    LINKED,
    OF_THE_FIRST_FORMAT,
    REFS,
    addition,
    edit,
    entry,
    topic,
)
from tests.storage.servers import differences_to_schema, run_sql
from tests.threads import run_all

pytestmark = pytest.mark.slow


@pytest.fixture
def store(url: str) -> Iterator[CorpusStore]:
    with CorpusStore.create(url, name="team", who="ann", addition=addition()) as store:
        yield store


@pytest.mark.main
def test_that_a_corpus_is_created_once_with_the_declared_tables_and_read_by_others(store, url):
    store.apply(edit(LINKED), who="ann")
    with CorpusStore.open(url, who="bob", read_only=True) as reader:
        assert reader.corpus() == store.corpus()
        with pytest.raises(EnvironmentProblem, match="open read-only"):
            reader.apply(edit(), who="bob")
    with pytest.raises(EnvironmentProblem, match="already exists"):
        CorpusStore.create(url, name="y", who="ann")
    assert store.corpus().name == "team"
    assert differences_to_schema(url) == []


@pytest.mark.main
def test_that_an_older_corpus_on_a_server_is_converted(store, url):
    store.apply(edit(LINKED), who="ann")
    store.apply(edit(CONFIRMED, old=LINKED), who="ann")
    store.undo(who="ann")
    before, key = store.corpus(), EntryKey("t1", "long", "ann", 5)
    digests = [version.digest for version in store.ownership().versions[key]]
    store.close()
    run_sql(url, *OF_THE_FIRST_FORMAT)
    with CorpusStore.open(url, who="ann") as converted:
        assert converted.corpus() == before
        assert [version.digest for version in converted.ownership().versions[key]] == digests
        assert not converted.find_damage()
    run_sql(url, "UPDATE alembic_version SET version_num = '0003'")
    with pytest.raises(EnvironmentProblem, match="from before the first release"):
        CorpusStore.open(url, who="ann")


@pytest.mark.main
def test_that_an_ordinary_edit_goes_the_short_way_and_a_stale_or_impossible_one_is_refused(
    store, url, monkeypatch
):
    store.apply(edit(LINKED), who="ann")

    def refuse(*_: object) -> None:
        raise AssertionError("the long way")

    with CorpusStore.open(url, who="bob") as other, monkeypatch.context() as patch:
        patch.setattr("awase.storage.store.write_edit", refuse)
        newest = other.known_rows()
        made = store.apply(edit(CONFIRMED, old=LINKED), who="ann", active_ms=7)
        changes, rows = other.changes_after(newest)
        assert (changes.alignments, changes.by) == (made.alignments, ("ann",))
        assert len(rows - newest) == 1
        (alignment,) = other.topic("t1").abstracts[0].alignments
        assert alignment.sentences == (CONFIRMED,)
        patch.undo()
        other.apply(edit(replace(CONFIRMED, note="x"), old=CONFIRMED), who="bob")
        before = store.corpus(), store.known_rows()
        for old in (CONFIRMED, LINKED):
            with pytest.raises(StaleEdit):
                store.apply(edit(entry(5, (REFS[1],)), old=old), who="ann")
        now = replace(CONFIRMED, note="x")
        for new, words in (
            (replace(LINKED, rank="Z"), "has no weight"),
            (entry(5, (SentenceRef("d:1", 99),)), "has no sentence"),
            (replace(LINKED, n=77), "no sentence 77"),
            (entry(2**40, (REFS[0],)), "no sentence 1099511627776"),
        ):
            with pytest.raises(InputError, match=words):
                store.apply(edit(new, old=now if new.n == 5 else None), who="ann")
        assert (store.corpus(), store.known_rows()) == before
        later = count(10**6, 10)  # so that a connection has not been used for a while
        monkeypatch.setattr(connections, "monotonic", lambda: next(later))
        assert store.corpus() == before[0]
        cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE "
        run_sql(url, f"{cut} datname = current_database() AND pid <> pg_backend_pid()")
        store.apply(edit(LINKED, old=now), who="ann")
        imported = Alignment(annotator="ann", sentences=(entry(9), entry(5)))
        part = AlignmentPart(topic="t1", abstract="short", alignment=imported)
        store.add(Addition(alignments=(part,)), who="ann")
        more = edit(entry(9, REFS[:1]), old=entry(9), abstract="short")
        store.apply(more, who="ann")  # which sorts what came in another order
        assert [one.n for one in other.topic("t1").abstracts[1].alignments[0].sentences] == [5, 9]
        run_sql(url, "UPDATE alembic_version SET version_num = '9999'")
        with pytest.raises(EnvironmentProblem, match="newer version"):
            store.apply(edit(CONFIRMED, old=LINKED), who="ann")


def test_that_of_many_who_edit_the_same_sentence_at_once_one_does(url, store):
    stores = [CorpusStore.open(url, who=f"p{person_idx}") for person_idx in range(6)]
    outcomes: list[str] = []
    start = threading.Barrier(len(stores))

    def work(own: CorpusStore, who: str) -> None:
        start.wait()
        try:
            own.apply(edit(entry(5, (REFS[0],), note=who)), who=who)
            outcomes.append("done")
        except StaleEdit:
            outcomes.append("stale")

    run_all(
        threading.Thread(target=work, args=(own, f"p{person_idx}"))
        for person_idx, own in enumerate(stores)
    )
    for own in stores:
        own.close()
    assert sorted(outcomes) == ["done"] + ["stale"] * 5


def test_that_no_edit_is_lost_to_an_import_at_the_same_time(url, store):
    """The import rewrites the topic in which the others work."""
    annotators = [f"p{person_idx}" for person_idx in range(4)]
    start = threading.Barrier(len(annotators) + 1)

    def annotate(who: str) -> None:
        with CorpusStore.open(url, who=who) as own:
            start.wait()
            for n in (5, 2, 9):
                own.apply(edit(entry(n, (REFS[0],)), annotator=who), who=who)

    def add() -> None:
        with CorpusStore.open(url, who="admin") as own:
            start.wait()
            for output_idx in range(5):
                output = topic().outputs[0]
                more = type(output)(system=f"s{output_idx}", sentences=output.sentences)
                part = addition_of(own.corpus())
                own.add(type(part)(outputs=(("t1", more),)), who="admin")

    threads = [threading.Thread(target=annotate, args=(who,)) for who in annotators]
    threads.append(threading.Thread(target=add))
    run_all(threads)
    stored = store.topic("t1")
    assert sorted(a.annotator for a in stored.abstracts[0].alignments) == annotators
    assert {len(a.sentences) for a in stored.abstracts[0].alignments} == {3}
    assert len(stored.outputs) == 7


def test_that_a_failed_creation_leaves_an_empty_database(url):
    with pytest.raises(CorpusFormatError):
        CorpusStore.create(url, name="x", who="ann", addition=addition("t1", "t1"))
    with pytest.raises(EnvironmentProblem, match="is not an Awase corpus"):
        CorpusStore.open(url, who="ann")
    CorpusStore.create(url, name="x", who="ann").close()
