"""Servers without a corpus to work on: one message through both faces, and no row changes."""

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("PySide6")
pytest.importorskip("psycopg")

from tests.jobs.faces import Faces
from tests.storage.sample import LINKED, addition, edit
from tests.storage.servers import Server, run_sql

from awase.core.records.addition import Addition
from awase.core.records.corpus import Person
from awase.gui.dialogs.opening import OpenSharedDialog
from awase.gui.frame.main_window import MainWindow
from awase.storage.store import CorpusStore

pytestmark = [pytest.mark.slow, pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)]
Spoil = Callable[[Server, str], str]
READER = "may_only_read"


@pytest.fixture
def url(server: Server) -> str:
    url = server.url_of(server.make_database())
    content = Addition(topics=addition("t1").topics, persons=(Person(id="A2"),))
    CorpusStore.create(url, name="team", who="lead", addition=content).close()
    return url


# What may be wrong; each returns the address to go to


def without_tables(server: Server, _url: str) -> str:
    return server.url_of(server.make_database("empty"))


def of_a_newer_version(_server: Server, url: str) -> str:
    run_sql(url, "UPDATE alembic_version SET version_num = 'f999'")
    return url


def with_a_role_that_may_only_read(server: Server, url: str) -> str:
    if not run_sql(url, f"SELECT 1 FROM pg_roles WHERE rolname = '{READER}'"):
        run_sql(url, f"CREATE ROLE {READER} LOGIN")
    run_sql(url, f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {READER}")
    return server.url_of(url.rpartition("/")[2], READER)


def that_is_not_there(_server: Server, _url: str) -> str:
    return "postgresql://awase@127.0.0.1:1/nothing"


KINDS = (
    (without_tables, "is not an Awase corpus"),
    (of_a_newer_version, "newer version"),
    (with_a_role_that_may_only_read, "may only read"),
    (that_is_not_there, "cannot be reached"),
)


def by_command(faces: Faces, address: str, copy: Path) -> list[str]:
    done = faces.run("merge", address, copy)
    assert done.status == 1
    if READER not in address:  # who may read may take a file along
        never = copy.with_name("never.awase")
        assert faces.run("hand-out", address, never, "--to", "A2").err == done.err
        assert not never.exists()
    return done.err.splitlines()


def by_window(faces: Faces, address: str, _copy: Path) -> list[str]:
    """Fills in *Open shared corpus…*; goes on to *Take back…* where the corpus opens."""
    window = faces.owned(MainWindow(faces.services))
    window.menus.choose("menu:open-shared")
    dialog = window.findChild(OpenSharedDialog)
    dialog.fields.set("host", address)
    dialog.fields["test"].click()
    faces.settle()
    said = dialog.message.text()
    if dialog.message.property("look") != "danger":
        dialog.confirm()
        faces.qtbot.waitUntil(lambda: window.workspace is not None)
        faces.settle()
        assert window.workspace.session.read_only
        assert not window.menus.actions["menu:take-back"].isEnabled()
        window.close_corpus()
    else:
        dialog.leave()
    return [said]


def rows(url: str) -> dict[str, list[str]]:
    """Returns every row of every table, but who is present."""
    tables = run_sql(
        url,
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'presence'",
    )
    return {
        name: sorted(text for (text,) in run_sql(url, f'SELECT t::text FROM "{name}" t'))
        for (name,) in tables
    }


@pytest.mark.parametrize("face", [by_command, by_window])
@pytest.mark.parametrize(("spoil", "said"), KINDS)
def test_that_it_is_told_in_one_message_and_no_row_changes(faces, server, url, spoil, said, face):
    copy = faces.folder / "a2.awase"
    faces.says("hand-out", url, copy, "--to", "A2")
    with CorpusStore.open(copy, who="A2") as store:
        store.apply(edit(LINKED, topic="t1", annotator="A2"), who="A2")
    address = spoil(server, url)
    at = address if spoil is without_tables else url
    before = rows(at)
    (message,) = face(faces, address, copy)
    assert said in message
    assert rows(at) == before
