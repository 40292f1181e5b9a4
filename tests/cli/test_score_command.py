import json
import re
from pathlib import Path

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


# 犬 and 猫 are alike, and so are が and は.
ALIKE = (
    "犬 1 0 0\n猫 1 0.1 0\n走っ 0 1 0\n寝 0 0.9 0.2\nが 0 0 1\nは 0 0.1 1\n"
    "た 0.5 0.5 0.5\n鳥 0.6 -0.7 0\n鳴い -0.5 0.8 0.3\n止まっ -0.3 0.8 -0.6\nて 0.1 -0.8 0.6\n"
)
PRUNED = "prouge-1:tokens=ja,stop=no,ratio=0.8"


@pytest.fixture
def vectors(write_file) -> Path:
    return write_file("glove.txt", ALIKE)


def test_that_clusters_of_a_topic_are_told_once_for_all_systems(run, json_file, vectors):
    arguments = ("clusters", json_file, "--vectors", vectors, "--json")
    each = run(*arguments, "-m", PRUNED).json["clusters"]
    assert [(one["topic"], one["system"]) for one in each] == [
        ("0310", "前置"), ("0310", "oracle"), ("0320", "前置"), ("0320", "oracle"),
    ]  # fmt: skip
    of_topic = ("-m", f"{PRUNED},vocabulary=topic", "--topic", "0310")
    whole = run(*arguments, *of_topic).json["clusters"]
    assert run(*arguments, *of_topic, "--system", "oracle").json["clusters"] == whole
    assert [(one["topic"], one["system"]) for one in whole] == [("0310", None)]
    assert whole[0]["n_with_vector"] == 11
    assert {"犬", "猫"} in [{*merged["words"]} for merged in whole[0]["merged"]]
