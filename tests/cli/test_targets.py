"""One rule for every command that writes: what is replaced, what is spared, what is written to."""

import os
import re
import shutil
import stat
from pathlib import Path

import pytest
from tests.cli.conftest import stop
from tests.in_part import in_part, in_turn

from awase.cli.output.messages import ProgressBar
from awase.core.errors import InputError
from awase.jobs.files.writing import Target, write_whole_file

COMMANDS = (
    "export {corpus} {target}",
    "extract {corpus} --with lead --size 1 --to {target}",
    "oracle {corpus} --unit sentence --limit 1s -o {target}",
    "report {corpus} {target} --interval none",
    "score {corpus} -o {target}",
    "cover {corpus} -o {target}",
    "agreement {corpus} --output-format csv -o {target}",
    "parse {corpus} --to {target}",
)


def ending_of(command):
    return {"report": ".HTML", "parse": ".conllu"}.get(command.split()[0], ".json")


RUN_ON_IT = [one for one in COMMANDS if not one.startswith(("parse", "agreement"))]
"""The corpus has no parses and one annotator."""


@in_turn("command", COMMANDS)
def test_that_a_file_that_is_there_is_replaced_only_when_that_is_asked_for(
    run, awase_file, write_file, command
):
    file = write_file(f"mine{ending_of(command)}", "mine")
    result = run(*command.format(corpus=awase_file, target=file).split())
    assert (result.status, result.out) == (1, "")
    assert result.problems == [
        f"error: “{file}” already exists. Choose another name. Or add --force to replace it."
    ]
    assert file.read_text("utf-8") == "mine"
    if command in RUN_ON_IT:
        done = run(*command.format(corpus=awase_file, target=file).split(), "--force")
        assert (done.status, file.read_text("utf-8") == "mine") == (0, False)


@in_turn("command", [one for one in RUN_ON_IT if not one.startswith("cover")])
def test_that_what_is_stopped_leaves_the_file_that_was_there(
    run, awase_file, write_file, monkeypatch, command
):
    file = write_file(f"mine{ending_of(command)}", "mine")
    monkeypatch.setattr(ProgressBar, "advance", stop)
    stopped = run(*command.format(corpus=awase_file, target=file).split(), "--force")
    assert (stopped.status, stopped.out, file.read_text("utf-8")) == (130, "", "mine")
    (told,) = stopped.err.splitlines()
    assert told.startswith("Stopped; ")
    assert not [*file.parent.glob(".*")]


@in_turn("command", COMMANDS)
def test_that_no_folder_is_taken_for_a_file(run, awase_file, tmp_path, command):
    folder = tmp_path / "folder.json"
    folder.mkdir(exist_ok=True)
    result = run(*command.format(corpus=awase_file, target=folder).split(), "--force")
    assert result.status in (1, 2)
    assert re.search("is a (folder|directory)", result.err)
    assert [*folder.iterdir()] == []


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such files")
@pytest.mark.parametrize("command", in_part(RUN_ON_IT))
def test_that_a_device_is_written_to_and_stays(run, awase_file, tmp_path, command):
    device = tmp_path / "link.json"
    device.symlink_to(os.devnull)
    assert run(*command.format(corpus=awase_file, target=device).split()).status == 0
    assert device.is_char_device()


VICTIMS = (
    "small.awase", "sub/../small.awase", "link.json", "hard.json", "other.awase", "copy.json",
    "small.awase-wal", "small.awase-shm", "small.awase-journal", "small.awase-lock",
    "small.awase-backups/x.json", "copy.json-wal", "new.awase", "input.json", "link-to-input.json",
    "link-to-lock.json",
)  # fmt: skip
OF_EVERY_COMMAND = ("sub/../small.awase", "hard.json", "small.awase-wal", "link-to-input.json")
"""The first command tries all victims: one check serves every command."""


@pytest.mark.skipif(os.name != "posix", reason="Windows asks for a right to make links")
@in_turn("command", [c for c in COMMANDS if not c.startswith("parse")])
def test_that_neither_an_input_nor_a_corpus_is_written_over_even_when_forced(
    run, awase_file, json_file, tmp_path, command
):
    folder = tmp_path / command.split()[0]
    folder.mkdir()
    (folder / "sub").mkdir()
    corpus = Path(shutil.copy(awase_file, folder / "small.awase"))
    shutil.copy(awase_file, folder / "other.awase")
    shutil.copy(awase_file, folder / "copy.json")
    source = Path(shutil.copy(json_file, folder / "input.json"))
    (folder / "link.json").symlink_to(corpus)
    (folder / "link-to-input.json").symlink_to(source)
    (folder / "link-to-lock.json").symlink_to(folder / "other.awase-lock")
    os.link(folder / "other.awase", folder / "hard.json")
    (folder / "small.awase-backups").mkdir()
    for name in ("small.awase-lock", "other.awase-lock", "small.awase-backups/x.json"):
        (folder / name).write_bytes(b"")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for victim in VICTIMS if command == COMMANDS[0] else OF_EVERY_COMMAND:
        read = source if "input" in victim else corpus
        words = command.format(corpus=read, target=folder / victim).split()
        forced = run(*words, "--force", *_form(words))
        assert (forced.status, forced.out) == (1, ""), victim
        assert re.search("belongs to one|read by the same|made by importing", forced.err), victim
        left = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        assert left == before, victim


