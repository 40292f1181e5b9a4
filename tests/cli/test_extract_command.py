from importlib.resources import files
from pathlib import Path

import pytest
from tests.cli.conftest import Run

from awase.cli.corpora import open_corpus
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.progress import Silent
from awase.core.records.output import Extract

DEMOS = Path(str(files("awase.resources"))) / "demo"


def systems_of(location: Path) -> list[str]:
    topics = open_corpus(str(location)).corpus.topics
    return [*dict.fromkeys(output.system for topic in topics for output in topic.outputs)]


@pytest.fixture
def corpus(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "en.awase"
    assert run("import", path, DEMOS / "en.json").status == 0
    return path


def test_that_the_lead_of_the_table_scores_as_the_demonstration_s_own_lead(run: Run) -> None:
    # Made by hand for the demonstration, by the same definition.
    whole = open_corpus(str(DEMOS / "en.json")).corpus
    scores = score_corpus(whole, requests_of(["tsc3"]), Silent()).scores
    means = [s for s in scores if s.topic is None and s.system == "lead" and s.length == "short"]
    shown = [f"{float(score.value or 0):.3f}" for score in means]
    lines = run("extract", DEMOS / "en.json", "--table", "--with", "lead").out.splitlines()
    assert lines[2].split()[2:5] == shown


@pytest.mark.slow
def test_that_systems_join_the_corpus_for_each_length_class(run, corpus):
    result = run("extract", corpus, "--with", "lead,mmr", "--name", "first", "--name", "second")
    assert result.status == 0, result.err
    assert "added 12 extracts of 2 systems" in result.out
    topics = open_corpus(str(corpus)).corpus.topics
    added = [o for t in topics for o in t.outputs if o.system in ("first", "second")]
    assert all(isinstance(output, Extract) and output.length for output in added)
    assert len(added) == 12


@pytest.mark.slow
def test_that_a_system_is_replaced_only_when_asked(run, corpus):
    before = open_corpus(str(corpus)).corpus
    refused = run("extract", corpus, "--with", "random", "--name", "lead")
    assert refused.status == 1
    assert "“lead”" in refused.err
    assert open_corpus(str(corpus)).corpus == before
    assert run("extract", corpus, "--with", "random", "--name", "lead", "--force").status == 0
    after = open_corpus(str(corpus)).corpus
    assert systems_of(corpus)[-1] == "lead"
    assert len(after.topics[0].outputs) == len(before.topics[0].outputs)
    assert after != before


@pytest.mark.slow
def test_that_json_is_never_changed_but_a_new_file_is_written(run, tmp_path):
    source = DEMOS / "ja.json"
    assert run("extract", source).status == 1
    target = tmp_path / "new.json"
    result = run("extract", source, "--with", "tfidf", "--size", "3", "--to", target)
    assert result.status == 0
    name = next(system for system in systems_of(target) if system.startswith("tfidf-"))
    extracts = [o for t in open_corpus(str(target)).corpus.topics for o in t.outputs]
    sizes = {len(o.sentences) for o in extracts if o.system == name}
    assert sizes == {3}
    assert "exists already" in run("extract", source, "--to", target).err


@pytest.mark.slow
def test_that_a_background_can_be_a_table_or_a_corpus(run, tmp_path):
    table = tmp_path / "news.df"
    table.write_text("tokens\tunicode-2\ndocuments\t1000\nthe\t999\nboat\t3\n", encoding="utf-8")
    arguments = ("extract", DEMOS / "en.json", "--table", "--with", "tfidf", "--background")
    assert "background=news.df." in run(*arguments, table).out
    assert "background=ja.json." in run(*arguments, DEMOS / "ja.json", "--tokens", "chars").out
    japanese = run("extract", DEMOS / "ja.json", "--table", "--background", table)
    assert japanese.status == 1
    assert "was not counted with" in japanese.err


def test_that_unaligned_abstracts_need_a_size(run, json_file, tmp_path):
    import json

    content = json.loads(json_file.read_text(encoding="utf-8"))
    for topic in content["topics"]:
        for abstract in topic["abstracts"]:
            abstract["alignments"] = []
    bare = tmp_path / "bare.json"
    bare.write_text(json.dumps(content), encoding="utf-8")
    refused = run("extract", bare, "--with", "lead", "--to", tmp_path / "x.json")
    assert refused.status == 1
    assert "--size" in refused.err
    assert run("extract", bare, "--with", "lead", "--size", "1", "--to", tmp_path / "x.json").out
