import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.building import abstract, corpus, topic
from tests.in_part import in_part
from tests.stored import corpus_file

from awase.core.records.abstract import Alignment, AlignmentState, GoldEntry, SentenceAlignment
from awase.core.records.corpus import Assignment, Corpus, Person
from awase.core.records.topic import HumanScore

Stored = Callable[[Path], Corpus]


def test_that_a_failed_write_leaves_the_old_file_and_nothing_else(
    run, awase_file, tmp_path, monkeypatch
):
    def refuse(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    folder = tmp_path / "folder"
    folder.mkdir()
    target = folder / "out.json"
    target.write_text("mine", encoding="utf-8")
    monkeypatch.setattr(os, "fsync", refuse)
    result = run("export", awase_file, target, "--force")
    assert result.status == 1
    assert result.err == (
        f"error: “{target}” cannot be written (No space left on device). Choose another location, "
        "or free disk space.\n"
    )
    assert [path.name for path in folder.iterdir()] == ["out.json"]
    assert target.read_text("utf-8") == "mine"


def test_that_a_file_that_cannot_be_replaced_is_named_as_it_was_asked_for(
    run, awase_file, tmp_path
):
    target = tmp_path / "no" / "such" / "folder.json"
    result = run("export", awase_file, target)
    assert result.status == 1
    assert ".part" not in result.err
    assert str(target) in result.err


def test_that_what_copies_need_is_written_only_when_it_is_asked_for(run, awase_file, tmp_path):
    plain = run("export", awase_file, "-").json
    synced = run("export", awase_file, "-", "--with-sync").json
    assert {key: value for key, value in synced.items() if key != "sync"} == plain
    sync = synced["sync"]
    assert set(sync["texts"]) == {topic["id"] for topic in plain["topics"]}
    assert all(len(entry["versions"]) == 1 for entry in sync["entries"])
    target, copy = tmp_path / "c.json", tmp_path / "copy.awase"
    run("export", awase_file, target, "--with-sync")
    assert run("import", copy, target).status == 0
    of_copy = run("export", copy, "-", "--with-sync").json["sync"]
    assert (of_copy["corpus"], of_copy["entries"]) == (sync["corpus"], sync["entries"])
    result = run("export", target, "-", "--with-sync")
    assert (result.status, result.out) == (1, "")


@pytest.mark.parametrize("with_sync", in_part([True, False]))
def test_that_an_annotators_export_holds_nothing_of_others(run, tmp_path, stored, with_sync):
    entry = SentenceAlignment(n=1, state=AlignmentState.NO_SOURCE)
    made = topic(
        "t",
        abstracts=(
            replace(
                abstract("a", texts=["one"]),
                alignments=tuple(
                    Alignment(annotator=who, sentences=(entry,)) for who in ("A1", "SECRET")
                ),
                gold=(GoldEntry(entry=entry, decided_by="SECRET"),),
            ),
        ),
    )
    people = tuple(Person(id=who) for who in ("A1", "SECRET"))
    scores = tuple(
        HumanScore(system="s", measure="m", value=1.0, topic="t", annotator=who)
        for who in ("A1", "SECRET")
    )
    work = tuple(Assignment(topic="t", person=who) for who in ("A1", "SECRET"))
    path = corpus_file(
        tmp_path / "c.awase",
        replace(corpus(made), persons=people, human_scores=scores, assignments=work),
    )
    sync = ["--with-sync"] if with_sync else []
    target = tmp_path / "A1.json"
    assert run("export", path, target, "--annotator", "A1", *sync).status == 0
    assert "SECRET" not in target.read_text("utf-8")
    entries = json.loads(target.read_text("utf-8")).get("sync", {}).get("entries", ())
    assert [one.get("annotator") for one in entries] == ["A1"] * with_sync
    found = stored(target)
    assert [one.annotator for one in found.topics[0].abstracts[0].alignments] == ["A1"]
    assert (found.persons, found.human_scores, found.assignments) == (
        people[:1], scores[:1], work[:1],
    )  # fmt: skip
    refused = run("export", path, tmp_path / "x.json", "--annotator", "NOBODY", *sync)
    assert refused.status == 1
    assert "Nobody called “NOBODY” is in this corpus." in refused.err
    assert not (tmp_path / "x.json").exists()
