"""`awase import --score`: what a later `awase score` of the same corpus prints, and no less."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Run

METRICS = ("tsc3", "rouge-1:tokens=ja", "rouge-l:tokens=unicode", "pseudo-pyramid")
SCORE = tuple(word for name in METRICS for word in ("--score", name))
ASKED = tuple(word for name in METRICS for word in ("-m", name))


def lines(*items: dict[str, object]) -> str:
    return "".join(json.dumps(item) + "\n" for item in items)


def texts(n_topics: int) -> str:
    """Returns items of which one system leaves some out, and another writes nothing."""
    return lines(
        *(
            {
                "id": f"t{number}",
                "reference": ["The cat sat.", f"Dog {number} ran."],
                "prediction_a": [f"A cat sat on {number}.", "The dog."],
                "prediction_b": ["The cat sat."] if number % 2 else [],
            }
            for number in range(n_topics)
        )
    )


def same(run: Run, path: Path, *words: object) -> None:
    imported = run("import", path, *words, *SCORE)
    told, _, table = imported.out.partition("\n")
    scored = run("score", path, *ASKED)
    assert told.startswith(f"{path}: added ")
    assert scored.status == 0
    assert (imported.status, table) == (0, scored.out)
    assert imported.err.endswith(scored.err)


def test_that_what_was_imported_is_scored_as_it_is_when_it_is_read(run, tmp_path, write_file):
    file = write_file("items.jsonl", texts(5))
    same(run, tmp_path / "new.awase", file)


@pytest.mark.slow
def test_that_extracts_and_their_alignments_are_scored_with_what_joins_them(
    run, json_file, tmp_path, write_file
):
    path = tmp_path / "new.awase"
    same(run, path, json_file)
    more = write_file(
        "more.jsonl", lines({"id": "0310", "prediction_c": ["犬が走った。", "鳥が鳴いた。"]})
    )
    same(run, path, more, "--format", "text-table")


@pytest.mark.parametrize("metric", ["roge-1", "rouge-1:stem=maybe", "coverage:annotator=nobody"])
def test_that_nothing_is_imported_when_a_metric_cannot_be_had(
    run, json_file, tmp_path, write_file, metric
):
    path = tmp_path / "new.awase"
    result = run("import", path, json_file, "--score", metric)
    assert (result.status, result.out, path.exists()) == (1, "", False)
    assert run("import", path, json_file).status == 0
    before = path.read_bytes()
    more = write_file("more.jsonl", texts(1))
    assert run("import", path, more, "--score", metric).status == 1
    assert path.read_bytes() == before


def test_that_nothing_is_scored_when_the_import_fails(run, json_file, tmp_path, write_json):
    broken: dict[str, Any] = {"awase": 1, "topics": [{"id": ""}]}
    result = run(
        "import", tmp_path / "new.awase", json_file, write_json(broken, "broken.json"), *SCORE
    )
    assert (result.status, result.out) == (1, "")


def test_that_an_import_stays_when_it_cannot_be_scored(run, tmp_path):
    path, file = tmp_path / "new.awase", tmp_path / "items.jsonl"
    file.write_text(
        lines({"id": "t", "reference": ["犬。"], "prediction": ["猫。"]}), encoding="utf-8"
    )
    result = run("import", path, file, "--score", "rouge-1")
    assert result.status == 1
    assert result.out.startswith(f"{path}: added 1 topic")
    assert result.err.endswith(run("score", path, "-m", "rouge-1").err)
