"""An import, however long, is one row of the log, whose value is packed where it is long."""

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from awase.core.annotation import verbs
from awase.core.annotation.corpus_edits import without_topics
from awase.core.records.addition import Addition, merge
from awase.core.records.alignment import AlignmentState
from awase.core.records.corpus import Corpus
from awase.core.records.output import HumanScore
from awase.core.records.project import Assignment, Person
from awase.storage.entries import StaleEdit
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


def _import(store: CorpusStore) -> None:
    store.add(_MORE, who="ann", source="more.json")


def _remove(store: CorpusStore) -> None:
    change = partial(without_topics, ids=[one.id for one in _NEW[1:]])
    store.change(change, verb=verbs.REMOVE_TOPICS, names=["most"], who="ann")


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


@pytest.mark.slow
def test_that_long_edits_are_one_step_each_to_be_undone_and_made_again(stored):
    states = _steps(stored)
    assert states[1] == merge(states[0], _MORE)
    assert states[2] == without_topics(states[1], [one.id for one in _NEW[1:]])
    with CorpusStore.open(stored, who="ann") as store:
        assert [one.edit.verb for one in store.history("ann").done] == ["import", "remove_topics"]
        assert store.undo(who="ann").topics == {one.id for one in _NEW[1:]}
        assert store.corpus() == states[1]
        store.undo(who="ann")
        assert store.corpus() == states[0]
        for state in states[1:]:
            store.redo(who="ann")
            assert store.corpus() == state
        assert store.find_damage() == ()


@pytest.mark.slow
def test_that_somebodys_work_on_a_part_keeps_all_from_being_undone(stored):
    with CorpusStore.open(stored, who="ann") as store:
        _import(store)
        done = entry(1, state=AlignmentState.NO_SOURCE)
        store.apply(edit(done, topic="n00", abstract="a"), who="bob")
        before = store.corpus()
        with pytest.raises(StaleEdit):
            store.undo(who="ann")
        assert store.corpus() == before
        store.undo(who="bob")
        store.undo(who="ann")


@pytest.mark.slow
def test_that_an_edit_of_many_topics_is_one_row_of_the_log(stored):
    before = _kinds(stored)
    _steps(stored)
    assert _kinds(stored) == [*before, "edit", "edit"]
