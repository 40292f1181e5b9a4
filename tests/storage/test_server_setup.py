"""A team's database: the server itself lets each person write what is theirs, and nothing else."""

import os
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("psycopg")

import psycopg
from click.testing import CliRunner

from awase.cli.main import cli
from awase.core.errors import EnvironmentProblem, InputError
from awase.core.records.addition import Addition
from awase.core.records.corpus import Person
from awase.storage.addresses import PasswordRefused, ServerPlace, ServerUnreachable
from awase.storage.postgresql.connections import keys_of, parts_of
from awase.storage.postgresql.servers import RoleMayOnlyRead, look_at_server
from awase.storage.postgresql.setup import apply_setup, pgpass_lines, plan_setup
from awase.storage.store import CorpusStore
from tests.in_part import in_turn
from tests.storage.sample import CONFIRMED, LINKED, REFS, addition, edit, entry, rank_edit
from tests.storage.servers import (
    SECRET,
    Server,
    differences_to_schema,
    role_that_may_only_read,
    run_sql,
)

slow = pytest.mark.slow
TEAM = (
    Person(id="A1"),
    Person(id="A2"),
    Person(id='judge\'s "own"', role="adjudicator"),
    Person(id="lead", role="lead"),
)
REFUSED = "row-level security|permission denied"


@pytest.fixture
def url(server: Server) -> str:
    """Of a database set up for the team, holding a topic with an alignment of everybody."""
    url = server.url_of(server.make_database("team's"))
    apply_setup(url, plan_setup(url, TEAM, name="team", who="admin"), {})
    with CorpusStore.open(url, who="admin") as store:
        store.add(addition(), who="admin")
    return url


def as_role(server: Server, person: str) -> str:
    place = ServerPlace(host="127.0.0.1", port=server.port, database="team's", user=person)
    return place.location()


def opened(server: Server, person: str) -> CorpusStore:
    return CorpusStore.open(as_role(server, person), who=person)


# Through Awase


def test_that_everybody_writes_their_own_and_reads_all(server, url):
    for person in TEAM:
        with opened(server, person.id) as store:
            assert store.person() == person.id
            store.apply(edit(LINKED, annotator=person.id), who=person.id)
            store.apply(edit(CONFIRMED, old=LINKED, annotator=person.id), who=person.id)
            store.undo(who=person.id)
            store.apply(edit(entry(9, (REFS[0],)), annotator=f"{person.id}#2"), who=person.id)
            store.undo(who=person.id)
    with opened(server, "A1") as store:
        alignments = store.topic("t1").abstracts[0].alignments
        assert {a.annotator: a.sentences for a in alignments} == {
            person.id: (LINKED,) for person in TEAM
        }
    again = plan_setup(url, TEAM, name="other", who="admin")
    assert (again.tables, again.new_people) == ((), ())
    assert differences_to_schema(url) == []


def test_that_nobody_writes_anothers_through_awase(server, url):
    with opened(server, "A2") as store:
        store.apply(edit(LINKED, annotator="A2"), who="A2")
    with opened(server, "A1") as store:
        before = store.corpus()
        for who, annotator in (("A1", "A2"), ("A2", "A2"), ("A2", "A1"), ("A1", "A2#2")):
            old = LINKED if annotator == "A2" else None
            with pytest.raises(EnvironmentProblem, match="refuses that"):
                store.apply(edit(CONFIRMED, old=old, annotator=annotator), who=who)
        for attempt in (
            partial(store.undo, who="A2"),
            partial(store.apply, rank_edit("C"), who="A1"),
            partial(store.add, addition("t2"), who="A1"),
        ):
            with pytest.raises(EnvironmentProblem, match="refuses that"):
                attempt()
        assert store.corpus() == before
    with opened(server, "lead") as store:
        store.apply(rank_edit("C"), who="lead")
        store.add(addition("t2"), who="lead")
        store.undo(who="lead")


# Through plain SQL, as somebody would who wants to


def contents(url: str, *tables: str) -> list[list[tuple]]:
    with psycopg.connect(url) as admin:
        return [admin.execute(f"TABLE {table}").fetchall() for table in tables]


