"""Every sentence of some topics, without the records around them."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from awase.storage.databases.querying import Readable, rows_among, rows_of


class StoredSentence(NamedTuple):
    """A sentence and where it is.

    Attributes:
        topic: Id of its topic.
        abstract: Id of its abstract; None for a source sentence.
        document: Id of its document; None for a sentence of an abstract.
        n: Its number there.
        text: As it is stored.
    """

    topic: str
    abstract: str | None
    document: str | None
    n: int
    text: str


_TOPICS: Final = "SELECT id, key FROM topic WHERE key IN {names}"
_OF_ABSTRACTS: Final = """
    SELECT topic_id, key, NULL, n, text FROM abstract
    JOIN abstract_sentence ON abstract_sentence.abstract_id = abstract.id
    WHERE topic_id IN {names} ORDER BY abstract.position, abstract_sentence.position
"""
_OF_DOCUMENTS: Final = """
    SELECT topic_id, NULL, key, n, text FROM document
    JOIN source_sentence ON source_sentence.document_id = document.id
    WHERE topic_id IN {names} ORDER BY document.position, source_sentence.position
"""
_TEXT: Final = """
    SELECT text FROM topic
    JOIN abstract ON abstract.topic_id = topic.id
    JOIN abstract_sentence ON abstract_sentence.abstract_id = abstract.id
    WHERE topic.key = :topic AND abstract.key = :abstract AND n = :n
"""


def read_sentences(connection: Readable, topics: Sequence[str]) -> Iterator[StoredSentence]:
    """Yields the sentences of the topics, of each those of its abstracts first.

    Args:
        connection: Within a transaction.
        topics: Ids, some hundreds at most; what is gone is passed over.
    """
    row_by_key = {key: row_id for row_id, key in rows_among(connection, _TOPICS, topics)}
    found: dict[int, list[tuple[str | None, str | None, int, str]]] = defaultdict(list)
    for query in (_OF_ABSTRACTS, _OF_DOCUMENTS):
        for topic_id, *sentence in rows_among(connection, query, [*row_by_key.values()]):
            found[topic_id].append(tuple(sentence))
    for key in topics:
        for abstract, document, n, text in found.get(row_by_key.get(key, 0), ()):
            yield StoredSentence(key, abstract, document, n, text)


def read_sentence_text(connection: Readable, topic: str, abstract: str, n: int) -> str:
    """Returns the text of an abstract's sentence; empty where there is none."""
    rows = rows_of(connection, _TEXT, topic=topic, abstract=abstract, n=n)
    return str(rows[0][0]) if rows else ""
