"""`--model`, models that metrics name, and `awase explain -m subtree`, with a model made up."""

from functools import partial

import pytest
from tests.models_made_up import WordByWord

from awase.core.language import models


@pytest.fixture
def corpus(demonstration, monkeypatch):
    lengths = partial(WordByWord, lambda word: (1, len(word)))
    monkeypatch.setattr(models, "open_encoder", lengths)
    return demonstration


ONE = ("--topic", "E10", "--system", "lead")


@pytest.mark.slow
def test_that_a_model_is_named_by_the_metric_or_for_all_of_them(run, corpus):
    metrics = ("-m", "subtree", "-m", "subtree:model=b,head=no")
    scored = run("score", corpus, *metrics, *ONE, "--model", "a", "--json")
    assert scored.status == 0
    signatures = {one["signature"] for one in scored.json["scores"]}
    assert sorted({one.split("model=")[1].split(",")[0] for one in signatures}) == [
        "a@000000000000", "b@000000000000"
    ]  # fmt: skip
    assert {one["metric"] for one in scored.json["scores"]} == {
        f"subtree.{part}:{options}@000000000000"
        for part in "rpf"
        for options in ("head=yes,model=a", "head=no,model=b")
    }


def test_that_a_home_folder_is_found_behind_an_equals_sign(run, corpus, monkeypatch):
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setenv("USERPROFILE", "/home/somebody")
    scored = run("score", corpus, "-m", "subtree:model=~/m", *ONE, "--json")
    assert scored.json["scores"][0]["signature"].count("somebody") == 1


@pytest.mark.slow
def test_that_the_explanation_adds_up_to_the_score(run, corpus):
    metric = "subtree:punct=drop,key=lemma"
    (scored, *_) = (
        one["value"]
        for one in run("score", corpus, "-m", metric, *ONE, "--model", "a", "--json").json["scores"]
        if (one["metric"], one["topic"], one["length"]) == ("subtree.f", "E10", "short")
    )
    printed = run("explain", corpus, "-m", metric, "--model", "a", *ONE, "--json").json
    (pair,) = (one for one in printed["explained"] if one["length"] == "short")
    assert pair["f"] == pytest.approx(scored)
    for row in pair["lengths"]:
        for side, mean in (("of_system", row["p"]), ("of_reference", row["r"])):
            found = [m["similarity"] for m in pair[side] if len(m["words"]) == row["words"]]
            assert len(found) == row["n_system" if side == "of_system" else "n_reference"]
            assert mean == pytest.approx(sum(found) / max(len(found), 1))
    for match in pair["of_system"]:
        assert match["head"] in match["words"]
        assert (match["partner"] is None) == (match["similarity"] == 0)
        assert match["partner"] is None or len(match["partner"]["words"]) == len(match["words"])
