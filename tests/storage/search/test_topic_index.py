"""The index of a large corpus names every topic that has the words, whatever state it is in."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.building import topic

from awase.core.records.edits.addition import Addition
from awase.core.text.text_search import folded
from awase.core.text.tokens.grams import grams_of
from awase.storage.search import topic_index
from awase.storage.search.building import built
from awase.storage.search.topic_index import (
    TopicIndex,
    connected,
    index_path,
    make_room,
    make_tables,
    write_topic,
)
from awase.storage.store import CorpusStore

TEXTS = (
    "職業訓練が始まった。", "ＮＴＴ株が上がった。", "The training went on.",
    "訓練高、Rain fell 10km.", "שלום עולם", "한글 문서입니다.", "𠮷野家", "ガイド付き",
)  # fmt: skip
WORDS = (
    "訓練", "職", "ntt", "ntt株", "rain", "in", "TRAINING", "שלום", "한글", "𠮷", "ｶﾞｲﾄﾞ", "10km",
    "鯨", "whale", "on. ", "の", "", "\ud800",
)  # fmt: skip


@pytest.fixture
def store(tmp_path) -> Iterator[CorpusStore]:
    topics = tuple(topic(f"t{n}", docs=(text, "犬。")) for n, text in enumerate(TEXTS))
    path = tmp_path / "c.awase"
    with CorpusStore.create(path, name="c", who="1", addition=Addition(topics=topics)) as store:
        yield store


@pytest.fixture
def path(tmp_path) -> Path:
    return index_path(tmp_path / "indices", "c")


def index_of(store: CorpusStore, path: Path) -> TopicIndex:
    ids, digests = zip(*store.text_digests(), strict=True)
    return TopicIndex(connected(path), ids, digests)


def having(store: CorpusStore, words: str) -> list[str]:
    """Returns the ids of the topics that have the words, by reading them all."""
    found = store.sentences([topic_id for topic_id, _ in store.titles()])
    return [*dict.fromkeys(one.topic for one in found if folded(words) in folded(one.text))]


def test_that_every_topic_with_the_words_is_named_in_order(store, path) -> None:
    assert [*built(Path(store.location), path)][-1] == (len(TEXTS), len(TEXTS))
    with closing(index_of(store, path)) as index:
        assert index.n_missing == 0
        for words in WORDS:
            named = index.candidates(folded(words))
            if named is not None:
                assert [one for one in named if one in having(store, words)] == having(store, words)
        assert index.candidates("訓練") == ("t0", "t3")
        assert index.candidates("whale") == ()


def test_that_topics_which_are_new_or_others_are_named_until_they_are_added(store, path) -> None:
    [*built(Path(store.location), path)]
    store.add(Addition(topics=(topic("new", docs=("鯨。",)),)), who="1")
    with closing(index_of(store, path)) as index:
        assert index.n_missing == 1
        assert index.candidates("鯨") == ("new",)
        assert index.candidates("訓練") == ("t0", "t3", "new")
    [*built(Path(store.location), path)]
    store.undo(who="1")
    with closing(index_of(store, path)) as index:
        assert (index.n_missing, index.n_entries) == (0, len(TEXTS) + 1)
        assert index.candidates("鯨") == ()


def test_that_texts_without_a_digest_may_have_any_words(store, path) -> None:
    [*built(Path(store.location), path)]
    ids, digests = zip(*store.text_digests(), strict=True)
    with closing(TopicIndex(connected(path), ids, (None, *digests[1:]))) as index:
        assert index.candidates("鯨") == ("t0",)
    with closing(TopicIndex(connected(path), ids, (digests[1], *digests[1:]))) as index:
        assert index.candidates("鯨") == ("t1",), "whose digest another topic has already"


def test_that_an_empty_index_says_nothing(store, path) -> None:
    with closing(index_of(store, path)) as index:
        assert index.candidates("訓練") is None


@pytest.mark.parametrize("damage", [b"no database", b"", "version"])
def test_that_an_index_that_cannot_be_used_is_made_again(store, path, damage) -> None:
    [*built(Path(store.location), path)]
    if damage == "version":
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA user_version = 99")
    else:
        path.write_bytes(damage)
    [*built(Path(store.location), path)]
    with closing(index_of(store, path)) as index:
        assert index.candidates("訓練") == ("t0", "t3")


def test_that_an_index_that_another_window_writes_stays(store, path, monkeypatch) -> None:
    [*built(Path(store.location), path)]
    monkeypatch.setattr(topic_index.sqlite3, "connect", partial(sqlite3.connect, timeout=0))
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            connected(path)
    with closing(index_of(store, path)) as index:
        assert index.candidates("訓練") == ("t0", "t3")


def test_that_indices_not_used_for_longest_give_way(tmp_path) -> None:
    paths = [index_path(tmp_path, name) for name in "abc"]
    for age, path in enumerate(paths):
        path.write_bytes(b"x" * 100)
        os.utime(path, (1e9 - age, 1e9 - age))
    make_room(tmp_path, paths[2], most_bytes=150)
    assert [path.exists() for path in paths] == [True, False, True]


LETTERS = "aB1 訓練のｶﾞß한שעé\u0301😀𠮷\"'*"


@given(
    st.lists(st.text(alphabet=LETTERS, max_size=8), min_size=1, max_size=5),
    st.text(alphabet=LETTERS, max_size=4),
)
def test_that_the_database_leaves_out_no_text_that_has_the_words(texts, words) -> None:
    needle = folded(words)
    with closing(_in_memory(texts)) as connection:
        ids = [str(place) for place in range(len(texts))]
        named = TopicIndex(connection, ids, ids).candidates(needle)
        having = [at for at, text in zip(ids, texts, strict=True) if needle in folded(text)]
        assert named is None or [one for one in named if one in having] == having


def _in_memory(texts: list[str]) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    make_tables(connection)
    for place, text in enumerate(texts):
        write_topic(connection, str(place), grams_of([folded(text)]))
    return connection