_ATTEMPTS = [
        "UPDATE sentence_alignment SET note = 'x' WHERE alignment_id = {theirs}",
        "DELETE FROM sentence_alignment WHERE alignment_id = {theirs}",
        "DELETE FROM alignment WHERE id = {theirs}",
        "UPDATE alignment SET annotator = 'A1' WHERE id = {theirs}",
        "UPDATE sentence_alignment SET alignment_id = {theirs} WHERE alignment_id = {mine}",
        "UPDATE sentence_alignment SET alignment_id = {mine} WHERE alignment_id = {theirs}",
        "INSERT INTO sentence_alignment (alignment_id, n, position, state, alternatives) "
        "VALUES ({theirs}, 9, 1, 'confirmed', '[]')",
        "INSERT INTO alignment (abstract_id, annotator, position) "
        "SELECT max(id), 'A2', 5 FROM abstract",
        "INSERT INTO alignment (abstract_id, annotator, position) "
        "SELECT max(id), 'A2#2', 5 FROM abstract",
        "INSERT INTO operation (at, who, kind, verb, subject, active_ms) "
        "VALUES ('2026', 'A2', 'edit', 'link', '', 0)",
        "INSERT INTO operation (at, who, kind, verb, subject, active_ms, annotator) "
        "VALUES ('2026', 'A1', 'edit', 'link', '', 0, 'A2')",
        "INSERT INTO entry_version (topic, abstract, annotator, n, revision, digest, at, replica) "
        "VALUES ('t1', 'long', 'A2', 5, 9, '', '', '')",
        "UPDATE operation SET who = 'A1'",
        "DELETE FROM operation",
        "DELETE FROM entry_version",
        "INSERT INTO gold_entry (abstract_id, n, position, state, alternatives, origin, sources, "
        "locked) SELECT max(id), 5, 0, 'confirmed', '[]', 'edited', '[]', false FROM abstract",
        "UPDATE source_sentence SET text = 'x'",
        "DELETE FROM topic",
        "UPDATE corpus SET name = 'x'",
        "UPDATE alembic_version SET version_num = '9999'",
        "INSERT INTO person (key, position, role) VALUES ('A1', 0, 'lead')",
        "TRUNCATE operation",
        "ALTER TABLE alignment DISABLE ROW LEVEL SECURITY",
        "DROP POLICY awase_own ON alignment",
        "SET ROLE lead",
        "SET ROLE \"A2\"",
        "CREATE TABLE mine (x int)",
    ]  # fmt: skip


@slow
def test_that_plain_sql_changes_nothing_of_anothers(server, url):
    for person in ("A1", "A2"):
        with opened(server, person) as store:
            store.apply(edit(LINKED, annotator=person), who=person)
    tables = ("alignment", "sentence_alignment", "operation", "entry_version", "gold_entry",
              "source_sentence", "topic", "corpus", "person", "alembic_version")  # fmt: skip
    before = contents(url, *tables)
    (mine,), (theirs,) = run_sql(url, "SELECT id FROM alignment ORDER BY annotator")
    for attempt in _ATTEMPTS:
        with (
            suppress(psycopg.Error),
            psycopg.connect(as_role(server, "A1"), autocommit=True) as connection,
        ):
            done = connection.execute(attempt.format(mine=mine, theirs=theirs))
            assert done.rowcount == 0, attempt  # the rows of others are not there to be changed
        assert contents(url, *tables) == before, attempt


_OPERATION = "INSERT INTO operation (at, who, kind, verb, topic, abstract, annotator, n, subject, "
_EDIT = "VALUES ('2026-01-01T00:00:00.000+00:00', 'A1', 'edit', 'link', 't1', 'long', 'A1', 5, 'd',"
_LOGGED = "active_ms, digest, old, new"
_ENTRY = "INSERT INTO sentence_alignment (alignment_id, n, position, state, alternatives, rank) "
_VERSION = (
    "INSERT INTO entry_version (topic, abstract, annotator, n, revision, digest, at, replica) "
)
_SUGGESTION = (
    "INSERT INTO suggestion (at, topic, abstract, annotator, n, kind, family, confidence, source, "
    "model) VALUES ('x', 't1', 'long', 'A1', 5, 'k', "
)
_WORK = "INSERT INTO assignment (position, topic, abstract, person, round, place, due) VALUES "


