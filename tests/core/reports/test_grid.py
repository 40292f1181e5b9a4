"""One table, and each of its renderers: the same cells everywhere."""

import csv
import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.in_part import in_turn

from awase.cli.output import report
from awase.cli.output.report import print_shown
from awase.core.reports.grid import Cell, Column, Grid, columns_of, grid_of, grid_of_texts
from awase.core.reports.table_export import as_html, as_latex, as_tsv, as_wide_csv

GRID = Grid(
    columns=columns_of(("system", "coverage", "topics")),
    rows=(
        (Cell(text="lead"), Cell(text="0.5000", value=0.5, is_best=True), Cell(text="3", value=3)),
        (
            Cell(text="mmr"),
            Cell(text="0.2500", value=0.25, interval=(0.1, 0.4), is_provisional=True, direction=-1),
            Cell(text="3", value=3),
        ),
    ),
    notes=("coverage:first=h",),
)


def test_that_the_terminal_prints_the_texts_with_their_marks(capsys):
    print_shown([GRID])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["system", "coverage", "topics"]
    assert lines[2:] == [
        ["lead", "0.5000", "3"],
        ["mmr", "0.2500*", "[0.1000,", "0.4000]", "▼", "3"],
    ]


def test_that_a_line_stands_between_groups_and_not_behind_the_last(capsys):
    columns = [Column(title="n", is_number=True)]
    print_shown([grid_of_texts(columns, [[["1"], ["2"]], [], [["3"]]])])
    shown = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert shown[2:] == ["1", "2", "", "3"]


_CELLS = st.text(st.sampled_from("ab 詩é\n"), max_size=9)
_GROUPS = st.lists(st.lists(st.tuples(_CELLS, _CELLS, st.integers().map(str)), max_size=6))


@pytest.mark.slow
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_GROUPS, st.integers(1, 4))
def test_that_a_long_table_is_printed_in_parts_as_it_is_at_once(capsys, groups, at_once):
    columns = [Column(title="name"), Column(title="texts"), Column(title="n", is_number=True)]
    print_shown([grid_of_texts(columns, groups)])
    whole = capsys.readouterr().out
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report, "ROWS_AT_ONCE", at_once)
        print_shown([grid_of_texts(columns, groups)])
    assert capsys.readouterr().out == whole


def test_that_files_hold_whole_numbers_and_names():
    rows = [*csv.reader(io.StringIO(as_wide_csv(GRID)))]
    assert rows[0] == ["system", "coverage", "coverage low", "coverage high", "topics"]
    assert rows[2] == ["mmr", "0.25", "0.1", "0.4", "3"]
    assert as_tsv(GRID).splitlines()[-1] == "# coverage:first=h"
    assert "<b>0.5000</b>" in as_html(GRID)
    assert r"\begin{tabular}{lrr}" in as_latex(GRID)


def test_that_a_value_to_sort_by_is_no_number_of_a_file():
    assert Cell(text="b", value="b").number is None
    assert Cell(text="1", value=1.0).number == 1.0


@in_turn("n_names", [0, 1, 2])
def test_that_names_stand_before_numbers(n_names):
    grid = grid_of(columns_of(("a", "b"), n_names), [])
    assert grid.n_names == n_names
    assert grid.headings == ("a", "b")
