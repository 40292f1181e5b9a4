"""An index is made by another process, which is ended at any time and goes on where it was."""

from contextlib import closing
from pathlib import Path

import pytest
from tests.building import topic

from awase.core.errors import Cancelled
from awase.core.progress import Silent
from awase.core.records.edits.addition import Addition
from awase.jobs.supplies.search_index import catch_up, is_behind, known_index
from awase.storage.search.topic_index import TopicIndex, connected, index_path, write_topic
from awase.storage.store import CorpusStore

N_TOPICS = 30


@pytest.fixture
def location(tmp_path) -> str:
    topics = tuple(topic(f"t{n}", docs=(f"第{n}回の職業訓練。",)) for n in range(N_TOPICS))
    path = tmp_path / "c.awase"
    CorpusStore.create(path, name="c", who="1", addition=Addition(topics=topics)).close()
    return str(path)


@pytest.fixture
def folder(tmp_path) -> Path:
    return tmp_path / "indices"


def known(location: str, folder: Path) -> TopicIndex | None:
    with CorpusStore.open(location, who="1", read_only=True) as store:
        topics, digests = zip(*store.text_digests(), strict=True)
    return known_index(location, topics, digests, folder)


class Stops:
    def advance(self, done: int, total: int, what: str = "") -> None:
        raise Cancelled


@pytest.mark.slow
def test_that_another_process_makes_the_index_and_can_be_stopped(location, folder) -> None:
    empty = known(location, folder)
    assert empty is not None
    assert is_behind(empty)
    empty.close()
    with pytest.raises(Cancelled):
        catch_up(location, folder, Stops())
    catch_up(location, folder, Silent())
    made = known(location, folder)
    assert made is not None
    assert (is_behind(made), made.n_missing) == (False, 0)
    assert made.candidates("第7回") == ("t7", "t17", "t27"), "whose texts tell them apart"
    made.close()


def test_that_searching_goes_on_where_no_index_can_be_kept(location, folder) -> None:
    folder.write_text("a file", "utf-8")
    assert known(location, folder) is None


def test_that_an_index_of_texts_that_are_gone_begins_anew(location, folder) -> None:
    topics = [f"t{n}" for n in range(100)]
    index = known_index(location, topics, topics, folder)
    assert index is not None
    index.close()
    with closing(connected(index_path(folder, location))) as writing:
        for one in topics:
            write_topic(writing, one, {"訓練"})
    full = known_index(location, topics, topics, folder)
    assert full is not None
    assert full.candidates("訓練") is not None
    full.close()
    few = known_index(location, topics[:5], topics[:5], folder)
    assert few is not None
    assert few.n_entries == 0
    few.close()