_SPOILING = [
        _OPERATION.replace("(at", "(id, at")
        + "active_ms, digest, old, new) VALUES (2147483647, 'x', 'A1', 'edit', 'link', 't1', "
        "'long', 'A1', 5, 'd', 0, '0', '{{\"n\":5}}', '{{\"n\":5}}')",
        _OPERATION + f"{_LOGGED}) {_EDIT} 0, '0', 'x', 'x')",
        _OPERATION + f"{_LOGGED}, replica) {_EDIT} 0, '0', '{{{{}}}}', '{{{{}}}}', 'r')",
        _OPERATION + f"{_LOGGED}) {_EDIT} -1, '0', '{{{{}}}}', '{{{{}}}}')",
        _OPERATION
        + f"{_LOGGED}) {_EDIT.replace('edit', 'import')} 0, '0', '{{{{}}}}', '{{{{}}}}')",
        _ENTRY + "VALUES ({mine}, 9, 1, 'x', '[]', NULL)",
        _ENTRY + "VALUES ({mine}, 9, 1, 'confirmed', 'x', NULL)",
        _ENTRY + "VALUES ({mine}, 9, 1, 'confirmed', '[[\"nope:1\"]]', NULL)",
        _ENTRY + "VALUES ({mine}, 9, 1, 'confirmed', '[[]]', NULL)",
        _ENTRY + "VALUES ({mine}, 9, 1, 'confirmed', '[1]', NULL)",
        _ENTRY + "VALUES ({mine}, 9, 1, 'no_source', '[[\"d:1:3\"]]', NULL)",
        _ENTRY + "VALUES ({mine}, 77, 1, 'confirmed', '[]', NULL)",
        _ENTRY + "VALUES ({mine}, 9, 1, 'confirmed', '[]', 'Z')",
        _ENTRY.replace("(al", "(id, al") + "VALUES (2147483647, {mine}, 9, 1, 'todo', '[]', NULL)",
        "UPDATE sentence_alignment SET alternatives = '[[\"d:1:4\"]]' WHERE alignment_id = {mine}",
        "UPDATE sentence_alignment SET assist = 'x' WHERE alignment_id = {mine}",
        "INSERT INTO alignment (abstract_id, annotator, position) "
        "SELECT max(id), 'A1#x', 5 FROM abstract",
        _VERSION + "VALUES ('t1', 'long', 'A1', 5, 2147483647, repeat('0', 64), 'x', 'r')",
        _VERSION + "VALUES ('t1', 'long', 'A1', 5, 2, 'x', 'x', 'r')",
        _SUGGESTION + "'x', 0.5, '', '')",
        _SUGGESTION + "'[]', 'NaN', '', '')",
        _WORK + "(7, 't1', 'long', 'A1', 1, 1, NULL), (8, 't2', 'long', 'A1', 1, 2, NULL), "
        "(9, 't3', 'long', 'A1', 1, 3, NULL)",
        _WORK + "(7, 't1', 'long', 'A1', 1, 1, NULL), (8, 't1', 'long', 'A1', 1, 1, NULL)",
        _WORK + "(7, 'nope', NULL, 'A1', 1, 1, NULL)",
        _WORK + "(7, 't1', 'nope', 'A1', 1, 1, NULL)",
        _WORK + "(7, 't1', NULL, 'A1', 1, 0, NULL)",
        _WORK + "(7, 't1', NULL, 'A1', 1, 1, '')",
        "UPDATE corpus SET digest = 'x'",
        *(f"SELECT nextval('{table}_id_seq')" for table in ("operation", "entry_version", "topic")),
        "SELECT setval('operation_id_seq', 2147483647)",
    ]  # fmt: skip


@slow
def test_that_no_row_of_an_annotator_spoils_the_corpus(server, url):
    with CorpusStore.open(url, who="admin") as store:
        store.add(addition("t2", "t3"), who="admin")
        store.add(Addition(persons=TEAM), who="admin")
    with opened(server, "A1") as store:
        store.apply(edit(LINKED, annotator="A1"), who="A1")
    tables = ("alignment", "sentence_alignment", "operation", "entry_version", "suggestion",
              "assignment", "corpus")  # fmt: skip
    before = contents(url, *tables)
    ((mine,),) = run_sql(url, "SELECT id FROM alignment")
    for attempt in _SPOILING:
        done = server.psql(as_role(server, "A1"), attempt.format(mine=mine))
        assert "syntax error" not in done.stderr, done.stderr
        assert done.returncode != 0, attempt
        assert contents(url, *tables) == before, attempt


