"""Tables for spreadsheets: no text runs there; plain CSV keeps every text."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.in_part import in_turn

from awase.core.metrics.significance import ScoreArrays
from awase.core.records.score import Score, ScoreTable
from awase.core.reports.score_report import report_of_means
from awase.core.reports.table_export import as_html, as_tidy_csv, as_tsv, as_wide_csv
from awase.core.text.script import as_cells, from_cell, to_cell

RUNNING = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", "-2|'/C calc'!A0"]


@in_turn("text", RUNNING)
def test_that_what_would_run_is_guarded(text):
    assert to_cell(text) == f"'{text}"


@in_turn("text", ["", "-", "-0.5", "+3", "-1e-3", "-inf", "lead", "a=b", "'tis"])
def test_that_numbers_and_harmless_texts_stay(text):
    assert to_cell(text) == text


@given(st.text(alphabet="='+-@a1 \t\r", max_size=6))
def test_that_the_guard_can_be_taken_back(text):
    assert from_cell(to_cell(text)) == text


def test_that_copied_rows_are_one_line_each():
    assert as_cells([["a", "b\nc"], ["=x", "-1"]]) == "a\tb c\n'=x\t-1\n"


def _table(system: str) -> ScoreTable:
    score = Score(
        topic=None, length=None, system=system, metric="precision", value=0.5,
        signature="precision", provisional=False, n_topics=1,
    )  # fmt: skip
    return ScoreTable(scores=(score,))


@pytest.mark.parametrize(
    "write", [as_tidy_csv, lambda scores, **k: as_wide_csv(report_of_means(scores), **k)]
)
def test_that_only_csv_for_spreadsheets_is_guarded(write):
    scores = ScoreArrays(table=_table("=cmd()"))
    plain = [*csv.reader(io.StringIO(write(scores)))]
    guarded = [*csv.reader(io.StringIO(write(scores, for_spreadsheet=True)))]
    assert "=cmd()" in plain[1]
    assert "'=cmd()" in guarded[1]
    assert "=cmd()" not in guarded[1]
    assert guarded[0][0] == "\ufeff" + plain[0][0]


def test_that_a_copied_report_is_guarded_as_text_and_as_a_table():
    report = report_of_means(ScoreArrays(table=_table("=cmd()")))
    assert "\n'=cmd()\t" in as_tsv(report)
    assert "<td>&#x27;=cmd()</td>" in as_html(report)
