"""Edits of a topic's parts and of the corpus's, written within the caller's transaction.

Only the rows of the parts that differ are written. Whether the topic is one afterwards is asked of
the records, which know the rules.
"""

from sqlalchemy import Connection

from awase.core.errors import InputError
from awase.core.progress import Reporter, Silent
from awase.core.records.differences import (
    has_corpus_parts,
    has_parts,
    on_present_head,
    on_present_places,
    with_corpus_parts,
    with_parts,
)
from awase.core.records.edits.edit import CorpusEdit, TopicEdit
from awase.core.records.edits.ownership import changed_entries
from awase.storage.changing.conflicts import StaleEdit, stale_corpus
from awase.storage.rows.changes import Changes
from awase.storage.rows.clock import now
from awase.storage.rows.reading import corpus_around, read_corpus, read_topics
from awase.storage.rows.versions import stamp
from awase.storage.rows.writing import exchange_parts, write_difference


def write_parts(connection: Connection, edit: TopicEdit) -> None:
    """Puts the edit's new parts in the place of its old ones.

    Raises:
        StaleEdit: The stored parts are not the edit's old ones.
        InputError: The topic does not exist, or what came out would break its rules.
    """
    topics = read_topics(connection, only=edit.topic)
    if not topics:
        raise InputError.of("The corpus has no topic “{topic}”.", topic=edit.topic)
    if not has_parts(topics[0], edit.old):
        raise StaleEdit.of(
            "Topic “{topic}” has been changed in the meantime.",
            "Look at it again, then repeat the action.",
            topic=edit.topic,
        )
    after = with_parts(topics[0], edit.old, edit.new)  # refuses what could not be read again
    exchange_parts(connection, after, edit.old, edit.new)
    stamp(connection, changed_entries(topics[0], after), at=now())


def write_corpus_edit(
    connection: Connection, edit: CorpusEdit, reporter: Reporter | None = None
) -> Changes:
    """Puts the edit's new parts of the corpus in the place of its old ones.

    Raises:
        StaleEdit: The stored parts are not the edit's old ones.
        InputError: What came out would break the rules of a corpus.
        Cancelled: The reporter, told of each topic, asked to stop.
    """
    old, new = edit.old, edit.new
    is_reweighted = old.head.rank_weights != new.head.rank_weights
    named = {*old.topic_ids, *new.topic_ids}
    corpus = read_corpus(connection) if is_reweighted else corpus_around(connection, named)
    old, new = on_present_places(corpus, *on_present_head(corpus, old, new))
    if not has_corpus_parts(corpus, old):
        raise stale_corpus()
    after = with_corpus_parts(corpus, old, new)
    return write_difference(connection, corpus, after, reporter or Silent())