@slow
@pytest.mark.parametrize("is_usual", [True, False])
def test_that_who_holds_a_lock_too_long_is_named(server, url, is_usual):
    with opened(server, "A1") as store:
        store.apply(edit(LINKED, annotator="A1"), who="A1")
        key = keys_of(parts_of(edit(LINKED, annotator="A1"), "A1"))[-1]
        with psycopg.connect(as_role(server, "A2"), autocommit=True) as other:
            other.execute(f"SELECT pg_advisory_lock({key})")
            new, old = (CONFIRMED, LINKED) if is_usual else (entry(9, (REFS[0],)), None)
            with pytest.raises(EnvironmentProblem, match="is locked by A2; nothing was changed"):
                store.apply(edit(new, old=old, annotator="A1"), who="A1")
        store.apply(edit(CONFIRMED, old=LINKED, annotator="A1"), who="A1")
    with opened(server, "lead") as store, psycopg.connect(as_role(server, "A2")) as other:
        other.execute(f"SELECT pg_advisory_xact_lock_shared({keys_of(())[0]})")
        with pytest.raises(EnvironmentProblem, match="is locked by A2; nothing was changed"):
            store.add(addition("t2"), who="lead")


@slow
def test_that_the_time_in_the_log_is_the_servers(server, url):
    done = server.psql(
        as_role(server, "A1"),
        _OPERATION + f"{_LOGGED}) {_EDIT.replace('2026', '9999')} 0, '0', '{{}}', '{{}}')",
    )
    assert done.returncode == 0, done.stderr
    with opened(server, "A1") as store:
        store.apply(edit(LINKED, annotator="A1"), who="A1")
        store.apply(edit(CONFIRMED, old=LINKED, annotator="A1"), who="A1")
        store.undo(who="A1")
        assert len(store.find_damage()) == 1  # the row that was not made by Awase, which is named
        times = [datetime.fromisoformat(str(row["at"])) for row in store.log_rows()]
    assert all(abs(at - datetime.now(UTC)) < timedelta(minutes=5) for at in times)


@slow
def test_that_a_strange_row_in_the_log_shuts_nobody_out_and_hides_nothing(server, url):
    with opened(server, "A2") as store:
        known, state = store.known_rows(), store.state()
        run_sql(
            url,
            "INSERT INTO operation (id, at, who, kind, verb, topic, subject, active_ms, old) "
            "VALUES (2147483647, 'x', 'A1', 'edit', 'x', 't1', '', 0, 'x'), "
            "(2147483646, 'x', 'A2', 'edit', 'x', 't1', '', 0, 'x')",
        )
        changes, known = store.changes_after(known)
        assert changes.topics == {"t1"}
        with opened(server, "A1") as other:
            other.apply(edit(LINKED, annotator="A1"), who="A1")
        assert store.changes_after(known)[0].alignments == {("t1", "long", "A1", 5)}
        assert store.state() != state
        store.apply(edit(LINKED, annotator="A2"), who="A2")
        store.undo(who="A2")
        assert "2147483647" in str([one.fields for one in store.find_damage()])


@slow
def test_that_a_person_who_is_no_longer_named_loses_access(server, url):
    with opened(server, "A1") as store:
        store.apply(edit(LINKED, annotator="A1"), who="A1")
        apply_setup(url, plan_setup(url, TEAM[1:], name="", who="admin"), {})
        with pytest.raises(EnvironmentProblem, match="refuses that"):
            store.corpus()
    done = server.psql(as_role(server, "A1"), "SELECT 1")
    assert "permission denied for database" in done.stderr
    with opened(server, "A2") as store:
        store.apply(edit(LINKED, annotator="A2"), who="A2")


@slow
@pytest.mark.parametrize("strings", ["on", "off"])
@pytest.mark.parametrize("is_printed", [True, False])
def test_that_a_name_is_stored_as_it_is_written(server, strings, is_printed):
    name = "50 % o\\'f %(x)s %%"
    database = server.make_database("names")
    url = server.url_of(database)
    run_sql(url, f"ALTER DATABASE names SET standard_conforming_strings = {strings}")
    setup = plan_setup(url, [Person(id="P'1")], name=name, who="o\\'x")
    if is_printed:
        assert server.psql(url, setup.script()).returncode == 0
    else:
        apply_setup(url, setup, {})
    with CorpusStore.open(url, who="admin") as store:
        assert store.corpus().name == name
        assert not store.find_damage()


