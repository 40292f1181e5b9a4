"""Files in odd places, and stores in many hands."""

import os
import threading
from pathlib import Path

import pytest

from awase.core.errors import EnvironmentProblem, Silent
from awase.storage.addresses import ServerPlace, has_password, is_url, place_of, without_password
from awase.storage.store import CorpusStore
from tests.in_part import in_part, in_turn
from tests.storage.sample import LINKED, addition, edit
from tests.threads import run_all

NAMES = [
    "a b.awase",
    "100%.awase",
    "a#b?mode=memory&c.awase",
    "%2e%41.awase",
    "[1]*?.awase",
    "コーパス（第２版）.awase",
    "quo'te\".awase",
    "no suffix",
    ".hidden",
    "-wal",
]
HARD = "a#b?mode=memory&c.awase"


@pytest.mark.parametrize("name", in_part(NAMES, by_default=lambda name: name == HARD))
def test_that_a_file_may_have_any_name(tmp_path, name):
    path = tmp_path / name / name
    path.parent.mkdir()
    with CorpusStore.create(path, name=name, who="ann", addition=addition()) as store:
        store.apply(edit(LINKED), who="ann")
    with CorpusStore.open(path, who="ann") as store:
        assert store.topic("t1").abstracts[0].alignments[0].sentences == (LINKED,)
        store.undo(who="ann")
    with CorpusStore.open(path, who="ann", read_only=True) as reader:
        assert reader.corpus().topics == addition().topics
    left = {file.name for file in path.parent.iterdir()}
    assert left == {name, f"{name}-lock", f"{name}-backups"}


@pytest.mark.skipif(os.name != "posix", reason="names are bytes only on POSIX")
def test_that_a_file_name_need_not_be_unicode(tmp_path):
    path = Path(os.fsdecode(bytes(tmp_path) + b"/caf\xe9.awase"))
    with CorpusStore.create(path, name="x", who="ann", addition=addition()) as store:
        store.apply(edit(LINKED), who="ann")
        assert store.corpus().topics


def test_that_creating_leaves_the_neighbours_alone(tmp_path):
    neighbour = tmp_path / ".other.awase.part"
    neighbour.write_bytes(b"in the making")
    CorpusStore.create(tmp_path / "*.awase", name="x", who="ann").close()
    assert neighbour.read_bytes() == b"in the making"


