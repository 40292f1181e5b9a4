"""What a database needs so that a team can share a corpus in it: tables, roles, and their rights.

People are roles of their own names. Everybody reads everything; the database itself sees to it that
an annotator writes that annotator's alignments only, and takes work that is nobody's; adjudicators
write the gold as well, and the lead everything. A second reading (`A1#2`) is the same person's.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Dialect, func, insert, inspect, select, text
from sqlalchemy.schema import CreateIndex, CreateTable

from awase.core.errors import EnvironmentProblem, InputError
from awase.core.records.project import Person
from awase.storage.changing.filling import fill_new
from awase.storage.databases.access import translated
from awase.storage.databases.migrating import NEWEST_STEP, lacks_steps
from awase.storage.databases.postgresql import as_the_server_keeps_it, run_as_it_stands
from awase.storage.databases.sqlite import engine_in_memory
from awase.storage.opening.servers import access_to
from awase.storage.rows.reading import read_frame
from awase.storage.rows.schema import Base, CorpusRow

_LONGEST_BYTES: Final = 63
_ENTRIES: Final = ("alignment", "sentence_alignment")
_NOTED: Final = ("operation", "entry_version", "suggestion")
_WORK: Final = "assignment"
_GUARDED: Final = (*_ENTRIES, "gold_entry", *_NOTED, _WORK)
_OWN: Final = (
    "(annotator = current_user::text OR split_part(annotator, '#', 1) = current_user::text)"
)
_OWN_ENTRY: Final = (
    "EXISTS (SELECT 1 FROM alignment WHERE alignment.id = alignment_id AND "
    "(alignment.annotator = current_user::text"
    " OR split_part(alignment.annotator, '#', 1) = current_user::text))"
)
_OWN_WORK: Final = _OWN.replace("annotator", "person")
_FREE_WORK: Final = (
    f"{_OWN_WORK} AND round = 1 AND NOT EXISTS (SELECT 1 FROM {_WORK} AS given "
    f"WHERE given.topic = {_WORK}.topic AND given.round = 1 AND (given.abstract IS NULL "
    f"OR {_WORK}.abstract IS NULL OR given.abstract = {_WORK}.abstract))"
)
_ROLES: Final = ("annotator", "adjudicator", "lead")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a database lacks.

    Attributes:
        tables: Statements that make the tables and an empty corpus; none where there is one.
        access: Statements that make the roles and say what each may do; they can be run again.
        new_people: Those for whom the server has no role yet.
    """

    tables: tuple[str, ...]
    access: tuple[str, ...]
    new_people: tuple[str, ...]

    def script(self) -> str:
        """Returns everything as a script for psql, in one transaction."""
        parts = ["BEGIN;", *self.tables, *self.access, "COMMIT;"]
        for person in self.new_people:
            parts.append(f"-- then, in psql:  \\password {_name(person)}")
        return "\n".join(parts) + "\n"


def plan_setup(location: str, people: Sequence[Person], *, name: str, who: str) -> Setup:
    """Returns what the database at `location` needs for its people; nothing is changed.

    Args:
        location: URL of the database, as its administrator.
        people: Who is to have access beside the persons of the corpus, or in another role.
        name: Of a corpus that is made; one that is there keeps its own.
        who: Who makes it, for the log.

    Raises:
        InputError: A name cannot be a role.
        EnvironmentProblem: The server cannot be reached, or has a newer corpus.
    """
    access = access_to(location, read_only=True)
    try:
        with translated(access.location), access.reading.connect() as connection:
            return _setup_of(connection, access.location, people, name, who)
    finally:
        access.close()


def _setup_of(
    connection: Connection, location: str, people: Sequence[Person], name: str, who: str
) -> Setup:
    has_corpus = inspect(connection).has_table(CorpusRow.__tablename__)
    if has_corpus and lacks_steps(connection, location):
        raise EnvironmentProblem(
            "“{path}” was made by an older version and has to be converted first.",
            "Open it once for writing; a backup is kept.",
            path=location,
        )
    stored = read_frame(connection).persons if has_corpus else ()
    everybody = {person.id: person for person in (*stored, *people)}
    for role in everybody:
        _check(role)
    database = str(connection.execute(select(func.current_database())).scalar_one())
    known = set(connection.execute(text("SELECT rolname FROM pg_roles")).scalars())
    return Setup(
        tables=() if has_corpus else _tables(connection.dialect, name, who),
        access=tuple(_access(database, tuple(everybody.values()))),
        new_people=tuple(role for role in everybody if role not in known),
    )