def test_that_an_adjudicator_writes_the_gold_and_nobodys_alignment(server, url):
    with opened(server, "A2") as store:
        store.apply(edit(LINKED, annotator="A2"), who="A2")
    with psycopg.connect(as_role(server, TEAM[2].id), autocommit=True) as connection:
        connection.execute(
            "INSERT INTO gold_entry (abstract_id, n, position, state, alternatives, origin, "
            "sources, locked) SELECT max(id), 5, 0, 'confirmed', '[]', 'edited', '[]', false "
            "FROM abstract"
        )
        assert connection.execute("DELETE FROM sentence_alignment").rowcount == 0
        assert connection.execute("DELETE FROM gold_entry").rowcount == 1


@slow
def test_that_a_person_who_gets_another_role_loses_the_old_one(server, url):
    again = [Person(id="lead"), *TEAM[:3]]
    apply_setup(url, plan_setup(url, again, name="", who="admin"), {})
    with opened(server, "lead") as store, pytest.raises(EnvironmentProblem, match="refuses that"):
        store.apply(rank_edit("C"), who="lead")


@slow
def test_that_what_is_printed_does_what_is_applied(server, tmp_path):
    url = server.url_of(server.make_database("printed"))
    arguments = ["server-setup", url, "--annotator", "P1", "--lead", "P2",
                 "--adjudicator", "P3", "--name", "印刷"]  # fmt: skip
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0, done.output
    run_sql(url, "\n".join(done.output.splitlines()))
    with CorpusStore.open(url, who="admin") as store:
        assert store.corpus().name == "印刷"
        store.add(addition(), who="admin")
    assert differences_to_schema(url) == []
    role = server.url_of("printed", "P1")
    with CorpusStore.open(role, who="P1") as store:
        store.apply(edit(LINKED, annotator="P1"), who="P1")
        with pytest.raises(EnvironmentProblem):
            store.apply(edit(LINKED, annotator="P2"), who="P1")


@in_turn("name", ["pg_x", "x" * 64, "長" * 22, "public", "B1#2"])
def test_that_a_name_that_cannot_be_a_role_is_told(server, name):
    with pytest.raises(InputError, match="cannot be a role"):
        plan_setup(server.url, [Person(id=name)], name="x", who="admin")


# Passwords, and what keeps one out


@pytest.fixture
def secret(server, tmp_path, monkeypatch) -> dict[str, str]:
    """A database in which everybody needs a password; returns the passwords."""
    for name in ("PGPASSWORD", "PGPASSFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PGPASSFILE", str(tmp_path / "none"))
    monkeypatch.setattr("awase.storage.postgresql.servers.stored_password", lambda url: None)
    run_sql(server.url, "DROP ROLE IF EXISTS s1")
    url = server.url_of(server.make_database(SECRET))
    run_sql(server.url, "ALTER ROLE awase PASSWORD 'gehe:im'")
    admin = url.replace("awase@", "awase:gehe%3Aim@")
    file = tmp_path / "people.pgpass"
    done = CliRunner().invoke(
        cli, ["server-setup", admin, "--annotator", "s1", "--apply", "--passwords", str(file)]
    )
    assert done.exit_code == 0, done.output
    assert "new roles: s1" in done.output
    assert file.stat().st_mode & 0o777 == 0o600
    (line,) = file.read_text().splitlines()
    assert line.startswith(f"127.0.0.1:{server.port}:{SECRET}:s1:")
    return {"s1": line.rpartition(":")[2], "file": str(file), "log": server.log()}


