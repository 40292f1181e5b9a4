import os
import shutil
from importlib import import_module
from pathlib import Path

import pytest
from tests.stored import sql

from awase.core.annotation.actions import NOTE, alignment_edit, rank_edit, with_note
from awase.core.records.abstract import SentenceAlignment
from awase.storage.files import locks_and_backups
from awase.storage.store import CorpusStore

ROOT = Path(__file__).resolve().parents[2]


def test_that_reading_leaves_no_trace_beside_the_corpus(run, awase_file):
    before = sorted(awase_file.parent.iterdir())
    for command in (["info"], ["score"], ["cover"], ["export"]):
        assert run(*command, awase_file, *(["-"] if command == ["export"] else [])).status == 0
    assert sorted(awase_file.parent.iterdir()) == before


@pytest.mark.skipif(not (ROOT / "tools").is_dir(), reason="the wheel has no tools")
def test_that_the_page_of_options_is_that_of_the_program():
    made = import_module("tools.options_page").options_page()
    page = (ROOT / "docs" / "metrics" / "options.md").read_text("utf-8")
    assert page == made, "run python tools/options_page.py"


def test_that_a_file_too_large_for_memory_is_named_before_it_is_read(run, awase_file, monkeypatch):
    monkeypatch.setattr(locks_and_backups, "MOST_BYTES", 1)
    told = f"“{awase_file}” has 0 MB, more than 0; it needs some 0."
    for words in (["info"], ["parse", "--list"], ["export", "-", "--with-sync"]):
        assert told in run(words[0], awase_file, *words[1:]).err
    for read_only in (True, False):
        with CorpusStore.open(awase_file, who="", read_only=read_only) as store:
            assert [one.what for one in store.warnings if "of memory" in one.what]
    os.truncate(awase_file, 600_000_000)  # in which nothing is
    (told,) = locks_and_backups.size_warnings(awase_file)
    assert "has 600 MB, more than 0; it needs some 1.8 GB of memory" in str(told)


@pytest.fixture
def worked(awase_file: Path) -> Path:
    """A corpus in which 花子 worked 2.5 s on one sentence and 57.5 s on another, 太郎 untimed."""
    with CorpusStore.open(awase_file, who="花子") as store:
        for who, n, ms in (("花子", 1, 2500), ("花子", 2, 57500), ("太郎", 1, 0)):
            topic = store.corpus().topics[0]
            abstract = topic.abstracts[0]
            own = abstract.alignment_by(who)
            entry = own.of_sentence(n) if own else SentenceAlignment(n=n)
            edit = alignment_edit(
                topic.id, abstract, who, with_note(entry, f"{who}{ms}"), verb=NOTE
            )
            assert edit is not None
            store.apply(edit, who=who, active_ms=ms)
    return awase_file


def test_that_times_are_told_for_each_annotator_and_undefined_where_none_was_logged(run, worked):
    report = run("time", worked, "--json").json
    lines = {line.pop("annotator"): line for line in report["times"]}
    assert lines["花子"] == {
        "edits": 2,
        "seconds": 60.0,
        "sentences": 2,
        "seconds_per_sentence": 30.0,
    }
    assert lines["太郎"]["seconds"] is None
    assert lines["太郎"]["edits"] == 1
    assert report["total"]["seconds"] == 60
    rescued = worked.with_name("rescued.awase")
    assert run("rescue", worked, rescued).status == 0
    assert run("time", rescued, "--json").out == run("time", worked, "--json").out
    of_one = run("time", worked, "--json", "--annotator", "太郎").json["total"]
    assert (of_one["seconds"], of_one["edits"]) == (None, 1)
    with CorpusStore.open(worked, who="長") as store:
        store.apply(rank_edit("0310", store.topic("0310").abstracts[0], 1, "C"), who="長")
    of_log = run("time", worked, "--json", "--annotator", "長").json["total"]
    assert of_log["edits"] == 1
    out = run("time", worked).out
    lines = [line.split() for line in out.splitlines()]
    assert [line for line in lines if line and line[0] in ("花子", "太郎", "all")] == [
        ["花子", "2", "1:00", "2", "30.0", "s"],
        ["太郎", "1", "—", "0", "—"],
        ["all", "4", "1:00", "2", "30.0", "s"],
    ]  # fmt: skip


