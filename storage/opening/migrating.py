"""Brings a database to this version's tables; Alembic is imported only when there is work."""

from sqlalchemy import Connection, text

from awase.core.errors import EnvironmentProblem

NEWEST_STEP = "0002"


def upgrade(connection: Connection) -> None:
    """Applies every step that the database lacks, within the caller's transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "awase.storage:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def lacks_steps(connection: Connection, location: str) -> bool:
    """Returns whether the database has older tables than this version's.

    Raises:
        EnvironmentProblem: It has newer ones.
    """
    step = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    if step > NEWEST_STEP:
        raise EnvironmentProblem(
            "“{path}” was made by a newer version of Awase.",
            "Install the newest Awase.",
            path=location,
        )
    return bool(step < NEWEST_STEP)
