"""Scores that depend on all systems of a topic stay what they are when only some are shown."""

from pathlib import Path

import pytest

WORDS = "dog cat runs sleeps walks naps a b"


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    path = tmp_path / "vectors.txt"
    values = (1.0, 0.98, 0.3, 0.31, 0.32, 0.33, -1.0, -0.9)
    rows = [f"{word} {value} 1.0" for word, value in zip(WORDS.split(), values, strict=True)]
    path.write_text("\n".join(rows) + "\n")
    return path


def corpus(write_json):
    def text(system: str, sentence: str):
        return {"system": system, "text": [sentence]}

    return write_json(
        {
            "awase": 1,
            "topics": [
                {
                    "id": "t",
                    "language": "en",
                    "documents": [{"id": "d", "sentences": ["dog runs"]}],
                    "abstracts": [{"id": "a", "sentences": ["dog runs dog sleeps"]}],
                    "outputs": [text("one", "cat walks"), text("two", "dog cat naps runs a b")],
                }
            ],
        },
        "together.json",
    )


def scores(run, *arguments) -> dict[str, float]:
    found = run("score", *arguments, "--json").json["scores"]
    return {score["system"]: score["value"] for score in found if score["topic"] is None}


def test_that_leaving_a_system_out_changes_no_score(run, write_json, vectors):
    where = corpus(write_json)
    asked = ("-m", "prouge-1:ratio=0.6,vocabulary=topic", "--vectors", vectors)
    together = scores(run, where, *asked)
    alone = scores(run, where, *asked, "--system", "one")
    assert set(together) == {"one", "two"}
    assert alone == {"one": together["one"]}


def test_that_the_other_system_would_matter(run, write_json, vectors):
    """Otherwise the test above could not fail."""
    from awase.cli.corpora import open_corpus
    from awase.cli.options import supplier_for
    from awase.core.metrics.kit.supplies import NO_SUPPLIES
    from awase.core.metrics.registry import requests_of
    from awase.core.progress import Silent
    from awase.jobs.scoring import score
    from awase.jobs.subset import chosen_by_names

    requests = requests_of(["prouge-1:ratio=0.6,vocabulary=topic"])
    whole = open_corpus(str(corpus(write_json)), requests).corpus
    supplies = supplier_for(NO_SUPPLIES, requests, vectors=str(vectors))

    def value(part):
        table = score(part, requests, Silent(), supplies=supplies)
        return next(one.value for one in table.scores if one.system == "one")

    assert value(whole) != value(chosen_by_names((), ("one",)).part_of(whole))
