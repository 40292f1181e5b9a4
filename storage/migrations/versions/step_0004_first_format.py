"""Tables of file format 1.3, the first one. Frozen: imports nothing of the program."""

import re

revision = "0004"
down_revision = None
branch_labels = None
depends_on = None

_TABLES = """
CREATE TABLE abstract(id INTEGER NOT NULL, topic_id INTEGER NOT NULL, "key" TEXT NOT NULL,
    position INTEGER NOT NULL, length TEXT, author TEXT, limit_unit VARCHAR(16), limit_size
    INTEGER, PRIMARY KEY(id), UNIQUE(topic_id, "key"), FOREIGN KEY(topic_id) REFERENCES topic(id)
    ON DELETE CASCADE);
CREATE TABLE abstract_sentence(id INTEGER NOT NULL, abstract_id INTEGER NOT NULL, n INTEGER
    NOT NULL, position INTEGER NOT NULL, text TEXT NOT NULL, rank TEXT, PRIMARY KEY(id),
    UNIQUE(abstract_id, n), FOREIGN KEY(abstract_id) REFERENCES abstract(id) ON DELETE CASCADE);
CREATE TABLE alignment(id INTEGER NOT NULL, abstract_id INTEGER NOT NULL, annotator TEXT NOT
    NULL, position INTEGER NOT NULL, PRIMARY KEY(id), UNIQUE(abstract_id, annotator), FOREIGN
    KEY(abstract_id) REFERENCES abstract(id) ON DELETE CASCADE);
CREATE TABLE assignment(id INTEGER NOT NULL, position INTEGER NOT NULL, topic TEXT NOT NULL,
    abstract TEXT, person TEXT NOT NULL, round INTEGER NOT NULL, place INTEGER, due TEXT,
    PRIMARY KEY(id));
CREATE TABLE corpus(id INTEGER NOT NULL, name TEXT NOT NULL, rank_weights TEXT NOT NULL,
    guidelines TEXT DEFAULT '' NOT NULL, uid TEXT DEFAULT '' NOT NULL, replica TEXT DEFAULT ''
    NOT NULL, handed_to TEXT, is_blind BOOLEAN DEFAULT 0 NOT NULL, digest VARCHAR(64), assist
    TEXT, PRIMARY KEY(id));
CREATE TABLE document(id INTEGER NOT NULL, topic_id INTEGER NOT NULL, "key" TEXT NOT NULL,
    position INTEGER NOT NULL, source TEXT, date TEXT, title TEXT, PRIMARY KEY(id),
    UNIQUE(topic_id, "key"), FOREIGN KEY(topic_id) REFERENCES topic(id) ON DELETE CASCADE);
CREATE TABLE entry_version(id INTEGER NOT NULL, topic TEXT NOT NULL, abstract TEXT NOT NULL,
    annotator TEXT, n INTEGER NOT NULL, revision INTEGER NOT NULL, digest VARCHAR(64) NOT NULL,
    at VARCHAR(32) NOT NULL, replica TEXT NOT NULL, taken_by INTEGER, is_known BOOLEAN DEFAULT
    1 NOT NULL, PRIMARY KEY(id), FOREIGN KEY(taken_by) REFERENCES operation(id));
CREATE TABLE gold_entry(id INTEGER NOT NULL, abstract_id INTEGER NOT NULL, n INTEGER NOT NULL,
    position INTEGER NOT NULL, state VARCHAR(16) NOT NULL, alternatives TEXT NOT NULL, rank
    TEXT, note TEXT, decided_by TEXT, at TEXT, origin VARCHAR(16) NOT NULL, sources TEXT NOT
    NULL, locked BOOLEAN NOT NULL, cause TEXT, PRIMARY KEY(id), UNIQUE(abstract_id, n),
    FOREIGN KEY(abstract_id) REFERENCES abstract(id) ON DELETE CASCADE);
CREATE TABLE holder(id INTEGER NOT NULL, who TEXT NOT NULL, host TEXT NOT NULL, pid INTEGER
    NOT NULL, since VARCHAR(32) NOT NULL, PRIMARY KEY(id));
CREATE TABLE human_score(id INTEGER NOT NULL, position INTEGER NOT NULL, topic TEXT, system
    TEXT NOT NULL, measure TEXT NOT NULL, value FLOAT NOT NULL, annotator TEXT, PRIMARY KEY(id));
CREATE TABLE operation(id INTEGER NOT NULL, at VARCHAR(32) NOT NULL, who TEXT NOT NULL, kind
    VARCHAR(16) NOT NULL, verb VARCHAR(40) NOT NULL, topic TEXT, abstract TEXT, annotator TEXT,
    n INTEGER, subject TEXT NOT NULL, old TEXT, new TEXT, active_ms INTEGER NOT NULL,
    target_id INTEGER, digest VARCHAR(64), replica TEXT, replica_row INTEGER,
    suggestion_id INTEGER, shown_ms INTEGER, n_keys INTEGER, PRIMARY KEY(id),
    FOREIGN KEY(target_id) REFERENCES operation(id));
CREATE TABLE output(id INTEGER NOT NULL, topic_id INTEGER NOT NULL, position INTEGER NOT NULL,
    system TEXT NOT NULL, length TEXT, is_extract BOOLEAN NOT NULL, sentences TEXT NOT NULL,
    reference_texts TEXT, PRIMARY KEY(id), FOREIGN KEY(topic_id) REFERENCES topic(id) ON DELETE
    CASCADE);
CREATE TABLE parse(id INTEGER NOT NULL, model TEXT NOT NULL, digest VARCHAR(64) NOT NULL,
    conllu TEXT NOT NULL, PRIMARY KEY(id), UNIQUE(model, digest));
CREATE TABLE person(id INTEGER NOT NULL, "key" TEXT NOT NULL, position INTEGER NOT NULL, name
    TEXT, role VARCHAR(16) NOT NULL, PRIMARY KEY(id), UNIQUE("key"));
CREATE TABLE score_run(id INTEGER NOT NULL, at VARCHAR(32) NOT NULL, who TEXT NOT NULL, title
    TEXT NOT NULL, corpus_state TEXT NOT NULL, selection TEXT NOT NULL, scores TEXT NOT NULL,
    PRIMARY KEY(id));
CREATE TABLE sentence_alignment(id INTEGER NOT NULL, alignment_id INTEGER NOT NULL, n INTEGER
    NOT NULL, position INTEGER NOT NULL, state VARCHAR(16) NOT NULL, alternatives TEXT NOT
    NULL, note TEXT, rank TEXT, assist VARCHAR(24), PRIMARY KEY(id), UNIQUE(alignment_id, n),
    FOREIGN KEY(alignment_id) REFERENCES alignment(id) ON DELETE CASCADE);
CREATE TABLE source_sentence(id INTEGER NOT NULL, document_id INTEGER NOT NULL, n INTEGER NOT
    NULL, position INTEGER NOT NULL, text TEXT NOT NULL, paragraph INTEGER, PRIMARY KEY(id),
    UNIQUE(document_id, n), FOREIGN KEY(document_id) REFERENCES document(id) ON DELETE CASCADE);
CREATE TABLE suggestion(id INTEGER NOT NULL, at VARCHAR(32) NOT NULL, topic TEXT NOT NULL,
    abstract TEXT NOT NULL, annotator TEXT NOT NULL, n INTEGER NOT NULL, kind VARCHAR(16) NOT
    NULL, family TEXT NOT NULL, confidence FLOAT NOT NULL, source TEXT NOT NULL, model TEXT NOT
    NULL, PRIMARY KEY(id));
CREATE TABLE topic(id INTEGER NOT NULL, "key" TEXT NOT NULL, position INTEGER NOT NULL, title
    TEXT, language TEXT, text_digest VARCHAR(64), digest VARCHAR(64), PRIMARY KEY(id),
    UNIQUE("key"));
CREATE INDEX entry_version_by_entry ON entry_version(topic, abstract, annotator, n);
CREATE INDEX ix_output_topic_id ON output(topic_id);
CREATE INDEX operation_by_person ON operation(who, id);
CREATE UNIQUE INDEX operation_by_replica ON operation(replica, replica_row);
CREATE INDEX suggestion_by_entry ON suggestion(topic, abstract, annotator, n)
"""

