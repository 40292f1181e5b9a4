"""Handing out and taking back, and every file that may come back and does not belong."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests import building
from tests.cli.conftest import Run
from tests.stored import corpus_file

from awase.core.annotation.actions import LINK, alignment_edit
from awase.core.annotation.content import EDIT_SOURCE_TEXT
from awase.core.records.edit import SourceTextEdit
from awase.core.records.project import Person
from awase.storage.store import CorpusStore


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


def test_that_what_does_not_belong_is_refused_in_one_line(run, corpus, tmp_path):
    assert run("demo", "en", tmp_path).status == 0
    result = run("merge", corpus, tmp_path / "demo-en.awase")
    assert result.status == 1
    assert result.err.count("\n") == 1
    assert "is not a copy of this corpus" in result.err
    assert run("merge", corpus, tmp_path / "nowhere.awase").status == 1
    assert run("merge", corpus, tmp_path / "demo-en.awase", "--as", "x").status == 2


# What comes back and does not belong


@pytest.fixture
def team(run: Run, tmp_path: Path) -> tuple[Path, Path]:
    """A main file of A1 and A2, and the file that A1 took along and worked on."""
    one = building.topic("t", docs=("One.", "Two."), abstracts=(building.abstract("a", "s1;s2"),))
    made = replace(building.corpus(one), persons=(Person(id="A1"), Person(id="A2")))
    main, theirs = corpus_file(tmp_path / "main.awase", made), tmp_path / "a1.awase"
    assert run("hand-out", main, theirs, "--to", "A1").status == 0
    link(theirs, "A1", 1)
    return main, theirs


def link(path: Path, who: str, source: int) -> None:
    """Links the first abstract sentence with a source sentence."""
    with CorpusStore.open(path, who=who) as store:
        (part,) = store.topic("t").abstracts
        new = building.entry(1, f"s{source}")
        edit = alignment_edit("t", part, who, new, verb=LINK)
        assert edit is not None
        store.apply(edit, who=who)


@pytest.mark.slow
def test_that_texts_edited_on_the_laptop_are_told_and_the_leads_stay(run, team):
    main, theirs = team
    edit = SourceTextEdit(
        verb=EDIT_SOURCE_TEXT, topic="t", ref=building.ref(1), old="One.", new="Uno."
    )
    with CorpusStore.open(theirs, who="A1") as store:
        store.apply(edit, who="A1")
    told = run("merge", main, theirs)
    assert (told.status, len(told.warnings)) == (0, 1)
    assert "differ" in told.err
    assert "One." in run("export", main, "-").out
    assert "Uno." not in run("export", main, "-").out


@pytest.mark.slow
def test_that_two_files_of_one_person_keep_both_and_undo_takes_both_back(run, team, tmp_path):
    main, theirs = team
    other = tmp_path / "home.awase"
    run("hand-out", main, other, "--to", "A1")
    link(other, "A1", 2)
    before = run("export", main, "-").out
    told = run("merge", main, theirs, other, "--who", "me")
    assert (told.status, "1 conflict" in told.out) == (0, True)
    (part,) = run("export", main, "-").json["topics"][0]["abstracts"]
    assert [one["annotator"] for one in part["alignments"]] == ["1", "A1", "A1~2"]
    run("undo", main, "--who", "me")
    assert run("export", main, "-").out == before
