"""The tables of file format 1.3: how annotators are helped, and what was suggested to them.

Frozen: it imports nothing of the program, so that it makes the same tables for ever.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds columns and one table; what is there stays as it is."""
    op.add_column("corpus", sa.Column("assist", sa.Text(), nullable=True))
    op.add_column("sentence_alignment", sa.Column("assist", sa.String(24), nullable=True))
    for name in ("suggestion_id", "shown_ms", "n_keys"):
        op.add_column("operation", sa.Column(name, sa.Integer(), nullable=True))
    op.create_table(
        "suggestion",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("abstract", sa.Text(), nullable=False),
        sa.Column("annotator", sa.Text(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("family", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Float(53), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
    )
    op.create_index("suggestion_by_entry", "suggestion", ["topic", "abstract", "annotator", "n"])


def downgrade() -> None:
    """Refuses: a corpus never goes back to an older format."""
    raise NotImplementedError("a corpus file is not taken back to an older format")
