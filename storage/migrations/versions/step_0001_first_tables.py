"""The tables of file format 1.0.

Frozen: it imports nothing of the program, so that it creates the same tables for ever.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the tables."""
    _create_corpus_and_topics()
    _create_abstracts()
    _create_alignments()
    _create_outputs_and_scores()
    _create_log()


def downgrade() -> None:
    """Refuses: a corpus never goes back to an older format."""
    raise NotImplementedError("a corpus file is not taken back to an older format")


def _text(name: str, *, optional: bool = False) -> "sa.Column[str]":
    return sa.Column(name, sa.Text(), nullable=optional)


def _integer(name: str, *, optional: bool = False) -> "sa.Column[int]":
    return sa.Column(name, sa.Integer(), nullable=optional)


def _key() -> "sa.Column[int]":
    return sa.Column("id", sa.Integer(), primary_key=True)


def _owner(table: str) -> "sa.Column[int]":
    return sa.Column(
        f"{table}_id",
        sa.Integer(),
        sa.ForeignKey(f"{table}.id", ondelete="CASCADE"),
        nullable=False,
    )


def _create_corpus_and_topics() -> None:
    op.create_table("corpus", _key(), _text("name"), _text("rank_weights"))
    op.create_table(
        "topic",
        _key(),
        _text("key"),
        _integer("position"),
        _text("title", optional=True),
        _text("language", optional=True),
        sa.UniqueConstraint("key"),
    )
    op.create_table(
        "document",
        _key(),
        _owner("topic"),
        _text("key"),
        _integer("position"),
        _text("source", optional=True),
        _text("date", optional=True),
        _text("title", optional=True),
        sa.UniqueConstraint("topic_id", "key"),
    )
    op.create_table(
        "source_sentence",
        _key(),
        _owner("document"),
        _integer("n"),
        _integer("position"),
        _text("text"),
        _integer("paragraph", optional=True),
        sa.UniqueConstraint("document_id", "n"),
    )


def _create_abstracts() -> None:
    op.create_table(
        "abstract",
        _key(),
        _owner("topic"),
        _text("key"),
        _integer("position"),
        _text("length", optional=True),
        _text("author", optional=True),
        sa.Column("limit_unit", sa.String(16), nullable=True),
        _integer("limit_size", optional=True),
        sa.UniqueConstraint("topic_id", "key"),
    )
    op.create_table(
        "abstract_sentence",
        _key(),
        _owner("abstract"),
        _integer("n"),
        _integer("position"),
        _text("text"),
        _text("rank", optional=True),
        sa.UniqueConstraint("abstract_id", "n"),
    )


def _create_alignments() -> None:
    op.create_table(
        "alignment",
        _key(),
        _owner("abstract"),
        _text("annotator"),
        _integer("position"),
        sa.UniqueConstraint("abstract_id", "annotator"),
    )
    op.create_table(
        "sentence_alignment",
        _key(),
        _owner("alignment"),
        _integer("n"),
        _integer("position"),
        sa.Column("state", sa.String(16), nullable=False),
        _text("alternatives"),
        _text("note", optional=True),
        sa.UniqueConstraint("alignment_id", "n"),
    )


def _create_outputs_and_scores() -> None:
    op.create_table(
        "output",
        _key(),
        _owner("topic"),
        _integer("position"),
        _text("system"),
        _text("length", optional=True),
        sa.Column("is_extract", sa.Boolean(), nullable=False),
        _text("sentences"),
        _text("reference_texts", optional=True),
    )
    op.create_index("ix_output_topic_id", "output", ["topic_id"])
    op.create_table(
        "human_score",
        _key(),
        _integer("position"),
        _text("topic", optional=True),
        _text("system"),
        _text("measure"),
        sa.Column("value", sa.Float(53), nullable=False),
        _text("annotator", optional=True),
    )


def _create_log() -> None:
    op.create_table(
        "operation",
        _key(),
        sa.Column("at", sa.String(32), nullable=False),
        _text("who"),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("verb", sa.String(40), nullable=False),
        _text("topic", optional=True),
        _text("abstract", optional=True),
        _text("annotator", optional=True),
        _integer("n", optional=True),
        _text("subject"),
        _text("old", optional=True),
        _text("new", optional=True),
        _integer("active_ms"),
        sa.Column("target_id", sa.Integer(), sa.ForeignKey("operation.id"), nullable=True),
    )
    op.create_index("operation_by_person", "operation", ["who", "id"])
    op.create_table(
        "holder",
        _key(),
        _text("who"),
        sa.Column("host", sa.Text(), nullable=False),
        _integer("pid"),
        sa.Column("since", sa.String(32), nullable=False),
    )
