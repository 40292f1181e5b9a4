"""`awase agreement`: the demonstration corpora give the worked figures, in every form."""

import pytest
from tests.cli.conftest import DEMOS
from tests.in_part import in_part

FAMILIES = ("alternatives", "function", "support")


def rows(result, *annotators):
    return {
        row["distance"]: row
        for row in result.json["rows"]
        if row["annotators"] == list(annotators or ("A1", "A2"))
    }


@pytest.mark.parametrize(
    ("language", "length", "alphas", "n_items"),
    in_part(
        [
            ("en", "short", (0.863, 0.795, 0.773), 18),
            ("en", "long", (0.895, 0.873, 0.832), 29),
            ("ja", "short", (0.858, 0.905, 0.763), 17),
            ("ja", "long", (0.801, 0.800, 0.756), 29),
        ]
    ),
)
def test_that_the_demonstration_has_the_worked_alphas(run, language, length, alphas, n_items):
    result = run("agreement", DEMOS / f"{language}.json", "--length", length, "--json")
    found = rows(result)
    assert tuple(round(found[one]["alpha"], 3) for one in FAMILIES) == alphas
    assert {found[one]["items"] for one in FAMILIES} == {n_items}
    assert found["alternatives"]["interval"] is None
    assert "too few topics (3)" in found["alternatives"]["reason"]
    (effects,) = result.json["effects"]
    assert effects["tau_b"] == 1


@pytest.mark.slow
def test_that_the_demonstration_has_the_worked_effects(run):
    (short,) = run("agreement", DEMOS / "en.json", "--length", "short", "--json").json["effects"]
    assert [one["values"] for one in short["h"]] == [
        {"A1": 6, "A2": 7}, {"A1": 7, "A2": 8}, {"A1": 7, "A2": 8},
    ]  # fmt: skip
    assert (short["mean_abs_h"], round(short["mean_abs_e"], 4), short["n_e"]) == (1, 0.0611, 90)
    (long,) = run("agreement", DEMOS / "ja.json", "--length", "long", "--json").json["effects"]
    assert [one["values"] for one in long["h"]] == [
        {"A1": 13, "A2": 13}, {"A1": 12, "A2": 14}, {"A1": 8, "A2": 8},
    ]  # fmt: skip
    assert (long["mean_abs_h"], round(long["mean_abs_e"], 3)) == (2 / 3, 0.053)
