"""What is found of very many topics is held packed, and written as it was at once."""

from pathlib import Path

import pytest
from tests.cli.conftest import CSV, LATEX, Run

from awase.jobs import covers, oracles

_FORMS = (
    ("--json",),
    (CSV,),
    ("--output-format", "jsonl"),
    (LATEX,),
    (),
)


@pytest.mark.parametrize("command", ["cover", "oracle"])
def test_that_what_is_packed_is_written_as_it_was_found(
    run: Run, json_file: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    options = ("--annotator", "all") if command == "cover" else ("--unit", "sentence")
    whole = [run(command, json_file, *options, *form) for form in _FORMS]
    monkeypatch.setattr(covers, "COVERS_AT_ONCE", 1)
    monkeypatch.setattr(oracles, "ORACLES_AT_ONCE", 1)
    packed = [run(command, json_file, *options, *form) for form in _FORMS]
    assert [(one.out, one.err) for one in packed] == [(one.out, one.err) for one in whole]
    assert all(one.status == 0 and one.out for one in whole)