def test_that_a_password_is_found_where_people_keep_it_and_told_to_nobody(
    server, secret, monkeypatch, tmp_path
):
    url, word, wrong = server.url_of(SECRET, "s1"), secret["s1"], "falsches Wort"
    with pytest.raises(PasswordRefused, match="rejects the password of “s1”") as told:
        CorpusStore.open(url, who="s1", password=wrong)
    said = f"{told.value} {told.value.problem} {told.value.__cause__} {server.log()}"
    with CorpusStore.open(url, who="s1", password=word) as store:
        said += f"{store.location} {store.warnings}"
    assert wrong not in said
    assert word not in said
    assert look_at_server(url, word).role == "s1"
    with pytest.raises(PasswordRefused, match="requires a password for “s1”"):
        look_at_server(url)
    monkeypatch.setenv("PGPASSFILE", secret["file"])
    assert look_at_server(url).may_write
    monkeypatch.setenv("PGPASSFILE", str(tmp_path / "none"))
    monkeypatch.setenv("PGPASSWORD", word)
    assert look_at_server(url).name == "corpus"
    monkeypatch.delenv("PGPASSWORD")
    monkeypatch.setattr("awase.storage.postgresql.servers.stored_password", lambda url: word)
    with pytest.raises(PasswordRefused):  # what was typed goes before what is kept
        look_at_server(url, wrong)
    with CorpusStore.open(url, who="s1") as store:
        assert store.person() == "s1"
        assert store.location == f"postgresql://s1@127.0.0.1:{server.port}/{SECRET}"
    admin = server.url_of(SECRET).replace("awase@", "awase:gehe%3Aim@")
    run_sql(admin, f"REVOKE {SECRET}_annotator FROM s1", "GRANT USAGE ON SCHEMA public TO s1",
            f"GRANT CONNECT ON DATABASE {SECRET} TO s1",
            "GRANT SELECT ON ALL TABLES IN SCHEMA public TO s1")  # fmt: skip
    monkeypatch.setattr("awase.storage.postgresql.servers.stored_password", lambda url: None)
    with CorpusStore.open_or_read_only(url, who="s1", password=word) as store:
        assert store.read_only


def test_that_each_reason_not_to_be_let_in_is_told(server, url):
    missing = server.url_of("nirgends")
    with pytest.raises(ServerUnreachable, match="no database “nirgends”"):
        look_at_server(missing)
    with pytest.raises(ServerUnreachable, match="has no user “niemand”"):
        look_at_server(server.url_of("team's", "niemand"))
    with pytest.raises(ServerUnreachable, match=r"cannot be reached.*refused"):
        look_at_server("postgresql://a@127.0.0.1:1/x")
    with pytest.raises(
        ServerUnreachable, match=r"no computer “nowhere\.invalid”|cannot be reached"
    ):
        look_at_server("postgresql://a@nowhere.invalid/x")
    empty = server.url_of(server.make_database("empty"))
    with pytest.raises(EnvironmentProblem, match="is not an Awase corpus"):
        look_at_server(empty)
    with role_that_may_only_read(server, url) as role:
        assert not look_at_server(role).may_write
        with pytest.raises(RoleMayOnlyRead, match="“reader” may only read"):
            CorpusStore.open(role, who="reader")
        with CorpusStore.open_or_read_only(role, who="reader") as store:
            assert store.read_only
            assert len(store.corpus().topics) == 1
    run_sql(url, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(EnvironmentProblem, match="newer version"):
        look_at_server(url)
    with pytest.raises(EnvironmentProblem, match="newer version"):
        CorpusStore.open(url, who="admin")


def test_that_a_line_of_pgpass_escapes_what_parts_it():
    lines = pgpass_lines({"a:b": "c\\d"}, "host", 5432, "x")
    assert lines == "host:5432:x:a\\:b:c\\\\d\n"


@pytest.mark.slow
def test_that_the_keyring_is_imported_only_when_it_is_used():
    code = "import sys, awase.storage.store; sys.exit('keyring' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": ".links"}
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, env=environment).returncode == 0


def test_that_a_password_is_kept_for_its_server_and_person(monkeypatch):
    keyring = pytest.importorskip("keyring")
    from sqlalchemy import make_url

    from awase.storage.postgresql.servers import keep_server_password, stored_password

    kept = {}
    monkeypatch.setattr(keyring, "set_password", lambda s, n, word: kept.update({(s, n): word}))
    monkeypatch.setattr(keyring, "get_password", lambda s, n: kept.get((s, n)))
    mine, others = make_url("postgresql://a@h/x"), make_url("postgresql://b@h/x")
    assert keep_server_password("postgresql://a@h/x", "w")
    assert (stored_password(mine), stored_password(others)) == ("w", None)
    assert keep_server_password("postgresql://:7", "v")
    assert kept == {("awase", "a@h:5432/x"): "w", ("awase", "@:7/"): "v"}
