"""Changes of many topics are made whole or not at all, stopped and undone."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.building import abstract, corpus, extract, text, topic
from tests.in_part import in_part
from tests.reporters import Heard
from tests.stored import corpus_file

from awase.core.annotation import content
from awase.core.errors import Cancelled, Reporter, Silent
from awase.core.records.addition import Addition
from awase.core.records.corpus import Corpus, Person
from awase.core.records.edits import REMOVE_SYSTEMS
from awase.core.records.topic import HumanScore
from awase.core.team.assigning import AssignmentRequest, assigned, handed_over
from awase.core.team.handing_out import SecondReadingRequest, next_for_each, read_again
from awase.jobs.team.assisting import with_assist
from awase.storage.store import CorpusStore

N_TOPICS = 90
_LINKS = {"1": "s1|s2;s3", "2": "s3;!s1"}
WHOLE = replace(
    corpus(
        *(
            topic(
                f"t{n:02}",
                docs=["What was built", "Who built the ship", "A tomb was found"],
                abstracts=(abstract("a", _LINKS, texts=["What was built", "A tomb"]),),
                outputs=[extract("lead", "s1"), text("writer", "One."), extract("best", "s2")],
            )
            for n in range(1, N_TOPICS)
        ),
        topic("t90", docs=2, abstracts=(abstract("a", texts=["What was built", "A tomb"]),)),
        scores=[HumanScore(topic="t03", system="lead", measure="m", value=1.0)],
        name="many",
    ),
    persons=(Person(id="1", role="lead"), Person(id="2"), Person(id="3")),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return corpus_file(tmp_path / "many.awase", WHOLE)


_CHANGES: dict[str, Callable[[Corpus], Corpus]] = {
    "systems": partial(content.without_systems, systems=["lead", "best"]),
    "level": partial(with_assist, level=3),
    "work": lambda whole: assigned(whole, AssignmentRequest(people=("2", "3"), overlap=20)),
    "next": partial(next_for_each, people=["3"]),
    "again": lambda whole: read_again(
        whole, SecondReadingRequest(people=("1",), share=50, seed=1), {}
    ),
    "over": lambda whole: handed_over(
        assigned(whole, AssignmentRequest(people=("3",))), person="3"
    ),
    "weights": lambda whole: replace(
        whole, rank_weights=tuple((rank, 2 * weight) for rank, weight in whole.rank_weights)
    ),
}


@pytest.mark.slow
def test_that_a_change_of_the_whole_is_stored_undone_and_made_again(path):
    with CorpusStore.open(path, who="1") as store:
        for name, change in _CHANGES.items():
            store.change(change, verb="edit_project", names=(name,), who="1")
            store.undo(who="1")
            assert store.corpus() == WHOLE, name
            store.redo(who="1")
            assert store.corpus() == change(WHOLE) != WHOLE, name
            store.undo(who="1")
        assert not store.find_damage()


_EXTRACTS = Addition(
    outputs=tuple((f"t{n:02}", extract("new", "s2")) for n in range(1, N_TOPICS + 1))
)


_ACTS: dict[str, Callable[[CorpusStore, Reporter], Any]] = {
    "change": lambda store, reporter: store.change(
        _CHANGES["systems"], verb=REMOVE_SYSTEMS, names=("lead", "best"), who="1",
        reporter=reporter,
    ),
    "import": lambda store, reporter: store.add(_EXTRACTS, who="1", reporter=reporter),
    "undo": lambda store, reporter: store.undo(who="1", reporter=reporter),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", in_part(_ACTS))
def test_that_what_is_stopped_half_way_leaves_the_corpus_as_it_was(path, name):
    with CorpusStore.open(path, who="1") as store:
        if name == "undo":
            _ACTS["change"](store, Silent())
        before, state = store.corpus(), store.state()
        for after in (0, 1, N_TOPICS // 2, N_TOPICS - 2):
            with pytest.raises(Cancelled):
                _ACTS[name](store, Heard(calls=after))
            assert (store.corpus(), store.state()) == (before, state)
        assert not store.find_damage()
        _ACTS[name](store, Silent())
        assert store.state() != state
