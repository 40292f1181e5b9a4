"""An annotator's edit on a server in two round trips: one query, one write.

Each query costs a round trip, and SQLAlchemy's compilation more CPU than the answer. So statements
of the usual edit are prepared once and pipelined; anything unusual takes the general path, which
has the error messages.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

import psycopg
from sqlalchemy import Connection
from sqlalchemy.exc import DataError, DBAPIError

from awase.core.records.abstract import EditEffort, SentenceAlignment
from awase.core.records.digests import entry_digest
from awase.core.records.edits import AlignmentEdit
from awase.storage import edits
from awase.storage.files.sqlite_files import NEWEST_STEP as NEWEST_SCHEMA
from awase.storage.postgresql.connections import keys_of, naming_holders, parts_of
from awase.storage.postgresql.notices import CHANNEL, Notice, text_around_row
from awase.storage.querying import (
    SERVER_TIME,
    VERSION_COLUMNS,
    entry_values,
    operation_digest,
    version_values,
)
from awase.storage.rows.log import NEWEST_STEP, Operation, edit_values

_Driver = psycopg.Connection[tuple[object, ...]]
_LOGGED = (
    "at", "who", "kind", "verb", "topic", "abstract", "annotator", "n", "subject", "old", "new",
    "active_ms", "n_keys", "digest",
)  # fmt: skip
_ENTRY = ("alignment_id", "n", "position", "state", "alternatives", "note", "rank", "assist")


class Step(NamedTuple):
    """Author, client and cost of an edit."""

    who: str
    window: str
    effort: EditEffort


def apply_at_once(
    connection: Connection, edit: AlignmentEdit, step: Step, is_newest: Callable[[int], bool]
) -> Operation | None:
    """Applies, logs and commits an edit; None = unusual, nothing changed.

    The transaction has just begun, and has ended on return. DBAPIError if the server refused the
    edit or is unreachable; nothing was changed.
    """
    if edit.new == SentenceAlignment(n=edit.new.n) or step.effort.shown is not None:
        return None
    keys = keys_of(parts_of(edit, step.who))
    with naming_holders(connection, keys), _driver(connection) as driver:
        answer = _ask(driver, edit, step.who, is_newest)
        if answer is None:
            driver.rollback()
            return None
        return _write(driver, edit, step, *answer)


@contextmanager
def _driver(connection: Connection) -> Iterator[_Driver]:
    """Yields the driver's own connection; its errors become SQLAlchemy's."""
    driver = connection.connection.driver_connection
    if not isinstance(driver, psycopg.Connection):
        raise TypeError("not a connection to a PostgreSQL server")
    try:
        yield driver
    except psycopg.Error as error:
        if driver.closed:
            connection.invalidate(error)
        kind = DataError if isinstance(error, psycopg.DataError) else DBAPIError
        raise kind(None, None, error) from error


def _ask(
    driver: _Driver, edit: AlignmentEdit, who: str, is_newest: Callable[[int], bool]
) -> tuple[edits.Stored, str] | None:
    """Locks the entry; returns its stored state and the time, or None if unusual."""
    refs = sorted(set(edit.new.refs()) - set(edit.old.refs()))
    values = {
        **edits.place_of(edit),
        "of_who": who,
        "documents": [ref.document_id for ref in refs],
        "ns": [ref.n for ref in refs],
    }
    lock, keys = _lock(parts_of(edit, who))
    with driver.pipeline():
        driver.execute(lock, keys, prepare=True)
        row = driver.execute(_QUESTION, values, prepare=True).fetchone()
    if row is None:
        return None
    newest, n_found, schema, at = row[edits.N_COLUMNS :]
    stored = edits.stored_of(row)
    is_ordinary = (
        schema == NEWEST_SCHEMA
        and is_newest(_whole(newest))
        and n_found == len(refs)
        and stored.alignment_row_id is not None
        and not stored.is_unsorted
        and stored.is_value(edit.old)
        and stored.digest != entry_digest(edit.new)
    )
    if not is_ordinary:
        return None
    for rank in {edit.new.rank} - {edit.old.rank}:
        edits.check_rank_of(stored.rank_weights, rank)
    return stored, str(at)


def _write(
    driver: _Driver, edit: AlignmentEdit, step: Step, stored: edits.Stored, at: str
) -> Operation:
    logged = edit_values(at=at, who=step.who, edit=edit, effort=step.effort)
    version = version_values(edits.key_of(edit), stored.next_version(entry_digest(edit.new), at))
    entry = {
        **entry_values(edit.new),
        "alignment_id": stored.alignment_row_id,
        "position": stored.position,
    }
    notice = Notice(window=step.window, who=step.who, row=0, changes=edits.changes_of(edit))
    before, after = text_around_row(notice)
    values = {
        **{f"entry_{name}": entry[name] for name in _ENTRY},
        **{f"version_{name}": version[name] for name in VERSION_COLUMNS},
        **{f"log_{name}": logged.get(name) for name in _LOGGED},
        "log_digest": operation_digest(logged),
        "before": before,
        "after": after,
    }
    with driver.pipeline():
        cursor = driver.execute(_WRITING, values, prepare=True)
        driver.execute("COMMIT", prepare=True)
        row = cursor.fetchone()
    if row is None:
        raise RuntimeError("the database returned no key for the operation log")
    return Operation(
        id=_whole(row[0]), at=at, who=step.who, edit=edit, active_ms=step.effort.active_ms
    )  # fmt: skip


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _lock(parts: Sequence[str]) -> tuple[bytes, dict[str, object]]:
    corpus, *more = keys_of(parts)
    words = ["pg_advisory_xact_lock_shared(%(corpus)s::bigint)"]
    words += [f"pg_advisory_xact_lock(%(part{idx})s::bigint)" for idx in range(len(more))]
    values = {f"part{idx}": key for idx, key in enumerate(more)}
    return f"SELECT {', '.join(words)}".encode(), {"corpus": corpus, **values}


def _for_driver(sql: str) -> bytes:
    """Returns SQL with parameters as psycopg has them."""
    return re.sub(r"(?<!:):([a-z]\w*)", r"%(\1)s", sql).encode()


# With the newest step, how many of the new sentences there are, the schema and the time.
_QUESTION: Final = _for_driver(
    edits.QUESTION.format(
        more=f"""
        , ({NEWEST_STEP})
        , (SELECT count(*) FROM unnest(:documents::text[], :ns::integer[]) AS wanted(document, n)
            JOIN document ON document.key = wanted.document
            JOIN source_sentence AS s ON s.document_id = document.id AND s.n = wanted.n
            WHERE document.topic_id = topic.id)
        , (SELECT version_num FROM alembic_version)
        , {SERVER_TIME}
        """
    )
)


def _insert(table: str, names: Sequence[str], values: str) -> str:
    columns = ", ".join(f'"{name}"' for name in names)
    return f"INSERT INTO {table} ({columns}) VALUES ({', '.join(f':{values}_{n}' for n in names)})"


# Writes entry, version and log, and notifies.
_WRITING: Final = _for_driver(
    f"""
    WITH put AS (
        {_insert("sentence_alignment", _ENTRY, "entry")} ON CONFLICT (alignment_id, n)
        DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in _ENTRY[2:])}
    ), version AS (
        {_insert("entry_version", VERSION_COLUMNS, "version")}
    ), logged AS (
        {_insert("operation", _LOGGED, "log")} RETURNING id
    )
    SELECT id, pg_notify('{CHANNEL}', concat(:before::text, id, :after::text)) FROM logged
    """
)
