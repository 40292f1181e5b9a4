"""An edit that is too long for a row of the log is undone and made again as one that is not."""

import shutil
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from awase.core.annotation.corpus_edits import without_topics
from awase.core.errors import EnvironmentProblem
from awase.core.records.alignment import AlignmentState
from awase.core.records.corpus import Corpus
from awase.core.records.edits import verbs
from awase.core.records.edits.addition import Addition, merge
from awase.core.records.human_score import HumanScore
from awase.core.records.project import Assignment, Person
from awase.storage.changing import adding
from awase.storage.changing.conflicts import StaleEdit
from awase.storage.log.logged_edits import unlogged
from awase.storage.log.operations import PORTION
from awase.storage.store import CorpusStore
from tests.building import abstract, extract, topic
from tests.storage.sample import edit, entry

_NEW = tuple(
    topic(f"n{n:02}", docs=3, abstracts=[abstract("a", texts=["One.", "Two."], ranks=["A", "Z"])])
    for n in range(12)
)
_MORE = Addition(
    topics=_NEW,
    ranks=(("Z", 0.125),),
    outputs=(("t1", extract("new")), ("n03", extract("new", "s1"))),
    human_scores=(HumanScore(topic="n11", system="new", measure="m", value=1.0),),
    persons=(Person(id="ann"),),
    assignments=(Assignment(topic="n00", person="ann"),),
)


@pytest.fixture
def long(stored: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus in whose log every edit of two topics is long."""
    monkeypatch.setattr(adding, "PORTION_LETTERS", 1_500)
    return stored


def _import(store: CorpusStore) -> None:
    store.add(_MORE, who="ann", source="more.json")


def _remove(store: CorpusStore) -> None:
    change = partial(without_topics, ids=[one.id for one in _NEW[1:]])
    store.change(change, verb=verbs.REMOVE_TOPICS, subject="most", who="ann")


def _kinds(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [kind for (kind,) in connection.execute("SELECT kind FROM operation ORDER BY id")]


def _steps(path: Path) -> list[Corpus]:
    """Returns the corpus before an import, after it and after a removal, both logged."""
    states = []
    with CorpusStore.open(path, who="ann") as store:
        for act in (_import, _remove):
            states.append(store.corpus())
            act(store)
        states.append(store.corpus())
    return states


def test_that_long_edits_are_one_step_each_to_be_undone_and_made_again(long: Path) -> None:
    states = _steps(long)
    assert states[1] == merge(states[0], _MORE)
    assert states[2] == without_topics(states[1], [one.id for one in _NEW[1:]])
    assert _kinds(long).count(PORTION) >= 6
    with CorpusStore.open(long, who="ann") as store:
        assert [one.edit.verb for one in store.history("ann").done] == ["import", "remove_topics"]
        assert store.undo(who="ann").topics == {one.id for one in _NEW[1:]}
        assert store.corpus() == states[1]
        store.undo(who="ann")
        assert store.corpus() == states[0]
        for state in states[1:]:
            store.redo(who="ann")
            assert store.corpus() == state
        assert store.find_damage() == ()


def test_that_what_is_done_is_told_once_however_long_it_is(long: Path, path: Path) -> None:
    shutil.copy(long, path.with_name("copy.awase"))
    _steps(long)
    with CorpusStore.open(long, who="ann", read_only=True) as store:
        rows = store.log_rows()
    assert [row["verb"] for row in rows][-2:] == ["import", "remove_topics"]
    assert PORTION not in {row["kind"] for row in rows}
    with CorpusStore.open(path.with_name("copy.awase"), who="bob") as store:
        portions = [{**rows[-1], "kind": PORTION, "id": 99, "at": "then"}]
        assert store.join_log([*rows, *portions], "elsewhere") == 2


def test_that_somebodys_work_on_one_portion_keeps_all_from_being_undone(long: Path) -> None:
    with CorpusStore.open(long, who="ann") as store:
        _import(store)
        done = entry(1, state=AlignmentState.NO_SOURCE)
        store.apply(edit(done, topic="n00", abstract="a"), who="bob")
        before = store.corpus()
        with pytest.raises(StaleEdit):
            store.undo(who="ann")
        assert store.corpus() == before
        store.undo(who="bob")
        store.undo(who="ann")


def test_that_a_program_that_knows_no_portions_finds_no_value_to_undo(long: Path) -> None:
    _steps(long)
    with CorpusStore.open(long, who="ann", read_only=True) as store:
        for row in store.log_rows()[-2:]:
            with pytest.raises(ValueError, match="Expecting value"):
                unlogged(row)


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM operation WHERE id = (SELECT max(id) FROM operation WHERE kind = 'portion')",
        "UPDATE operation SET new = substr(new, 9) WHERE kind = 'portion'",
        "UPDATE operation SET old = substr(old, 1, 11) WHERE kind = 'edit'",
    ],
)
def test_that_nothing_is_undone_where_a_portion_is_damaged(long: Path, damage: str) -> None:
    with CorpusStore.open(long, who="ann") as store:
        _import(store)
        before = store.corpus()
        with closing(sqlite3.connect(long)) as connection:
            connection.execute(damage)
            connection.commit()
        with pytest.raises(EnvironmentProblem, match="is damaged"):
            store.undo(who="ann")
        assert store.corpus() == before


def test_that_a_short_edit_is_one_row_of_the_log(stored: Path) -> None:
    before = _kinds(stored)
    _steps(stored)
    assert _kinds(stored) == [*before, "edit", "edit"]
