"""What stands in a corpus file's own description of itself: Awase's statements and no others.

A corpus file may come from a stranger, and a database carries statements that run by themselves: a
trigger rewrites what an import writes, a view or a virtual table answers in place of a table, and
a table of the right name may replace rows where it should refuse them (`ON CONFLICT REPLACE`). So
every statement of the file is compared with those that Awase's own steps make, to the letter but
for blanks, and a file with any other is refused before a row of it is read.
"""

import re
from functools import cache
from itertools import islice
from typing import Final

from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import StaticPool

from awase.core.errors import EnvironmentProblem
from awase.storage.databases import sqlite

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

_KNOWN_TEXT: Final = """
CREATE INDEX entry_version_by_entry ON entry_version(topic, abstract, annotator, n);
CREATE INDEX ix_output_topic_id ON output(topic_id);
CREATE INDEX operation_by_person ON operation(who, id);
CREATE TABLE abstract(id INTEGER NOT NULL, topic_id INTEGER NOT NULL, "key" TEXT NOT NULL,
    position INTEGER NOT NULL, length TEXT, author TEXT, limit_unit VARCHAR(16), limit_size
    INTEGER, PRIMARY KEY(id), UNIQUE(topic_id, "key"), FOREIGN KEY(topic_id) REFERENCES topic(id)
    ON DELETE CASCADE);
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
    PRIMARY KEY(id));
CREATE TABLE corpus(id INTEGER NOT NULL, name TEXT NOT NULL, rank_weights TEXT NOT NULL,
    guidelines TEXT DEFAULT '' NOT NULL, PRIMARY KEY(id));
CREATE TABLE corpus(id INTEGER NOT NULL, name TEXT NOT NULL, rank_weights TEXT NOT NULL,
    guidelines TEXT DEFAULT '' NOT NULL, uid TEXT DEFAULT '' NOT NULL, replica TEXT DEFAULT ''
    NOT NULL, handed_to TEXT, is_blind BOOLEAN DEFAULT 0 NOT NULL, digest VARCHAR(64), PRIMARY
    KEY(id));
CREATE TABLE document(id INTEGER NOT NULL, topic_id INTEGER NOT NULL, "key" TEXT NOT NULL,
    position INTEGER NOT NULL, source TEXT, date TEXT, title TEXT, PRIMARY KEY(id),
    UNIQUE(topic_id, "key"), FOREIGN KEY(topic_id) REFERENCES topic(id) ON DELETE CASCADE);
CREATE TABLE entry_version(id INTEGER NOT NULL, topic TEXT NOT NULL, abstract TEXT NOT NULL,
    annotator TEXT, n INTEGER NOT NULL, revision INTEGER NOT NULL, digest VARCHAR(64)NOT NULL,
    at VARCHAR(32)NOT NULL, replica TEXT NOT NULL, taken_by INTEGER, is_known BOOLEAN DEFAULT
    1 NOT NULL, PRIMARY KEY(id), FOREIGN KEY(taken_by)REFERENCES operation(id));
CREATE TABLE gold_entry(id INTEGER NOT NULL, abstract_id INTEGER NOT NULL, n INTEGER NOT NULL,
    position INTEGER NOT NULL, state VARCHAR(16)NOT NULL, alternatives TEXT NOT NULL, rank
    TEXT, note TEXT, decided_by TEXT, at TEXT, origin VARCHAR(16)NOT NULL, sources TEXT NOT
    NULL, locked BOOLEAN NOT NULL, cause TEXT, PRIMARY KEY(id), UNIQUE(abstract_id, n),
    FOREIGN KEY(abstract_id)REFERENCES abstract(id)ON DELETE CASCADE);
CREATE TABLE holder(id INTEGER NOT NULL, who TEXT NOT NULL, host TEXT NOT NULL, pid INTEGER
    NOT NULL, since VARCHAR(32) NOT NULL, PRIMARY KEY(id));
CREATE TABLE human_score(id INTEGER NOT NULL, position INTEGER NOT NULL, topic TEXT, system
    TEXT NOT NULL, measure TEXT NOT NULL, value FLOAT NOT NULL, annotator TEXT, PRIMARY KEY(id));
CREATE TABLE operation(id INTEGER NOT NULL, at VARCHAR(32) NOT NULL, who TEXT NOT NULL, kind
    VARCHAR(16) NOT NULL, verb VARCHAR(40) NOT NULL, topic TEXT, abstract TEXT, annotator TEXT, n
    INTEGER, subject TEXT NOT NULL, old TEXT, new TEXT, active_ms INTEGER NOT NULL, target_id
    INTEGER, PRIMARY KEY(id), FOREIGN KEY(target_id) REFERENCES operation(id));
CREATE TABLE operation(id INTEGER NOT NULL, at VARCHAR(32)NOT NULL, who TEXT NOT NULL, kind
    VARCHAR(16)NOT NULL, verb VARCHAR(40)NOT NULL, topic TEXT, abstract TEXT, annotator TEXT,
    n INTEGER, subject TEXT NOT NULL, old TEXT, new TEXT, active_ms INTEGER NOT NULL,
    target_id INTEGER, digest VARCHAR(64), replica TEXT, replica_row INTEGER, PRIMARY KEY(id),
    FOREIGN KEY(target_id)REFERENCES operation(id));
CREATE TABLE output(id INTEGER NOT NULL, topic_id INTEGER NOT NULL, position INTEGER NOT NULL,
    system TEXT NOT NULL, length TEXT, is_extract BOOLEAN NOT NULL, sentences TEXT NOT NULL,
    reference_texts TEXT, PRIMARY KEY(id), FOREIGN KEY(topic_id) REFERENCES topic(id) ON DELETE
    CASCADE);
CREATE TABLE parse(id INTEGER NOT NULL, model TEXT NOT NULL, digest VARCHAR(64) NOT NULL,
    conllu TEXT NOT NULL, PRIMARY KEY(id), UNIQUE(model, digest));
CREATE TABLE person(id INTEGER NOT NULL, "key" TEXT NOT NULL, position INTEGER NOT NULL, name
    TEXT, role VARCHAR(16)NOT NULL, PRIMARY KEY(id), UNIQUE("key"));
CREATE TABLE score_run(id INTEGER NOT NULL, at VARCHAR(32) NOT NULL, who TEXT NOT NULL, title
    TEXT NOT NULL, corpus_state TEXT NOT NULL, selection TEXT NOT NULL, scores TEXT NOT NULL,
    PRIMARY KEY(id));
CREATE TABLE sentence_alignment(id INTEGER NOT NULL, alignment_id INTEGER NOT NULL, n INTEGER
    NOT NULL, position INTEGER NOT NULL, state VARCHAR(16) NOT NULL, alternatives TEXT NOT NULL,
    note TEXT, PRIMARY KEY(id), UNIQUE(alignment_id, n), FOREIGN KEY(alignment_id) REFERENCES
    alignment(id) ON DELETE CASCADE);
CREATE TABLE sentence_alignment(id INTEGER NOT NULL, alignment_id INTEGER NOT NULL, n INTEGER
    NOT NULL, position INTEGER NOT NULL, state VARCHAR(16)NOT NULL, alternatives TEXT NOT
    NULL, note TEXT, rank TEXT, PRIMARY KEY(id), UNIQUE(alignment_id, n), FOREIGN
    KEY(alignment_id)REFERENCES alignment(id)ON DELETE CASCADE);
CREATE TABLE source_sentence(id INTEGER NOT NULL, document_id INTEGER NOT NULL, n INTEGER NOT
    NULL, position INTEGER NOT NULL, text TEXT NOT NULL, paragraph INTEGER, PRIMARY KEY(id),
    UNIQUE(document_id, n), FOREIGN KEY(document_id) REFERENCES document(id) ON DELETE CASCADE);
CREATE TABLE topic(id INTEGER NOT NULL, "key" TEXT NOT NULL, position INTEGER NOT NULL, title
    TEXT, language TEXT, PRIMARY KEY(id), UNIQUE("key"));
CREATE TABLE topic(id INTEGER NOT NULL, "key" TEXT NOT NULL, position INTEGER NOT NULL, title
    TEXT, language TEXT, text_digest VARCHAR(64), digest VARCHAR(64), PRIMARY KEY(id),
    UNIQUE("key"));
CREATE UNIQUE INDEX operation_by_replica ON operation(replica, replica_row)
"""
"""What the steps made with the versions of SQLAlchemy that were there when they were written."""


