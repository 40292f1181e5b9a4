"""Handing out and taking back, and every file that may come back and does not belong."""

import pytest


@pytest.mark.slow
def test_that_work_is_handed_out_and_taken_back(run, corpus, tmp_path):
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


# What comes back and does not belong
