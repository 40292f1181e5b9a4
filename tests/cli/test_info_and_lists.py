import json
import re
import runpy
from pathlib import Path

import pytest

from awase.core.formats.registry import FORMATS
from awase.core.metrics.registry import METRICS
from awase.storage.files import plain_files
from awase.storage.store import CorpusStore

ROOT = Path(__file__).resolve().parents[2]


def test_that_info_counts_everything(run, awase_file):
    info = run("info", awase_file, "--json").json
    assert info["kind"] == "awase-file"
    assert info["format_version"] == "1.4"
    assert info["held_by"] is None
    assert info["name"] == "小さい"
    assert info["counts"] == {
        "topics": 2,
        "documents": 3,
        "sentences": 8,
        "abstracts": 2,
        "abstract_sentences": 3,
        "alignments": 2,
        "extracts": 4,
        "texts": 0,
        "human_scores": 0,
    }
    assert info["languages"] == [{"language": "ja", "topics": 2}]
    assert info["lengths"] == [{"length": "short", "abstracts": 2}]
    assert info["systems"] == [
        {"system": "前置", "extracts": 2, "texts": 0},
        {"system": "oracle", "extracts": 2, "texts": 0},
    ]


def test_that_info_tells_how_far_each_annotator_is(run, corpus_json, write_json):
    alignment = corpus_json["topics"][0]["abstracts"][0]["alignments"][0]
    alignment["sentences"] = [{"n": 2, "state": "flagged", "alternatives": [["980101001:3"]]}]
    info = run("info", write_json(corpus_json), "--json").json
    assert info["annotators"] == [
        {
            "annotator": "花子",
            "abstracts": 2,
            "states": {"todo": 1, "incomplete": 0, "confirmed": 1, "no_source": 0, "flagged": 1},
        }
    ]


def test_that_info_is_readable(run, awase_file):
    out = run("info", awase_file).out
    assert "2 topics, 3 documents, 8 sentences" in out
    assert "languages: ja 2" in out
    assert "Nobody has it open for writing." in out


def test_that_reading_leaves_no_trace_beside_the_corpus(run, awase_file):
    before = sorted(awase_file.parent.iterdir())
    for command in (["info"], ["score"], ["cover"], ["export"]):
        assert run(*command, awase_file, *(["-"] if command == ["export"] else [])).status == 0
    assert sorted(awase_file.parent.iterdir()) == before


def test_that_every_format_is_listed(run):
    out = run("formats").out
    for entry in FORMATS.values():
        assert entry.id in out
        assert entry.title in out
    assert re.search(r"^label-studio .* \[--topic\] \[--abstract\] \[--annotator\]$", out, re.M)
    assert re.search(r"^alignment-table .* --topic --abstract --annotator$", out, re.M)


def test_that_every_metric_is_listed_with_its_options(run):
    out = run("metrics").out
    for metric in METRICS.values():
        assert metric.name in out
        assert all(f"{name}={value}" in out for name, value in metric.defaults.items())
    assert "stands for precision, coverage, weighted-coverage" in out


def test_that_the_list_of_metrics_is_told_as_json_too(run):
    listed = json.loads(run("metrics", "--json").out)
    by_name = {metric["name"]: metric for metric in listed["metrics"]}
    assert list(by_name) == [*METRICS]
    stop = next(one for one in by_name["prouge-1"]["options"] if one["name"] == "stop")
    assert (stop["default"], [*stop["choices"]]) == ("yes", ["no", "yes"])
    assert listed["groups"]["tsc3"] == ["precision", "coverage", "weighted-coverage"]


@pytest.mark.skipif(not (ROOT / "tools").is_dir(), reason="the wheel has no tools")
def test_that_the_page_of_options_is_that_of_the_program():
    made = runpy.run_path(str(ROOT / "tools" / "options_page.py"))["options_page"]()
    page = (ROOT / "docs" / "metrics" / "options.md").read_text("utf-8")
    assert page == made, "run python tools/options_page.py"


def test_that_a_file_too_large_for_memory_is_named_before_it_is_read(run, awase_file, monkeypatch):
    monkeypatch.setattr(plain_files, "MOST_BYTES", 1)
    told = f"“{awase_file}” has 0 MB, more than 0; in memory it takes some 0."
    assert told in run("info", awase_file).err
    with CorpusStore.open(awase_file, who="") as store:
        assert [one.what for one in store.warnings if "in memory" in one.what]
