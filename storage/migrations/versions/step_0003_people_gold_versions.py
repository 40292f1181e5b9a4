"""The tables of file format 1.2: ranks of annotators, gold, people, copies, digests.

Frozen: it imports nothing of the program, so that it makes the same tables for ever. What follows
from the rows that are there (the corpus's uid, versions, digests) the program fills in afterwards.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds columns and four tables; what is there stays as it is."""
    _add_columns()
    _create_gold()
    _create_people()
    _create_versions()


def downgrade() -> None:
    """Refuses: a corpus never goes back to an older format."""
    raise NotImplementedError("a corpus file is not taken back to an older format")


def _text(name: str, *, optional: bool = False) -> "sa.Column[str]":
    return sa.Column(name, sa.Text(), nullable=optional)


def _integer(name: str, *, optional: bool = False) -> "sa.Column[int]":
    return sa.Column(name, sa.Integer(), nullable=optional)


def _key() -> "sa.Column[int]":
    return sa.Column("id", sa.Integer(), primary_key=True)


def _digest(name: str) -> "sa.Column[str]":
    return sa.Column(name, sa.String(64), nullable=True)


def _add_columns() -> None:
    op.add_column("corpus", sa.Column("uid", sa.Text(), nullable=False, server_default=""))
    op.add_column("corpus", sa.Column("replica", sa.Text(), nullable=False, server_default=""))
    op.add_column("corpus", _text("handed_to", optional=True))
    op.add_column(
        "corpus", sa.Column("is_blind", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.add_column("corpus", _digest("digest"))
    op.add_column("topic", _digest("text_digest"))
    op.add_column("topic", _digest("digest"))
    op.add_column("sentence_alignment", _text("rank", optional=True))
    op.add_column("operation", _digest("digest"))
    op.add_column("operation", _text("replica", optional=True))
    op.add_column("operation", _integer("replica_row", optional=True))
    op.create_index("operation_by_replica", "operation", ["replica", "replica_row"], unique=True)


def _create_gold() -> None:
    op.create_table(
        "gold_entry",
        _key(),
        sa.Column(
            "abstract_id",
            sa.Integer(),
            sa.ForeignKey("abstract.id", ondelete="CASCADE"),
            nullable=False,
        ),
        _integer("n"),
        _integer("position"),
        sa.Column("state", sa.String(16), nullable=False),
        _text("alternatives"),
        _text("rank", optional=True),
        _text("note", optional=True),
        _text("decided_by", optional=True),
        _text("at", optional=True),
        sa.Column("origin", sa.String(16), nullable=False),
        _text("sources"),
        sa.Column("locked", sa.Boolean(), nullable=False),
        _text("cause", optional=True),
        sa.UniqueConstraint("abstract_id", "n"),
    )


def _create_people() -> None:
    op.create_table(
        "person",
        _key(),
        _text("key"),
        _integer("position"),
        _text("name", optional=True),
        sa.Column("role", sa.String(16), nullable=False),
        sa.UniqueConstraint("key"),
    )
    op.create_table(
        "assignment",
        _key(),
        _integer("position"),
        _text("topic"),
        _text("abstract", optional=True),
        _text("person"),
        _integer("round"),
        _integer("place", optional=True),
        _text("due", optional=True),
    )


def _create_versions() -> None:
    op.create_table(
        "entry_version",
        _key(),
        _text("topic"),
        _text("abstract"),
        _text("annotator", optional=True),
        _integer("n"),
        _integer("revision"),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        _text("replica"),
        sa.Column("taken_by", sa.Integer(), sa.ForeignKey("operation.id"), nullable=True),
        sa.Column("is_known", sa.Boolean(), nullable=False, server_default=sa.true()),
    )
    op.create_index(
        "entry_version_by_entry", "entry_version", ["topic", "abstract", "annotator", "n"]
    )
