"""Setup of a team's database: tables, roles, row level security.

People are roles of their own names. Everybody reads everything; annotators write their own
alignments and claim free work; adjudicators write the gold as well, the lead everything. A second
reading (`A1#2`) is the same person's.

Policies restrict whose rows are written, triggers their contents, as one invalid row would make the
corpus unreadable for everybody. Keys and times are the server's.
"""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Dialect, func, inspect, select, text
from sqlalchemy.schema import CreateIndex, CreateTable

from awase.core.errors import EnvironmentProblem, InputError
from awase.core.records.abstract import AlignmentState, AssistOrigin, GoldOrigin
from awase.core.records.corpus import Person
from awase.storage.files.locks_and_backups import OLDER
from awase.storage.files.opening import engine_in_memory
from awase.storage.files.sqlite_files import NEWEST_STEP, lacks_steps
from awase.storage.inserting import fill_new
from awase.storage.postgresql.connections import as_the_server_keeps_it, run_literally
from awase.storage.postgresql.servers import access_to
from awase.storage.querying import SERVER_TIME
from awase.storage.rows.reading import read_frame
from awase.storage.rows.schema import Base, CorpusRow
from awase.storage.transactions import translated

_LONGEST_BYTES: Final = 63
_ENTRIES: Final = ("alignment", "sentence_alignment")
_NOTED: Final = ("operation", "entry_version", "suggestion")
_WORK: Final = "assignment"
_GUARDED: Final = (*_ENTRIES, "gold_entry", *_NOTED, _WORK)
_LATER_READING: Final = (
    "starts_with({owner}, current_user::text || '#')"
    " AND substr({owner}, length(current_user::text) + 2) ~ '^[0-9]+$'"
)


def _own(owner: str) -> str:
    later = _LATER_READING.format(owner=owner)
    return f"({owner} = current_user::text OR {later})"


_OWN: Final = _own("annotator")
_OWN_ENTRY: Final = (
    "EXISTS (SELECT 1 FROM alignment WHERE alignment.id = alignment_id AND "
    f"{_own('alignment.annotator')})"
)
_OWN_WORK: Final = _own("person")
_ROLES: Final = ("annotator", "adjudicator", "lead")
# A backslash in a literal is a backslash, whatever the database is set to.
_PLAIN_STRINGS: Final = "SET LOCAL standard_conforming_strings = on;"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """Missing parts of a database."""

    # Statements that make the tables and an empty corpus; none where there is one.
    tables: tuple[str, ...]
    # Statements that create roles and grants; repeatable.
    access: tuple[str, ...]
    new_people: tuple[str, ...]

    def script(self) -> str:
        """Returns a psql script in one transaction."""
        parts = ["BEGIN;", _PLAIN_STRINGS, *self.tables, *self.access, "COMMIT;"]
        for person in self.new_people:
            parts.append(f"-- then, in psql:  \\password {_name(person)}")
        return "\n".join(parts) + "\n"


def plan_setup(location: str, people: Sequence[Person], *, name: str, who: str) -> Setup:
    """Returns the setup for the people of the database at `location`; changes nothing.

    A new corpus is called `name`; an existing one keeps its own.
    """
    with (
        closing(access_to(location, read_only=True)) as access,
        translated(access.location),
        access.reading.connect() as connection,
    ):
        return _setup_of(connection, access.location, people, name, who)


def _setup_of(
    connection: Connection, location: str, people: Sequence[Person], name: str, who: str
) -> Setup:
    has_corpus = inspect(connection).has_table(CorpusRow.__tablename__)
    if has_corpus and lacks_steps(connection, location):
        raise EnvironmentProblem.about(OLDER, path=location)
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
    """Runs all statements of `setup` and sets passwords of roles in one transaction."""
    # A password is sent as the server's verifier, so that no log has it.
    with (
        closing(access_to(location, read_only=False)) as access,
        translated(access.location),
        (access.writing or access.reading).begin() as connection,
    ):
        for statement in (_PLAIN_STRINGS, *setup.tables, *setup.access):
            run_literally(connection, statement)
        for person, password in passwords.items():
            kept = _literal(as_the_server_keeps_it(connection, person, password))
            run_literally(connection, f"ALTER ROLE {_name(person)} PASSWORD {kept};")


def new_passwords(people: Iterable[str]) -> dict[str, str]:
    """Generates a password for each person."""
    return {person: secrets.token_urlsafe(15) for person in people}


