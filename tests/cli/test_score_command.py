import json
import re

import pytest
from tests.jobs.small_corpus import VECTORS, small_corpus
from tests.stored import corpus_file

from awase.jobs.subset import chosen_by_names

# From the corpus in conftest: 前置 has half of 0310 (e = 1, 0) and all of 0320; the oracle has all.
MEANS = {
    ("前置", "precision"): 0.75,
    ("前置", "coverage"): 0.75,
    ("前置", "weighted-coverage"): (1 / 1.5 + 1) / 2,
    ("oracle", "precision"): 1.0,
    ("oracle", "coverage"): 1.0,
    ("oracle", "weighted-coverage"): 1.0,
}


def test_that_a_file_and_its_json_give_the_same_scores(run, json_file, awase_file):
    assert run("score", awase_file, "--json").out == run("score", json_file, "--json").out


def test_that_a_metric_that_fails_is_a_column_without_values_and_an_error_at_the_end(
    run, json_file
):
    result = run("score", json_file, "-m", "tsc3", "-m", "subtree", "--json")
    assert result.status == 1
    assert "error: subtree needs a language model" in result.err
    assert json.loads(result.out)["complete"] is False
    values = {(s["system"], s["metric"]): s["value"] for s in result.json["scores"][-8:]}
    assert values == pytest.approx(MEANS | {(name, "subtree"): None for name, _ in MEANS})
    both = run("score", json_file, "-m", "coverage", "-m", "rouge-we-1", "--vectors", "none.bin")
    assert both.status == 1
    assert re.search(r"0\.7500 +undefined", both.out)
    assert "none.bin" in both.err
    assert not both.warnings  # the error is not said again for each topic
    alone = run("score", json_file, "-m", "subtree")
    assert (alone.status, alone.out) == (1, "")


def test_that_leaving_a_system_out_changes_no_score(run, tmp_path, write_file):
    vectors = write_file("v.txt", "".join(f"{word} {x} 1.0\n" for word, x in VECTORS.items()))
    whole = small_corpus()
    both, one = (
        corpus_file(tmp_path / f"{name}.awase", chosen_by_names((), systems).part_of(whole))
        for name, systems in (("both", ("one", "two")), ("one", ("one",)))
    )

    def means(*words: object) -> dict[str, float]:
        asked = ("-m", "prouge-1:ratio=0.6,vocabulary=topic", "--vectors", vectors, "--json")
        found = run("score", *words, *asked).json["scores"]
        return {score["system"]: score["value"] for score in found if score["topic"] is None}

    together = means(both)
    assert set(together) == {"one", "two"}
    assert means(both, "--system", "one") == {"one": together["one"]}
    assert means(one)["one"] != together["one"]  # the other matters
