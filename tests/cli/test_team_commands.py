"""Handing out and taking back, and every file that may come back and does not belong."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from tests import building
from tests.cli.conftest import Run
from tests.in_part import in_part
from tests.stored import corpus_file

from awase.core.annotation.actions import LINK, alignment_edit
from awase.core.annotation.content import EDIT_SOURCE_TEXT
from awase.core.project.people import without_person
from awase.core.records.edits.edit import SourceTextEdit
from awase.core.records.project import Person
from awase.jobs.changing import change_corpus
from awase.storage.store import CorpusStore


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


def of_another_corpus(_main: Path, theirs: Path) -> None:
    corpus_file(theirs, building.corpus(building.topic("t"), name="another"))


def of_a_newer_format(_main: Path, theirs: Path) -> None:
    with closing(sqlite3.connect(theirs)) as connection:
        connection.execute(f"PRAGMA user_version = {2 * 65536}")


def of_somebody_who_renamed_herself(_main: Path, theirs: Path) -> None:
    link(theirs, "Anna", 2)


def half_copied(_main: Path, theirs: Path) -> None:
    theirs.write_bytes(theirs.read_bytes()[: theirs.stat().st_size // 2])


def damaged(_main: Path, theirs: Path) -> None:
    with closing(sqlite3.connect(theirs)) as connection:
        connection.execute("UPDATE sentence_alignment SET note = 'x'")
        connection.commit()


def of_a_person_who_was_removed(main: Path, _theirs: Path) -> None:
    with CorpusStore.open(main, who="L") as store:
        change_corpus(store, partial(without_person, person="A1"), verb="edit_project",
                      names=(), who="L")  # fmt: skip


@pytest.mark.parametrize(
    ("spoil", "said"),
    in_part(
        [
            (of_somebody_who_renamed_herself, "holds work of “Anna”. If that is the same person"),
            (of_another_corpus, "is not a copy of this corpus"),
            (of_a_newer_format, "newer version"),
            (half_copied, "damaged"),
            (damaged, "is damaged; nothing was taken back"),
            (of_a_person_who_was_removed, "who is not of this project any more"),
        ]
    ),
)
def test_that_a_file_that_does_not_belong_is_told_in_one_message_and_changes_nothing(
    run: Run, team: tuple[Path, Path], spoil: Callable[[Path, Path], None], said: str
) -> None:
    main, theirs = team
    spoil(main, theirs)
    before = run("export", main, "-").out
    refused = run("merge", main, theirs)
    assert (refused.status, len(refused.problems), refused.err.count("\n")) == (1, 1, 1)
    assert said in refused.err
    assert run("export", main, "-").out == before
    assert "nothing to undo" in run("undo", main, "--who", "me").err


@pytest.mark.slow
def test_that_texts_edited_on_the_laptop_are_told_and_the_leads_stay(
    run: Run, team: tuple[Path, Path]
) -> None:
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
def test_that_two_files_of_one_person_keep_both_and_undo_takes_both_back(
    run: Run, team: tuple[Path, Path], tmp_path: Path
) -> None:
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
