"""An annotator's edit on a server in two round trips: one query, one write.

Each query costs a round trip, and SQLAlchemy's compilation more CPU than the answer. So statements
of the usual edit are prepared once and pipelined; anything unusual takes the general path, which
has the error messages.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import psycopg
from sqlalchemy import (
    ARRAY,
    Connection,
    Integer,
    Select,
    Text,
    bindparam,
    func,
    insert,
    literal_column,
    select,
    table,
)
from sqlalchemy.dialects.postgresql import insert as insert_or
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.exc import DataError, DBAPIError

from awase.core.records.abstract import EditEffort, SentenceAlignment
from awase.core.records.digests import entry_digest
from awase.core.records.edits import AlignmentEdit
from awase.storage.edits import (
    N_COLUMNS,
    QUESTION,
    Stored,
    changes_of,
    check_rank_of,
    key_of,
    place_of,
    stored_of,
)
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
from awase.storage.rows.schema import (
    DocumentRow,
    EntryVersionRow,
    OperationRow,
    SentenceAlignmentRow,
    SourceSentenceRow,
    TopicRow,
)

_Driver = psycopg.Connection[tuple[object, ...]]
_LOGGED = (
    "at", "who", "kind", "verb", "topic", "abstract", "annotator", "n", "subject", "old", "new",
    "active_ms", "n_keys", "digest",
)  # fmt: skip
_ENTRY = ("alignment_id", "n", "position", "state", "alternatives", "note", "rank", "assist")


class _Statement(NamedTuple):
    sql: bytes
    values: dict[str, object]


class Step(NamedTuple):
    """Author, client and cost of an edit."""

    who: str
    window: str
    effort: EditEffort


def apply_at_once(
    connection: Connection, edit: AlignmentEdit, step: Step, is_newest: Callable[[int], bool]
) -> Operation | None:
    """Applies, logs and commits an edit; None = unusual, nothing changed.

    Args:
        connection: At the beginning of a transaction, which has ended on return.

    Raises:
        DBAPIError: The server refused it or is unreachable; nothing was changed.
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
) -> tuple[Stored, str] | None:
    """Locks the entry; returns its stored state and the time, or None if unusual."""
    refs = sorted(set(edit.new.refs()) - set(edit.old.refs()))
    question = _question()
    values = {
        **question.values,
        **place_of(edit),
        "of_who": who,
        "documents": [ref.document_id for ref in refs],
        "ns": [ref.n for ref in refs],
    }
    lock, keys = _lock(parts_of(edit, who))
    with driver.pipeline():
        driver.execute(lock, keys, prepare=True)
        row = driver.execute(question.sql, values, prepare=True).fetchone()
    if row is None:
        return None
    newest, n_found, schema, at = row[N_COLUMNS:]
    stored = stored_of(row)
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
        check_rank_of(stored.rank_weights, rank)
    return stored, str(at)


def _write(driver: _Driver, edit: AlignmentEdit, step: Step, stored: Stored, at: str) -> Operation:
    logged = edit_values(at=at, who=step.who, edit=edit, effort=step.effort)
    version = version_values(key_of(edit), stored.next_version(entry_digest(edit.new), at))
    entry = {
        **entry_values(edit.new),
        "alignment_id": stored.alignment_row_id,
        "position": stored.position,
    }
    notice = Notice(window=step.window, who=step.who, row=0, changes=changes_of(edit))
    before, after = text_around_row(notice)
    statement = _writing()
    values = {
        **statement.values,
        **{f"entry_{name}": entry[name] for name in _ENTRY},
        **{f"version_{name}": version[name] for name in VERSION_COLUMNS},
        **{f"log_{name}": logged.get(name) for name in _LOGGED},
        "log_digest": operation_digest(logged),
        "before": before,
        "after": after,
    }
    with driver.pipeline():
        cursor = driver.execute(statement.sql, values, prepare=True)
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


@cache
def _question() -> _Statement:
    """Returns the query of newest step, existing sentences, schema and time."""
    documents, ns = bindparam("documents", type_=ARRAY(Text)), bindparam("ns", type_=ARRAY(Integer))
    wanted = func.unnest(documents, ns).table_valued("document", "n").render_derived(name="wanted")
    found = (
        select(func.count())
        .select_from(wanted)
        .join(DocumentRow, DocumentRow.key == wanted.c.document)
        .join(
            SourceSentenceRow,
            (SourceSentenceRow.document_id == DocumentRow.id) & (SourceSentenceRow.n == wanted.c.n),
        )
        .where(DocumentRow.topic_id == TopicRow.id)
        .correlate(TopicRow)
    )
    schema: Select[tuple[str]] = select(literal_column("version_num"))
    return _compiled(
        QUESTION.add_columns(
            NEWEST_STEP.scalar_subquery(),
            found.scalar_subquery(),
            schema.select_from(table("alembic_version")).scalar_subquery(),
            literal_column(SERVER_TIME),
        )
    )


@cache
def _writing() -> _Statement:
    """Returns the statement that writes entry, version and log and notifies."""
    entry = SentenceAlignmentRow
    put = insert_or(entry).values({name: bindparam(f"entry_{name}") for name in _ENTRY})
    put = put.on_conflict_do_update(
        index_elements=["alignment_id", "n"],
        set_={name: put.excluded[name] for name in _ENTRY[2:]},
    )
    version = insert(EntryVersionRow).values(
        {name: bindparam(f"version_{name}") for name in VERSION_COLUMNS}
    )
    log = insert(OperationRow).values({name: bindparam(f"log_{name}") for name in _LOGGED})
    row = log.returning(OperationRow.id).cte("logged")
    text = func.concat(bindparam("before", type_=Text), row.c.id, bindparam("after", type_=Text))
    return _compiled(
        select(row.c.id, func.pg_notify(CHANNEL, text)).add_cte(
            put.returning(entry.id).cte("put"), version.cte("version")
        )
    )


def _compiled(statement: Select[Any]) -> _Statement:  # Any: the columns differ
    dialect = PGDialect_psycopg()  # type: ignore[no-untyped-call] # SQLAlchemy's
    compiled = statement.compile(dialect=dialect)
    values = {name: value for name, value in compiled.params.items() if value is not None}
    return _Statement(str(compiled).encode(), values)
