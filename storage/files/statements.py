"""SQL statements of a corpus's schema and migrations, and which of them are trusted.

They are those of storage/migrations; new files take them from here, as importing Alembic
takes longer than the rest of creating a file. Alembic is imported only to migrate.
"""

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from awase.core.errors import EnvironmentProblem, Listing
from awase.storage.files.sqlite_files import statements
from awase.storage.querying import Readable, Writable, change, only_row_of, server_of

if TYPE_CHECKING:
    from alembic.config import Config


_NEWEST: Final = """
CREATE TABLE abstract(id INTEGER NOT NULL, topic_id INTEGER NOT NULL, "key" TEXT NOT NULL,
    position INTEGER NOT NULL, length TEXT, author TEXT, limit_unit VARCHAR(16), limit_size
    INTEGER, split TEXT, PRIMARY KEY(id), UNIQUE(topic_id, "key"), FOREIGN KEY(topic_id)
    REFERENCES topic(id) ON DELETE CASCADE);
CREATE TABLE abstract_sentence(id INTEGER NOT NULL, abstract_id INTEGER NOT NULL, n INTEGER
    NOT NULL, position INTEGER NOT NULL, text TEXT NOT NULL, rank TEXT, PRIMARY KEY(id),
    UNIQUE(abstract_id, n), FOREIGN KEY(abstract_id) REFERENCES abstract(id) ON DELETE CASCADE);
CREATE TABLE alembic_version(version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc
    PRIMARY KEY(version_num));
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
    position INTEGER NOT NULL, source TEXT, date TEXT, title TEXT, split TEXT, PRIMARY
    KEY(id), UNIQUE(topic_id, "key"), FOREIGN KEY(topic_id) REFERENCES topic(id) ON DELETE
    CASCADE);
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
    reference_texts TEXT, split TEXT, PRIMARY KEY(id), FOREIGN KEY(topic_id) REFERENCES topic(id)
    ON DELETE CASCADE);
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
_OLDER: Final = """
CREATE TABLE abstract(id INTEGER NOT NULL, topic_id INTEGER NOT NULL, "key" TEXT NOT NULL,
    position INTEGER NOT NULL, length TEXT, author TEXT, limit_unit VARCHAR(16), limit_size
    INTEGER, PRIMARY KEY(id), UNIQUE(topic_id, "key"), FOREIGN KEY(topic_id) REFERENCES topic(id)
    ON DELETE CASCADE);
CREATE TABLE document(id INTEGER NOT NULL, topic_id INTEGER NOT NULL, "key" TEXT NOT NULL,
    position INTEGER NOT NULL, source TEXT, date TEXT, title TEXT, PRIMARY KEY(id),
    UNIQUE(topic_id, "key"), FOREIGN KEY(topic_id) REFERENCES topic(id) ON DELETE CASCADE);
CREATE TABLE output(id INTEGER NOT NULL, topic_id INTEGER NOT NULL, position INTEGER NOT NULL,
    system TEXT NOT NULL, length TEXT, is_extract BOOLEAN NOT NULL, sentences TEXT NOT NULL,
    reference_texts TEXT, PRIMARY KEY(id), FOREIGN KEY(topic_id) REFERENCES topic(id) ON DELETE
    CASCADE)
"""

# Of a file of this version: its tables, then their indices.
NEWEST_STATEMENTS: Final = tuple(" ".join(sql.split()) for sql in _NEWEST.split(";"))

# Of format 1.3, the first one, where later steps changed a table.
OLDER_STATEMENTS: Final = tuple(" ".join(sql.split()) for sql in _OLDER.split(";"))


FIRST_STEP = "0004"
NEWEST_STEP = "0005"


def make_tables(connection: Writable) -> None:
    """Creates this version's tables in an empty database, in the caller's transaction."""
    if server_of(connection) is not None:
        upgrade(connection)
        return
    for sql in NEWEST_STATEMENTS:
        change(connection, sql)
    change(connection, "INSERT INTO alembic_version (version_num) VALUES (:step)", step=NEWEST_STEP)


def upgrade(connection: Writable, step: str = "head") -> None:
    """Applies every step up to `step` that the database lacks, within the caller's transaction."""
    from alembic import command

    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, step)


