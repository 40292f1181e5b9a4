"""Tables of progress, decisions and correlations: each value stands in its own column."""

import csv
import io
from dataclasses import replace

from tests.agreement_corpora import topic

from awase.core.agreement.adjudication import cases_of, confirmed, union, with_cause
from awase.core.errors import Silent
from awase.core.reports.study_report import (
    adjudication_csv,
    progress_csv,
    report_of_progress,
    report_of_study,
    study_rows,
)
from awase.core.statistics.coefficients import Coefficient, NamedScores
from awase.core.statistics.study import StudyRequest, study
from awase.core.team.progress import PersonProgress

ANN = PersonProgress(
    id="A1", name="Ann", role="lead", n_jobs=2, n_jobs_done=1, n_sentences=30, n_settled=20,
    n_flagged=3, n_timed=19, median_ms=4600, p90_ms=12_340, an_hour=50.4, due="2030-01-02",
    alpha=0.25, n_taken=6, n_decoys=8, n_decoys_taken=7,
)  # fmt: skip


def rows_of(text: str) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(text))]


def test_that_each_figure_of_a_person_has_its_column():
    (row,) = rows_of(progress_csv([ANN]))
    assert row == {
        "person": "A1", "name": "Ann", "role": "lead", "abstracts_done": "1", "abstracts": "2",
        "sentences_settled": "20", "sentences": "30", "flagged": "3", "sentences_timed": "19",
        "median_s": "4.6", "p90_s": "12.34", "sentences_an_hour": "50.4", "alpha": "0.25",
        "due": "2030-01-02", "suggestions_taken": "6", "decoys_taken": "7", "decoys": "8",
    }  # fmt: skip
    shown = report_of_progress([replace(ANN, n_taken=0)])
    assert " ".join(cell.text for cell in shown.rows[0]) == (
        "A1 lead 1 2 20 30 3 5 12 50 0.250 2030-01-02 0 7 8"
    )
    without_help = replace(ANN, n_taken=0, n_decoys=0, p90_ms=None, alpha=None, due=None)
    (less,) = report_of_progress([without_help]).rows
    assert [cell.text for cell in less][8:] == ["—", "50", "—", ""]


def test_that_each_decision_has_a_row_with_its_state_and_its_sources():
    (one, _) = cases_of(topic("T", {"A": [[(1,), (2, 3)], [(4,)]], "B": [[(5,)], [(4,)]]}))
    filled = replace(one, gold=with_cause(replace(one, gold=union(one).gold), "oversight"))
    decided = replace(filled, gold=confirmed(filled, "L", "2026-01-02T00:00:00Z").gold)
    (later, _) = cases_of(topic("T", {"A": [[(1,)], []], "B": [[(5,)], []]}))
    cases = (one, filled, decided, replace(later, gold=decided.gold))
    rows = rows_of(adjudication_csv(cases))
    assert {(row["topic"], row["abstract"], row["n"], row["distance"]) for row in rows} == {
        ("T", "T-a", "1", "1.0")
    }
    told = ("state", "origin", "cause", "decided_by", "at", "outdated")
    assert [[row[name] for name in told] for row in rows] == [
        ["open", "", "", "", "", "no"],
        ["open", "union", "oversight", "", "", "no"],
        ["confirmed", "union", "oversight", "L", "2026-01-02T00:00:00Z", "no"],
        ["confirmed", "union", "oversight", "L", "2026-01-02T00:00:00Z", "yes"],
    ]
    assert (rows[1]["alternatives"], rows[1]["sources"]) == ("d:1 | d:2 d:3 | d:5", "A: 1 2 | B: 3")
    assert (rows[0]["alternatives"], rows[0]["sources"]) == ("", "")


def test_that_a_study_is_told_with_all_it_depends_on():
    def scores(name: str, *values: float) -> NamedScores:
        places = [(system, topic) for system in "abcd" for topic in ("t", "u")]
        by_place = dict(zip(places, values, strict=True))
        return NamedScores(name=name, values=by_place, signature=f"{name}:x")

    human = scores("quality", 1, 1, 1, 3, 3, 3, 4, 4)
    request = StudyRequest(
        coefficients=(Coefficient.TAU, Coefficient.R), n_resamples=20, seed=7,
        confidence=0.9, excluded=("e", "f"),
    )  # fmt: skip
    metrics = [scores("m", 0, 2, 4, 2, 2, 2, 6, 2), scores("n", 3, 3, 4, 4, 2, 2, 0, 0)]
    found = study(human, metrics, request, Silent())
    report = report_of_study(found)
    assert report.headings == ("metric", "tau-b", "r", "systems", "topics")
    shown = [[cell.text for cell in row] for row in report.rows]
    assert shown == [["m", "0.667", "0.800", "4", "2"], ["n", "-0.667", "-0.832", "4", "2"]]
    assert [[cell.is_best for cell in row[1:3]] for row in report.rows] == [[True] * 2, [False] * 2]
    assert report.notes[:2] == (
        "quality:x; level: system; excluded: e, f",
        "intervals: 90 % percentile bootstrap over systems and topics, N = 20, seed 7",
    )
    table = study_rows(found)
    for values, cell, one in zip(
        table.rows, [cell for row in report.rows for cell in row[1:3]],
        [one for result in found.results for one in result.estimates], strict=True,
    ):  # fmt: skip
        row = dict(zip(table.columns, values, strict=True))
        assert (row["value"], row["coefficient"]) == (cell.value, one.coefficient)
        assert (row["low"], row["high"]) == cell.interval == (one.bootstrap.low, one.bootstrap.high)
        closed = [getattr(one.closed_form, name, None) for name in ("low", "high")]
        assert [row["closed_low"], row["closed_high"]] == closed
        told = ("n_systems", "n_topics", "n_scores", "human", "excluded", "resample", "n", "seed")
        assert [row[name] for name in told] == [4, 2, 8, "quality:x", "e f", "both", 20, 7]
        assert (row["signature"], row["correlation"]) == (f"{row['metric']}:x", one.signature)
    without = replace(found, request=replace(request, has_bootstrap=False, excluded=()))
    assert report_of_study(without).notes[0] == "quality:x; level: system; excluded: none"
    assert "intervals" not in report_of_study(without).notes[1]
    few = study(human, metrics, replace(request, excluded=("c", "d", "e", "f")), Silent())
    assert {row[-1] for row in study_rows(few).rows} == {str(few.results[0].estimates[0].reason)}
