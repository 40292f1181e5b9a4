"""`awase correlate` on a made corpus whose figures are worked out by hand."""

from pathlib import Path

import pytest
from tests.cli.conftest import Run
from tests.in_part import in_turn

# Human means: a 1, b 2, c 3, d 4. The metric's: a 1, b 3, c 2, d 4: tau-b = (5 - 1) / 6, rho = .8,
# r = .8. In topic 2 the metric is constant.
HUMAN = {"a": (1, 1), "b": (1, 3), "c": (3, 3), "か\u3099": (4, 4)}
METRIC = {"a": (0, 2), "b": (4, 2), "c": (2, 2), "か\u3099": (6, 2)}


def scores_csv(path: Path, measure: str, table: dict[str, tuple[float, float]]) -> Path:
    rows = [
        f"{topic},{system},{measure},{value}\n"
        for system, values in table.items()
        for topic, value in zip(("1", "2"), values, strict=True)
    ]
    path.write_text("topic,system,measure,value\n" + "".join(rows), encoding="utf-8")
    return path


@pytest.fixture
def people(run: Run, tmp_path: Path) -> Path:
    corpus = tmp_path / "people.awase"
    human = scores_csv(tmp_path / "human.csv", "quality", HUMAN)
    assert run("import", corpus, human).status == 0
    return corpus


@pytest.fixture
def metrics(tmp_path: Path) -> Path:
    return scores_csv(tmp_path / "metrics.csv", "m.r", METRIC)


def test_that_the_table_has_the_coefficients_and_all_that_decides_them(run, people, metrics):
    result = run("correlate", people, "--scores", metrics, "--resamples", 50, "--seed", 3)
    assert result.status == 0, result.err
    lines = [line.split() for line in result.out.splitlines()]
    assert ["metric", "r", "rho", "tau-b", "systems", "topics"] in lines
    assert ["m.r", "0.800", "0.800", "0.667", "4", "2"] in lines
    for fact in (
        "human scores: quality:annotators=1,join=mean",
        "level: system",
        "Kendall's tau-b",
        "correlation:level=system,coefficient=r+rho+tau-b,human=quality@",
        "annotators=all,join=mean,systems=4@",
        ",resample=both,n=50,seed=3,confidence=0.95,",
        "percentiles of 50 resamples of systems and topics, seed 3",
        "closed form: Fisher",
    ):
        assert fact in result.out


def test_that_the_judgements_of_some_annotators_alone_are_correlated(
    run, people, tmp_path, write_file, metrics
):
    corpus = tmp_path / "several.awase"
    rows = [
        f"{topic},{system},coherence,{who},{value * sign}\n"
        for who, sign in (("expert-1", 1), ("expert-2", 1), ("crowd-1", -1))
        for system, values in HUMAN.items()
        for topic, value in zip(("1", "2"), values, strict=True)
    ]
    table = write_file("several.csv", "topic,system,measure,annotator,value\n" + "".join(rows))
    assert run("import", corpus, table).status == 0

    def r(*more: str) -> tuple[float, str]:
        found = run("correlate", corpus, "--scores", metrics, "--coefficient", "r", "--interval",
                    "none", *more, "--json").json  # fmt: skip
        (estimate,) = found["correlations"][0]["estimates"]
        return estimate["value"], estimate["signature"]

    value, signature = r("--annotator", "expert-*")
    assert value == pytest.approx(0.8)
    assert ",annotators=expert-*," in signature
    assert r("--annotator", "crowd-1")[0] == pytest.approx(-0.8)
    result = run("correlate", corpus, "--scores", metrics, "--annotator", "nobody")
    assert "Nobody called “nobody” gave scores" in result.err


def test_that_excluded_systems_are_out_and_stay_with_the_result(run, people, metrics):
    found = run("correlate", people, "--scores", metrics, "--exclude", "b", "--interval", "fisher",
                "--json").json  # fmt: skip
    assert found["excluded"] == ["b"]
    assert found["correlations"][0]["n_systems"] == 3
    # 1 3 4 and 1 2 4: deviations in thirds -5 1 4 and -4 -1 5.
    assert found["correlations"][0]["estimates"][0]["value"] == pytest.approx(39 / 42)
    refused = run("correlate", people, "--scores", metrics, "--exclude", "bb")
    assert refused.err == ("error: There is no system “bb”. Did you mean “b”?\n")


