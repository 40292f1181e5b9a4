"""`awase clusters`, and `--vectors` of `awase score`."""

from pathlib import Path

import pytest

# 犬 and 猫 are alike, and so are が and は.
VECTORS = (
    "犬 1 0 0\n猫 1 0.1 0\n走っ 0 1 0\n寝 0 0.9 0.2\nが 0 0 1\nは 0 0.1 1\n"
    "た 0.5 0.5 0.5\n鳥 0.6 -0.7 0\n鳴い -0.5 0.8 0.3\n止まっ -0.3 0.8 -0.6\nて 0.1 -0.8 0.6\n"
)
METRIC = "prouge-1:tokens=ja,stop=no,ratio=0.8"


@pytest.fixture
def vectors(write_file) -> Path:
    return write_file("glove.txt", VECTORS)


def test_that_clusters_of_a_topic_are_told_once_for_all_systems(run, json_file, vectors):
    arguments = ("clusters", json_file, "--vectors", vectors, "--json")
    each = run(*arguments, "-m", METRIC).json["clusters"]
    assert [(one["topic"], one["system"]) for one in each] == [
        ("0310", "前置"), ("0310", "oracle"), ("0320", "前置"), ("0320", "oracle"),
    ]  # fmt: skip
    of_topic = ("-m", f"{METRIC},vocabulary=topic", "--topic", "0310")
    whole = run(*arguments, *of_topic).json["clusters"]
    assert run(*arguments, *of_topic, "--system", "oracle").json["clusters"] == whole
    assert [(one["topic"], one["system"]) for one in whole] == [("0310", None)]
    assert whole[0]["n_with_vector"] == 11
    assert {"犬", "猫"} in [{*merged["words"]} for merged in whole[0]["merged"]]


def test_that_a_damaged_file_is_told_with_its_line(run, json_file, write_file):
    broken = write_file("broken.vec", "2 2\n犬 1 2\n猫 1\n")
    result = run("score", json_file, "-m", "prouge-1:tokens=ja", "--vectors", broken)
    assert (result.status, result.err) == (
        1,
        f"error: {broken}:3: This line has 1 numbers; the lines before have 2. Correct the line "
        "or remove it.\n",
    )
