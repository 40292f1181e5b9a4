import json
from pathlib import Path
from typing import Any

import pytest
from tests import building
from tests.cli.conftest import DEMOS, Run
from tests.in_part import in_part
from tests.stored import corpus_file

from awase.cli.corpora import open_corpus
from awase.core.errors import Silent
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.records.abstract import Limit


@pytest.fixture
def of_24_units(run: Run, tmp_path: Path) -> tuple[Path, Path]:
    """A corpus whose oracle is 24 sentences, of which the system has 16; and its oracles."""
    texts = [f"a{n} b{n} c{n}." for n in range(1, 25)]
    made = building.topic(
        docs=[*texts, "x y z."],
        abstracts=[building.abstract(texts=texts, limit=Limit(unit="words", size=90))],
        outputs=[building.text("s", *texts[:16])],
        language="en",
    )
    where = corpus_file(tmp_path / "24.awase", building.corpus(made))
    oracles = tmp_path / "24-oracles.json"
    done = run("oracle", where, "-o", oracles)
    assert done.status == 0, done.err
    return where, oracles


def test_that_oracles_of_a_file_give_exactly_the_number_of_those_found(
    run, of_24_units, monkeypatch
):
    where, oracles = of_24_units
    assert oracles.read_text("utf-8") == run("oracle", where, "--json").out
    arguments = ("score", where, "-m", "pseudo-pyramid", "--json")
    found = run(*arguments).json["scores"]
    monkeypatch.delattr("awase.core.metrics.oracles.find_oracle")  # none is looked for again
    of_file = run(*arguments, "--oracles", oracles).json["scores"]
    assert [score["value"] for score in (*found, *of_file)] == [16 / 24] * 4
    assert {"oracles=found" in one["signature"] for one in found} == {True}
    assert {"oracles=file@" in one["signature"] for one in of_file} == {True}


def less_a_unit(oracle: dict[str, Any]) -> None:
    """Makes 16 of 23 of 16 of 24: .6957 for .6667."""
    for units in (oracle["units"], *oracle["optima"]):
        units.pop()


def less_a_unit_recounted(oracle: dict[str, Any]) -> None:
    less_a_unit(oracle)
    for name, lost in (("value", 2), ("upper", 2), ("greedy", 2), ("greedy_by_rate", 2),
                       ("length", 3)):  # fmt: skip
        oracle[name] -= lost


def with_an_idle_unit_recounted(oracle: dict[str, Any]) -> None:
    oracle["texts"]["d:25@0-6"] = "x y z."
    for units in (oracle["units"], *oracle["optima"]):
        units.append("d:25@0-6")
    oracle["length"] += 3


def of_more_value(oracle: dict[str, Any]) -> None:
    oracle["value"] += 1
    oracle["upper"] += 1


def of_less_length(oracle: dict[str, Any]) -> None:
    oracle["length"] -= 1


@pytest.mark.parametrize(
    "edit",
    in_part([less_a_unit, less_a_unit_recounted, with_an_idle_unit_recounted, of_more_value,
             of_less_length], first=2),
)  # fmt: skip
def test_that_an_oracle_that_was_edited_in_its_file_is_refused(run, of_24_units, edit):
    where, oracles = of_24_units
    content = json.loads(oracles.read_text(encoding="utf-8"))
    (oracle,) = content["oracles"]
    assert (len(oracle["units"]), oracle["value"], oracle["length"]) == (24, 48, 72)
    edit(oracle)
    oracles.write_text(json.dumps(content), encoding="utf-8")
    result = run("score", where, "-m", "pseudo-pyramid", "--oracles", oracles)
    assert result.status == 1
    assert "it was changed" in result.err
    oracles.write_text('{"oracles": 1}', encoding="utf-8")
    (told,) = run("score", where, "-m", "pseudo-pyramid", "--oracles", oracles).problems
    assert oracles.name in told
    assert "0.6" not in result.out


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
    ours = ("--with", "lead", "--name", "lead")  # replaces its own, and that only in the table
    lines = run("extract", DEMOS / "en.json", "--table", *ours).out.splitlines()
    assert lines[2].split()[2:5] == shown


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
    assert "already exists" in run("extract", source, "--to", target).err


def test_that_a_background_can_be_a_table_or_a_corpus(run, write_file):
    table = write_file("news.df", "tokens\tunicode-2\ndocuments\t1000\nthe\t999\nboat\t3\n")
    arguments = ("extract", DEMOS / "en.json", "--table", "--with", "tfidf", "--background")
    assert "background=news.df." in run(*arguments, table).out
    assert "background=ja.json." in run(*arguments, DEMOS / "ja.json", "--tokens", "chars").out
    japanese = run("extract", DEMOS / "ja.json", "--table", "--background", table)
    assert japanese.status == 1
    assert "was not counted with" in japanese.err


def test_that_unaligned_abstracts_need_a_size(run, corpus_json, write_json, tmp_path):
    for topic in corpus_json["topics"]:
        for abstract in topic["abstracts"]:
            abstract["alignments"] = []
    bare = write_json(corpus_json)
    refused = run("extract", bare, "--with", "lead", "--to", tmp_path / "x.json")
    assert refused.status == 1
    assert "--size" in refused.err
    assert run("extract", bare, "--with", "lead", "--size", "1", "--to", tmp_path / "x.json").out
