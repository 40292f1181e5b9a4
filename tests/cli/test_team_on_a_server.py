"""Work handed out from a corpus on a server, and taken back into it, as people run it."""

from pathlib import Path

import pytest

pytest.importorskip("psycopg")

from tests.cli.conftest import Run
from tests.storage.sample import CONFIRMED, LINKED, addition, edit
from tests.storage.servers import Server, role_that_may_only_read

from awase.core.formats.reading.requests import ReadRequest
from awase.core.formats.registry import format_by_id
from awase.core.records.addition import Addition
from awase.core.records.corpus import Person
from awase.storage.postgresql.setup import apply_setup, plan_setup
from awase.storage.store import CorpusStore

pytestmark = pytest.mark.slow
TEAM = (Person(id="A1"), Person(id="A2"), Person(id="lead", role="lead"))


@pytest.fixture
def url(server: Server, request: pytest.FixtureRequest) -> str:
    """Of a database set up for the team, with two topics and a link of A1's."""
    url = server.url_of(server.make_database())
    apply_setup(url, plan_setup(url, TEAM, name="team", who="admin"), {})
    with CorpusStore.open(url, who="admin") as store:
        store.add(Addition(topics=addition("t1", "t2").topics, persons=TEAM), who="admin")
        store.apply(edit(LINKED, annotator="A1"), who="admin")
    return url


def worked_on(run: Run, url: str, folder: Path, person: str) -> Path:
    """Returns a file that the person took along and worked on."""
    path = folder / f"{person}.awase"
    assert run("hand-out", url, path, "--to", person).status == 0
    with CorpusStore.open(path, who=person) as store:
        old = LINKED if person == "A1" else None
        store.apply(edit(CONFIRMED, old=old, annotator=person), who=person, active_ms=900)
    return path


def test_that_work_goes_from_a_server_to_a_laptop_and_back_as_one_act(run, url, tmp_path):
    files = [worked_on(run, url, tmp_path, person) for person in ("A1", "A2")]
    assert b"A1" not in files[1].read_bytes()
    before = run("export", url, "-").out
    told = run("merge", url, *files, "--preview")
    assert "would be taken back: 1 new, 1 changed, 0 conflicts" in told.out
    assert run("export", url, "-").out == before
    done = run("merge", url, *reversed(files), "--who", "lead")
    assert (done.status, done.err) == (0, "")
    after = run("export", url, "-").out
    assert after != before
    assert "0 new, 0 changed" in run("merge", url, *files).out
    assert run("export", url, "-").out == after
    with CorpusStore.open(url, who="lead", read_only=True) as store:
        assert [time.active_ms for time in store.logged_times()].count(900) == 2
    assert run("undo", url, "--who", "lead").status == 0
    assert run("export", url, "-").out == before


def test_that_a_server_and_a_file_give_equal_bytes(run, url, tmp_path):
    """What was handed out of a server may come back into a file made of it, and the reverse."""
    main = tmp_path / "main.json"
    assert run("export", url, main, "--with-sync").status == 0
    request = ReadRequest(text=main.read_text("utf-8"), source=main.name)
    content = format_by_id("awase-json").reader()(request).addition
    CorpusStore.create(tmp_path / "main.awase", name="team", who="lead", addition=content).close()
    files = [worked_on(run, url, tmp_path, person) for person in ("A1", "A2")]
    for corpus in (url, tmp_path / "main.awase"):
        assert run("merge", corpus, *files).status == 0
    assert run("export", url, "-").out == run("export", tmp_path / "main.awase", "-").out


def test_that_others_hear_of_what_was_taken_back(run, url, tmp_path):
    path = worked_on(run, url, tmp_path, "A2")
    with CorpusStore.open(url, who="lead", read_only=True) as store:
        newest = store.known_rows()
        assert run("merge", url, path, "--who", "lead").status == 0
        changes, _ = store.changes_after(newest)
    assert "t1" in changes.topics


def test_that_whoever_may_only_read_or_annotate_takes_along_and_brings_nothing(
    run, server, url, tmp_path
):
    path = worked_on(run, url, tmp_path, "A2")
    before = run("export", url, "-").out
    of_a2 = server.url_of(url.rpartition("/")[2], "A2")
    with role_that_may_only_read(server, url) as of_reader:
        for address, words in ((of_reader, "may only read"), (of_a2, "refuses that")):
            copy = tmp_path / f"{words}.awase"
            assert run("hand-out", address, copy, "--to", "A2").out
            refused = run("merge", address, path)
            assert (refused.status, len(refused.problems)) == (1, 1)
            assert words in refused.err
            assert run("export", url, "-").out == before
