import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.benchmarks.cover_instances import steiner
from tests.cli.conftest import document, stop, topic
from tests.in_part import in_turn
from tests.kernels import without_kernel

from awase.cli.output.messages import ProgressBar
from awase.core.metrics.kit import extractive
from awase.core.solvers.budget import BudgetAnswer, BudgetProblem, Optima, verified
from awase.core.solvers.budget_solving import solve_budget
from awase.core.solvers.cover import CoverProblem, MinimalCover, Status
from awase.core.solvers.cover_solving import CoverThread
from awase.jobs import covers


@pytest.mark.slow
def test_that_more_covers_than_are_counted_are_shown_as_a_lower_bound(run, corpus_json, write_json):
    topic = corpus_json["topics"][1]
    topic["documents"][0]["sentences"] = [f"文{n}。" for n in range(1, 1202)]
    topic["abstracts"][0]["alignments"][0]["sentences"][0]["alternatives"] = [
        [f"990101001:{n}"] for n in range(1, 1202)
    ]
    result = run("cover", write_json(corpus_json), "--topic", "0320", "--settle")
    assert "≥1,000" in result.out
    assert "more minimal covers than the 1000 that were counted" in result.err


def test_that_the_table_fits_eighty_columns(run, corpus_json, write_json, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    topic = corpus_json["topics"][0]
    topic["documents"][0]["sentences"] = [f"文{n}。" for n in range(1, 31)]
    abstract = topic["abstracts"][0]
    abstract["sentences"] = [f"要約{n}。" for n in range(1, 31)]
    abstract["alignments"] = [
        {
            "annotator": "1",
            "sentences": [{"n": n, "alternatives": [[f"980101001:{n}"]]} for n in range(1, 31)],
        }
    ]
    topic["outputs"] = []
    result = run("cover", write_json(corpus_json))
    assert result.status == 0
    assert max(map(len, result.out.splitlines())) <= 80
    assert all(f"980101001:{n}" in result.out for n in range(1, 31))


def known_in_part(_: CoverProblem, take_answer: Callable[..., None], **_more: object) -> None:
    cover = frozenset({0, 1})
    take_answer(MinimalCover(status=Status.FEASIBLE, cover=cover, lower=1, upper=2))
    raise KeyboardInterrupt


def test_that_json_of_a_search_that_is_stopped_names_what_was_not_looked_at(
    run, json_file, monkeypatch
):
    monkeypatch.setattr(ProgressBar, "advance", stop)
    stopped = run("cover", json_file, "--json")
    assert stopped.status == 130
    assert stopped.json["covers"] == []
    assert stopped.json["not_looked_at"] == [
        {"topic": "0310", "abstract": "short"}, {"topic": "0320", "abstract": "short"}
    ]  # fmt: skip
    assert "Stopped; 2 abstracts were not examined." in stopped.err
    monkeypatch.undo()
    monkeypatch.setattr(covers, "wait_for_cover", known_in_part)
    stopped = run("cover", json_file)
    assert "1–2" in stopped.out
    assert "is not proved: 1 ≤ h ≤ 2.\nStopped; 1 abstract was not examined." in stopped.err
    monkeypatch.setattr(ProgressBar, "advance", stop)
    stopped = run("oracle", json_file, "--json")
    assert (stopped.status, stopped.json["oracles"]) == (130, [])
    assert "Stopped; the remaining oracles were not searched." in stopped.err


Write = Callable[..., Path]


def corpus_of(problem: CoverProblem) -> dict[str, Any]:
    n_items = 1 + max(item for need in problem.needs for one in need for item in one)
    needs = {
        f"need {n}": ("A", [[f"d:{item + 1}" for item in sorted(one)] for one in need])
        for n, need in enumerate(problem.needs, 1)
    }
    sources = document("d", *(f"sentence {n}" for n in range(n_items)))
    return {"topics": [topic("t", [sources], needs, {"lead": ["d:1", "d:2"]})]}


@pytest.fixture
def corpus(corpus_json: dict[str, Any], write_json: Write) -> Callable[[CoverProblem], Path]:
    return lambda problem: write_json(corpus_json | corpus_of(problem))


@pytest.mark.slow
def test_that_a_number_of_covers_that_was_capped_is_told_as_such(run, corpus):
    result = run("cover", corpus(steiner(27)), "--json")
    (cover,) = result.json["covers"]
    assert (cover["h"], cover["lower"], cover["upper"], cover["optimal"]) == (18, 18, 18, True)
    # There are 2106.
    assert (cover["minimal_covers"], cover["minimal_covers_exact"]) == (1000, False)
    assert (cover["in_every"], cover["in_none"]) == ([], [])


@pytest.mark.slow
def test_that_bounds_stand_where_h_is_not_proved(run, corpus):
    path = corpus(steiner(81))
    result = run("cover", path, "--time-limit", "0.5", "--json")
    assert result.status == 0
    (cover,) = result.json["covers"]
    assert (cover["h"], cover["optimal"], cover["minimal_covers"]) == (None, False, None)
    assert cover["minimal_covers_exact"] is False
    assert cover["lower"] <= 61 <= cover["upper"] == len(cover["sentences"])
    bounds = f"{cover['lower']} ≤ h ≤ {cover['upper']}"
    assert result.json["warnings"][-1]["message"].startswith(
        f"h of abstract “short” of topic “t” is not proved: {bounds}."
    )
    table = run("cover", path, "--time-limit", "0.5").out
    found = re.search(r"(\d+)–(\d+)", table)  # it may get further, or less far, than before
    assert found is not None
    assert int(found[1]) <= 61 <= int(found[2])


@pytest.mark.slow
def test_that_scores_that_need_h_are_undefined_with_its_bounds_for_the_reason(
    run, corpus, monkeypatch
):
    metrics = ("-m", "coverage", "-m", "coverage:first=all", "-m", "precision")
    path = corpus(steiner(81))  # No machine is quick enough to prove it.
    result = run("score", path, *metrics, "--time-limit", "0.1", "--json")
    assert result.status == 0
    by_signature = {row["signature"].split(",")[0]: row for row in result.json["scores"]}
    for name in ("coverage:first=h", "precision:first=h"):
        assert by_signature[name]["value"] is None
        told = f"{by_signature[name]['metric']} of “lead” is undefined"
        reason = next(
            w["message"] for w in result.json["warnings"] if w["message"].startswith(told)
        )
        bounds = re.search(r"is not proved in the time allowed: (\d+) ≤ h ≤ (\d+)", reason)
        assert bounds
        assert int(bounds[1]) < int(bounds[2])
    assert by_signature["coverage:first=all"]["value"] is not None
    start = CoverThread.start

    def start_for_a_moment(search: CoverThread, *problem: Any, **options: Any) -> None:
        start(search, *problem, **options | {"deadline_s": 0.1})

    monkeypatch.setattr(CoverThread, "start", start_for_a_moment)
    made = run("extract", path, "--with", "lead:size=2", "--name", "two", "--table")
    assert made.status == 0


@pytest.mark.slow
def test_that_ctrl_c_prints_the_bounds_reached(run, corpus, monkeypatch):
    monkeypatch.setattr(CoverThread, "poll", stop)
    path = corpus(steiner(81))
    result = run("cover", path, "--settle")
    assert result.status == 130
    low, high = map(int, re.search(r"(\d+)–(\d+)", result.out).groups())
    assert low <= 61 <= high
    assert "Stopped; 0 abstracts were not examined." in result.err
    told = run("cover", path, "--settle", "--json")
    assert told.status == 130
    assert told.json["not_looked_at"] == []
    assert "is not proved: " in result.err
    scored = run("score", path)
    assert (scored.status, scored.out) == (130, "")
    assert f"Scoring stopped at t: {low} ≤ h ≤ " in scored.err


def unproved(problem: BudgetProblem, **_: object) -> BudgetAnswer:
    return verified(problem, Status.TIMED_OUT, (), sum(problem.caps))


def test_that_an_oracle_that_is_not_proved_leaves_pseudo_pyramid_undefined(
    run, json_file, monkeypatch
):
    arguments = ("score", json_file, "-m", "pseudo-pyramid:oracle=rouge-1", "--json")
    assert any(row["value"] is not None for row in run(*arguments).json["scores"])
    monkeypatch.setattr(extractive, "solve_budget", unproved)
    result = run(*arguments)
    assert [row["value"] for row in result.json["scores"]] == [None] * len(result.json["scores"])
    told = [warning["message"] for warning in result.json["warnings"]]
    assert any("the best known shares 0, and at most" in one for one in told)
    oracles = run("oracle", json_file, "--oracle", "rouge-1")
    assert "time ran out. Allow more time: --time-limit, or --settle." in oracles.err
    assert oracles.out.splitlines()[2].split()[2:4] == ["≤1.0000", "0.0000"]


def unsettled(problem: BudgetProblem, **_: object) -> BudgetAnswer:
    return replace(solve_budget(problem), is_settled=False)


def more_than_are_counted(_problem: BudgetProblem, answer: BudgetAnswer, **_: object) -> Optima:
    return Optima(sets=(answer.chosen,), are_all=False)


@pytest.mark.parametrize(
    ("name", "solver", "ties", "reason"),
    [
        ("solve_budget", unsettled, "first", "comes first is not proved in the time allowed"),
        ("optima_of", more_than_are_counted, "all", "has more than 100 equally good oracles"),
    ],
)
def test_that_a_score_that_would_hang_on_the_machine_is_undefined(
    run, json_file, monkeypatch, name, solver, ties, reason
):
    monkeypatch.setattr(extractive, name, solver)
    metric = f"pseudo-pyramid:oracle=rouge-1,ties={ties}"
    result = run("score", json_file, "-m", metric, "--json")
    assert {row["value"] for row in result.json["scores"]} == {None}
    messages = [warning["message"] for warning in result.json["warnings"]]
    assert any(reason in one for one in messages)
    assert any("--time-limit SECONDS, --settle" in one for one in messages)


@in_turn("ties", ["first", "all"])
def test_that_pseudo_pyramids_are_the_same_without_the_kernel(run, json_file, ties):
    metric = f"pseudo-pyramid:oracle=rouge-1,ties={ties}"
    arguments = ("score", json_file, "-m", metric, "--settle", "--output-format", "csv")
    with_kernel = run(*arguments)
    with without_kernel():
        assert run(*arguments) == with_kernel
    assert with_kernel.status == 0


@pytest.mark.parametrize("command", ["cover", "score", "oracle"])
@pytest.mark.parametrize(
    ("options", "seconds"), [((), 30.0), (("--settle",), None), (("--time-limit", "9"), 9.0)]
)
def test_that_thirty_seconds_are_the_limit_unless_it_is_settled(
    run, corpus, monkeypatch, command, options, seconds
):
    limits: list[object] = []
    engines: list[object] = []
    asked = ("--engine", "ilp") if command == "oracle" else ()

    def started(_search: CoverThread, _problem: object, *, deadline_s: float | None) -> None:
        limits.append(deadline_s)

    def solved(
        problem: BudgetProblem, *, time_limit_s: float | None, engine: str, **_: object
    ) -> BudgetAnswer:
        limits.append(time_limit_s)
        engines.append(engine)
        return unproved(problem)

    monkeypatch.setattr("awase.core.solvers.cover_solving.EASY", 0)
    monkeypatch.setattr(CoverThread, "start", started)
    monkeypatch.setattr(extractive, "solve_budget", solved)
    assert run(command, corpus(steiner(9)), *options, *asked).status == 0
    assert ({*limits}, {*engines}) == ({seconds}, {*asked[1:]})
