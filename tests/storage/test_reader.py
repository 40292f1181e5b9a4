"""A corpus file read by SQLite's own driver: the same records, checks and words as by the store."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from awase.core.errors import EnvironmentProblem
from awase.core.records.abstract import GoldEntry
from awase.core.records.source import Document, SourceSentence
from awase.storage.files.opening import engine_in_memory
from awase.storage.files.sqlite_files import reader
from awase.storage.rows.parses import read_models
from awase.storage.rows.reading import FileReader, read_corpus
from awase.storage.rows.schema import Base
from awase.storage.store import CorpusStore
from tests.in_part import in_part
from tests.storage.sample import edit, entry, gold_edit, rank_edit
from tests.stored import sql

CONTENT = {
    "corpus", "topic", "document", "source_sentence", "abstract", "abstract_sentence", "alignment",
    "sentence_alignment", "gold_entry", "output", "human_score", "person", "assignment",
}  # fmt: skip
"""Tables of which records are made."""
OF_STORAGE = {
    "corpus": {"id", "uid", "replica", "handed_to", "digest"},
    "topic": {"text_digest", "digest"},
    "source_sentence": {"id"},
    "abstract_sentence": {"id"},
    "sentence_alignment": {"id"},
    "gold_entry": {"id"},
    "output": {"id"},
    "human_score": {"id"},
    "person": {"id"},
    "assignment": {"id"},
}
"""Columns of theirs that no record holds."""


def test_that_it_gives_what_the_store_gives(stored):
    with CorpusStore.open(stored, who="ann") as store:
        store.add_parses("p", {"a": "1\ta", "b": "1\tb"}, who="ann")
        expected = (store.corpus(), store.state(), store.parse_models())
        parses, digest = store.parses("p", ["b", "c"]), store.digest_of_parses(["p"])
    found = FileReader(stored)
    assert (found.corpus(), found.state(), found.parse_models()) == expected
    assert (found.parses("p", ["b", "c"]), found.digest_of_parses(["p"])) == (parses, digest)
    assert found.parses("p", []) == {}
    assert found.parses("p", [*map(str, range(600)), "a"]) == {"a": "1\ta"}
    assert parses == {"b": "1\tb"}


def test_that_parses_within_a_snapshot_are_those_of_its_beginning(stored):
    with CorpusStore.open(stored, who="ann") as store:
        store.add_parses("p", {"a": "1\ta"}, who="ann")
        found = FileReader(stored)
        digest = found.digest_of_parses(["p"])
        with found.snapshot():
            store.add_parses("p", {"a": "1\tother", "b": "1\tb"}, who="ann")
            assert found.parses("p", ["a", "b"]) == {"a": "1\ta"}
            assert found.digest_of_parses(["p"]) == digest
        assert found.parses("p", ["a", "b"]) == {"a": "1\tother", "b": "1\tb"}


def test_that_without_sources_all_but_the_texts_of_source_sentences_is_read(stored):
    def bare(document: Document) -> Document:
        numbers = sorted(sentence.n for sentence in document.sentences)
        blank = tuple(SourceSentence(n=n, text="") for n in numbers)
        return replace(document, sentences=blank)

    found = FileReader(stored)
    with CorpusStore.open(stored, who="a", read_only=True) as store:
        whole = found.corpus()
        topics = [replace(t, documents=tuple(map(bare, t.documents))) for t in whole.topics]
        for one in (found, store):
            with one.snapshot(with_sources=False) as corpus:
                assert corpus == replace(whole, topics=tuple(topics))


def test_that_every_declared_column_of_a_record_is_read_and_no_other(stored):
    asked: set[tuple[str, str]] = set()

    def note(action: int, table: str | None, column: str | None, *_more: object) -> int:
        if action == sqlite3.SQLITE_READ and table and column:
            asked.add((table, column))
        return sqlite3.SQLITE_OK

    with closing(reader(stored)()) as connection:
        connection.set_authorizer(note)
        read_corpus(connection)
    declared = {
        (name, column.name)
        for name in CONTENT
        for column in Base.metadata.tables[name].columns
        if column.name not in OF_STORAGE.get(name, ())
    }
    assert asked == declared


def test_that_what_is_asked_is_declared(tmp_path):
    """Of the tables as they are declared, whatever older files were made of."""
    with engine_in_memory().begin() as connection:
        Base.metadata.create_all(connection)
        connection.execute(
            Base.metadata.tables["corpus"].insert().values(name="c", rank_weights="[]")
        )
        assert read_corpus(connection).name == "c"
        assert read_models(connection) == {}


def test_that_changes_of_a_writer_are_seen_and_no_trace_is_left(stored):
    found = FileReader(stored)
    before = found.corpus()
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(rank_edit("B"), who="ann")
        during = found.corpus()
        assert during == store.corpus() != before
    assert found.corpus() == during
    assert not [file for file in stored.parent.iterdir() if file.name.endswith(("-wal", "-shm"))]


def test_that_a_snapshot_stays_what_it_was_and_keeps_the_callers_errors(stored):
    with (
        CorpusStore.open(stored, who="ann") as store,
        CorpusStore.open(stored, who="", read_only=True) as reader,
    ):
        for old, new, found in (("A", "B", FileReader(stored)), ("B", "C", reader)):
            before = found.corpus()
            with found.snapshot() as corpus:
                store.apply(rank_edit(new, old=old), who="ann")
                assert [*corpus.topics] == [*before.topics]
            assert found.corpus() == store.corpus() != before
            with pytest.raises(ValueError, match="mine"), found.snapshot():
                raise ValueError("mine")


FOREIGN = {
    "a trigger": "CREATE TRIGGER sly AFTER INSERT ON topic BEGIN SELECT 1; END",
    "a version before the first": "PRAGMA user_version = 65536",
    "an older version": "PRAGMA user_version = 65539",
    "a newer version": "PRAGMA user_version = 131072",
}
NO_CORPUS = (
    "UPDATE sentence_alignment SET alternatives = '[[\"'",
    "UPDATE output SET is_extract = 7 WHERE id = 1",
    "UPDATE sentence_alignment SET state = 'asleep'",
    "UPDATE sentence_alignment SET n = 0",
    "UPDATE topic SET key = ''",
    "UPDATE output SET sentences = '['",
    "UPDATE output SET sentences = '[1]'",
    "UPDATE corpus SET rank_weights = '{\"A\": 1}'",
    "UPDATE corpus SET rank_weights = '7'",
    "UPDATE source_sentence SET text = CAST(x'ff' AS TEXT)",
    "DELETE FROM corpus",
    "INSERT INTO corpus (id, name, rank_weights) SELECT 2, name, rank_weights FROM corpus",
    "UPDATE output SET sentences = '" + "[" * 100_000 + "'",
    "UPDATE corpus SET rank_weights = '" + "[" * 100_000 + "'",
    "DROP TABLE human_score",
)


def _refusal(path: Path) -> str:
    """Returns the words in which both refuse the file."""
    with pytest.raises(EnvironmentProblem) as first:
        FileReader(path).corpus()
    with (
        pytest.raises(EnvironmentProblem) as second,
        CorpusStore.open(path, who="", read_only=True) as store,
    ):
        store.corpus()
    assert str(first.value) == str(second.value)  # with the hint
    return str(first.value)


@pytest.mark.parametrize("damage", in_part(FOREIGN, first=3))
def test_that_it_refuses_what_the_store_refuses_in_the_same_words(stored, damage):
    sql(stored, FOREIGN[damage])
    before = stored.read_bytes()
    assert _refusal(stored)
    assert stored.read_bytes() == before


@pytest.mark.parametrize("statement", in_part(NO_CORPUS, first=2))
def test_that_rows_that_are_no_corpus_are_told_in_the_same_words(stored, statement):
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(edit(), who="ann")
    sql(stored, statement)
    assert "is damaged or was cut short" in _refusal(stored)


@pytest.mark.parametrize("content", [None, b"", b"SQLite format 3\0", b"x" * 200])
def test_that_it_refuses_what_is_no_corpus_in_the_same_words(path, content):
    if content is not None:
        path.write_bytes(content)
    assert _refusal(path)


def test_that_a_table_that_is_cut_off_is_told_as_damage(stored):
    size = stored.stat().st_size
    with stored.open("r+b") as file:
        file.seek(4096)
        file.write(b"\0" * (size - 4096))
    assert _refusal(stored)


def test_that_truth_values_are_no_numbers(stored):
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(gold_edit(GoldEntry(entry=entry(), locked=True)), who="ann")
    corpus = FileReader(stored).corpus()
    assert corpus.topics[0].abstracts[0].gold[0].locked is True
    assert corpus.is_blind is False
