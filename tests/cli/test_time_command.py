import csv
import io
from pathlib import Path

import pytest
from tests.cli.conftest import CSV

from awase.core.annotation.actions import NOTE, alignment_edit, with_note
from awase.core.records.alignment import SentenceAlignment
from awase.storage.store import CorpusStore


@pytest.fixture
def worked(awase_file: Path) -> Path:
    """A corpus in which 花子 worked 2.5 s on one sentence and 65 s on another, and 太郎 untimed."""
    with CorpusStore.open(awase_file, who="花子") as store:
        for who, n, ms in (("花子", 1, 2500), ("花子", 2, 65000), ("太郎", 1, 0)):
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


@pytest.mark.slow
def test_that_times_are_told_for_each_annotator(run, worked):
    report = run("time", worked, "--json").json
    lines = {line.pop("annotator"): line for line in report["times"]}
    assert lines["花子"] == {
        "edits": 2,
        "seconds": 67.5,
        "sentences": 2,
        "seconds_per_sentence": 33.75,
    }
    assert lines["太郎"]["seconds"] is None
    assert lines["太郎"]["edits"] == 1
    assert report["total"]["seconds"] == 67.5


@pytest.mark.slow
def test_that_times_are_readable_and_undefined_where_none_was_logged(run, worked):
    out = run("time", worked).out
    lines = [line.split() for line in out.splitlines()]
    assert [line for line in lines if line and line[0] in ("花子", "太郎", "all")] == [
        ["花子", "2", "1:08", "2", "33.8", "s"],
        ["太郎", "1", "—", "0", "—"],
        ["all", "3", "1:08", "2", "33.8", "s"],
    ]  # fmt: skip


@pytest.mark.slow
def test_that_times_of_sentences_come_as_csv(run, worked):
    out = run("time", worked, "--by", "sentence", "--annotator", "花子", CSV).out
    rows = list(csv.DictReader(io.StringIO(out)))
    assert {row["annotator"] for row in rows} == {"花子"}
    assert [(row["n"], row["seconds"]) for row in rows if row["seconds"]] == [
        ("1", "2.5"),
        ("2", "65.0"),
    ]
    assert any(row["seconds"] == "" for row in rows)


@pytest.mark.slow
def test_that_the_total_is_of_the_annotator_that_is_asked_for(run, worked):
    report = run("time", worked, "--json", "--annotator", "太郎").json
    assert (report["total"]["seconds"], report["total"]["edits"]) == (None, 1)


@pytest.mark.slow
def test_that_a_json_corpus_has_no_times(run, worked, tmp_path):
    target = tmp_path / "c.json"
    run("export", worked, target)
    failed = run("time", target)
    assert failed.status == 1
    assert "no operation log" in failed.err
