"""Integrity check: digests against rows, in one transaction."""
# SQLite detects a broken page, not a changed letter within one.

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import DBAPIError

from awase.core.errors import AwaseError, EnvironmentProblem, Missing, Problem, Reporter, Silent
from awase.core.records.digests import NO_ENTRY, EntryKey, content_digest, entries_of, text_digest
from awase.core.records.topic import Topic
from awase.storage.files.corpus_file import (
    SIDE_SUFFIXES,
    USER_VERSION,
    check_file,
    check_length,
    dated,
    file_errors_translated,
    file_writes_translated,
    identity_of,
    is_pending_foreign,
    set_pending_aside,
)
from awase.storage.files.locks_and_backups import (
    backups_of,
    cannot_create,
    lock_to_write,
    partial_of,
    real_path,
)
from awase.storage.files.opening import engine_to_read, is_consistent
from awase.storage.files.sqlite_files import (
    check_content,
    check_statements,
    connected_to_make,
    connected_to_read,
    copy_pages,
    reader,
    user_version,
    written_beside,
)
from awase.storage.inserting import stored_frame_digest
from awase.storage.querying import change, new_uid, only_row_of, operation_digest, read_versions
from awase.storage.rows.log import ROWS_NOT_UNDERSTOOD, each_log_row, whole
from awase.storage.rows.reading import read_frame, read_topics
from awase.storage.rows.schema import CorpusRow, OperationRow, TopicRow
from awase.storage.transactions import translate_row_errors, translated

# Errors of reading rows that were changed from outside.
NOT_UNDERSTOOD = (*ROWS_NOT_UNDERSTOOD, IndexError, AwaseError, DBAPIError)
# Batch size of topics, which is quicker; more would take the memory of a second corpus.
_TOPICS_AT_ONCE = 100
_HINT_LOOK = "Compare it with a backup, or restore the backup."

_Digests = dict[str, tuple[str | None, str | None]]


def find_damage(connection: Connection, reporter: Reporter | None = None) -> tuple[Problem, ...]:
    """Returns all digest mismatches: bits that changed on the disk."""
    reporter = reporter or Silent()
    found: list[Problem] = []
    if not is_consistent(connection, reporter):
        found.append(
            _damage(what="The file is inconsistent: tables and their indices do not match.")
        )
    found += _frame_damage(connection)
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


def _damage(*, what: str, **fields: str | int) -> Problem:
    return Problem(what=what, hint=_HINT_LOOK, fields={**fields, "missing": Missing.BACKUP.value})