def pgpass_lines(passwords: Mapping[str, str], host: str, port: int, database: str) -> str:
    """Returns the passwords as lines of `~/.pgpass`, each for its role."""
    escaped = [
        ":".join(part.replace("\\", "\\\\").replace(":", "\\:") for part in parts)
        for parts in ((host, str(port), database, who, word) for who, word in passwords.items())
    ]
    return "".join(f"{line}\n" for line in escaped)


# Roles and grants

# Keys of SERIAL columns need rights on their sequences, with which anybody may use them up; those
# of identity columns need none.
_KEYS_BY_SERVER: Final = """DO $awase$ DECLARE one record; start bigint; BEGIN
FOR one IN SELECT table_name AS name, table_name || '_id_seq' AS keys
    FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'id' AND column_default LIKE 'nextval(%'
LOOP
    start := nextval(quote_ident(one.keys));
    EXECUTE format('ALTER TABLE %I ALTER id DROP DEFAULT', one.name);
    EXECUTE format('DROP SEQUENCE %I', one.keys);
    EXECUTE format('ALTER TABLE %I ALTER id ADD GENERATED BY DEFAULT AS IDENTITY (START %s)',
        one.name, start);
END LOOP; END $awase$;"""


def _access(database: str, people: Sequence[Person]) -> Iterable[str]:
    groups = {role: f"{database}_{role}" for role in _ROLES}
    for group in groups.values():
        _check(group)
        yield _create_once(group, "NOLOGIN")
    yield _without_others(groups.values(), [person.id for person in people])
    for person in people:
        yield _create_once(person.id, "LOGIN")
        for role, group in groups.items():
            word = ("GRANT", "TO") if role == person.role else ("REVOKE", "FROM")
            yield f"{word[0]} {_name(group)} {word[1]} {_name(person.id)};"
    everybody = ", ".join(map(_name, groups.values()))
    yield "REVOKE CREATE ON SCHEMA public FROM PUBLIC;"
    yield f"REVOKE CONNECT, TEMPORARY ON DATABASE {_name(database)} FROM PUBLIC;"
    yield _KEYS_BY_SERVER
    for kind in ("TABLES", "SEQUENCES"):
        yield f"REVOKE ALL ON ALL {kind} IN SCHEMA public FROM {everybody};"
    yield f"GRANT CONNECT ON DATABASE {_name(database)} TO {everybody};"
    yield f"GRANT USAGE ON SCHEMA public TO {everybody};"
    for kind in ("TABLES", "SEQUENCES"):
        yield f"GRANT SELECT ON ALL {kind} IN SCHEMA public TO {everybody};"
    yield from _rights(groups)
    yield from _policies(groups)
    yield from _checks(groups["lead"])


def _without_others(groups: Iterable[str], people: Iterable[str]) -> str:
    of_groups, of_people = (_literals(names) for names in (groups, people))
    return (
        "DO $awase$ DECLARE one record; BEGIN FOR one IN SELECT g.rolname AS of, m.rolname AS who "
        "FROM pg_auth_members AS a JOIN pg_roles AS g ON g.oid = a.roleid "
        f"JOIN pg_roles AS m ON m.oid = a.member WHERE g.rolname = ANY ({of_groups}) "
        f"AND m.rolname <> ALL ({of_people}) "
        "LOOP EXECUTE format('REVOKE %I FROM %I', one.of, one.who); END LOOP; END $awase$;"
    )


def _rights(groups: Mapping[str, str]) -> Iterable[str]:
    annotators = ", ".join(_name(groups[role]) for role in ("annotator", "adjudicator"))
    adjudicator, lead = _name(groups["adjudicator"]), _name(groups["lead"])
    for table in (*_ENTRIES, *_NOTED, _WORK):
        yield f"GRANT INSERT ({_columns(table)}) ON {table} TO {annotators};"
    yield f"GRANT DELETE ON alignment, {_WORK} TO {annotators};"
    yield f"GRANT DELETE ON sentence_alignment TO {annotators};"
    yield f"GRANT UPDATE ({_columns('sentence_alignment')}) ON sentence_alignment TO {annotators};"
    for right in ("INSERT", "UPDATE"):
        yield f"GRANT {right} ({_columns('gold_entry')}) ON gold_entry TO {adjudicator};"
    yield f"GRANT DELETE ON gold_entry TO {adjudicator};"
    yield f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {lead};"


def _columns(table: str) -> str:
    """Returns the writable columns: the key is generated by the server."""
    return ", ".join(one.name for one in Base.metadata.tables[table].columns if one.name != "id")


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
    # They claim free work, and return theirs.
    rule = f"FOR INSERT TO {annotators} WITH CHECK ({_OWN_WORK})"
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


