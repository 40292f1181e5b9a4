import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import Run


@pytest.fixture
def corpus(awase_file: Path, tmp_path: Path) -> Path:
    path = tmp_path / "main.awase"
    shutil.copy(awase_file, path)
    return path


def test_that_work_is_handed_out_and_taken_back(run: Run, corpus: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "a.awase"
    result = run("hand-out", corpus, theirs, "--to", "花子")
    assert (result.status, result.err) == (0, "")
    assert "2 topics" in result.out
    assert run("hand-out", corpus, theirs, "--to", "花子").status == 1  # it exists
    assert run("remove", "alignments", theirs, "花子", "--topic", "0310").status == 0
    before = run("export", corpus, "-").out
    told = run("merge", corpus, theirs, "--preview")
    assert "would be taken back: 0 new, 2 changed, 0 conflict, 0 left out." in told.out
    assert run("export", corpus, "-").out == before
    done = run("merge", corpus, theirs, "--json", "--who", "me")
    assert [entry["fate"] for entry in done.json["entries"]] == ["changed"] * 2
    after = run("export", corpus, "-").out
    assert after != before
    assert "0 changed" in run("merge", corpus, theirs).out
    assert run("undo", corpus, "--who", "me").status == 0
    assert run("export", corpus, "-").out == before


def test_that_what_does_not_belong_is_refused_in_one_line(
    run: Run, corpus: Path, tmp_path: Path
) -> None:
    assert run("demo", "en", tmp_path).status == 0
    result = run("merge", corpus, tmp_path / "demo-en.awase")
    assert result.status == 1
    assert result.err.count("\n") == 1
    assert "is not a copy of this corpus" in result.err
    assert run("merge", corpus, tmp_path / "nowhere.awase").status == 1
    assert run("merge", corpus, tmp_path / "demo-en.awase", "--as", "x").status == 2
