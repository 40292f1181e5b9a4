"""Tables of file format 1.3, the first one. Frozen: imports nothing of the program."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the tables."""
    _create_corpus()
    _create_topics()
    _create_abstracts()
    _create_alignments()
    _create_outputs_and_scores()
    _create_log()
    _create_versions()


def downgrade() -> None:
    """Refuses: a corpus never goes back to an older format."""
    raise NotImplementedError("a corpus file is not taken back to an older format")


def _text(name: str, *, optional: bool = False) -> "sa.Column[str]":
    return sa.Column(name, sa.Text(), nullable=optional)


def _short(name: str, length: int, *, optional: bool = False) -> "sa.Column[str]":
    return sa.Column(name, sa.String(length), nullable=optional)


def _empty(name: str) -> "sa.Column[str]":
    return sa.Column(name, sa.Text(), nullable=False, server_default="")


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


def _create_corpus() -> None:
    op.create_table(
        "corpus",
        _key(),
        _text("name"),
        _text("rank_weights"),
        _empty("guidelines"),
        _empty("uid"),
        _empty("replica"),
        _text("handed_to", optional=True),
        sa.Column("is_blind", sa.Boolean(), nullable=False, server_default=sa.false()),
        _short("digest", 64, optional=True),
        _text("assist", optional=True),
    )
    op.create_table(
        "person",
        _key(),
        _text("key"),
        _integer("position"),
        _text("name", optional=True),
        _short("role", 16),
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


def _create_topics() -> None:
    op.create_table(
        "topic",
        _key(),
        _text("key"),
        _integer("position"),
        _text("title", optional=True),
        _text("language", optional=True),
        _short("text_digest", 64, optional=True),
        _short("digest", 64, optional=True),
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
        _short("limit_unit", 16, optional=True),
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
        _short("state", 16),
        _text("alternatives"),
        _text("note", optional=True),
        _text("rank", optional=True),
        _short("assist", 24, optional=True),
        sa.UniqueConstraint("alignment_id", "n"),
    )
    op.create_table(
        "gold_entry",
        _key(),
        _owner("abstract"),
        _integer("n"),
        _integer("position"),
        _short("state", 16),
        _text("alternatives"),
        _text("rank", optional=True),
        _text("note", optional=True),
        _text("decided_by", optional=True),
        _text("at", optional=True),
        _short("origin", 16),
        _text("sources"),
        sa.Column("locked", sa.Boolean(), nullable=False),
        _text("cause", optional=True),
        sa.UniqueConstraint("abstract_id", "n"),
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
    op.create_table(
        "parse",
        _key(),
        _text("model"),
        _short("digest", 64),
        _text("conllu"),
        sa.UniqueConstraint("model", "digest"),
    )
    op.create_table(
        "score_run",
        _key(),
        _short("at", 32),
        _text("who"),
        _text("title"),
        _text("corpus_state"),
        _text("selection"),
        _text("scores"),
    )


def _create_log() -> None:
    op.create_table(
        "operation",
        _key(),
        _short("at", 32),
        _text("who"),
        _short("kind", 16),
        _short("verb", 40),
        _text("topic", optional=True),
        _text("abstract", optional=True),
        _text("annotator", optional=True),
        _integer("n", optional=True),
        _text("subject"),
        _text("old", optional=True),
        _text("new", optional=True),
        _integer("active_ms"),
        sa.Column("target_id", sa.Integer(), sa.ForeignKey("operation.id"), nullable=True),
        _short("digest", 64, optional=True),
        _text("replica", optional=True),
        _integer("replica_row", optional=True),
        _integer("suggestion_id", optional=True),
        _integer("shown_ms", optional=True),
        _integer("n_keys", optional=True),
    )
    op.create_index("operation_by_person", "operation", ["who", "id"])
    op.create_index("operation_by_replica", "operation", ["replica", "replica_row"], unique=True)
    op.create_table(
        "holder", _key(), _text("who"), _text("host"), _integer("pid"), _short("since", 32)
    )
    op.create_table(
        "suggestion",
        _key(),
        _short("at", 32),
        _text("topic"),
        _text("abstract"),
        _text("annotator"),
        _integer("n"),
        _short("kind", 16),
        _text("family"),
        sa.Column("confidence", sa.Float(53), nullable=False),
        _text("source"),
        _text("model"),
    )
    op.create_index("suggestion_by_entry", "suggestion", ["topic", "abstract", "annotator", "n"])


def _create_versions() -> None:
    op.create_table(
        "entry_version",
        _key(),
        _text("topic"),
        _text("abstract"),
        _text("annotator", optional=True),
        _integer("n"),
        _integer("revision"),
        _short("digest", 64),
        _short("at", 32),
        _text("replica"),
        sa.Column("taken_by", sa.Integer(), sa.ForeignKey("operation.id"), nullable=True),
        sa.Column("is_known", sa.Boolean(), nullable=False, server_default=sa.true()),
    )
    op.create_index(
        "entry_version_by_entry", "entry_version", ["topic", "abstract", "annotator", "n"]
    )