# What a row has to be so that it can be read as a record

_STATES: Final = ", ".join(f"'{state.value}'" for state in AlignmentState)
_ENTRY: Final = f"""
    NEW.state IN ({_STATES})
    AND (NEW.state <> 'no_source' OR NEW.alternatives = '[]')
    AND EXISTS (SELECT FROM abstract_sentence AS s
        WHERE s.abstract_id = {{abstract}} AND s.n = NEW.n)
    AND (NEW.rank IS NULL OR EXISTS (
        SELECT FROM corpus, jsonb_array_elements(rank_weights::jsonb) AS w
        WHERE w ->> 0 = NEW.rank))
    AND jsonb_typeof(NEW.alternatives::jsonb) = 'array'
    AND NOT EXISTS (SELECT FROM jsonb_array_elements(NEW.alternatives::jsonb) AS f
        WHERE jsonb_typeof(f) <> 'array' OR f = '[]')
    AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(NEW.alternatives::jsonb) AS f,
            jsonb_array_elements(f) AS m
        WHERE jsonb_typeof(m) <> 'string' OR NOT EXISTS (
            SELECT FROM abstract AS a JOIN document AS d ON d.topic_id = a.topic_id
            JOIN source_sentence AS s ON s.document_id = d.id
            WHERE a.id = {{abstract}}
            AND d.key = substring(m #>> '{{{{}}}}' from '^(.+):[0-9]+$')
            AND s.n::text = substring(m #>> '{{{{}}}}' from ':([0-9]+)$')))
"""
_ORIGINS: Final = ", ".join(f"'{origin.value}'" for origin in GoldOrigin)
_HELP: Final = ", ".join(f"'{origin.value}'" for origin in AssistOrigin)
# Conditions by table on rows of others than the lead.
_CHECKS: Final = {
    "sentence_alignment": _ENTRY.format(
        abstract="(SELECT l.abstract_id FROM alignment AS l WHERE l.id = NEW.alignment_id)"
    )
    + f"AND (NEW.assist IS NULL OR NEW.assist IN ({_HELP}))",
    "gold_entry": _ENTRY.format(abstract="NEW.abstract_id")
    + f"""
    AND NEW.origin IN ({_ORIGINS})
    AND coalesce(NEW.decided_by, 'x') ~ '^[^[:space:]](.*[^[:space:]])?$'
    AND coalesce(NEW.decided_by, 'x') !~ '[[:cntrl:]]'
    AND coalesce(NEW.at, 'x') ~ '^[-0-9A-Za-z:.+]+$'
    AND jsonb_typeof(NEW.sources::jsonb) = 'array'
    AND NOT EXISTS (SELECT FROM jsonb_array_elements(NEW.sources::jsonb) AS s
        WHERE jsonb_typeof(s -> 'annotator') IS DISTINCT FROM 'string'
        OR jsonb_typeof(s -> 'digest') IS DISTINCT FROM 'string'
        OR jsonb_typeof(s -> 'alternatives') IS DISTINCT FROM 'array')
    """,
    "operation": """
    NEW.replica IS NULL AND NEW.replica_row IS NULL AND NEW.active_ms >= 0
    AND NEW.digest IS NOT NULL
    AND coalesce(NEW.n_keys, 0) >= 0 AND coalesce(NEW.shown_ms, 0) >= 0
    AND CASE
        WHEN NEW.kind IN ('undo', 'redo') THEN EXISTS (
            SELECT FROM operation AS o WHERE o.id = NEW.target_id AND o.who = current_user::text)
        WHEN NEW.kind <> 'edit' THEN false
        WHEN NEW.verb = 'assign' THEN
            NEW.topic IS NULL AND NEW.n IS NULL AND NEW.old IS NOT NULL AND NEW.new IS NOT NULL
        ELSE NEW.n > 0 AND NEW.topic IS NOT NULL AND NEW.abstract IS NOT NULL
            AND jsonb_typeof(NEW.old::jsonb) = 'object'
            AND jsonb_typeof(NEW.new::jsonb) = 'object'
    END
    """,
    "entry_version": """
    NEW.n > 0 AND NEW.taken_by IS NULL AND NEW.digest ~ '^[0-9a-f]+$'
    AND NEW.replica = (SELECT replica FROM corpus)
    AND NEW.revision BETWEEN 1 AND 1 + coalesce((
        SELECT max(v.revision) FROM entry_version AS v
        WHERE v.topic = NEW.topic AND v.abstract = NEW.abstract AND v.n = NEW.n
        AND (v.annotator = NEW.annotator OR v.annotator IS NULL AND NEW.annotator IS NULL)), 0)
    """,
    "suggestion": """
    NEW.n > 0 AND NEW.confidence BETWEEN 0 AND 1 AND jsonb_typeof(NEW.family::jsonb) = 'array'
    """,
    # A trigger sees what the statement itself put in before, a policy does not.
    _WORK: f"""
    NEW.round = 1 AND NEW.due IS NULL AND NEW.place > 0
    AND EXISTS (SELECT FROM person WHERE key = NEW.person)
    AND EXISTS (SELECT FROM topic AS t LEFT JOIN abstract AS a ON a.topic_id = t.id
        WHERE t.key = NEW.topic AND (NEW.abstract IS NULL OR a.key = NEW.abstract))
    AND NOT EXISTS (SELECT FROM {_WORK} AS given
        WHERE given.topic = NEW.topic AND given.round = 1
        AND (given.abstract IS NULL OR NEW.abstract IS NULL OR given.abstract = NEW.abstract))
    """,
}
_DATED: Final = {
    "operation": "IF NEW.replica IS NULL THEN NEW.at := {at}; END IF;",
    "entry_version": "IF is_checked THEN NEW.at := {at}; END IF;",
    "suggestion": "IF is_checked THEN NEW.at := {at}; END IF;",
}


