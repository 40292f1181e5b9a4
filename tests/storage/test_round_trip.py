import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awase.core.records.addition import addition_of
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Extract, TextOutput, Topic
from awase.storage.querying import insert_values, rows_of
from awase.storage.rows.reading import FileReader
from awase.storage.store import CorpusStore
from tests.laws import law
from tests.strategies import corpora


@law(10, corpus=corpora())
def test_that_any_corpus_is_read_from_a_file_as_it_was_created(corpus):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "corpus.awase")
        with CorpusStore.create(
            path, name=corpus.name, who="ann", addition=addition_of(corpus)
        ) as store:
            assert store.corpus() == corpus
        with CorpusStore.open(path, who="ann", read_only=True) as reader:
            assert reader.corpus() == FileReader(path).corpus() == corpus


@pytest.mark.parametrize("references", [None, (), ((),), (("参照。", ""), ("b",))])
def test_that_references_of_outputs_are_kept(store, references):
    outputs = (
        Extract(system="a", sentences=(), references=references),
        TextOutput(system="a", sentences=(), references=references),
    )
    store.add(addition_of(Corpus(topics=(Topic(id="t2", outputs=outputs),))), who="ann")
    assert store.topic("t2").outputs == outputs


def test_that_a_float_keeps_every_bit_and_a_corpus_without_a_name_takes_that_of_the_import(path):
    weights = (("A", 0.1 + 0.2), ("B", 5e-324), ("C", 1.7976931348623157e308))
    corpus = Corpus(name="bits", rank_weights=weights)
    with CorpusStore.create(path, name="", who="ann", addition=addition_of(corpus)) as store:
        assert (store.corpus().rank_weights, store.corpus().name) == (weights, "bits")


_CELLS = st.none() | st.integers(-2, 2) | st.sampled_from(["", "a"])


@pytest.mark.slow
@given(st.lists(st.tuples(_CELLS, _CELLS, _CELLS), min_size=1), st.sampled_from([1, 70]))
def test_that_rows_are_stored_whole_whichever_columns_are_empty(rows, n_times):
    rows = rows * n_times
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c)")
        insert_values(connection, "t", dict(zip("abc", zip(*rows, strict=True), strict=True)))
        assert rows_of(connection, "SELECT a, b, c FROM t ORDER BY id") == rows


def test_that_a_value_that_has_to_be_there_is_missed():
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE t (a, b, c NOT NULL)")
        with pytest.raises(sqlite3.IntegrityError):
            insert_values(connection, "t", {"a": [1], "b": [2], "c": [None]})