def test_that_a_relative_path_stays_the_same_file(stored, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(tmp_path)
    with (
        CorpusStore.open(stored.name, who="ann") as store,
        CorpusStore.open(stored.name, who="ann", read_only=True) as reader,
    ):
        monkeypatch.chdir(elsewhere)
        store.apply(edit(LINKED), who="ann")
        assert reader.corpus() == store.corpus()
        assert store.location == str(tmp_path / stored.name)
    assert list(elsewhere.iterdir()) == []


def test_that_a_link_leads_to_one_corpus_with_its_side_files(stored, tmp_path):
    folder = tmp_path / "links"
    folder.mkdir()
    link = folder / "link.awase"
    link.symlink_to(stored)
    with CorpusStore.open(link, who="ann") as store:
        store.apply(edit(LINKED), who="ann")
        assert store.location == str(link)
    assert [file.name for file in folder.iterdir()] == ["link.awase"]
    with CorpusStore.open(stored, who="ann") as store:
        assert len(store.history("ann").done) == 1


def test_that_a_drive_is_not_taken_for_a_server():
    assert not is_url("C://corpora/x.awase")
    assert not is_url(Path("postgresql://host/x"))
    assert is_url("postgresql://host/x")


@pytest.mark.parametrize(
    "url", ["sqlite:///x.awase", "mysql://host/x", "postgresql//x://y", "ab://["]
)
def test_that_an_address_of_anything_else_is_refused_in_words(url, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EnvironmentProblem, match=r"is not the address of a corpus|no file"):
        CorpusStore.open(url, who="ann")


class _Import(Silent, threading.Thread):
    """An import under way, which waits in the middle of its transaction until it may go on."""

    def __init__(self, store: CorpusStore) -> None:
        threading.Thread.__init__(self)
        self.store, self.begun, self.may_go_on = store, threading.Event(), threading.Event()
        self.start()
        assert self.begun.wait(60)

    def run(self) -> None:
        self.store.add(addition("t2"), who="ann", reporter=self)

    def advance(self, done: int, total: int, what: str = "") -> None:
        self.begun.set()
        assert self.may_go_on.wait(60)


def test_that_a_thread_reads_while_another_imports(store):
    job = _Import(store)
    seen = store.corpus()
    history = store.history("ann")
    job.may_go_on.set()
    job.join()
    assert [topic.id for topic in seen.topics] == ["t1"]
    assert history.done == ()
    assert [topic.id for topic in store.corpus().topics] == ["t1", "t2"]


@pytest.mark.slow
def test_that_closing_waits_for_a_thread_that_writes(store, stored):
    job = _Import(store)
    closing = threading.Thread(target=store.close)
    closing.start()
    job.may_go_on.set()
    closing.join()
    job.join()
    with CorpusStore.open(stored, who="ann") as again:
        assert [topic.id for topic in again.corpus().topics] == ["t1", "t2"]


@pytest.mark.slow
def test_that_many_threads_write_one_after_the_other(store):
    people = [f"p{person_idx}" for person_idx in range(6)]
    run_all(
        threading.Thread(target=store.apply, args=(edit(annotator=who),), kwargs={"who": who})
        for who in people
    )
    alignments = store.topic("t1").abstracts[0].alignments
    assert sorted(alignment.annotator for alignment in alignments) == people


def test_that_a_closed_store_is_not_used_again(store):
    store.close()
    store.close()
    for use in (store.corpus, lambda: store.apply(edit(), who="ann")):
        with pytest.raises(RuntimeError, match="closed"):
            use()


@in_turn(
    ("typed", "shown"),
    [
        ("postgresql://ann:s3cret@host/db", "postgresql://ann:***@host/db"),
        ("postgresql://ann:s3/cr@et@host:5/db", "postgresql://ann:***@host:5/db"),
        ("postgresql://ann:s3?cret@host/db", "postgresql://ann:***@host/db"),
        ("postgresql://:s3cret@host/db", "postgresql://:***@host/db"),
        ("postgresql://ann@host/db?password=s3cret", "postgresql://ann@host/db?password=***"),
        (
            "postgresql://h/db?a=1&PASS%77ORD=s3cret&sslpassword=s3cret&b=2",
            "postgresql://h/db?a=1&PASS%77ORD=***&sslpassword=***&b=2",
        ),
        ("mysql://ann:s3cret@host/db", "mysql://ann:***@host/db"),
        ("postgresql:/ann:s3cret@host/db", "postgresql:/ann:***@host/db"),
        ("postgresql:///ann:s3cret@host/db", "postgresql:///ann:***@host/db"),
        ("Postgres:ann:s3cret@host/db", "Postgres:ann:***@host/db"),
        (
            "“postgresql://ann:s3cret@host/db” and “postgresql://bob@host/db?x=1”",
            "“postgresql://ann:***@host/db” and “postgresql://bob@host/db?x=1”",
        ),
    ],
)
def test_that_a_password_is_masked_wherever_it_stands(typed, shown):
    assert without_password(typed) == shown
    assert without_password(shown) == shown
    assert has_password(typed)
    assert has_password(shown)


@in_turn(
    "location", ["/a/b:c@d.awase", "postgresql://ann@host:5432/db", "C://x", "postgresql:///db?a=1"]
)
def test_that_what_holds_no_password_is_shown_as_it_is(location):
    assert without_password(location) == location
    assert not has_password(location)


def test_that_the_parts_of_an_address_are_as_they_are_typed_and_make_it_again():
    place = ServerPlace(host="db", port=5433, database="tsc", user="a@b")
    address = "postgresql://a%40b:p%2Fw@db:5433/tsc"
    assert place_of(address) == (place, "p/w")
    assert place_of(place.location()) == (place, "")
    assert place_of(without_password(address)) == (place, "")