def step_names() -> tuple[str, ...]:
    """Returns the names of all steps, the first one first."""
    from alembic.script import ScriptDirectory

    steps = ScriptDirectory.from_config(_config()).walk_revisions()
    return tuple(reversed([step.revision for step in steps]))


def _config() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "awase.storage:migrations")
    config.set_main_option("path_separator", "os")
    return config


def lacks_steps(connection: Readable, location: str) -> bool:
    """Returns whether the database has older tables than this version's."""
    (step,) = only_row_of(connection, "SELECT version_num FROM alembic_version")
    if step > NEWEST_STEP:
        raise EnvironmentProblem(
            "“{path}” was made by a newer version of Awase.",
            "Install the newest Awase.",
            path=location,
        )
    if step < FIRST_STEP:
        raise EnvironmentProblem(
            "“{path}” was made by a version of Awase from before the first release.",
            "Export the corpus as Awase JSON with that version, and import it here.",
            path=location,
        )
    return bool(step < NEWEST_STEP)


# A corpus file may be untrusted, and databases have code that runs by itself: a trigger rewrites
# imported rows, a view or a virtual table replaces a table, and a table of the right name may
# replace rows where it should refuse (`ON CONFLICT REPLACE`). So every statement of the file must
# equal one of Awase's migrations but for blanks, before a row is read.
_KINDS: Final = {
    "trigger": "a trigger",
    "view": "a view",
    "index": "an index",
    "table": "a table",
}
_OF_SQLITE: Final = re.compile(
    r"CREATE TABLE sqlite_(?:stat[14]\((?:tbl,idx,stat|tbl,idx,neq,nlt,ndlt,sample)\)"
    r"|sequence\(name,seq\))"
)
_N_TOLD: Final = 3


@cache
def known() -> frozenset[str]:
    """Returns the statements of this version's steps, as SQLAlchemy wrote them so far."""
    return frozenset(map(in_plain_blanks, (*NEWEST_STATEMENTS, *OLDER_STATEMENTS)))


def check_statements(connection: Readable, location: str) -> None:
    """Raises unless all of the file's statements are Awase's."""
    own = known()
    foreign = [
        (kind, name)
        for kind, name, sql in statements(connection)
        if not (isinstance(sql, str) and _is_own(sql, own))
    ]
    if foreign:
        told = (f"{_KINDS.get(str(kind), kind)} “{name}”" for kind, name in foreign)
        raise EnvironmentProblem(
            "“{path}” holds what Awase did not put there: {names}. "
            "Such a file can change what you write into it, so it was not opened.",
            "Ask where it comes from. If a newer Awase made it, install that; otherwise ask its "
            "owner for an export as Awase JSON.",
            path=location,
            names=Listing(told, most=_N_TOLD),
        )


@lru_cache(maxsize=256)  # the same few in every file
def in_plain_blanks(sql: str) -> str:
    """Normalises a statement's blanks."""
    return re.sub(r" ?([(),]) ?", r"\1", " ".join(sql.split()))


def _is_own(sql: str, known_here: frozenset[str]) -> bool:
    plain = in_plain_blanks(sql)
    return (
        plain in known_here
        or _OF_SQLITE.fullmatch(plain) is not None
        or plain in statements_of_steps()
    )


@cache
def statements_of_steps() -> frozenset[str]:
    """Returns the statements that the migrations produce here, after each step."""
    # Another SQLAlchemy may format them differently from `known`. Only for unknown ones: it takes a
    # third of a second.
    from sqlalchemy import create_engine
    from sqlalchemy.pool import StaticPool

    made: set[str] = set()
    engine = create_engine("sqlite://", poolclass=StaticPool)
    try:
        with engine.begin() as connection:
            for step in step_names():
                upgrade(connection, step)
                made |= {in_plain_blanks(str(sql)) for *_, sql in statements(connection)}
    finally:
        engine.dispose()
    return frozenset(made)
