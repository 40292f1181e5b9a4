"""Digests of records: SHA-256 of the canonical JSON of `json_values`, hexadecimal, stable."""

import hashlib

from awase.core.records.alignment import SentenceAlignment
from awase.core.records.encoding.json_values import (
    bare_abstract_value,
    document_value,
    dumps,
    entry_value,
    gold_entry_value,
    output_value,
    text_dumps,
)
from awase.core.records.gold import GoldEntry
from awase.core.records.topic import Topic

_ENTRY_DIGITS = 32  # 128 bits: there is one for each edit


def sha256_of(value: object) -> str:
    """Returns the digest of a JSON value."""
    # surrogatepass: file names in logs may hold what no text does
    return hashlib.sha256(dumps(value).encode("utf-8", "surrogatepass")).hexdigest()


def _sha256_of_texts(value: object) -> str:
    return hashlib.sha256(text_dumps(value)).hexdigest()


def entry_digest(entry: SentenceAlignment) -> str:
    """Returns the digest of an annotator's entry without its number."""
    value = entry_value(entry)
    del value["n"]
    return sha256_of(value)[:_ENTRY_DIGITS]


def gold_digest(decided: GoldEntry | None) -> str:
    """Returns the digest of a decision without its number, of none the empty digest."""
    if decided is None:
        return NO_ENTRY
    value = gold_entry_value(decided)
    del value["n"]
    return sha256_of(value)[:_ENTRY_DIGITS]


# Of an entry that says nothing, which is the same as no entry.
NO_ENTRY = entry_digest(SentenceAlignment(n=1))


def text_digest(topic: Topic) -> str:
    """Returns the digest of `text_value`."""
    return _sha256_of_texts(text_value(topic))


def text_value(topic: Topic) -> list[object]:
    """Returns the ids and texts of sentences of documents and abstracts, in order."""
    # Titles, ranks, systems and alignments may differ between copies that agree in this.
    documents = [
        [document.id, [[sentence.n, sentence.text] for sentence in document.sentences]]
        for document in topic.documents
    ]
    abstracts = [
        [abstract.id, [[sentence.n, sentence.text] for sentence in abstract.sentences]]
        for abstract in topic.abstracts
    ]
    return [topic.id, documents, abstracts]


def content_digest(topic: Topic) -> str:
    """Returns the digest of a topic without alignments and gold, whose entries have their own."""
    return _sha256_of_texts(
        {
            "id": topic.id,
            "title": topic.title,
            "language": topic.language,
            "documents": [document_value(document) for document in topic.documents],
            "abstracts": [bare_abstract_value(abstract) for abstract in topic.abstracts],
            "outputs": [output_value(output) for output in topic.outputs],
        }
    )