def test_that_validation_changes_nothing_and_tells_every_file(
    run, write_json, corpus_json, tmp_path
):
    good, bad = tmp_path / "good.csv", tmp_path / "bad.jsonl"
    good.write_text("id,article,summary\n1,A cat.,Cats.\n", "utf-8")
    bad.write_text('{"foo": 1}\n', "utf-8")
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    finished = run("validate", good, bad, "--json")
    assert finished.status == 1
    kinds = [(Path(one["file"]).name, one["kind"]) for one in finished.json["findings"]]
    assert ("good.csv", "holds") in kinds
    assert ("bad.jsonl", "error") in kinds
    assert "has none of the formats tried" in finished.err
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert run("validate", good).status == 0
    shown = run("validate", good).out
    assert "(text-table): 1 topic, 1 document" in shown
    told = run("validate", good, "--part", "p", "--topic", "t").err
    assert "Files of text-table contain this: leave --topic, --part out." in told


@pytest.mark.skipif(os.name != "posix", reason="pipes have names there")
def test_that_a_folder_tells_which_lines_were_sentences_and_which_wrapped(run, tmp_path):
    texts = {"doc": "The dog ran\nhome. It slept.", "abstract": "a dog ran\nit slept"}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    finished = run("validate", tmp_path, "--json")
    (taken,) = finished.json["taken_as"]
    assert (taken["separators"], taken["joins_lines"]) == ([r"\n"], True)
    assert r"Taken for ends of sentences: \n." in finished.err
    assert "Lines of documents that look wrapped were joined." in finished.err


def test_that_a_corpus_file_needs_no_ending_and_a_missing_one_is_called_missing(
    run, awase_file, json_file, write_file
):
    plain = awase_file.rename(awase_file.with_name("c"))
    assert "(awase-file): 2 topics" in run("validate", plain).out
    missing = run("validate", plain.with_name("d"))
    assert missing.status == 1
    assert "There is no file" in missing.err
    marked = write_file("marked", "\ufeff\n" + json_file.read_text("utf-8"))
    assert "小さい (awase-json" in run("info", marked).out
    assert "JSON" in run("info", write_file("list.json", "[1]")).err


def test_that_a_letter_that_changed_is_told_with_the_backup_to_take(run, awase_file, tmp_path):
    path = tmp_path / "c.awase"
    shutil.copy(awase_file, path)
    assert run("check", path).out == f"{path}: nothing is damaged.\n"
    sql(path, "UPDATE source_sentence SET text = 'x' WHERE id = 1")
    result = run("check", path)
    assert (result.status, result.out) == (1, "")
    assert "Texts of topic “0310” differ from what was written." in result.err
    assert f"awase rescue {path} NEW.awase" in result.err
    content = path.read_bytes()
    rescued = run("rescue", path, tmp_path / "new.awase")
    assert rescued.status == 0
    assert rescued.err.startswith("lost: Texts of topic “0310” differ from what was written.")
    assert path.read_bytes() == content
    backups = tmp_path / "c.awase-backups"
    backups.mkdir()
    good = backups / "20260101T000000Z-1.awase"
    shutil.copy(awase_file, good)
    good_one = f"The newest backup without damage: {good}\nTo restore it: awase restore {path}\n"
    assert run("check", path).err.endswith(good_one)
    assert run("restore", path, tmp_path / "none.awase").status == 1
    restored = run("restore", path)
    (aside,) = tmp_path.glob("c-replaced-*.awase")
    assert (restored.status, restored.err) == (0, "")
    assert restored.out == (
        f"“{path}” is now a copy of the backup “{good}”. "
        f"What was there before is kept as “{aside}”.\n"
    )
    assert run("check", path).status == 0
    assert aside.read_bytes() == content


def test_that_a_damaged_file_is_rescued_into_a_new_one(run, awase_file, tmp_path):
    new = tmp_path / "new.awase"
    result = run("rescue", awase_file, new)
    assert (result.status, result.err) == (0, "")
    assert "2 topics" in result.out
    assert run("export", new, "-").json == run("export", awase_file, "-").json
    assert run("rescue", awase_file, new).status == 1
    sql(awase_file, "UPDATE sentence_alignment SET alternatives = 'x' WHERE id = 1")
    lost = run("rescue", awase_file, tmp_path / "less.awase").err.splitlines()
    assert lost[0] == "lost: An entry for abstract “short” is lost."
    assert lost[1].startswith("lost: Topic “0310” cannot be read.")
