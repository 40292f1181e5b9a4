"""Damaged files: what can be read of them is had, and nothing is invented."""

import random
import shutil
import sqlite3
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import String

from awase.core.errors import Cancelled, EnvironmentProblem, Problem, Silent
from awase.core.formats.awase_json.corpus import read
from awase.core.formats.reading.requests import ReadRequest, WriteRequest
from awase.core.records.abstract import AlignmentState, EditEffort, GoldEntry
from awase.core.records.addition import merge
from awase.core.records.corpus import Corpus
from awase.jobs.checking import rescue
from awase.storage.files.corpus_file import DiskFull
from awase.storage.readable_rows import Losses, ReadableRows, readable_rows
from awase.storage.rows.schema import Base
from awase.storage.salvage import salvage
from awase.storage.store import CorpusStore
from tests.in_part import in_part
from tests.reporters import Heard
from tests.storage.sample import CONFIRMED, LINKED, REFS, addition, edit, entry, gold_edit
from tests.stored import sql
from tests.written import as_json

_PAGE = 4096
N_TOPICS = 30


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("large") / "large.awase"
    content = addition(*(f"t{topic_idx}" for topic_idx in range(N_TOPICS)))
    with CorpusStore.create(path, name="x", who="ann", addition=content) as store:
        for idx in range(N_TOPICS):
            store.apply(edit(CONFIRMED, topic=f"t{idx}"), who="ann", active_ms=7)
    return path


def _corpus(path: Path) -> Corpus:
    with CorpusStore.open(path, who="ann", read_only=True) as store:
        return store.corpus()


def _salvaged(path: Path) -> tuple[Corpus, tuple[Problem, ...]]:
    with salvage(path, Silent()) as found:
        corpus = replace(found.copy.corpus, topics=tuple(found.copy.corpus.topics))
        return corpus, found.losses.told()


