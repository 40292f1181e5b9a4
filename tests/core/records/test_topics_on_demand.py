from collections.abc import Sequence
from dataclasses import replace

import pytest

from awase.core.errors import Cancelled, InputError
from awase.core.records.corpus import Corpus
from awase.core.records.human_score import HumanScore
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import (
    TopicsOnDemand,
    chosen_of,
    each_of,
    ids_of,
    portions_of,
    telling,
)

ALL = tuple(Topic(id=f"t{idx}") for idx in range(5))


class Shelf:
    """Gives topics, and remembers which were asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []

    def read(self, ids: Sequence[str]) -> list[Topic]:
        self.asked.append(tuple(ids))
        return [topic for wanted in ids for topic in ALL if topic.id == wanted]


def _lazy(shelf: Shelf, **more: int) -> TopicsOnDemand:
    return TopicsOnDemand([topic.id for topic in ALL], shelf.read, **more)


def test_that_topics_on_demand_are_the_same_as_those_in_memory():
    lazy = _lazy(Shelf(), at_once=2)
    assert tuple(lazy) == ALL
    assert [lazy[idx] for idx in (0, 4, -1)] == [ALL[0], ALL[4], ALL[-1]]
    assert lazy[1:4] == ALL[1:4]
    assert lazy == ALL
    assert lazy != ALL[:4]
    assert lazy != (*ALL[:4], Topic(id="t4", title="x"))


def test_that_nothing_is_read_before_it_is_asked_for():
    shelf = Shelf()
    lazy = _lazy(shelf)
    assert (len(lazy), ids_of(lazy)) == (5, ("t0", "t1", "t2", "t3", "t4"))
    chosen_of(lazy, {"t1"}), each_of(lazy, lambda topic: topic), lazy[2:]
    assert shelf.asked == []


def test_that_topics_tell_where_they_stand_whenever_they_are_read():
    told: list[tuple[int, int, str]] = []

    class Listening:
        def advance(self, done: int, total: int, what: str = "") -> None:
            told.append((done, total, what))
            if len(told) > 10:
                raise Cancelled

    topics = telling(_lazy(Shelf(), at_once=2), Listening())
    assert [*portions_of(topics)] == [*portions_of(_lazy(Shelf(), at_once=2))]
    one_passage = [(idx, 5, f"t{idx}") for idx in range(5)]
    assert told == one_passage
    assert tuple(topics) == ALL
    assert told == one_passage * 2
    with pytest.raises(Cancelled):
        tuple(topics)
    assert telling(ALL, Listening()) is ALL


def test_that_whoever_goes_through_all_gets_portions():
    shelf = Shelf()
    portions = [*portions_of(_lazy(shelf, at_once=2))]
    assert shelf.asked == [("t0", "t1"), ("t2", "t3"), ("t4",)]
    assert [len(one) for one in portions] == [2, 2, 1]


def test_that_topics_in_memory_are_one_portion():
    assert [*portions_of(ALL)] == [ALL]
    assert [*portions_of(())] == []


def test_that_the_topics_asked_for_last_are_held():
    shelf = Shelf()
    lazy = _lazy(shelf, kept=2)
    for topic_id in ("t0", "t1", "t0", "t2", "t0", "t1"):
        lazy.by_id(topic_id)
    assert shelf.asked == [("t0",), ("t1",), ("t2",), ("t1",)]
    assert lazy.by_id("nowhere") is None


@pytest.mark.parametrize("topics", [ALL, _lazy(Shelf())], ids=["in memory", "on demand"])
def test_that_topics_are_chosen_in_the_order_they_stand_in(topics: Sequence[Topic]):
    assert ids_of(chosen_of(topics, ["t3", "t1", "t9"])) == ("t1", "t3")
    titled = each_of(topics, lambda topic: replace(topic, title="x"))
    assert [topic.title for topic in titled] == ["x"] * 5
    assert tuple(chosen_of(titled, ["t3"])) == (Topic(id="t3", title="x"),)


def test_that_a_corpus_of_topics_on_demand_reads_none_to_check_the_rest():
    shelf = Shelf()
    score = HumanScore(topic="t3", system="s", measure="m", value=1.0)
    corpus = Corpus(topics=_lazy(shelf), human_scores=(score,))
    assert shelf.asked == []
    assert corpus.topic("t3") == ALL[3]
    assert shelf.asked == [("t3",)]
    with pytest.raises(InputError, match="no topic"):
        replace(corpus, human_scores=(replace(score, topic="t9"),))
