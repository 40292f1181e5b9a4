from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from awase.core.errors import CorpusFormatError, InputError
from awase.core.metrics.kit.annotators import is_decided
from awase.core.metrics.kit.means import TopicsOfMeans
from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.alignment import SentenceAlignment
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import Addition, merge
from awase.core.records.gold import GoldEntry, GoldOrigin
from awase.core.records.output import Output
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import (
    TopicsOnDemand,
    annotators_of,
    shapes_of,
)
from awase.storage.databases.querying import Readable
from awase.storage.rows import on_demand
from awase.storage.rows.on_demand import topics_in_order
from awase.storage.store import CorpusStore
from tests.building import extract, text, topic
from tests.storage.sample import LINKED, addition, edit, rank_edit

IDS = tuple(f"t{number}" for number in range(1, 6))


def _made(path: Path) -> CorpusStore:
    return CorpusStore.create(path, name="many", who="ann", addition=addition(*IDS))


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


def test_that_a_corpus_can_be_closed_while_somebody_goes_through_its_shapes(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(on_demand, "SHAPES_AT_ONCE", 2)
    with _made(path) as store:
        shapes = iter(shapes_of(store.corpus_on_demand().topics))
        seen = [next(shapes).id]
        closing = Thread(target=store.close, daemon=True)
        closing.start()
        closing.join(60)
        assert not closing.is_alive()
    with pytest.raises(RuntimeError, match="closed"):
        seen.extend(one.id for one in shapes)
    assert seen == ["t1", "t2"]


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


def _joining(topic_id: str) -> Addition:
    output = text("new", "One.", "Two.")
    return Addition(
        topics=(replace(topic(), id="behind"),),
        ranks=(("D", 0.25),),
        outputs=((topic_id, output),),
    )


def _read_topics(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns where the ids of topics will be noted that are read whole."""
    noted: list[str] = []

    def read(connection: Readable, ids: Sequence[str], **how: bool) -> tuple[Topic, ...]:
        noted.extend(ids)
        return topics_in_order(connection, ids, **how)

    monkeypatch.setattr(on_demand, "topics_in_order", read)
    return noted


def test_that_an_import_and_its_undoing_read_the_topics_they_name(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    joining = replace(_joining("t4"), ranks=())
    with _made(path) as store:
        before = store.corpus()
        noted = _read_topics(monkeypatch)
        store.add(joining, who="ann")
        assert store.corpus() == merge(before, joining)
        store.undo(who="ann")
        assert store.corpus() == before
    assert {*noted} == {"t4", "behind"}


def test_that_undoing_an_import_leaves_no_topic_with_a_rank_that_lost_its_weight(path: Path):
    with _made(path) as store:
        store.add(_joining("t4"), who="ann")
        store.apply(replace(rank_edit("D"), topic="t2"), who="bob")
        with pytest.raises(InputError, match="Rank “D” has no weight"):
            store.undo(who="ann")


def test_that_a_corpus_on_demand_is_joined_as_one_in_memory_is(path: Path):
    with _made(path) as store:
        whole, held = store.corpus(), store.corpus_on_demand()
        twice = [merge(merge(one, _joining("t4")), replace(_joining("t1"), topics=()))
                 for one in (whole, held)]  # fmt: skip
        assert isinstance(twice[1].topics, TopicsOnDemand)
        assert twice[0] == replace(twice[1], topics=tuple(twice[1].topics))
        assert twice[1].topic("behind") == twice[0].topic("behind")
        odd = replace(topic(), id="odd", abstracts=(
            Abstract(id="a", sentences=(AbstractSentence(n=1, text="x", rank="Z"),)),
        ))  # fmt: skip
        bad = (
            Addition(topics=(odd,)),
            Addition(topics=(whole.topics[0],)),
            Addition(outputs=(("nowhere", text("s", "x")),)),
        )
        for addition_ in bad:
            told = []
            for one in (whole, held):
                with pytest.raises(CorpusFormatError) as error:
                    merge(one, addition_)
                told.append(str(error.value))
            assert told[0] == told[1]
