"""Tables for spreadsheets: no text runs there; plain CSV keeps every text."""

import csv
import io
from datetime import date, timedelta
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.in_part import in_turn

from awase.core.metrics.significance import ScoreArrays
from awase.core.records.score import Score, ScoreTable
from awase.core.reports.score_report import report_of_means
from awase.core.reports.table_export import as_html, as_tidy_csv, as_tsv, as_wide_csv
from awase.core.text.dates import readings_of_date
from awase.core.text.script import as_cells, from_cell, to_cell

RUNNING = ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", "-2|'/C calc'!A0"]
HARMLESS = ["", "-", "-0.5", "+3", "-1e-3", "-inf", "lead", "a=b", "'tis"]


@in_turn(("guard", "text"), [*product("'", RUNNING), *product([""], HARMLESS)])
def test_that_what_would_run_is_guarded_and_nothing_else(guard, text):
    assert to_cell(text) == f"{guard}{text}"


@given(st.text(alphabet="='+-@a1 \t\r", max_size=6))
def test_that_the_guard_can_be_taken_back(text):
    assert from_cell(to_cell(text)) == text


def test_that_copied_rows_are_one_line_each():
    assert as_cells([["a", "b\nc"], ["=x", "-1"]]) == "a\tb c\n'=x\t-1\n"


_SCORE = Score(
    topic=None, length=None, system="=cmd()", metric="precision", value=0.5, signature="precision"
)
_SCORES = ScoreArrays(table=ScoreTable(scores=(_SCORE,)))


@pytest.mark.parametrize(
    "write", [as_tidy_csv, lambda scores, **k: as_wide_csv(report_of_means(scores), **k)]
)
def test_that_only_csv_for_spreadsheets_is_guarded(write):
    plain = [*csv.reader(io.StringIO(write(_SCORES)))]
    guarded = [*csv.reader(io.StringIO(write(_SCORES, for_spreadsheet=True)))]
    assert "=cmd()" in plain[1]
    assert "'=cmd()" in guarded[1]
    assert "=cmd()" not in guarded[1]
    assert guarded[0][0] == "\ufeff" + plain[0][0]


def test_that_a_copied_report_is_guarded_as_text_and_as_a_table():
    report = report_of_means(_SCORES)
    assert "\n'=cmd()\t" in as_tsv(report)
    assert "<td>&#x27;=cmd()</td>" in as_html(report)


_SAME_DAY = (
    "1998-09-30|1998年9月30日|1998.9.30|98/9/30|１９９８年９月３０日|平成10年9月30日|"
    "平成十年九月三十日|H10.9.30|980930|19980930|September 30, 1998|"
    "SEPTEMBER 30, 1998, WEDNESDAY|09/30/1998|1998-9-30|30 Sept. 1998|"
    "Wed, 30 Sep 1998 12:00:00 GMT|30-SEP-98|9/30/98|1998年9月30日（水）朝刊|"
    "98年9月30日"
).split("|")


@in_turn(
    ("text", "readings"),
    [
        *((text, ("1998-09-30",)) for text in _SAME_DAY),
        ("1998年10月1日", ("1998-10-01",)),
        ("16 Sep 91", ("1991-09-16",)),
        ("令和元年5月1日", ("2019-05-01",)),
        ("1998-09-30 21:15", ("1998-09-30 21:15",)),
        ("1998", ("1998",)),
        ("09/08/1998", ("1998-09-08", "1998-08-09")),
        ("01/02/03", ("2003-01-02", "2003-02-01", "2001-02-03")),
        ("yesterday", ()),
        ("1998-13-45", ()),
        ("30 Foo 1998", ()),
        ("16 Sep 3, 1991", ()),
        ("", ()),
    ],
)
def test_that_a_date_has_every_reading_in_use(text, readings):
    assert readings_of_date(text) == readings


@given(st.dates(date(1950, 1, 1), date(2049, 12, 31)))
def test_that_dates_sort_by_time_however_they_are_written(day):
    """A month that is not the day's number tells the order of numbers."""
    following = day + timedelta(days=1)
    for form in ("{0.year}年{0.month}月{0.day}日", "{0:%d} {0:%b} {0:%y}", "{0:%y%m%d}"):
        ((first,), (second,)) = (readings_of_date(form.format(one)) for one in (day, following))
        assert (first, second) == (day.isoformat(), following.isoformat())


@given(st.text("0123456789-/.年月日 平成H元十Sep,", max_size=14))
def test_that_readings_are_days_and_no_text_is_refused_by_an_error(text):
    for reading in readings_of_date(text):
        assert reading[:4].isdigit()
