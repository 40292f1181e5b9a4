"""What stands in a corpus file's own description of itself: Awase's statements and no others.

A corpus file may come from a stranger, and a database carries statements that run by themselves: a
trigger rewrites what an import writes, a view or a virtual table answers in place of a table, and
a table of the right name may replace rows where it should refuse them (`ON CONFLICT REPLACE`). So
every statement of the file is compared with those that Awase's own steps make, to the letter but
for blanks, and a file with any other is refused before a row of it is read.
"""

import re
from functools import cache, lru_cache
from typing import Final

from awase.core.errors import EnvironmentProblem, Listing
from awase.storage.databases.querying import Readable
from awase.storage.databases.sqlite_files import statements
from awase.storage.databases.statements import NEWEST_STATEMENTS, OLDER_STATEMENTS

_KINDS: Final = {
    "trigger": "a trigger",
    "view": "a view",
    "index": "an index",
    "table": "a table",
}
_OF_SQLITE: Final = re.compile(
    r"CREATE TABLE sqlite_(?:stat[14]\((?:tbl,idx,stat|tbl,idx,neq,nlt,ndlt,sample)\)"
    r"|sequence\(name,seq\))"
)
_N_TOLD: Final = 3


@cache
def known() -> frozenset[str]:
    """Returns the statements of this version's steps, as SQLAlchemy wrote them so far."""
    return frozenset(map(in_plain_blanks, (*NEWEST_STATEMENTS, *OLDER_STATEMENTS)))


def check_statements(connection: Readable, location: str) -> None:
    """Does nothing when the file holds no statement but Awase's own.

    Raises:
        EnvironmentProblem: It holds others; with the first of them.
    """
    own = known()
    foreign = [
        (kind, name)
        for kind, name, sql in statements(connection)
        if not (isinstance(sql, str) and _is_own(sql, own))
    ]
    if foreign:
        told = (f"{_KINDS.get(str(kind), kind)} “{name}”" for kind, name in foreign)
        raise EnvironmentProblem(
            "“{path}” holds what Awase did not put there: {names}. "
            "Such a file can change what you write into it, so it was not opened.",
            "Ask where it comes from. If a newer Awase made it, install that; otherwise ask its "
            "owner for an export as Awase JSON.",
            path=location,
            names=Listing(told, most=_N_TOLD),
        )


@lru_cache(maxsize=256)  # the same few in every file
def in_plain_blanks(sql: str) -> str:
    """Returns the statement with single blanks, and none beside brackets and commas."""
    return re.sub(r" ?([(),]) ?", r"\1", " ".join(sql.split()))


def _is_own(sql: str, known_here: frozenset[str]) -> bool:
    plain = in_plain_blanks(sql)
    return plain in known_here or _OF_SQLITE.fullmatch(plain) is not None or plain in made_now()


@cache
def made_now() -> frozenset[str]:
    """Returns the statements that the steps make here, after each step.

    Another version of SQLAlchemy may write them otherwise than `known` has them. Asked only about
    what is not known: it takes a third of a second.
    """
    from sqlalchemy import create_engine
    from sqlalchemy.pool import StaticPool

    from awase.storage.databases.migrating import step_names, upgrade

    made: set[str] = set()
    engine = create_engine("sqlite://", poolclass=StaticPool)
    try:
        with engine.begin() as connection:
            for step in step_names():
                upgrade(connection, step)
                made |= {in_plain_blanks(str(sql)) for *_, sql in statements(connection)}
    finally:
        engine.dispose()
    return frozenset(made)
