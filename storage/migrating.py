"""Brings a database to this version's tables; Alembic is imported only when there is work."""

from sqlalchemy import Connection


def upgrade(connection: Connection) -> None:
    """Applies every step that the database lacks, within the caller's transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "awase.storage:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
