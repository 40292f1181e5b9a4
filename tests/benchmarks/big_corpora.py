"""Corpus files of up to 100,000 topics, made in minutes.

A thousand topics are made one by one and written by the product; further thousands are copies of
their rows under other ids, with digests of their own, so that the file is sound in every respect.
Every topic has 120 sentences in ten documents, an abstract of about ten sentences with somebody's
alignment, two extracts and a text. Every other topic is English, the rest Japanese.
"""

import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.alignment import (
    Alignment,
    AlignmentState,
    Alternative,
    SentenceAlignment,
)
from awase.core.records.corpus import Corpus
from awase.core.records.edits.addition import addition_of
from awase.core.records.edits.ownership import entries_of
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract, TextOutput
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic
from awase.storage.rows.digests import topic_digests
from awase.storage.store import CorpusStore

N_SENTENCES: Final = 120
N_DOCUMENTS: Final = 10
AT_ONCE: Final = 1_000
_KANJI: Final = "職業訓練高速増殖炉木造船調査年代古墳時代大学東京新聞記者発表政府会社市長警察地震"
_KANA: Final = "のにはをがとでもから"
_WORDS: Final = (
    "the of a in to government reactor training wooden ship survey century tomb university "
    "newspaper reporter announced company mayor police accident earthquake said found after new "
    "minister report damage people city area years team water power plant law court results"
).split()


def make_big(path: Path, n_topics: int, seed: int = 11) -> None:
    """Makes a corpus file of so many topics; beyond a thousand a multiple of a thousand.

    Args:
        path: Where nothing is yet.
        n_topics: How many.
        seed: Of the texts.
    """
    corpus = base_corpus(min(n_topics, AT_ONCE), seed)
    CorpusStore.create(path, name="big", who="made", addition=addition_of(corpus)).close()
    n_copies = max(0, n_topics // AT_ONCE - 1)
    if n_copies:
        _multiply(path, corpus.topics, n_copies)


def base_corpus(n_topics: int, seed: int = 11) -> Corpus:
    """Returns a corpus of topics that differ."""
    rng = random.Random(seed)
    return Corpus(name="big", topics=tuple(_topic(rng, idx) for idx in range(n_topics)))


def _topic(rng: random.Random, idx: int) -> Topic:
    language = "ja" if idx % 2 else "en"
    texts = [_sentence(rng, language) for _ in range(N_SENTENCES)]
    each = N_SENTENCES // N_DOCUMENTS
    documents = tuple(
        Document(
            id=f"{idx:04}{number:02}",
            sentences=tuple(
                SourceSentence(n=n, text=text, paragraph=(n + 2) // 3)
                for n, text in enumerate(texts[number * each : (number + 1) * each], start=1)
            ),
            source="made",
            date="1998-07-22",
        )
        for number in range(N_DOCUMENTS)
    )
    refs = [ref for document in documents for ref in document.refs()]
    outputs = (
        Extract(system="lead", sentences=tuple(refs[::12][:8])),
        Extract(system="random", sentences=tuple(rng.sample(refs, 8))),
        TextOutput(system="writer", sentences=tuple(rng.sample(texts, 5))),
    )
    return Topic(
        id=f"{idx:06}",
        title=f"Topic {idx}",
        language=language,
        documents=documents,
        abstracts=(_abstract(rng, refs, texts),),
        outputs=outputs,
    )


def _abstract(rng: random.Random, refs: list[SentenceRef], texts: list[str]) -> Abstract:
    n_sentences = rng.randint(8, 12)
    linked = tuple(
        SentenceAlignment(
            n=n,
            state=AlignmentState.CONFIRMED,
            alternatives=tuple(
                Alternative(tuple(rng.sample(refs, rng.randint(1, 3))))
                for _ in range(rng.randint(1, 3))
            ),
        )
        for n in range(1, n_sentences + 1)
    )
    return Abstract(
        id="short",
        length="short",
        sentences=tuple(
            AbstractSentence(n=n, text=rng.choice(texts), rank=rng.choice("ABC"))
            for n in range(1, n_sentences + 1)
        ),
        alignments=(Alignment(annotator="A1", sentences=linked),),
    )


def _sentence(rng: random.Random, language: str) -> str:
    if language == "en":
        return " ".join(rng.choices(_WORDS, k=rng.randint(10, 25))).capitalize() + "."
    words = ("".join(rng.choices(_KANJI, k=2)) + rng.choice(_KANA) for _ in range(20))
    return "".join(list(words)[: rng.randint(8, 20)]) + "。"


_COPIED: Final = {
    "document": ("topic_id",),
    "source_sentence": ("document_id",),
    "abstract": ("topic_id",),
    "abstract_sentence": ("abstract_id",),
    "alignment": ("abstract_id",),
    "sentence_alignment": ("alignment_id",),
    "output": ("topic_id",),
}
"""Tables below topics, with the columns that name rows of others."""
_OWNER: Final = {
    "topic_id": "topic", "document_id": "document", "abstract_id": "abstract",
    "alignment_id": "alignment",
}  # fmt: skip


def _multiply(path: Path, topics: Sequence[Topic], n_copies: int) -> None:
    base = list(topics)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA cache_size = -200000")
        last = {
            table: connection.execute(f"SELECT max(id) FROM {table}").fetchone()[0]
            for table in (*_COPIED, "topic")
        }
        for copy in range(1, n_copies + 1):
            connection.execute("BEGIN")
            _copy_rows(connection, last, copy, len(base))
            _write_topics(connection, base, last["topic"], copy)
            connection.execute("COMMIT")
        connection.execute("PRAGMA journal_mode = WAL")  # as a corpus is left behind


def _copy_rows(
    connection: sqlite3.Connection, last: dict[str, int], copy: int, n_base: int
) -> None:
    connection.execute(
        "INSERT INTO topic SELECT id + ?1, printf('%06d', CAST(key AS INTEGER) + ?2), "
        "position + ?2, title, language, text_digest, digest FROM topic WHERE id <= ?3",
        (last["topic"] * copy, n_base * copy, last["topic"]),
    )
    for table, owners in _COPIED.items():
        columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
        shifts = {"id": last[table], **{owner: last[_OWNER[owner]] for owner in owners}}
        chosen = [
            f"{column} + {shifts[column] * copy}" if column in shifts else f'"{column}"'
            for column in columns
        ]
        connection.execute(
            f"INSERT INTO {table} SELECT {', '.join(chosen)} FROM {table} WHERE id <= {last[table]}"
        )


def _write_topics(
    connection: sqlite3.Connection, base: list[Topic], last_topic: int, copy: int
) -> None:
    moved = [
        replace(topic, id=f"{int(topic.id) + len(base) * copy:06}", outputs=topic.outputs)
        for topic in base
    ]
    digests = [topic_digests(topic) for topic in moved]
    connection.executemany(
        "UPDATE topic SET text_digest = ?, digest = ? WHERE key = ?",
        [(one["text_digest"], one["digest"], t.id) for one, t in zip(digests, moved, strict=True)],
    )
    connection.executemany(
        "INSERT INTO entry_version (topic, abstract, annotator, n, revision, digest, at, replica, "
        "is_known) SELECT ?1, ?2, ?3, ?4, 1, ?5, at, replica, 1 FROM entry_version LIMIT 1",
        [
            (key.topic, key.abstract, key.annotator, key.n, digest)
            for topic in moved
            for key, digest in entries_of(topic)
        ],
    )