@pytest.mark.slow
@pytest.mark.parametrize("n_pages", [6, pytest.param(60, marks=pytest.mark.slow)])
def test_that_of_a_file_with_a_page_wiped_out_the_rest_is_had_and_is_as_it_was(
    large, tmp_path, n_pages
):
    content = large.read_bytes()
    whole = {topic.id: topic for topic in _corpus(large).topics}
    generator = random.Random(1)
    n_had = 0
    numbers = range(1, len(content) // _PAGE)
    pages = generator.sample(numbers, min(n_pages, len(numbers)))
    for number, page in enumerate(pages):
        damaged = tmp_path / f"{number}.awase"
        junk = bytes(generator.randrange(256) for _ in range(_PAGE)) if number % 2 else bytes(_PAGE)
        damaged.write_bytes(content[: page * _PAGE] + junk + content[(page + 1) * _PAGE :])
        before = damaged.read_bytes()
        try:
            had, lost = _salvaged(damaged)
        except EnvironmentProblem:
            continue
        assert damaged.read_bytes() == before
        n_had += 1
        same = [topic for topic in had.topics if whole.get(topic.id) == topic]
        assert lost or len(same) == N_TOPICS
        for topic in had.topics:
            known = {s.text for d in whole.get(topic.id, topic).documents for s in d.sentences}
            assert {s.text for d in topic.documents for s in d.sentences} <= known
        if number % 5 == 0:
            target = tmp_path / f"{number}-rescued.awase"
            rescue(damaged, target, who="ann", reporter=Silent())
            assert _corpus(target) == had
    assert n_had >= len(pages) * 0.8


@pytest.mark.slow
def test_that_of_a_file_cut_short_what_is_there_is_had(large, tmp_path):
    content = large.read_bytes()
    damaged = tmp_path / "cut.awase"
    damaged.write_bytes(content[: len(content) * 9 // 10])
    had, lost = _salvaged(damaged)
    assert lost
    assert had.topics


def test_that_what_refers_to_a_lost_document_goes_and_is_told(stored, tmp_path):
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(edit(LINKED), who="ann")
        store.apply(edit(CONFIRMED, old=LINKED), who="ann")
        store.apply(edit(entry(2, REFS[2:3])), who="ann")
    sql(
        stored,
        "DELETE FROM document WHERE key = '犬 2'",
        "UPDATE abstract_sentence SET rank = 'Z' WHERE id = 1",
        "UPDATE output SET sentences = '[' WHERE is_extract = 0",
    )
    had, lost = _salvaged(stored)
    (topic,) = had.topics
    left = topic.abstracts[0].alignments[0].sentences
    assert [(one.n, one.state.value, len(one.alternatives)) for one in left] == [
        (5, "incomplete", 1), (2, "todo", 0),
    ]  # fmt: skip
    told = " ".join(map(str, lost))
    for part in ("sentence 5", "sentence 2", "Ranks without a weight", "output of system “lead”"):
        assert part in told


_VERSION = "topic, abstract, annotator, n, revision, at, replica"
_EVERY_FIELD = (
    "UPDATE corpus SET handed_to = 'A1', is_blind = 1, assist = '{\"level\": 3, \"seed\": 7}'",
    "UPDATE topic SET title = 'T'",
    "UPDATE document SET source = 's', date = 'd', title = key, split = 'lines'",
    "UPDATE source_sentence SET paragraph = id",
    "UPDATE abstract SET length = key, author = 'a', split = 'one', limit_unit = 'words', "
    "limit_size = id WHERE key = 'long'",
    "UPDATE abstract_sentence SET rank = 'C' WHERE id = 2",
    "UPDATE sentence_alignment SET rank = 'B', assist = 'suggested-refused' WHERE n = 5",
    "INSERT INTO output SELECT 9, topic_id, 9, system, 'long', is_extract, sentences, '[[\"R\"]]', "
    "'en-2' FROM output WHERE is_extract",
    "INSERT INTO person VALUES (1, 'A1', 1, 'Anna', 'lead'), (2, 'B', 2, '', 'adjudicator')",
    "INSERT INTO assignment VALUES (1, 1, 't1', 'long', 'A1', 2, '2027', 4)",
    # As of a merge that was undone.
    f"INSERT INTO entry_version ({_VERSION}, digest, is_known) SELECT {_VERSION}, 'x', 0 "
    "FROM entry_version",
    "INSERT INTO parse (model, digest, conllu) VALUES ('m', 'd', '')",  # without its text
)


def test_that_every_field_is_had_and_in_awase_json_and_what_refers_to_what_is_lost_goes(stored):
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(edit(CONFIRMED), who="ann")
        store.apply(gold_edit(GoldEntry(entry=CONFIRMED, locked=True, cause="why")), who="ann")
        sql(stored, *_EVERY_FIELD)
        with salvage(stored, Silent()) as found:
            own, topics, whole = found.copy, tuple(found.copy.corpus.topics), store.corpus()
            assert replace(own.corpus, topics=topics) == whole
            assert (own.ownership, [*found.parses]) == (store.ownership(), [])
    request = ReadRequest(text=as_json(WriteRequest(corpus=whole)), source="x")
    assert merge(Corpus(), read(request).addition) == whole
    sql(stored, "UPDATE sentence_alignment SET rank = 'Z' WHERE n = 5")
    for change in ("topic = 'gone'", "topic = 't1', person = 'gone'"):
        sql(stored, f"UPDATE assignment SET {change}")
        had, _ = _salvaged(stored)
        assert had.assignments == ()
    assert had.topics[0].abstracts[0].alignments[0].sentences[0].rank is None


def test_that_parts_are_had_in_their_order_and_not_in_that_of_their_rows(stored):
    before = _corpus(stored).topics[0].documents
    cut = "UPDATE topic SET title = CAST(x'41ff42' AS TEXT)"  # within a letter
    sql(stored, "UPDATE document SET position = -position", cut)
    (topic,) = _salvaged(stored)[0].topics
    assert (topic.documents, topic.title) == (before[::-1], "A\ufffdB")


@pytest.mark.parametrize("content", [b"", b"no database at all", bytes(20_000)])
def test_that_a_file_of_which_nothing_can_be_read_is_refused(tmp_path, content):
    damaged = tmp_path / "damaged.awase"
    damaged.write_bytes(content)
    with pytest.raises(EnvironmentProblem, match="can be read"):
        _salvaged(damaged)
    with pytest.raises(EnvironmentProblem, match="There is no file"):
        _salvaged(tmp_path / "nowhere.awase")


def test_that_a_golden_file_of_an_old_format_is_salvaged(tmp_path):
    golden = Path(__file__).parent / "golden" / "golden-1.3.awase"
    path = tmp_path / "old.awase"
    shutil.copy(golden, path)
    had, _ = _salvaged(path)
    rescue(path, tmp_path / "rescued.awase", who="ann", reporter=Silent())
    with CorpusStore.open(path, who="ann") as store:
        assert had == store.corpus()


@pytest.mark.parametrize(
    "made",
    in_part([
        "human_score AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) "
        "SELECT id FROM n",
        "human_score AS SELECT a.id FROM source_sentence a, source_sentence b, topic c",
    ], by_default=lambda made: "topic c" in made),
)  # fmt: skip
def test_that_a_view_in_place_of_a_table_does_not_run(stored, tmp_path, made):
    """The first went on for ever."""
    sql(stored, "DROP TABLE human_score", f"CREATE VIEW {made}")
    had, lost = _salvaged(stored)
    assert had.topics
    assert had.human_scores == ()
    assert [str(one) for one in lost] == ["Some rows of table human_score cannot be read."]


@pytest.mark.slow
def test_that_a_topic_without_its_id_takes_the_place_of_no_other(large, tmp_path):
    """A file that was made of a damaged one has such ids already."""
    damaged = tmp_path / "damaged.awase"
    shutil.copy(large, damaged)
    sql(
        damaged,
        "UPDATE topic SET key = 'rescued-3' WHERE id = 1",
        "UPDATE topic SET key = 'rescued-3-2' WHERE id = 2",
        "DELETE FROM topic WHERE id = 3",
    )
    had, _ = _salvaged(damaged)
    ids = {topic.id for topic in had.topics}
    assert len(had.topics) == N_TOPICS
    assert {"rescued-3", "rescued-3-2", "rescued-3-3"} < ids
    assert all(topic.documents for topic in had.topics)


def _place_of(path: Path, table: str) -> int:
    """Returns where a table's first page begins."""
    query = f"SELECT rootpage FROM sqlite_master WHERE name = '{table}'"
    ((page,),) = sql(path, "PRAGMA wal_checkpoint(TRUNCATE)", query)
    return (page - 1) * _PAGE


def _with_equal_numbers(path: Path, table: str) -> None:
    """Damages the number of a table's second row: it becomes that of the first."""
    begin = _place_of(path, table)
    content = bytearray(path.read_bytes())
    assert content[begin] == 13, "rows stand on this page"
    assert int.from_bytes(content[begin + 3 : begin + 5], "big") > 1
    numbers = []
    for cell in (0, 1):
        at = begin + 8 + 2 * cell
        number_at = begin + int.from_bytes(content[at : at + 2], "big") + 1
        numbers.append(number_at + (content[number_at - 1] > 127))  # long rows: a byte more
    content[numbers[1]] = content[numbers[0]]
    path.write_bytes(content)


@pytest.mark.parametrize("table", in_part(["source_sentence", "abstract_sentence", "output"]))
def test_that_rows_are_had_whose_numbers_were_damaged(stored, table):
    whole = _corpus(stored)
    _with_equal_numbers(stored, table)
    assert _salvaged(stored) == (whole, ())


def test_that_it_is_told_when_two_rows_have_the_number_that_others_name(stored):
    _with_equal_numbers(stored, "document")
    had, lost = _salvaged(stored)
    assert len(had.topics[0].documents) == 1
    assert "Some rows of table document cannot be read." in map(str, lost)


def test_that_what_has_lost_its_owner_is_had_or_told(stored):
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(edit(entry(state=AlignmentState.NO_SOURCE)), who="ann")
        (topic, *_) = store.corpus().topics
    for table in ("document", "alignment"):  # without what SQLite would refuse
        sql(
            stored,
            f"CREATE TABLE other AS SELECT * FROM {table}",
            f"DROP TABLE {table}",
            f"ALTER TABLE other RENAME TO {table}",
        )
    sql(
        stored,
        "INSERT INTO alignment SELECT 99, abstract_id, annotator, position FROM alignment",
        "UPDATE document SET topic_id = NULL WHERE id = 1",
        "UPDATE abstract SET topic_id = 77 WHERE id = 1",
        "UPDATE topic SET key = 'rescued' WHERE id = 1",  # as in a file that was salvaged before
    )
    had, lost = _salvaged(stored)
    parts = {one.id: (len(one.documents), one.abstracts) for one in had.topics}
    kept, moved = topic.abstracts[1:], topic.abstracts[:1]
    assert parts == {"rescued": (1, kept), "rescued-2": (1, ()), "rescued-77": (0, moved)}
    assert "The id of a topic is lost" in " ".join(map(str, lost))


def test_that_no_room_for_what_is_read_is_told(tmp_path):
    with closing(sqlite3.connect(tmp_path / "rows", isolation_level=None)) as connection:
        connection.execute("PRAGMA max_page_count = 3")
        kept = ReadableRows(connection, str(tmp_path))
        rows = ((number, "x" * 2_000) for number in range(99))
        with pytest.raises(DiskFull, match="is full"):
            kept.keep("operation", ("id", "old"), rows, Silent())


def _of_many_rows(path: Path, n_rows: int) -> bytearray:
    """Makes a file of one table of so many sentences; returns its bytes."""
    numbers = (
        f"WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < {n_rows})"
    )
    sql(
        path,
        "CREATE TABLE source_sentence (id INTEGER PRIMARY KEY, document_id, text)",
        f"{numbers} INSERT INTO source_sentence (text) SELECT printf('%060d', id) FROM n",
    )
    return bytearray(path.read_bytes())


def test_that_rows_between_two_damaged_pages_are_had_however_many_they_are(tmp_path, monkeypatch):
    monkeypatch.setattr("awase.storage.readable_rows.MOST_PROBES", 100)  # more than one page has
    n_rows = 4_000
    path = tmp_path / "rows"
    content = _of_many_rows(path, n_rows)
    n_pages, n_lost = len(content) // _PAGE, 0
    for page in (n_pages // 10, n_pages // 10 * 5, n_pages - 1):
        assert content[page * _PAGE] == 13, "rows stand on this page"
        n_lost += int.from_bytes(content[page * _PAGE + 3 : page * _PAGE + 5], "big")
        content[page * _PAGE : (page + 1) * _PAGE] = bytes(_PAGE)
    path.write_bytes(content)
    lost = Losses()
    with readable_rows(path, lost, Silent()) as rows:
        had = [row["id"] for row in rows.each("source_sentence")]
    assert "Some rows of table source_sentence cannot be read." in map(str, lost.told())
    assert len(had) == len({*had})
    assert len(had) == n_rows - n_lost


def test_that_trying_rows_that_cannot_be_read_is_stopped(tmp_path):
    path = tmp_path / "rows"
    content = _of_many_rows(path, 2_000)
    for begin in range(3 * _PAGE, len(content), _PAGE):
        content[begin : begin + _PAGE] = bytes(_PAGE)
    path.write_bytes(content)
    with pytest.raises(Cancelled), readable_rows(path, Losses(), Heard(calls=200)):
        pytest.fail("it was not asked whether it is to stop")


_TEXTS = [
    (table.name, column.name)
    for table in Base.metadata.sorted_tables
    for column in table.columns
    if isinstance(column.type, String) and table.name not in ("score_run", "suggestion", "holder")
]


@pytest.mark.parametrize(
    ("table", "column"), in_part(_TEXTS, by_default=lambda one: one == ("operation", "at"))
)
def test_that_a_text_that_became_bytes_or_has_a_nul_is_lost_and_the_rest_had(
    stored, tmp_path, table, column
):
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(edit(LINKED), who="ann", effort=EditEffort(active_ms=1, n_keys=3))
        store.add_parses("m", {"One.": "# text = One.\n"}, who="ann")
    for number, value in enumerate(("a\0b", b"\xff\0", "a\nb")):
        damaged, target = tmp_path / f"{number}.awase", tmp_path / f"rescued-{number}.awase"
        shutil.copy(stored, damaged)
        with closing(sqlite3.connect(damaged)) as connection, suppress(sqlite3.IntegrityError):
            connection.execute("PRAGMA foreign_keys = OFF")
            connection.execute(f"UPDATE {table} SET {column} = ?", (value,))
            connection.commit()
        found = rescue(damaged, target, who="ann", reporter=Silent())
        with CorpusStore.open(target, who="ann", read_only=True) as store:
            assert store.find_damage() == ()
        assert found.n_topics == 1


def test_that_an_entry_that_is_lost_is_not_damaged_in_what_is_rescued(stored, tmp_path):
    with CorpusStore.open(stored, who="ann") as store:
        store.apply(edit(LINKED), who="ann")
        store.apply(edit(LINKED, annotator="bob"), who="bob")
        store.undo(who="bob")
    sql(stored, "DELETE FROM sentence_alignment")
    target = tmp_path / "rescued.awase"
    assert rescue(stored, target, who="ann", reporter=Silent()).lost
    with CorpusStore.open(target, who="ann") as store:
        assert store.find_damage() == ()
        # Nobody took ann's away: joined with a copy that has it, it comes back; bob's does not.
        assert [key.annotator for key in store.ownership().versions] == ["bob"]