def apply_setup(location: str, setup: Setup, passwords: Mapping[str, str]) -> None:
    """Runs all statements of `setup` and sets passwords of roles: all of it, or nothing.

    A password reaches the server as what the server would keep of it, so that no log has it.

    Raises:
        EnvironmentProblem: The server cannot be reached, or refuses something.
    """
    access = access_to(location, read_only=False)
    try:
        with translated(access.location), (access.writing or access.reading).begin() as connection:
            for statement in (*setup.tables, *setup.access):
                run_as_it_stands(connection, statement)
            for person, password in passwords.items():
                kept = as_the_server_keeps_it(connection, person, password)
                run_as_it_stands(connection, f"ALTER ROLE {_name(person)} PASSWORD '{kept}';")
    finally:
        access.close()


def new_passwords(people: Iterable[str]) -> dict[str, str]:
    """Returns a password for each person that nobody guesses."""
    return {person: secrets.token_urlsafe(15) for person in people}


def pgpass_lines(passwords: Mapping[str, str], host: str, port: int, database: str) -> str:
    """Returns the passwords as lines of `~/.pgpass`, each for the person whom it names."""
    escaped = [
        ":".join(part.replace("\\", "\\\\").replace(":", "\\:") for part in parts)
        for parts in ((host, str(port), database, who, word) for who, word in passwords.items())
    ]
    return "".join(f"{line}\n" for line in escaped)


# Roles, and what they may do


def _access(database: str, people: Sequence[Person]) -> Iterable[str]:
    groups = {role: f"{database}_{role}" for role in _ROLES}
    for group in groups.values():
        _check(group)
        yield _made_once(group, "NOLOGIN")
    for person in people:
        yield _made_once(person.id, "LOGIN")
        for role, group in groups.items():
            word = ("GRANT", "TO") if role == person.role else ("REVOKE", "FROM")
            yield f"{word[0]} {_name(group)} {word[1]} {_name(person.id)};"
    everybody = ", ".join(map(_name, groups.values()))
    yield "REVOKE CREATE ON SCHEMA public FROM PUBLIC;"
    yield f"GRANT CONNECT ON DATABASE {_name(database)} TO {everybody};"
    yield f"GRANT USAGE ON SCHEMA public TO {everybody};"
    yield f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {everybody};"
    yield from _rights(groups)
    yield from _policies(groups)


def _rights(groups: Mapping[str, str]) -> Iterable[str]:
    annotators = ", ".join(_name(groups[role]) for role in ("annotator", "adjudicator"))
    adjudicator, lead = _name(groups["adjudicator"]), _name(groups["lead"])
    yield f"GRANT INSERT, DELETE ON alignment TO {annotators};"
    yield f"GRANT INSERT, UPDATE, DELETE ON sentence_alignment TO {annotators};"
    yield f"GRANT INSERT ON {', '.join(_NOTED)} TO {annotators};"
    yield f"GRANT INSERT, DELETE ON {_WORK} TO {annotators};"
    yield f"GRANT UPDATE (digest) ON corpus TO {annotators};"  # it is of the assignments, too
    yield f"GRANT USAGE ON {_sequences((*_ENTRIES, *_NOTED, _WORK))} TO {annotators};"
    yield f"GRANT INSERT, UPDATE, DELETE ON gold_entry TO {adjudicator};"
    yield f"GRANT USAGE ON {_sequences(('gold_entry',))} TO {adjudicator};"
    yield f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {lead};"
    yield f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {lead};"