def test_that_references_are_never_systems(run, tmp_path):
    corpus = tmp_path / "c.awase"
    human = {**HUMAN, "Human-A.0": (9, 9), "gold": (8, 8), "editor": (7, 7)}
    run("import", corpus, scores_csv(tmp_path / "h.csv", "q", human))
    metrics = scores_csv(
        tmp_path / "m.csv", "m", {name: METRIC.get(name, (9, 8)) for name in human}
    )
    options = [
        "--scores", metrics, "--interval", "none", "--json",
        "--reference-system", "editor", "--not-a-reference", "gold",
    ]  # fmt: skip
    result = run("correlate", corpus, *options)
    assert result.json["excluded"] == ["Human-A.0", "editor"]
    assert [one["system"] for one in result.json["correlations"][0]["systems"]] == [
        "a", "b", "c", "か\u3099", "gold"
    ]  # fmt: skip
    assert any("Human-A.0: left out as references, by their names" in w for w in result.warnings)


def test_that_names_of_one_side_are_told_and_aliases_join_them(run, people, tmp_path, write_file):
    renamed = {("System " + name if name == "か\u3099" else name): v for name, v in METRIC.items()}
    metrics = scores_csv(tmp_path / "m.csv", "m", renamed)
    result = run("correlate", people, "--scores", metrics, "--interval", "none", "--json")
    assert result.json["correlations"][0]["n_systems"] == 3
    assert any("1 system has human scores only and is left out: か\u3099." in w
               for w in result.warnings)  # fmt: skip
    aliases = write_file("aliases.tsv", "# theirs\tours\nSystem か\u3099\tか\u3099\n")
    joined = run(
        "correlate", people, "--scores", metrics, "--aliases", aliases, "--json", "--resamples", 9
    )
    assert joined.json["correlations"][0]["n_systems"] == 4
    assert joined.warnings == []
    chosen = run(
        "correlate", people, "--scores", metrics, "--aliases", aliases, "--interval", "none",
        *(f"--system={one}" for one in ("a", "b", "が", "か\u3099")), "--json",
    )  # fmt: skip
    points = chosen.json["correlations"][0]["systems"]
    assert [one["system"] for one in points] == ["a", "b", "か\u3099"]
    assert chosen.warnings == []
    aliases.write_text("System か\u3099\ta\n")
    refused = run("correlate", people, "--scores", metrics, "--aliases", aliases)
    assert "would both be system “a”" in refused.err
    aliases.write_text("x\nSystem d\ta\nSystem d\tb\n")
    refused = run("correlate", people, "--scores", metrics, "--aliases", aliases)
    assert [line.split(":")[2] for line in refused.problems] == ["1", "3"]
    out = ("--exclude", "か\u3099", "--exclude", "System か\u3099", "--interval", "none")
    assert run("correlate", people, "--scores", metrics, *out).warnings == []


def test_that_systems_with_the_same_outputs_are_warned_about(run, corpus_json, write_json):
    names = ["前置", "twin", "oracle"]
    for topic in corpus_json["topics"]:
        lead = topic["outputs"][0]
        topic["outputs"].append({**lead, "system": "twin"})
    corpus_json["human_scores"] = [
        {"topic": topic["id"], "system": name, "measure": "m", "value": value}
        for topic in corpus_json["topics"]
        for value, name in enumerate(names)
    ]
    result = run("correlate", write_json(corpus_json), "-m", "coverage", "--interval", "none")
    assert result.status == 0
    assert any("前置, twin gave the same outputs in every topic" in w for w in result.warnings)
    mended = run("correlate", write_json(corpus_json), "-m", "coverage", "--exclude", "twin")
    assert not any("gave the same outputs" in w for w in mended.warnings)


@in_turn(
    ("words", "told"),
    [
        # Without output they are of no kind.
        (
            ("--subset", "extractive"),
            "Every system that has both a human score and a metric's is "
            "left out: a, b, c, か\u3099.",
        ),
        (("--component", "f"), "There are no scores of a metric to correlate."),
    ],
)
def test_that_what_leaves_nothing_to_correlate_is_told(run, people, metrics, words, told):
    result = run("correlate", people, "--scores", metrics, *words)
    assert (result.status, result.out) == (1, "")
    assert f"error: {told}" in result.err
    assert ("warning: a, b, c, か\u3099: left out" in result.err) is ("--subset" in words)
