"""The tables of file format 1.1: guidelines, stored parses and stored scores.

Frozen: it imports nothing of the program, so that it makes the same tables for ever.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds a column and two tables; what is there stays as it is."""
    op.add_column("corpus", sa.Column("guidelines", sa.Text(), nullable=False, server_default=""))
    op.create_table(
        "parse",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("conllu", sa.Text(), nullable=False),
        sa.UniqueConstraint("model", "digest"),
    )
    op.create_table(
        "score_run",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("corpus_state", sa.Text(), nullable=False),
        sa.Column("selection", sa.Text(), nullable=False),
        sa.Column("scores", sa.Text(), nullable=False),
    )


def downgrade() -> None:
    """Refuses: a corpus never goes back to an older format."""
    raise NotImplementedError("a corpus file is not taken back to an older format")
