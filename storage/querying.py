"""Plain SQL for files and servers, on any driver: queries, new rows, entries and their versions.

Files are read and created by sqlite3 alone: SQLAlchemy takes longer to import than most corpora
take to be loaded and scored. Servers, and transactions that change stored data, use SQLAlchemy.
Tables are declared in the schema alone; tests compare the SQL here with it.
"""

import sqlite3
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from awase.core.errors import InputError, batches
from awase.core.records.abstract import AlignmentState, AssistOrigin, SentenceAlignment
from awase.core.records.digests import (
    NO_ENTRY,
    EntryKey,
    EntryVersion,
    Ownership,
    Versions,
    next_version,
    sha256_of,
)
from awase.core.records.json_values import (
    RefByName,
    alternatives_of,
    alternatives_value,
    dumps,
    loads,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table, TextClause


Readable: TypeAlias = "sqlite3.Connection | Connection"  # within a transaction
Writable: TypeAlias = Readable  # within a transaction that may write

# Of one statement; SQLite's oldest limit is 999. Several rows in one are quicker.
_VALUES_AT_ONCE: Final = 250

Values: TypeAlias = tuple[Any, ...]  # Any: columns differ in type


def is_server(connection: "Connection") -> bool:
    """Returns whether the corpus is on a server, with other writers."""
    return connection.dialect.name == "postgresql"


def rows_of(connection: Readable, query: str, /, **values: object) -> Sequence[Values]:
    """Returns a query's rows; SQL is portable, with `:name` parameters."""
    if isinstance(connection, sqlite3.Connection):
        return connection.execute(query, values).fetchall()
    # All together: row by row takes SQLAlchemy twice as long.
    return connection.execute(_clause(query), values).tuples().all()


def change(connection: Writable, statement: str, /, **values: object) -> None:
    """Executes a statement; SQL is portable, with `:name` parameters."""
    if isinstance(connection, sqlite3.Connection):
        connection.execute(statement, values).close()
    else:
        connection.execute(_clause(statement), values)


def insert_values(
    connection: Writable, table: str, columns: Mapping[str, Sequence[object]]
) -> None:
    """Inserts rows, given by column (at least one row), into a file by its own driver."""
    # NULL columns are left out: for each value that is no number or text sqlite3 searches for an
    # adapter, which takes longer than storing it.
    filled = {
        name: values
        for name, values in columns.items()
        if values[0] is not None or values.count(None) < len(values)
    } or columns
    names = ", ".join(f'"{column}"' for column in filled)
    row = f"({', '.join('?' * len(filled))})"
    values = chain.from_iterable(zip(*filled.values(), strict=True))
    n_rows, at_once = len(next(iter(filled.values()))), _VALUES_AT_ONCE // len(filled)
    for n_together, n_times in ((at_once, n_rows // at_once), (1, n_rows % at_once)):
        statement = f"INSERT INTO {table} ({names}) VALUES {', '.join([row] * n_together)}"
        some = (tuple(islice(values, n_together * len(filled))) for _ in range(n_times))
        if isinstance(connection, sqlite3.Connection):
            connection.executemany(statement, some).close()
        elif n_times:
            connection.exec_driver_sql(statement, [*some])


def server_of(connection: Readable) -> "Connection | None":
    """Returns the connection to a server; None = it is to a file, by whichever driver."""
    if isinstance(connection, sqlite3.Connection) or connection.dialect.name == "sqlite":
        return None
    return connection


def rows_among(connection: Readable, query: str, values: Sequence[object]) -> Sequence[Values]:
    """Returns a query's rows for some hundred values, inserted at `{names}` in brackets."""
    among, named = named_values(values)
    return rows_of(connection, query.format(names=among), **named)


def named_values(values: Sequence[object]) -> tuple[str, dict[str, object]]:
    """Returns some hundred values as SQL in brackets, and by the names that they have there."""
    named = {f"one{number}": value for number, value in enumerate(values)}
    return f"({', '.join(f':{name}' for name in named) or 'NULL'})", named


def only_row_of(connection: Readable, query: str, /, **values: object) -> Values:
    """Returns a query's only row; `ValueError` for none or several."""
    (row,) = rows_of(connection, query, **values)
    return row


# What rows raise that are no corpus: everything was checked when it was written.
NOT_UNDERSTOOD: Final = (
    ValueError, TypeError, KeyError, AttributeError, RecursionError, InputError,
)  # fmt: skip


@lru_cache(maxsize=200)
def _clause(query: str) -> "TextClause":
    from sqlalchemy import text

    return text(query)


def truth(value: object) -> bool:
    """Returns a Boolean column's value (0 and 1 in SQLite); `ValueError` for others."""
    if value not in (0, 1):
        raise ValueError(value)
    return bool(value)


# SQL for the beginning of the transaction on the server, as `now` writes it.
SERVER_TIME: Final = (
    "to_char(transaction_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"+00:00\"')"
)


def time_of(connection: Readable) -> str:
    """Returns the time for a row of the log: on a server its own, which it writes anyway."""
    if server_of(connection) is None:
        return now()
    return str(only_row_of(connection, f"SELECT {SERVER_TIME}")[0])


def now() -> str:
    """Returns this moment: ISO 8601, UTC, with milliseconds."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


_LOGGED = (
    "at", "who", "kind", "verb", "topic", "abstract", "annotator", "n", "subject", "old", "new",
    "active_ms", "target_id", "replica", "replica_row",
)  # fmt: skip
_LOGGED_LATER = ("suggestion_id", "shown_ms", "n_keys")


def operation_digest(values: Mapping[str, object]) -> str:
    """Returns the digest of a log row from its columns; a missing one is NULL."""
    row = [values.get(column) for column in _LOGGED]
    later = [values.get(column) for column in _LOGGED_LATER]
    # Without them a row's digest is that from before these columns existed.
    return sha256_of([*row, *later] if any(one is not None for one in later) else row)


def insert_rows(connection: Writable, table: str, rows: Iterable[Mapping[str, object]]) -> None:
    """Adds rows, all with the same columns in the same order."""
    many = [*rows]
    if many:
        columns = zip(*[row.values() for row in many], strict=True)
        insert_columns(connection, table, dict(zip(many[0], columns, strict=True)))


def insert_columns(
    connection: Writable, table: str, columns: Mapping[str, Sequence[object]]
) -> None:
    """Inserts rows, given by column, at least one."""
    # sqlite3 takes them as they are; SQLAlchemy would process each value twice, a fifth of an
    # import.
    server = server_of(connection)
    if server is not None:
        rows = zip(*columns.values(), strict=True)
        server.execute(
            _table(table).insert(), [dict(zip(columns, row, strict=True)) for row in rows]
        )
    else:
        insert_values(connection, table, columns)


def insert_with_keys(
    connection: Writable, table: str, rows: Iterable[Mapping[str, object]]
) -> Sequence[int]:
    """Inserts rows as `insert_rows`, and returns their keys, in order."""
    many = [*rows]
    if not many:
        return []
    server = server_of(connection)
    if server is None:
        # As SQLite's own counter; there is no other writer.
        (newest,) = only_row_of(connection, f"SELECT COALESCE(MAX(id), 0) FROM {table}")
        keys: Sequence[int] = range(newest + 1, newest + 1 + len(many))
        keyed = ({"id": key, **row} for key, row in zip(keys, many, strict=True))
        insert_rows(connection, table, keyed)
        return keys
    of_server = _table(table)
    (key,) = of_server.primary_key
    added = of_server.insert().returning(key, sort_by_parameter_order=True)
    return server.execute(added, many).scalars().all()


def _table(name: str) -> "Table":
    """Returns the table; a mapped class costs several times as much a statement."""
    from awase.storage.rows.schema import Base

    return Base.metadata.tables[name]


def add_to_log(connection: Writable, values: dict[str, object]) -> int:
    """Adds a row with its digest and returns its key."""
    (key,) = insert_with_keys(
        connection, "operation", [{**values, "digest": operation_digest(values)}]
    )
    return key


def log_act(
    connection: Writable, *, who: str, kind: str, subject: str, details: dict[str, object]
) -> None:
    """Adds something larger than an edit to the log: a creation, an import."""
    add_to_log(
        connection,
        {
            "at": time_of(connection),
            "who": who,
            "kind": kind,
            "verb": kind,
            "subject": storable(subject),
            "new": dumps(details),
            "active_ms": 0,
        },
    )


def storable(text: str) -> str:
    """Returns a file name without unstorable characters."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "?")


# Never reached legitimately; an untrusted file may have it, and then accepts no rows.
_MOST_ROWS: Final = 2**53
_NEWEST: Final = "SELECT at, id FROM operation {within} ORDER BY id DESC LIMIT 1"
# Numbers by the server only, not those chosen by somebody.
_NUMBERED: Final = "WHERE id <= (SELECT last_value FROM operation_id_seq)"


def newest_state(connection: Readable) -> str:
    """Returns the time and number of the newest row, which identify the state."""
    within = "" if server_of(connection) is None else _NUMBERED
    at, key = only_row_of(connection, _NEWEST.format(within=within))
    if not 0 <= key < _MOST_ROWS:
        raise ValueError(key)
    return f"{datetime.fromisoformat(at):%Y%m%dT%H%M%SZ}-{key}"


def entry_values(entry: SentenceAlignment) -> dict[str, object]:
    """Returns an annotator's entry as the columns of its row."""
    return {**decided_values(entry), "assist": entry.assist.value if entry.assist else None}


def decided_values(entry: SentenceAlignment) -> dict[str, object]:
    """Returns an entry as the columns that the gold has, too."""
    return {
        "n": entry.n,
        "state": entry.state.value,
        "alternatives": dumps(alternatives_value(entry.alternatives)),
        "note": entry.note,
        "rank": entry.rank,
    }


_STATES: Final = {state.value: state for state in AlignmentState}


def entry_of_columns(
    columns: Sequence[Any],  # Any: the columns differ in type
    known: RefByName | None = None,
) -> SentenceAlignment:
    """Parses an entry from the columns n, state, alternatives, note, rank and assist (not gold)."""
    n, state, alternatives, note, rank, *assist = columns
    sets = () if alternatives == "[]" else alternatives_of(loads(alternatives), known or {})
    return SentenceAlignment(
        n=n,
        state=_STATES.get(state) or AlignmentState(state),
        alternatives=sets,
        note=note,
        rank=rank,
        assist=AssistOrigin(assist[0]) if assist and assist[0] else None,
    )


_FEW = 8  # entries loaded singly; of more, the whole topic
TOPICS_AT_ONCE = 500
_ROWS_AT_ONCE = 5_000

VERSION_COLUMNS: Final = (
    "topic", "abstract", "annotator", "n", "revision", "digest", "at", "replica",
)  # fmt: skip
_VERSIONS: Final = f"""
    SELECT {", ".join(VERSION_COLUMNS)} FROM entry_version WHERE is_known {{of}} ORDER BY id
"""
_OF_ALL: Final = _VERSIONS.format(of="")
_OF_TOPICS: Final = _VERSIONS.format(of="AND topic IN {names}")
_THE_ENTRY: Final = "topic = :topic AND abstract = :abstract AND n = :n {owner}"
_OF_ENTRY: Final = _VERSIONS.format(of=f"AND {_THE_ENTRY}")
_FORGET: Final = f"DELETE FROM entry_version WHERE {_THE_ENTRY}"


def new_uid() -> str:
    """Returns a globally unique id."""
    return str(uuid.uuid4())


def name_copy(
    connection: Writable, *, corpus: str, replica: str, handed_to: str | None = None
) -> None:
    """Sets the ids of corpus and copy; `handed_to` is the recipient, None = the main file."""
    change(
        connection, "UPDATE corpus SET uid = :uid, replica = :replica, handed_to = :handed_to",
        uid=corpus, replica=replica, handed_to=handed_to,
    )  # fmt: skip


def read_ownership(connection: Readable) -> Ownership:
    """Loads ids, and the versions of all entries."""
    return replace(bare_ownership(connection), versions=read_versions(connection))


def bare_ownership(connection: Readable) -> Ownership:
    """Loads ids without versions."""
    corpus, replica, handed_to = only_row_of(
        connection, "SELECT uid, replica, handed_to FROM corpus"
    )
    return Ownership(corpus=corpus, replica=replica, handed_to=handed_to)


def read_versions(connection: Readable, only: Sequence[str] | None = None) -> Versions:
    """Loads the versions of all entries, or of those in some topics."""
    if only is None or len(only) > TOPICS_AT_ONCE:
        rows = rows_of(connection, _OF_ALL)
        known = None if only is None else frozenset(only)
        return versions_by_entry(row for row in rows if known is None or row[0] in known)
    return versions_by_entry(rows_among(connection, _OF_TOPICS, only))


def versions_by_entry(rows: Iterable[Values]) -> Versions:
    """Returns the versions of rows with `VERSION_COLUMNS`."""
    found: dict[EntryKey, list[EntryVersion]] = defaultdict(list)
    for topic, abstract, annotator, n, revision, digest, at, replica in rows:
        key = EntryKey(topic, abstract, annotator, n)
        version = EntryVersion(revision=revision, digest=digest, at=at, replica=replica)
        found[key].append(version)
    return {key: tuple(versions) for key, versions in found.items()}


def stamp(connection: Writable, changed: Iterable[tuple[EntryKey, str]], *, at: str) -> None:
    """Adds versions of changed entries, with these digests."""
    by_topic: dict[str, list[tuple[EntryKey, str]]] = defaultdict(list)
    for key, digest in changed:
        by_topic[key.topic].append((key, digest))
    if not by_topic:
        return
    (replica,) = only_row_of(connection, "SELECT replica FROM corpus")
    rows = []
    topics = [*by_topic]
    for at_topic in range(0, len(topics), TOPICS_AT_ONCE):
        some = topics[at_topic : at_topic + TOPICS_AT_ONCE]
        changes = [change for topic in some for change in by_topic[topic]]
        known = _known(connection, some, [key for key, _ in changes])
        for key, digest in changes:
            versions = known.get(key, ())
            if versions and versions[-1].digest == digest:
                continue  # a removed topic that was restored
            version = next_version(versions, digest, at=at, replica=replica)
            rows.append(version_values(key, version))
    insert_rows(connection, "entry_version", rows)


def forget_lost(connection: Writable, topics: Sequence[str], there: Collection[EntryKey]) -> None:
    """Removes versions of entries in some topics that were lost, not deleted."""
    # A salvaged copy lacks them; digests would mismatch, and a merge would report them as deleted.
    for key, known in read_versions(connection, only=topics).items():
        if key not in there and known[-1].digest != NO_ENTRY:
            statement, values = _about(key, _FORGET)
            change(connection, statement, **values)


def _known(connection: Readable, topics: Sequence[str], keys: list[EntryKey]) -> Versions:
    if len(keys) > _FEW:
        return read_versions(connection, only=topics)
    return {key: versions_of(connection, key) for key in keys}


def _about(key: EntryKey, sql: str) -> tuple[str, dict[str, object]]:
    """Returns SQL about one entry, and its values."""
    values = {name: value for name, value in key._asdict().items() if value is not None}
    owner = "annotator IS NULL" if key.annotator is None else "annotator = :annotator"
    return sql.format(owner=f"AND {owner}"), values


def versions_of(connection: Readable, key: EntryKey) -> tuple[EntryVersion, ...]:
    """Loads the versions of one entry."""
    query, values = _about(key, _OF_ENTRY)
    return versions_by_entry(rows_of(connection, query, **values)).get(key, ())


def version_values(
    key: EntryKey, version: EntryVersion, *, taken_by: int | None = None
) -> dict[str, object]:
    """Returns a version as the columns of its row."""
    values = (*key, version.revision, version.digest, version.at, version.replica)
    return {**dict(zip(VERSION_COLUMNS, values, strict=True)), "taken_by": taken_by}


def write_versions(
    connection: Writable,
    versions: Mapping[EntryKey, Iterable[EntryVersion]],
    *,
    taken_by: int | None = None,
) -> None:
    """Inserts versions from elsewhere; `taken_by` is the merge."""
    rows = (
        version_values(key, version, taken_by=taken_by)
        for key, more in versions.items()
        for version in more
    )
    for some in batches(rows, _ROWS_AT_ONCE):
        insert_rows(connection, "entry_version", some)


def set_known(connection: Writable, operation_id: int, *, is_known: bool) -> None:
    """Sets whether the versions of a merge count."""
    change(
        connection, "UPDATE entry_version SET is_known = :is_known WHERE taken_by = :taken_by",
        is_known=is_known, taken_by=operation_id,
    )  # fmt: skip
