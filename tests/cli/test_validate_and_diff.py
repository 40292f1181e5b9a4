"""What can be read is told without changing anything, and what differs between two corpora."""

import json
import os
import threading
from pathlib import Path

import pytest


def test_that_equal_corpora_do_not_differ(run, corpus_json, tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text(json.dumps(corpus_json), "utf-8")
    corpus_json["topics"].reverse()
    (tmp_path / "c.json").write_text(json.dumps(corpus_json), "utf-8")
    for other in ("b", "c"):
        finished = run("diff", tmp_path / "a.json", tmp_path / f"{other}.json")
        assert (finished.status, finished.out) == (0, "Nothing differs.\n")


def test_that_every_kind_of_difference_is_told_with_its_place(run, corpus_json, tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(corpus_json), "utf-8")
    first, second = corpus_json["topics"]
    first["documents"][0]["sentences"][1] = "猫は起きた。"
    first["documents"][0]["sentences"].append("終わり。")
    first["outputs"][0]["system"] = "別"
    entry = first["abstracts"][0]["alignments"][0]["sentences"][0]
    entry["alternatives"] = [["980101001:2"]]
    second["id"] = "0321"
    (tmp_path / "b.json").write_text(json.dumps(corpus_json), "utf-8")
    finished = run("diff", tmp_path / "a.json", tmp_path / "b.json", "--json")
    assert finished.status == 1
    found = {(one["change"], one["part"], one["topic"], one["n"]): one
             for one in finished.json["differences"]}  # fmt: skip
    changed = found["changed", "document", "0310", 2]
    assert (changed["old"], changed["new"]) == ("猫は寝た。", "猫は起きた。")
    assert ("added", "document", "0310", 4) in found
    assert ("changed", "alignment", "0310", 1) in found
    assert ("removed", "topic", "0320", None) in found
    assert ("added", "topic", "0321", None) in found
    assert {("removed", "output", "0310", None), ("added", "output", "0310", None)} <= {*found}
    back = run("diff", tmp_path / "b.json", tmp_path / "a.json", "--json").json["differences"]
    assert len(back) == len(finished.json["differences"])


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
    assert "of no format that was tried" in finished.err
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert run("validate", good).status == 0
    shown = run("validate", good).out
    assert "(text-table): 1 topic, 1 document" in shown


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


def test_that_what_comes_through_a_pipe_is_told_by_its_content(run, json_file, tmp_path):
    table = "id,article,summary\n1,A cat.,Cats.\n"
    for at, (text, kind) in enumerate([(json_file.read_text("utf-8"), "awase-json"),
                                       (table, "text-table")]):  # fmt: skip
        pipe = tmp_path / f"pipe{at}"
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_text, args=(text, "utf-8"))
        writer.start()
        shown = run("validate", pipe)
        writer.join()
        assert (shown.status, f"({kind}):" in shown.out) == (0, True)


def test_that_a_corpus_file_needs_no_ending_and_a_missing_one_is_called_missing(run, awase_file):
    plain = awase_file.rename(awase_file.with_name("c"))
    assert "(awase-file): 2 topics" in run("validate", plain).out
    missing = run("validate", plain.with_name("d"))
    assert missing.status == 1
    assert "There is no file" in missing.err
