from pathlib import Path

from awase.core.records.topics_on_demand import TopicOutline, TopicsOnDemand
from awase.storage.store import CorpusStore
from tests.storage.sample import LINKED, addition, edit

IDS = tuple(f"t{number}" for number in range(1, 6))


def _made(path: Path) -> CorpusStore:
    return CorpusStore.create(path, name="many", who="ann", addition=addition(*IDS))


def test_that_an_outline_lists_topics_without_their_texts(path: Path):
    with _made(path) as store:
        assert store.outline() == tuple(TopicOutline(id=one, language="ja") for one in IDS)


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
