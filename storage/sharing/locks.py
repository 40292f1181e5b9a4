"""Who may write which part of a corpus on a server now; a file has one writer anyway.

The locks are PostgreSQL's advisory ones: they need no right to write any row, so that whoever may
write only their own rows takes them, too, and they go with the transaction or with the connection
of a machine that died. Whoever changes texts, or more than one entry, waits for everybody and keeps
everybody waiting; those who change one entry wait only for each other at that entry.
"""

import hashlib
from collections.abc import Sequence

from sqlalchemy import Connection, func, select

from awase.core.records.edits.edit import AlignmentEdit, Edit, GoldEdit
from awase.storage.databases.postgresql import is_server

Parts = tuple[str, ...]
"""Names of what is locked, in the order in which everybody locks them; none = the whole corpus."""

WHOLE: Parts = ()
_CORPUS = "corpus"


def parts_of(edit: Edit | None, who: str) -> Parts:
    """Returns what writing `edit` has to lock; None = nothing but the person's own steps."""
    person = _person(who)
    if edit is None:
        return (person,)
    if isinstance(edit, AlignmentEdit):
        owner = f"annotator {edit.annotator}"
    elif isinstance(edit, GoldEdit):
        owner = "gold"
    else:
        return WHOLE
    return (person, "\0".join((edit.topic, edit.abstract, owner)))


def parts_of_work(who: str) -> Parts:
    """Returns what taking work has to lock: of two who take at once one waits for the other."""
    return (_person(who), "work")


def _person(who: str) -> str:
    return f"person {who}"


def lock(connection: Connection, parts: Sequence[str]) -> None:
    """Waits until nobody else writes these parts, and keeps others from it until the end.

    The end is that of the transaction. Nothing happens where there is only one writer.
    """
    if not is_server(connection):
        return
    if not parts:
        connection.execute(select(func.pg_advisory_xact_lock(_key(_CORPUS))))
        return
    # One question for all of them; the server takes them in this order.
    corpus, *more = keys_of(parts)
    shared = func.pg_advisory_xact_lock_shared(corpus)
    connection.execute(select(shared, *map(func.pg_advisory_xact_lock, more)))


def keys_of(parts: Sequence[str]) -> tuple[int, ...]:
    """Returns the server's numbers of the corpus, which is shared, and of the parts."""
    return (_key(_CORPUS), *map(_key, parts))


def lock_more(connection: Connection, part: str) -> None:
    """Waits for a further part, one that nobody locks before another one."""
    if is_server(connection):
        connection.execute(select(func.pg_advisory_xact_lock(_key(part))))


def _key(name: str) -> int:
    digest = hashlib.sha256(f"awase {name}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