def _frame_damage(connection: Connection) -> Iterator[Problem]:
    stored = connection.execute(select(CorpusRow.digest)).scalar_one()
    try:
        is_sound = stored_frame_digest(connection, read_frame(connection)) == stored
    except NOT_UNDERSTOOD:
        is_sound = False
    if not is_sound:
        yield _damage(
            what="The name, the rank weights, the guidelines, the people or the human scores "
            "differ from what was written."
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
    """Returns the topics; none where one is unreadable, so that each must be tried."""
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
        yield _damage(what="Topic “{topic}” cannot be read.", topic=topic_id)
        return
    texts, content = digests
    if text_digest(topic) != texts:
        yield _damage(what="Texts of topic “{topic}” differ from what was written.", topic=topic_id)
    elif content_digest(topic) != content:
        yield _damage(
            what="Titles, ranks or systems of topic “{topic}” differ from what was written.",
            topic=topic_id,
        )
    present = dict(entries_of(topic))
    for key in {**present, **entries}:
        if present.get(key, NO_ENTRY) != entries.get(key, NO_ENTRY):
            yield _damage(
                what="The work of “{annotator}” on sentence {n} of abstract “{abstract}” of topic "
                "“{topic}” differs from what was written.",
                annotator=key.annotator or "gold",
                n=key.n,
                abstract=key.abstract,
                topic=key.topic,
            )


def _log_damage(connection: Connection, reporter: Reporter) -> Iterator[Problem]:
    newest = connection.execute(select(func.max(OperationRow.id))).scalar_one() or 0
    for row in each_log_row(lambda: nullcontext(connection)):
        row_id = whole(row["id"])
        reporter.advance(row_id, newest)
        if operation_digest(row) != row["digest"]:
            yield Problem(
                what="Row {row} of the operation log differs from what was written.",
                hint="Undo may fail; the annotation is not affected.",
                fields={"row": row_id},
            )


class Restored(NamedTuple):
    """Result of restoring."""

    backup: Path
    aside: Path | None  # where what was there before is; None = there was nothing


def newest_sound_backup(path: Path, reporter: Reporter) -> Path | None:
    """Returns the newest undamaged backup of the corpus at `path`."""
    for backup in reversed(backups_of(path)):
        with suppress(EnvironmentProblem, DBAPIError):
            _check_sound(backup, reporter)
            return backup
    return None


def restore(location: Path, backup: Path | None, reporter: Reporter) -> Restored:
    """Restores a backup in place of a corpus, which is kept beside it under a dated name.

    It need not exist any more. The backup, None = the newest undamaged one, becomes a copy of its
    own, so that it merges with others' copies. Raises as `lock_to_write`.
    """
    path = real_path(location)
    chosen = sound_backup(location, backup, reporter)
    lock = lock_to_write(path, location)
    try:
        return Restored(chosen, _exchange(path, chosen, reporter))
    except OSError as error:
        raise cannot_create(location, error) from error
    finally:
        lock.release()


def sound_backup(location: Path, backup: Path | None, reporter: Reporter) -> Path:
    """Returns the backup to restore, checked; raises as `restore`."""
    path = real_path(location)
    check_length(partial_of(path))
    chosen = newest_sound_backup(path, reporter) if backup is None else real_path(backup)
    if chosen is None:
        raise EnvironmentProblem(
            "“{path}” has no backup that can be restored.",
            "Name another file to replace it, or save what can be read of it with “awase rescue”.",
            path=str(location),
        )
    if backup is not None:
        _check_sound(chosen, reporter)
    if identity_of(chosen) == identity_of(path):
        raise EnvironmentProblem(
            "“{path}” cannot replace itself.", "Name a backup.", path=str(location)
        )
    if _uid_of(path) not in (None, _uid_of(chosen)):
        raise EnvironmentProblem(
            "“{backup}” is a backup of another corpus.",
            "Open it by itself; nothing was changed.",
            backup=str(chosen),
        )
    return chosen


def _check_sound(backup: Path, reporter: Reporter) -> None:
    check_file(backup)
    engine = engine_to_read(backup)
    with translated(str(backup)), translate_row_errors(str(backup)), engine.connect() as connection:
        check_statements(connection, str(backup))
        check_content(connection, backup)
        is_older = user_version(connection) < USER_VERSION
        damage = () if is_older else find_damage(connection, reporter)
    for problem in damage:
        raise EnvironmentProblem(
            "The backup “{backup}” is damaged itself: {damage}",
            "Use an older one, or save what can be read of it with “awase rescue”.",
            backup=str(backup),
            damage=problem,
        )


def _uid_of(path: Path) -> str | None:
    """Returns the corpus id of a file; None where it is unreadable."""
    with suppress(EnvironmentProblem), file_errors_translated(str(path)):
        check_file(path)
        with connected_to_read(path) as connection:
            return str(only_row_of(connection, "SELECT uid FROM corpus")[0])
    return None


def _exchange(path: Path, backup: Path, reporter: Reporter) -> Path | None:
    """Replaces the file by a copy of the backup; returns where the file is now."""
    partial = partial_of(path)
    with written_beside(path, partial):
        with file_writes_translated(str(path)):
            _copy(backup, partial, reporter)
        return _set_aside(path)


def _copy(backup: Path, target: Path, reporter: Reporter) -> None:
    with closing(reader(backup)()) as source:
        copy_pages(source, target, lambda: reporter.advance(0, 0))
    with connected_to_make(target) as copy:
        change(copy, "UPDATE corpus SET replica = :replica", replica=new_uid())


def _set_aside(path: Path) -> Path | None:
    """Renames the file, with its own side files."""
    if is_pending_foreign(path) or not path.exists():
        with suppress(FileNotFoundError):
            set_pending_aside(path)
    if not path.exists():
        return None
    aside = dated(path, "replaced")
    path.rename(aside)
    for suffix in SIDE_SUFFIXES:
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(aside.with_name(aside.name + suffix))
    return aside
