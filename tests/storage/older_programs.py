"""What people, older programs and disks do to a stored corpus, within one transaction."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st
from sqlalchemy import Connection, text

from awase.core.annotation.content import EDIT_GUIDELINES
from awase.core.annotation.corpus_edits import without_topics
from awase.core.errors import InputError
from awase.core.records.alignment import SentenceAlignment
from awase.core.records.corpus import Corpus
from awase.core.records.edits.edit import (
    AbstractTextEdit,
    AlignmentEdit,
    Edit,
    GoldEdit,
    GuidelinesEdit,
    RankEdit,
)
from awase.core.records.edits.verbs import IMPORT, REMOVE_TOPICS
from awase.core.records.gold import GoldEntry
from awase.core.records.topic import Topic
from awase.storage.changing.applying import write_edit
from awase.storage.changing.reversing import reverse
from awase.storage.log.long_edits import edits_of
from awase.storage.log.operations import history_of, log_edit
from awase.storage.rows.reading import read_corpus
from tests.oracles.corpus_edits import corpus_edit
from tests.storage import sample

_VALUES = (sample.LINKED, sample.CONFIRMED, sample.entry(5), sample.entry(5, note="?"))


class Act(NamedTuple):
    """What somebody does.

    Attributes:
        kind: An act of people, of `older_import`, or of a disk.
        which: Chooses topics, entries and rows, as there are some.
        value: Chooses what they become.
    """

    kind: str
    which: int
    value: int


def _entry_edit(topic: Topic, act: Act) -> Edit:
    abstract = topic.abstracts[act.which % 2]
    annotator, new = "ab"[act.value % 2], _VALUES[act.value % len(_VALUES)]
    of_annotator = [one for one in abstract.alignments if one.annotator == annotator]
    entries = [one for alignment in of_annotator for one in alignment.sentences if one.n == new.n]
    old = entries[0] if entries else SentenceAlignment(n=new.n)
    return AlignmentEdit(
        verb="link", topic=topic.id, abstract=abstract.id, annotator=annotator, old=old, new=new,
        subject="d:1:3",
    )  # fmt: skip


def _gold_edit(topic: Topic, act: Act) -> Edit:
    abstract, n = topic.abstracts[act.which % 2], 5
    old = next((one for one in abstract.gold if one.n == n), None)
    new = GoldEntry(entry=_VALUES[act.value % 2]) if act.value % 3 else None
    return GoldEdit(verb="take", topic=topic.id, abstract=abstract.id, n=n, old=old, new=new)


def _rank_edit(topic: Topic, act: Act) -> Edit:
    abstract = topic.abstracts[act.which % 2]
    sentence, rank = abstract.sentences[act.value % 3], (None, "A", "B", "C")[act.value % 4]
    return RankEdit(
        verb="rank", topic=topic.id, abstract=abstract.id, n=sentence.n, old=sentence.rank, new=rank
    )


def _text_edit(topic: Topic, act: Act) -> Edit:
    abstract = topic.abstracts[act.which % 2]
    sentence, new = abstract.sentences[act.value % 3], f"文{act.value}"
    return AbstractTextEdit(
        verb="edit", topic=topic.id, abstract=abstract.id, n=sentence.n, old=sentence.text, new=new
    )


_OF_TOPIC: dict[str, Callable[[Topic, Act], Edit]] = {
    "entry": _entry_edit, "gold": _gold_edit, "rank": _rank_edit, "text": _text_edit,
}  # fmt: skip
_DISK = {
    "texts": "UPDATE source_sentence SET text = 'x' WHERE id = {row}",
    "title": "UPDATE topic SET title = 'x' WHERE id = {row}",
    "no digest": "UPDATE topic SET digest = NULL WHERE id = {row}",
    "no text digest": "UPDATE topic SET text_digest = NULL WHERE id = {row}",
    "name": "UPDATE corpus SET name = 'x'",
    "note": "UPDATE sentence_alignment SET note = 'x' WHERE id = {row}",
    "no entry": "DELETE FROM sentence_alignment WHERE id = {row}",
    "decision": "UPDATE gold_entry SET cause = 'x' WHERE id = {row}",
    "no version": "DELETE FROM entry_version WHERE id = {row}",
    "log": "UPDATE operation SET old = '{{' WHERE id = {row}",
    "no row digest": "UPDATE operation SET digest = NULL WHERE id = {row}",
    "no document": "DELETE FROM document WHERE id = {row}",
    "alternatives": "UPDATE sentence_alignment SET alternatives = '[' WHERE id = {row}",
    "no such rank": "UPDATE abstract_sentence SET rank = 'Z' WHERE id = {row}",
}
_IMPORTED = ('{"topics":["t1"]}', '{"topics":["t2","t7"]}', '{"topics":3}', "{")

_WHICH, _VALUE = st.integers(1, 12), st.integers(0, 11)


def _acts(*kinds: str) -> st.SearchStrategy[list[Act]]:
    return st.lists(st.builds(Act, st.sampled_from(kinds), _WHICH, _VALUE), max_size=6)


ACTS = _acts(*_OF_TOPIC, "entry", "guidelines", "remove", "add", "undo", "redo")
OLDER_ACTS = _acts(*_OF_TOPIC, "entry", "guidelines", "remove", "add", "undo", "redo", "import")
DAMAGE = _acts(*_DISK).map(lambda acts: acts[:2])
HIDDEN_DAMAGE = _acts("texts", "title", "note", "no entry", "decision").map(lambda acts: acts[:2])
"""What a program that knows no digests goes on to work on."""


def do(connection: Connection, act: Act) -> None:
    """Does it as this program would; what is refused is left."""
    if act.kind in _DISK:
        connection.execute(text(_DISK[act.kind].format(row=act.which)))
    elif act.kind == "import":
        _import(connection, act)
    elif act.kind in ("undo", "redo"):
        with suppress(InputError):
            reverse(
                connection, history_of(connection, "ann"), act.kind, edits_of, who="ann",
                reporter=None,
            )  # fmt: skip
    else:
        edit = _edit(read_corpus(connection), act)
        if edit is not None:
            write_edit(connection, edit)
            log_edit(connection, who="ann", edit=edit)


def _edit(corpus: Corpus, act: Act) -> Edit | None:
    if act.kind == "guidelines":
        new = f"Read {act.value}."
        return GuidelinesEdit(verb=EDIT_GUIDELINES, old=corpus.guidelines, new=new)
    ids = [topic.id for topic in corpus.topics]
    if act.kind == "add":
        new_id = next(f"t{n}" for n in range(1, 99) if f"t{n}" not in ids)
        more = replace(corpus, topics=(*corpus.topics, sample.topic(new_id)))
        return corpus_edit(corpus, more, verb=IMPORT)
    if not ids:
        return None
    topic = corpus.topics[act.which % len(ids)]
    if act.kind == "remove":
        return corpus_edit(corpus, without_topics(corpus, [topic.id]), verb=REMOVE_TOPICS)
    return _OF_TOPIC[act.kind](topic, act)


def _import(connection: Connection, act: Act) -> None:
    """Imports as a program did that logged no values."""
    connection.execute(text(f"UPDATE topic SET title = 'new' WHERE id = {act.which}"))
    connection.execute(text(f"UPDATE sentence_alignment SET note = '?' WHERE id = {act.value}"))
    connection.execute(
        text(
            "INSERT INTO operation (at, who, kind, verb, subject, active_ms, new) VALUES"
            " ('2026-11-22T00:00:00.000+00:00', 'ann', 'import', 'import', 'f', 0, :new)"
        ),
        {"new": _IMPORTED[act.value % len(_IMPORTED)]},
    )


@contextmanager
def without_digests(connection: Connection) -> Iterator[None]:
    """Leaves what is done within as a program does that writes neither digests nor versions."""
    run = connection.exec_driver_sql
    topics = run("SELECT text_digest, digest, key FROM topic").tuples().all()
    frame = run("SELECT digest FROM corpus").scalar()
    version = run("SELECT coalesce(max(id), 0) FROM entry_version").scalar()
    row = run("SELECT max(id) FROM operation").scalar()
    yield
    run("UPDATE topic SET text_digest = NULL, digest = NULL")
    for one in topics:
        run("UPDATE topic SET text_digest = ?, digest = ? WHERE key = ?", tuple(one))
    run("UPDATE corpus SET digest = ?", (frame,))
    run("DELETE FROM entry_version WHERE id > ?", (version,))
    run("UPDATE operation SET digest = NULL WHERE id > ?", (row,))


def without_seed(connection: Connection) -> None:
    """Takes away all that the conversion of format 1.1 adds."""
    run = connection.exec_driver_sql
    run("UPDATE corpus SET uid = '', replica = '', digest = NULL")
    run("UPDATE topic SET text_digest = NULL, digest = NULL")
    run("DELETE FROM entry_version")
    run("UPDATE operation SET digest = NULL")


_SINCE_1_1 = {
    "corpus": ("assist", "uid", "replica", "handed_to", "is_blind", "digest"),
    "topic": ("text_digest", "digest"),
    "sentence_alignment": ("assist", "rank"),
    "operation": ("digest", "replica", "replica_row", "suggestion_id", "shown_ms", "n_keys"),
}


def as_format_1_1(path: Path) -> Path:
    """Makes a file, in which nothing newer is used, what a program of format 1.1 left."""
    connection = sqlite3.connect(path, isolation_level=None)
    for index in ("operation_by_replica", "entry_version_by_entry", "suggestion_by_entry"):
        connection.execute(f"DROP INDEX {index}")
    for table in ("entry_version", "suggestion", "gold_entry", "person", "assignment"):
        connection.execute(f"DROP TABLE {table}")
    for table, columns in _SINCE_1_1.items():
        for column in columns:
            connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    connection.execute("UPDATE alembic_version SET version_num = '0002'")
    connection.execute("PRAGMA user_version = 65537")
    connection.close()
    return path
