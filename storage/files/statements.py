"""SQL statements of a corpus's schema and migrations, and which of them are trusted.

They are those of storage/migrations; new files take them from here, as importing Alembic
takes longer than the rest of creating a file. Alembic is imported only to migrate.
"""

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from awase.core.errors import EnvironmentProblem, Listing
from awase.storage.files.sqlite_files import statements
from awase.storage.migrations.versions.step_0004_first_format import STATEMENTS
from awase.storage.querying import Readable, Writable, change, only_row_of, server_of

if TYPE_CHECKING:
    from alembic.config import Config


_WITH_SPLIT: Final = ("abstract", "document", "output")  # since step 0005
_VERSION_TABLE: Final = (
    "CREATE TABLE alembic_version(version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc "
    "PRIMARY KEY(version_num))"
)


def _at_present(sql: str) -> str:
    """Returns a statement of the first format as the later steps left it."""
    if not sql.startswith(tuple(f"CREATE TABLE {name}(" for name in _WITH_SPLIT)):
        return sql
    return sql.replace(", PRIMARY KEY", ", split TEXT, PRIMARY KEY")


# Of a file of this version: its tables, then their indices.
_FIRST: Final = (*STATEMENTS[:2], _VERSION_TABLE, *STATEMENTS[2:])
NEWEST_STATEMENTS: Final = tuple(map(_at_present, _FIRST))

FIRST_STEP = "0004"
NEWEST_STEP = "0005"


def make_tables(connection: Writable) -> None:
    """Creates this version's tables in an empty database, in the caller's transaction."""
    if server_of(connection) is not None:
        upgrade(connection)
        return
    for sql in NEWEST_STATEMENTS:
        change(connection, sql)
    change(connection, "INSERT INTO alembic_version (version_num) VALUES (:step)", step=NEWEST_STEP)


def upgrade(connection: Writable, step: str = "head") -> None:
    """Applies every step up to `step` that the database lacks, within the caller's transaction."""
    from alembic import command

    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, step)


def step_names() -> tuple[str, ...]:
    """Returns the names of all steps, the first one first."""
    from alembic.script import ScriptDirectory

    steps = ScriptDirectory.from_config(_config()).walk_revisions()
    return tuple(reversed([step.revision for step in steps]))


def _config() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "awase.storage:migrations")
    config.set_main_option("path_separator", "os")
    return config


def lacks_steps(connection: Readable, location: str) -> bool:
    """Returns whether the database has older tables than this version's."""
    (step,) = only_row_of(connection, "SELECT version_num FROM alembic_version")
    if step > NEWEST_STEP:
        raise EnvironmentProblem(
            "“{path}” was made by a newer version of Awase.",
            "Install the newest Awase.",
            path=location,
        )
    if step < FIRST_STEP:
        raise EnvironmentProblem(
            "“{path}” was made by a version of Awase from before the first release.",
            "Export the corpus as Awase JSON with that version, and import it here.",
            path=location,
        )
    return bool(step < NEWEST_STEP)


# A corpus file may be untrusted, and databases have code that runs by itself: a trigger rewrites
# imported rows, a view or a virtual table replaces a table, and a table of the right name may
# replace rows where it should refuse (`ON CONFLICT REPLACE`). So every statement of the file must
# equal one of Awase's migrations but for blanks, before a row is read.
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
    return frozenset(map(in_plain_blanks, (*NEWEST_STATEMENTS, *STATEMENTS)))


def check_statements(connection: Readable, location: str) -> None:
    """Raises unless all of the file's statements are Awase's."""
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
    """Normalises a statement's blanks."""
    return re.sub(r" ?([(),]) ?", r"\1", " ".join(sql.split()))


def _is_own(sql: str, known_here: frozenset[str]) -> bool:
    plain = in_plain_blanks(sql)
    return (
        plain in known_here
        or _OF_SQLITE.fullmatch(plain) is not None
        or plain in statements_of_steps()
    )


@cache
def statements_of_steps() -> frozenset[str]:
    """Returns the statements that the migrations produce here, after each step."""
    # Another SQLAlchemy may format them differently from `known`. Only for unknown ones: it takes a
    # third of a second.
    from sqlalchemy import create_engine
    from sqlalchemy.pool import StaticPool

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