def _form(words: list[str]) -> list[str]:
    """A form, so that no ending is refused before."""
    if words[0] == "export":
        return ["--format", "awase-json"]
    return ["--output-format", "jsonl"] if "-o" in words and "--output-format" not in words else []


def test_that_an_ending_that_tells_no_form_is_refused(run, awase_file, tmp_path):
    target = tmp_path / "x.foo"
    refused = run("score", awase_file, "-o", target)
    assert (refused.status, target.exists()) == (2, False)
    assert "does not show the format" in refused.err
    assert run("score", awase_file, "-o", target, "--output-format", "csv").status == 0
    assert target.read_text("utf-8").startswith("topic,")
    assert run("score", awase_file, "-o", tmp_path / "x.CSV").status == 0
    assert (tmp_path / "x.CSV").read_bytes() == target.read_bytes()


@in_turn(
    ("words", "name", "why"),
    [
        ("report {c} {x} --force", "x.csv", "does not show what format to write"),
        ("extract {c} --to {x}", "x.csv", "does not show what format to write"),
        ("parse {c} --to {x}", "x.csv", "does not show what format to write"),
        ("hand-out {c} {x} --to A1", "x.foo", "does not end in .awase"),
        ("rescue {c} {x}", "x.foo", "does not end in .awase"),
    ],
)
def test_that_what_has_one_form_is_written_under_its_ending_only(
    run, awase_file, tmp_path, words, name, why
):
    target = tmp_path / name
    refused = run(*(one.format(c=awase_file, x=target) for one in words.split()))
    assert (refused.status, target.exists()) == (1, False)
    assert why in refused.err


def test_that_a_file_that_came_meanwhile_is_not_replaced(tmp_path):
    file = tmp_path / "x.txt"
    with pytest.raises(InputError, match="already exists"):
        write_whole_file(Target(path=file), (str(file.write_text(one)) for one in ("theirs",)))
    assert [*tmp_path.iterdir()] == [file]
    assert file.read_text() == "theirs"


def test_that_the_file_that_is_missing_is_blamed_not_the_one_to_be_written(run, tmp_path):
    (tmp_path / "ref.txt").write_text("a\n", "utf-8")
    for ending in ("csv", "json", "parquet", "tex"):
        target = tmp_path / f"out.{ending}"
        failed = run("rouge", tmp_path / "nope.txt", tmp_path / "ref.txt", "-o", target)
        assert "nope.txt" in failed.err, ending
        assert f"out.{ending}" not in failed.err
        assert not target.exists()


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")
def test_that_a_file_behind_a_link_keeps_its_mode_and_the_link_its_place(run, awase_file, tmp_path):
    target, link = tmp_path / "private.csv", tmp_path / "link.csv"
    target.write_text("mine", "utf-8")
    target.chmod(0o600)
    link.symlink_to(target)
    assert run("score", awase_file, "-o", link, "--force").status == 0
    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert target.read_text("utf-8").startswith("topic,")


def test_that_standard_input_is_an_input(run, json_file):
    before = json_file.read_bytes()
    with json_file.open("rb") as stream:
        saved = os.dup(0)
        os.dup2(stream.fileno(), 0)
        try:
            refused = run("score", "-", "-o", json_file, "--force")
        finally:
            os.dup2(saved, 0)
            os.close(saved)
    assert "read by the same command" in refused.err
    assert json_file.read_bytes() == before


@in_turn("name", ["c.awase-wal", "c.awase-journal", "c.awase-lock", "c.awase-backups/x.awase"])
def test_that_no_corpus_is_made_under_a_name_that_belongs_to_another(
    run, awase_file, tmp_path, name
):
    """SQLite would take it for the other one's own, or Awase for its backup."""
    (tmp_path / "c.awase-backups").mkdir(exist_ok=True)
    for words in (("rescue", awase_file, tmp_path / name),
                  ("hand-out", awase_file, "--to", "A1", tmp_path / name)):  # fmt: skip
        refused = run(*words)
        assert refused.status == 1
        assert "belongs to the corpus beside it" in refused.err
        assert not (tmp_path / name).exists()


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such pipes")
def test_that_a_reader_that_has_enough_is_no_full_disk(run, awase_file):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = run("score", awase_file, "--json", "-o", f"/dev/fd/{writing}")
    finally:
        os.close(writing)
    assert (done.status, done.problems) == (0, [])
