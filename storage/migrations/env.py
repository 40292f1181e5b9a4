"""Run by Alembic for each migration; the caller passes the open connection."""

from alembic import context
from sqlalchemy import Connection

connection: Connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    render_as_batch=True,  # SQLite cannot alter columns in place
    transactional_ddl=False,  # the caller's transaction holds all steps
)
context.run_migrations()
