import runpy
from pathlib import Path

import pytest

from awase.storage.files import plain_files
from awase.storage.store import CorpusStore

ROOT = Path(__file__).resolve().parents[2]


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


def test_that_reading_leaves_no_trace_beside_the_corpus(run, awase_file):
    before = sorted(awase_file.parent.iterdir())
    for command in (["info"], ["score"], ["cover"], ["export"]):
        assert run(*command, awase_file, *(["-"] if command == ["export"] else [])).status == 0
    assert sorted(awase_file.parent.iterdir()) == before


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