# Of a corpus file: its tables, then their indices.
STATEMENTS = tuple(" ".join(sql.split()) for sql in _TABLES.split(";"))

# What PostgreSQL calls otherwise.
_ON_SERVER = (
    ("(id INTEGER NOT NULL", "(id SERIAL NOT NULL"),
    ("BOOLEAN DEFAULT 0", "BOOLEAN DEFAULT false"),
    ("BOOLEAN DEFAULT 1", "BOOLEAN DEFAULT true"),
)
_NAME = re.compile(r"CREATE TABLE (\w+)")
_OWNER = re.compile(r"(?:REFERENCES|ON) (\w+)\(")


def upgrade() -> None:
    """Creates the tables."""
    from alembic import op

    is_file = op.get_context().dialect.name == "sqlite"
    for sql in STATEMENTS if is_file else _statements_on_server():
        op.execute(sql)


def downgrade() -> None:
    """Refuses: a corpus never goes back to an older format."""
    raise NotImplementedError("a corpus file is not taken back to an older format")


def _statements_on_server() -> list[str]:
    """Returns the statements for a server, which wants tables before those that refer to them."""
    missing, ordered = [*STATEMENTS], list[str]()
    names = set[str]()
    while missing:
        some = [sql for sql in missing if {*_OWNER.findall(sql)} - {*_NAME.findall(sql)} <= names]
        names.update(name for sql in some for name in _NAME.findall(sql))
        ordered += some
        missing = [sql for sql in missing if sql not in some]
    for known, here in _ON_SERVER:
        ordered = [sql.replace(known, here) for sql in ordered]
    return ordered
