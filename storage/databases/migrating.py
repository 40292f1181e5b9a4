"""Brings a database to this version's tables; Alembic is imported only when there is work."""

from typing import TYPE_CHECKING

from awase.core.errors import EnvironmentProblem
from awase.storage.databases.querying import Readable, Writable, change, only_row_of, server_of
from awase.storage.databases.statements import NEWEST_STATEMENTS

if TYPE_CHECKING:
    from alembic.config import Config

FIRST_STEP = "0004"
NEWEST_STEP = "0005"


def make_tables(connection: Writable) -> None:
    """Makes this version's tables in an empty database, within the caller's transaction."""
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
    """Returns whether the database has older tables than this version's.

    Raises:
        EnvironmentProblem: It has newer ones, or those from before the first release.
    """
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
