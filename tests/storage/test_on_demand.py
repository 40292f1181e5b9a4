from dataclasses import replace
from pathlib import Path

import pytest

from awase.core.metrics.kit.annotators import is_decided
from awase.core.metrics.kit.means import TopicsOfMeans
from awase.core.records.alignment import SentenceAlignment
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import Addition
from awase.core.records.gold import GoldEntry, GoldOrigin
from awase.core.records.output import Output
from awase.core.records.topics_on_demand import (
    TopicsOnDemand,
    annotators_of,
    shapes_of,
)
from awase.storage.store import CorpusStore
from tests.building import extract, text, topic
from tests.storage.sample import LINKED, addition, edit

IDS = tuple(f"t{number}" for number in range(1, 6))


def _made(path: Path) -> CorpusStore:
    return CorpusStore.create(path, name="many", who="ann", addition=addition(*IDS))


def test_that_titles_list_topics_in_their_order(path: Path):
    with _made(path) as store:
        assert store.titles() == tuple((one, "") for one in IDS)


def test_that_topics_come_in_the_order_asked_for_and_what_is_gone_is_left_out(path: Path):
    with _made(path) as store:
        found = store.topics(["t4", "nowhere", "t2"])
        assert found == (store.topic("t4"), store.topic("t2"))


def test_that_a_corpus_on_demand_equals_the_one_in_memory(path: Path):
    with _made(path) as store:
        on_demand = store.corpus_on_demand()
        assert isinstance(on_demand.topics, TopicsOnDemand)
        assert on_demand == store.corpus()


def test_that_a_corpus_on_demand_shows_an_edit_to_whoever_asks_anew(path: Path):
    with _made(path) as store:
        store.apply(edit(LINKED), who="ann")
        assert store.corpus_on_demand().topic("t1") == store.topic("t1")


def test_that_a_snapshot_does_not_see_what_is_written_meanwhile(path: Path):
    with _made(path) as store, CorpusStore.open(path, who="", read_only=True) as reader:
        before = store.corpus()
        with reader.snapshot(many=2) as seen:
            assert isinstance(seen.topics, TopicsOnDemand)
            store.apply(edit(LINKED), who="ann")
            assert seen == before
        with reader.snapshot(many=5) as seen:
            assert isinstance(seen.topics, tuple)
            assert seen != before


def test_that_shapes_tell_names_without_texts(path: Path):
    first = topic(
        "t1",
        docs=3,
        links={"A1": "s1|s2", "A2": "s3"},
        outputs=[
            extract("lead", "s1", length="short"),
            text("writer", "x", references=[["y"]]),
        ],
    )
    decided = GoldEntry(entry=SentenceAlignment(n=1), origin=GoldOrigin.EDITED)
    second = replace(first, id="t2", abstracts=(replace(first.abstracts[0], gold=(decided,)),))
    made = Addition(topics=(first, second))
    with CorpusStore.create(path, name="many", who="ann", addition=made) as store:
        whole, lazy = store.corpus(), store.corpus_on_demand()
        shapes = [*shapes_of(lazy.topics)]
    assert [one.id for one in shapes] == ["t1", "t2"]
    assert not any(one.documents for one in shapes)
    assert annotators_of(shapes) == annotators_of(whole.topics) == ("A1", "A2")
    assert [is_decided(Corpus(topics=(one,))) for one in shapes] == [False, True]
    for shape, full in zip(shapes, whole.topics, strict=True):
        assert [_output_name(one) for one in shape.outputs] == [
            _output_name(one) for one in full.outputs
        ]
        assert [one.length for one in shape.abstracts] == [one.length for one in full.abstracts]
    assert TopicsOfMeans(shapes).facts(None) == TopicsOfMeans(whole.topics).facts(None)


def _output_name(output: Output) -> tuple[object, ...]:
    return type(output), output.system, output.length, output.references is not None


@pytest.mark.parametrize("many", [0, 1000])
def test_that_what_a_reader_of_a_snapshot_raises_is_no_fault_of_the_file(stored, many) -> None:
    def fail() -> None:
        raise ValueError("a fault in a metric")

    with CorpusStore.open(stored, who="", read_only=True) as store:
        with pytest.raises(ValueError, match="a fault in a metric"), store.snapshot(many):
            fail()
        with store.snapshot(many) as corpus:
            assert [one.id for one in corpus.topics] == [one.id for one in store.corpus().topics]
