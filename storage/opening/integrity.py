"""Whether what is stored is what was written: digests against rows, within one transaction.

SQLite sees a page that is broken, not a letter that changed within one.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import DBAPIError

from awase.core.errors import AwaseError, Problem
from awase.core.progress import Reporter
from awase.core.records.edits.ownership import EntryKey, entries_of
from awase.core.records.encoding.digests import NO_ENTRY, content_digest, text_digest
from awase.core.records.topic import Topic
from awase.storage.databases import sqlite
from awase.storage.databases.access import ROWS_NOT_UNDERSTOOD
from awase.storage.log.logged_edits import whole
from awase.storage.log.rows import logged_rows
from awase.storage.rows.digests import operation_digest, stored_frame_digest
from awase.storage.rows.reading import read_frame, read_topics
from awase.storage.rows.schema import CorpusRow, OperationRow, TopicRow
from awase.storage.rows.versions import read_versions

NOT_UNDERSTOOD = (*ROWS_NOT_UNDERSTOOD, IndexError, AwaseError, DBAPIError)
"""What reading rows may raise that are not as they were written."""
_TOPICS_AT_ONCE = 100
"""Topics that are read at once, which is quicker; more would take the memory of a second corpus."""
_HINT_LOOK = "Compare it with a backup, or take the backup in its place (“awase restore”)."

_Digests = dict[str, tuple[str | None, str | None]]


def find_damage(connection: Connection, reporter: Reporter) -> tuple[Problem, ...]:
    """Returns what in the corpus is not what was written, each part named once.

    Raises:
        Cancelled: The reporter asked to stop.
    """
    found = [*_file_damage(connection, reporter), *_frame_damage(connection)]
    ids = [*connection.execute(select(TopicRow.key).order_by(TopicRow.position)).scalars()]
    for begin in range(0, len(ids), _TOPICS_AT_ONCE):
        some = ids[begin : begin + _TOPICS_AT_ONCE]
        reporter.advance(begin, len(ids), some[0])
        stored, versions = _digests_of(connection, some), _versions_of(connection, some)
        read = _read_at_once(connection, some)
        for idx, topic_id in enumerate(some, start=begin):
            reporter.advance(idx, len(ids), topic_id)
            found += _topic_damage(
                connection, topic_id, read.get(topic_id), stored[topic_id], versions[topic_id]
            )
    return (*found, *_log_damage(connection, reporter))


def _file_damage(connection: Connection, reporter: Reporter) -> Iterator[Problem]:
    if not sqlite.is_consistent(connection, reporter):
        yield Problem(
            what="The file contradicts itself: tables and their indices do not fit together.",
            hint=_HINT_LOOK,
        )


def _frame_damage(connection: Connection) -> Iterator[Problem]:
    stored = connection.execute(select(CorpusRow.digest)).scalar_one()
    try:
        is_sound = stored_frame_digest(connection, read_frame(connection)) == stored
    except NOT_UNDERSTOOD:
        is_sound = False
    if not is_sound:
        yield Problem(
            what="The name, the rank weights, the guidelines, the people or the human scores are "
            "not as they were written.",
            hint=_HINT_LOOK,
        )


def _digests_of(connection: Connection, topics: Sequence[str]) -> _Digests:
    columns = select(TopicRow.key, TopicRow.text_digest, TopicRow.digest)
    rows = connection.execute(columns.where(TopicRow.key.in_(topics)))
    return {key: (texts, content) for key, texts, content in rows}


def _versions_of(
    connection: Connection, topics: Sequence[str]
) -> Mapping[str, Mapping[EntryKey, str]]:
    versions: dict[str, dict[EntryKey, str]] = defaultdict(dict)
    for key, known in read_versions(connection, only=topics).items():
        versions[key.topic][key] = known[-1].digest
    return versions


def _read_at_once(connection: Connection, ids: Sequence[str]) -> dict[str, Topic]:
    """Returns the topics; none where one cannot be read, and each has to be tried."""
    try:
        return {topic.id: topic for topic in read_topics(connection, only=ids)}
    except NOT_UNDERSTOOD:
        return {}


def _topic_damage(
    connection: Connection,
    topic_id: str,
    topic: Topic | None,
    digests: tuple[str | None, str | None],
    entries: Mapping[EntryKey, str],
) -> Iterator[Problem]:
    try:
        topic = topic or read_topics(connection, only=topic_id)[0]
    except NOT_UNDERSTOOD:
        yield Problem(
            what="Topic “{topic}” cannot be read.", hint=_HINT_LOOK, fields={"topic": topic_id}
        )
        return
    texts, content = digests
    if text_digest(topic) != texts:
        yield Problem(
            what="Texts of topic “{topic}” are not as they were written.",
            hint=_HINT_LOOK,
            fields={"topic": topic_id},
        )
    elif content_digest(topic) != content:
        yield Problem(
            what="Titles, ranks or systems of topic “{topic}” are not as they were written.",
            hint=_HINT_LOOK,
            fields={"topic": topic_id},
        )
    yield from _entry_damage(topic, entries)


def _entry_damage(topic: Topic, known: Mapping[EntryKey, str]) -> Iterator[Problem]:
    present = dict(entries_of(topic))
    for key in {**present, **known}:
        if present.get(key, NO_ENTRY) != known.get(key, NO_ENTRY):
            yield _entry_problem(key)


def _entry_problem(key: EntryKey) -> Problem:
    return Problem(
        what="What “{annotator}” said about sentence {n} of abstract “{abstract}” of topic "
        "“{topic}” is not as it was written.",
        hint=_HINT_LOOK,
        fields={
            "annotator": key.annotator or "gold",
            "n": key.n,
            "abstract": key.abstract,
            "topic": key.topic,
        },
    )


def _log_damage(connection: Connection, reporter: Reporter) -> Iterator[Problem]:
    newest = connection.execute(select(func.max(OperationRow.id))).scalar_one() or 0
    for row in logged_rows(lambda: nullcontext(connection)):
        row_id = whole(row["id"])
        reporter.advance(row_id, newest)
        if operation_digest(row) != row["digest"]:
            yield Problem(
                what="Row {row} of the operation log is not as it was written.",
                hint="Undo may refuse; what is annotated is not concerned.",
                fields={"row": row_id},
            )
