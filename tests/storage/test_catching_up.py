"""Digests and versions for what older programs wrote: a few topics are held at a time."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from shutil import copyfile, rmtree
from typing import Any

import pytest
from hypothesis import example, given, settings
from sqlalchemy import Connection, Engine

from awase.core.errors import Cancelled, EnvironmentProblem
from awase.core.progress import Silent
from awase.storage.databases import sqlite
from awase.storage.databases.access import rows_understood
from awase.storage.log import rows
from awase.storage.opening import missing_digests, seeding
from awase.storage.opening.backups import backup_folder
from awase.storage.opening.missing_digests import catch_up
from awase.storage.opening.seeding import seed
from awase.storage.rows.versions import read_versions
from awase.storage.store import CorpusStore
from tests.laws import tries
from tests.oracles.catching_up import catch_up_in_memory, seed_in_memory
from tests.storage.older_programs import (
    ACTS,
    DAMAGE,
    HIDDEN_DAMAGE,
    OLDER_ACTS,
    Act,
    as_format_1_1,
    do,
    without_digests,
    without_seed,
)
from tests.storage.sample import addition, edit

AT = "2026-11-26T00:00:00.000+00:00"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A corpus of three topics in which examples are tried and taken back."""
    path = tmp_path_factory.mktemp("caught") / "corpus.awase"
    CorpusStore.create(path, name="c", who="ann", addition=addition("t1", "t2", "t3")).close()
    engine = sqlite.engine_to_write(path)
    yield sqlite.for_writing(engine)
    engine.dispose()


@pytest.fixture(scope="module", autouse=True)
def _few_at_a_time() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module in (missing_digests, seeding):
            patch.setattr(module, "TOPICS_AT_ONCE", 2)
        for module in (rows, seeding):
            patch.setattr(module, "ROWS_AT_ONCE", 2)
        patch.setattr(missing_digests, "now", lambda: AT)
        yield


_SPOKEN = {
    "topic": "SELECT key, text_digest, digest FROM topic ORDER BY position",
    "corpus": "SELECT digest FROM corpus",
    "operation": "SELECT id, digest FROM operation ORDER BY id",
}


def _outcome(connection: Connection, does: Callable[[Connection], Any]) -> list[object]:
    """Returns what is stored and said when something was done, which is taken back."""
    moment = connection.begin_nested()
    try:
        with rows_understood("corpus"):
            said = does(connection)
        stored = [connection.exec_driver_sql(query).tuples().all() for query in _SPOKEN.values()]
        return [said, *stored, [*read_versions(connection).items()]]
    except EnvironmentProblem as error:
        return [str(error)]
    finally:
        moment.rollback()


def _topics_told(connection: Connection) -> list[str]:
    told = [problem.fields["topics"] for problem in catch_up(connection, Silent())]
    return str(told[0]).split(", ") if told else []


@settings(max_examples=tries(200))
@given(before=ACTS, hidden=HIDDEN_DAMAGE, older=OLDER_ACTS, damage=DAMAGE)
@example(  # an entry that had changed before it was edited
    before=[Act("entry", 1, 0)], hidden=[Act("note", 1, 0)], older=[Act("entry", 1, 2)], damage=[]
)
@example(  # what an import may have brought that is no topic's
    before=[], hidden=[], older=[Act("import", 1, 0)], damage=[Act("name", 1, 0)]
)
def test_that_topic_by_topic_the_same_is_taken_note_of_as_with_all_of_them_in_memory(
    engine: Engine, before: list[Act], hidden: list[Act], older: list[Act], damage: list[Act]
) -> None:
    with engine.connect() as connection:
        for act in (*before, *hidden):
            do(connection, act)
        with without_digests(connection):
            for act in older:
                do(connection, act)
        for act in damage:
            do(connection, act)
        found = _outcome(connection, _topics_told)
        assert found == _outcome(connection, lambda one: catch_up_in_memory(one, at=AT))


@settings(max_examples=tries(100))
@given(acts=ACTS, damage=DAMAGE)
@example(  # an entry of a topic that has gone
    acts=[Act("entry", 1, 0), Act("remove", 1, 0)], damage=[]
)
def test_that_a_conversion_topic_by_topic_makes_what_one_in_memory_makes(
    engine: Engine, acts: list[Act], damage: list[Act]
) -> None:
    with engine.connect() as connection:
        for act in (*acts, *damage):
            do(connection, act)
        without_seed(connection)
        found = _outcome(connection, lambda one: seed(one, Silent()))
        assert found == _outcome(connection, seed_in_memory)


@pytest.fixture
def behind(path: Path) -> Path:
    """A file of three topics into which a program without digests has written."""
    CorpusStore.create(path, name="c", who="ann", addition=addition("t1", "t2", "t3")).close()
    engine = sqlite.engine_to_write(path)
    with sqlite.for_writing(engine).begin() as connection, without_digests(connection):
        for act in (Act("entry", 1, 0), Act("rank", 2, 2), Act("remove", 0, 0), Act("undo", 0, 0)):
            do(connection, act)
    engine.dispose()
    return path


@pytest.fixture
def older(path: Path) -> Path:
    """A file of three topics of format 1.1."""
    with CorpusStore.create(path, name="c", who="ann", addition=addition("t1", "t2", "t3")) as made:
        made.apply(edit(), who="ann")
    return as_format_1_1(path)


class _Told:
    """A reporter that stops the work at one of its reports; None = at none."""

    def __init__(self, stops_at: int | None = None) -> None:
        self._stops_at = stops_at
        self.topics: set[str] = set()
        self.n_reports = 0

    def advance(self, done: int, total: int, what: str = "") -> None:
        assert 0 <= done <= total
        self.topics.add(what)
        self.n_reports += 1
        if self.n_reports - 1 == self._stops_at:
            raise Cancelled


@pytest.mark.parametrize("name", ["behind", "older"])
def test_that_a_stop_leaves_a_file_of_an_older_program_as_it_was(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    path: Path = request.getfixturevalue(name)
    copy, told = copyfile(path, tmp_path / "copy.awase"), _Told()
    CorpusStore.open(copy, who="ann", reporter=told).close()
    assert {"t1", "t2", "t3"} <= told.topics
    before = path.read_bytes()
    for at in range(told.n_reports):
        rmtree(backup_folder(path), ignore_errors=True)
        with pytest.raises(Cancelled):
            CorpusStore.open(path, who="ann", reporter=_Told(at))
        assert path.read_bytes() == before
    with CorpusStore.open(path, who="ann") as store:
        assert not store.find_damage()
        assert [topic.id for topic in store.corpus().topics] == ["t1", "t2", "t3"]


def test_that_an_old_file_that_cannot_be_read_is_told_of_and_not_converted(older: Path) -> None:
    with closing(sqlite3.connect(older)) as connection:
        connection.execute("UPDATE sentence_alignment SET alternatives = '['")
        connection.commit()
    before = older.read_bytes()
    with pytest.raises(EnvironmentProblem, match="damaged"):
        CorpusStore.open(older, who="ann")
    assert older.read_bytes() == before