def _policies(groups: Mapping[str, str]) -> Iterable[str]:
    annotators = ", ".join(_name(groups[role]) for role in ("annotator", "adjudicator"))
    annotator, adjudicator = _name(groups["annotator"]), _name(groups["adjudicator"])
    own_step = f"who = current_user::text AND (annotator IS NULL OR {_OWN})"
    for table in _GUARDED:
        yield f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;"
        yield from _policy(table, "read", "FOR SELECT USING (true)")
        lead = f"FOR ALL TO {_name(groups['lead'])} USING (true) WITH CHECK (true)"
        yield from _policy(table, "lead", lead)
    for table, own in zip(_ENTRIES, (_OWN, _OWN_ENTRY), strict=True):
        rule = f"FOR ALL TO {annotators} USING ({own}) WITH CHECK ({own})"
        yield from _policy(table, "own", rule)
    rule = f"FOR ALL TO {adjudicator} USING (true) WITH CHECK (true)"
    yield from _policy("gold_entry", "adjudicator", rule)
    yield from _policy("operation", "own", f"FOR INSERT TO {annotators} WITH CHECK ({own_step})")
    rule = f"FOR INSERT TO {annotators} WITH CHECK ({_OWN})"
    yield from _policy("suggestion", "own", rule)
    # They take what is nobody's, and give back what is theirs.
    rule = f"FOR INSERT TO {annotators} WITH CHECK ({_FREE_WORK})"
    yield from _policy(_WORK, "take", rule)
    rule = f"FOR DELETE TO {annotators} USING ({_OWN_WORK})"
    yield from _policy(_WORK, "give_back", rule)
    rule = f"FOR INSERT TO {annotator} WITH CHECK ({_OWN})"
    yield from _policy("entry_version", "own", rule)
    rule = f"FOR INSERT TO {adjudicator} WITH CHECK (annotator IS NULL OR {_OWN})"
    yield from _policy("entry_version", "adjudicator", rule)


def _policy(table: str, name: str, rule: str) -> Iterable[str]:
    yield f"DROP POLICY IF EXISTS awase_{name} ON {table};"
    yield f"CREATE POLICY awase_{name} ON {table} {rule};"


def _made_once(role: str, kind: str) -> str:
    literal = role.replace("'", "''")
    return (
        f"DO $awase$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{literal}') "
        f"THEN CREATE ROLE {_name(role)} {kind}; END IF; END $awase$;"
    )


def _sequences(tables: Iterable[str]) -> str:
    return "SEQUENCE " + ", ".join(f"{table}_id_seq" for table in tables)


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _check(role: str) -> None:
    is_long = len(role.encode("utf-8")) > _LONGEST_BYTES
    is_taken = role.startswith("pg_") or role.lower() in ("public", "none")
    if is_long or is_taken or "$awase$" in role or "\0" in role:
        raise InputError.of(
            "“{name}” cannot be a role of the server.",
            "Choose a name of at most 63 bytes that does not begin with pg_.",
            name=role,
        )


# Tables


def _tables(dialect: Dialect, name: str, who: str) -> tuple[str, ...]:
    """Returns what makes the tables and the rows that a new corpus has."""
    statements = []
    for table in Base.metadata.sorted_tables:
        statements.append(str(CreateTable(table).compile(dialect=dialect)).strip() + ";")
        indices = sorted(table.indexes, key=lambda index: index.name or "")
        statements += [f"{CreateIndex(index).compile(dialect=dialect)};" for index in indices]
    statements.append("CREATE TABLE alembic_version (version_num VARCHAR(32) PRIMARY KEY);")
    statements.append(f"INSERT INTO alembic_version VALUES ('{NEWEST_STEP}');")
    engine = engine_in_memory()
    with engine.begin() as connection:
        fill_new(connection, name=name, who=who)
        for table in Base.metadata.sorted_tables:
            for row in connection.execute(select(table)).mappings():
                values = {key: value for key, value in row.items() if key != "id"}
                made = insert(table).values(values)
                arguments = {"literal_binds": True}
                statements.append(
                    f"{made.compile(dialect=dialect, compile_kwargs=arguments)};"
                )  # fmt: skip
    engine.dispose()
    return tuple(statements)