def known() -> frozenset[str]:
    """Returns the statements of this version's steps, as SQLAlchemy wrote them so far."""
    return frozenset(map(in_plain_blanks, _KNOWN_TEXT.split(";")))


def check_statements(connection: Connection, location: str) -> None:
    """Does nothing when the file holds no statement but Awase's own.

    Raises:
        EnvironmentProblem: It holds others; with the first of them.
    """
    own = known()
    foreign = [
        (kind, name)
        for kind, name, sql in sqlite.statements(connection)
        if not (isinstance(sql, str) and _is_own(sql, own))
    ]
    if foreign:
        told = [
            f"{_KINDS.get(str(kind), kind)} “{name}”" for kind, name in islice(foreign, _N_TOLD)
        ]
        raise EnvironmentProblem(
            "“{path}” holds what Awase did not put there: {names}. "
            "Such a file can change what you write into it, so it was not opened.",
            "Ask where it comes from. If a newer Awase made it, install that; otherwise ask its "
            "owner for an export as Awase JSON.",
            path=location,
            names=", ".join(told) + (", …" if len(foreign) > _N_TOLD else ""),
        )


def in_plain_blanks(sql: str) -> str:
    """Returns the statement with single blanks, and none beside brackets and commas."""
    return re.sub(r" ?([(),]) ?", r"\1", " ".join(sql.split()))


def _is_own(sql: str, known_here: frozenset[str]) -> bool:
    plain = in_plain_blanks(sql)
    return plain in known_here or _OF_SQLITE.fullmatch(plain) is not None or plain in made_now()


@cache
def made_now() -> frozenset[str]:
    """Returns the statements that the steps make here, after each step.

    Another version of SQLAlchemy may write them otherwise than `known` has them. Asked only about
    what is not known: it takes a third of a second.
    """
    from awase.storage.databases.migrating import step_names, upgrade

    made: set[str] = set()
    engine = create_engine("sqlite://", poolclass=StaticPool)
    try:
        with engine.begin() as connection:
            for step in step_names():
                upgrade(connection, step)
                made |= {in_plain_blanks(str(sql)) for *_, sql in sqlite.statements(connection)}
    finally:
        engine.dispose()
    return frozenset(made)
