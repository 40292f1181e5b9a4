"""File format 1.4: how each text became sentences. Frozen: imports nothing of the program."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds a column to the tables of texts, without changing rows."""
    for name in ("document", "abstract", "output"):
        op.add_column(name, sa.Column("split", sa.Text(), nullable=True))


def downgrade() -> None:
    """Refuses: a corpus never goes back to an older format."""
    raise NotImplementedError("a corpus file is not taken back to an older format")