def _checks(lead: str) -> Iterable[str]:
    """Returns the triggers, which exempt the owner and the lead."""
    is_checked = f"row_security_active(TG_RELID) AND NOT pg_has_role({_literal(lead)}, 'MEMBER')"
    refused = "RAISE EXCEPTION 'this is no row of a corpus' USING ERRCODE = '42501';"
    for table, sound in _CHECKS.items():
        yield (
            f"CREATE OR REPLACE FUNCTION awase_check_{table}() RETURNS trigger LANGUAGE plpgsql "
            f"AS $awase$ DECLARE is_checked boolean := {is_checked}; BEGIN\n"
            f"{_DATED.get(table, '').format(at=SERVER_TIME)}\n"
            f"IF is_checked AND ({sound}) IS NOT TRUE THEN {refused} END IF;\n"
            "RETURN NEW; END $awase$;"
        )
        yield f"DROP TRIGGER IF EXISTS awase_check ON {table};"
        yield (
            f"CREATE TRIGGER awase_check BEFORE INSERT OR UPDATE ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION awase_check_{table}();"
        )
    yield (
        "CREATE OR REPLACE FUNCTION awase_check_amount() RETURNS trigger LANGUAGE plpgsql "
        f"AS $awase$ BEGIN IF {is_checked} AND (SELECT count(DISTINCT topic) FROM added) > 1 "
        f"THEN {refused} END IF; RETURN NULL; END $awase$;"
    )
    yield f"DROP TRIGGER IF EXISTS awase_check_amount ON {_WORK};"
    yield (
        f"CREATE TRIGGER awase_check_amount AFTER INSERT ON {_WORK} "
        "REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION awase_check_amount();"
    )


def _create_once(role: str, kind: str) -> str:
    return (
        f"DO $awase$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = {_literal(role)}) "
        f"THEN CREATE ROLE {_name(role)} {kind}; END IF; END $awase$;"
    )


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _value(value: object) -> str:
    """Returns a value as an SQL literal; SQLAlchemy's would escape “%” for its driver."""
    if isinstance(value, str):
        return _literal(value)
    return "NULL" if value is None else str(value).lower()


def _literals(texts: Iterable[str]) -> str:
    return f"ARRAY[{', '.join(map(_literal, texts))}]::text[]"


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _check(role: str) -> None:
    is_long = len(role.encode("utf-8")) > _LONGEST_BYTES
    is_taken = role.startswith("pg_") or role.lower() in ("public", "none")
    if is_long or is_taken or "$awase$" in role or "\0" in role or "#" in role:
        raise InputError.of(
            "“{name}” cannot be a role of the server.",
            "Choose a name of at most 63 bytes, without “#”, that does not begin with pg_.",
            name=role,
        )


# Tables


def _tables(dialect: Dialect, name: str, who: str) -> tuple[str, ...]:
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
                values = {key: _value(value) for key, value in row.items() if key != "id"}
                columns, each = ", ".join(values), ", ".join(values.values())
                statements.append(f"INSERT INTO {table.name} ({columns}) VALUES ({each});")
    engine.dispose()
    return tuple(statements)
