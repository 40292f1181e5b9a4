"""The address of a server is told without its password by commands that did what was asked."""

from pathlib import Path
from typing import Any

import pytest

from awase.core.records.project import Person
from awase.core.team.assigning import with_person
from awase.storage.store import CorpusStore

ADDRESS = "postgresql://ann:s3cret@server/tsc3"


@pytest.fixture
def server(awase_file: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes a file stand where the address leads."""
    with CorpusStore.open(awase_file, who="ann") as store:
        store.change(
            lambda corpus: with_person(corpus, Person(id="A1")),
            verb="edit_project",
            names=["A1"],
            who="ann",
        )
    opened = CorpusStore.open

    def open_there(location: Any, **keywords: Any) -> CorpusStore:
        return opened(awase_file if location == ADDRESS else location, **keywords)

    monkeypatch.setattr(CorpusStore, "open", open_there)
    return awase_file


def test_that_no_password_is_told_of_what_was_done(run, server, tmp_path):
    copy = tmp_path / "a1.awase"
    steps = (
        ("undo", ADDRESS, "--who", "ann"),
        ("redo", ADDRESS, "--who", "ann"),
        ("assign", ADDRESS, "--to", "A1"),
        ("hand-out", ADDRESS, "--to", "A1", copy),
        ("merge", ADDRESS, copy),
        ("remove", "topics", ADDRESS, "0310"),
        ("check", ADDRESS),
    )
    for step in steps:
        done = run(*step)
        assert done.status == 0, (step, done.err)
        assert "s3cret" not in done.out + done.err
        assert step[0] == "hand-out" or "ann:***@server" in done.out + done.err, step
