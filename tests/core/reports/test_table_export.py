"""Reports of scores as text: whole numbers, no lost cell, nothing that breaks the form."""

import csv
import io
import re
from fractions import Fraction
from html.parser import HTMLParser

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.in_part import in_turn
from tests.laws import law, tries

from awase.cli.output.report import shown_pieces
from awase.core.errors import Problem
from awase.core.metrics.significance import (
    BaselineComparison,
    CellKey,
    MeanInterval,
    MetricColumn,
    ScoreArrays,
)
from awase.core.records.score import Score, ScoreTable
from awase.core.reports.grid import (
    Cell,
    Column,
    Grid,
    change_text,
    columns_of,
    decimal_text,
    grid_of_texts,
    typeset,
)
from awase.core.reports.html_report import table
from awase.core.reports.score_report import View, ViewKind, arranged, report_of_means
from awase.core.reports.table_export import (
    as_html,
    as_latex,
    as_tidy_csv,
    as_tsv,
    as_wide_csv,
    numbers_apart,
)
from awase.core.text.script import to_cell


def score(system: str, topic: str | None, value: Fraction | float | None, **more) -> Score:
    return Score(topic=topic, length="short", system=system, metric="coverage", value=value,
                 signature="coverage:first=h,version=1", **more)  # fmt: skip


TABLE = ScoreTable(
    scores=(
        score("a_1", "t", Fraction(1, 3)),
        score("b&c", "t", None, reason=Problem(what="x"), n_topics=0),
        score("a_1", None, Fraction(1, 3), provisional=True, n_topics=2),
        score("b&c", None, 0.5, n_topics=1),
        score("d", None, None, reason=Problem(what="x"), n_topics=0),
    )
)
COLUMN = MetricColumn(metric="coverage", options=(("first", "h"),))


def key(system: str) -> CellKey:
    return CellKey(system=system, length="short", column=COLUMN)


MADE = ScoreArrays(
    table=TABLE,
    intervals={key("a_1"): MeanInterval(low=0.25, high=0.5, n_topics=2)},
    comparisons={
        key("b&c"): BaselineComparison(n_topics=9, difference=-0.1, p=0.001, adjusted_p=0.002)
    },
    baseline="a_1",
    resampling=("interval:x",),
)
REPORT = report_of_means(MADE)


def test_that_tsv_is_what_people_see():
    assert as_tsv(REPORT).splitlines() == [
        "length\tsystem\tcoverage\ttopics",
        "short\ta_1\t0.3333* [0.2500, 0.5000]\t2",
        "short\tb&c\t0.5000 (1) ▼\t1",
        "short\td\t—\t0",
        "# — undefined, or no output",
        "# * provisional: the annotation it is based on is not finished",
        "# (n) mean over n topics only",
        "# ▼ worse than a_1, p ≤ 0.05 after Holm",
        "# coverage:first=h,version=1",
        "# interval:x",
    ]


def test_that_wide_csv_has_whole_numbers_and_bounds_of_their_own():
    rows = [*csv.reader(io.StringIO(as_wide_csv(REPORT)))]
    assert rows[0] == ["length", "system", "coverage", "coverage low", "coverage high", "topics"]
    assert rows[1][2:5] == [repr(1 / 3), "0.25", "0.5"]
    assert rows[3][2:5] == ["", "", ""]


def test_that_latex_escapes_and_marks():
    text = as_latex(REPORT)
    assert r"short & a\_1 & 0.3333\rlap{*} [0.2500, 0.5000] & 2 \\" in text
    assert r"short & b\&c & 0.5000 (1) $\blacktriangledown$ & 1 \\" in text
    assert r"short & d & --- & 0 \\" in text


class _Cells(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data):
        if self.rows and self.rows[-1] and data.strip("\n") and self.get_starttag_text():
            self.rows[-1][-1] += data if self.lasttag in ("td", "th", "b") else ""


texts = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp")), max_size=8)


@example([("007", 0.5)])  # a name, whatever it looks like
@law(100, st.lists(st.tuples(texts, st.floats(0, 1)), min_size=1, max_size=4))
def test_that_no_name_breaks_a_form(rows):
    report = Grid(
        columns=columns_of(("system", "m")),
        rows=tuple(
            (Cell(text=name), Cell(text=f"{value:.4f}", value=value)) for name, value in rows
        ),
    )
    assert [line.split("\t") for line in as_tsv(report).splitlines()[1:]] == [
        [to_cell(name), f"{value:.4f}"] for name, value in rows
    ]
    wide = [*csv.reader(io.StringIO(as_wide_csv(report)))][1:]
    assert [(name, float(value)) for name, value in wide] == rows
    latex = as_latex(report).splitlines()[5:-2]
    assert len(latex) == len(rows)
    assert all(len(re.findall(r"(?<!\\)&", line)) == 1 for line in latex)
    assert not any(re.search(r"(?<!\\)[%#_$^~]", line.replace("$", "")) for line in latex)
    parser = _Cells()
    parser.feed(as_html(report))
    assert len(parser.rows) == len(rows) + 1
    assert all(len(row) == 2 for row in parser.rows)
    assert [row[1] for row in parser.rows[1:]] == [f"{value:.4f}" for _, value in rows]


def test_that_the_best_of_several_is_bold_and_a_mean_over_fewer_topics_is_not_it():
    table = ScoreTable(
        scores=(
            score("a", None, 0.5, n_topics=3),
            score("b", None, 0.75, n_topics=3),
            score("c", None, 0.9, n_topics=2),
            score("d", None, 0.75, n_topics=2),
        )
    )
    text = as_latex(report_of_means(ScoreArrays(table=table)))
    assert [line for line in text.splitlines() if "textbf" in line] == [
        r"short & b & \textbf{0.7500} & 3 \\"
    ]
    alone = ScoreArrays(table=ScoreTable(scores=table.scores[:1]))
    assert "textbf" not in as_latex(report_of_means(alone))
    assert not arranged(alone, View()).cells[0][0].is_best
    topics = ScoreArrays(table=ScoreTable(scores=(score("a", "t", 0.5), score("a", "u", 0.75))))
    by_topic = arranged(topics, View(kind=ViewKind.SYSTEM, subject="a")).cells
    assert [cell.is_best for (cell,) in by_topic] == [False, False]


def test_that_tidy_csv_has_what_was_made_of_the_means_and_of_nothing_else():
    rows = [*csv.DictReader(io.StringIO(as_tidy_csv(MADE)))]
    told = {
        (row["topic"], row["system"]): (row["low"], row["p_holm"], row["n_common"]) for row in rows
    }
    assert told["", "a_1"] == ("0.25", "", "")
    assert told["", "b&c"] == ("", "0.002", "9")
    assert told["t", "a_1"] == told["t", "b&c"] == ("", "", "")


def test_that_numbers_on_the_clipboard_stand_without_their_marks():
    marked = Cell(text="0.5", value=0.5, is_provisional=True, interval=(0.25, 0.75), is_best=True)
    grid = Grid(
        columns=columns_of(["system", "coverage", "h"]),
        rows=(
            (Cell(text="lead"), marked, Cell(text="0.1", value=0.1)),
            (Cell(text="mmr"), Cell(text="0.25", value=0.25), Cell(text="—")),
        ),
    )
    apart = numbers_apart(grid)
    assert [row[1].is_best for row in apart.rows] == [True, False]
    assert as_tsv(apart).splitlines() == [
        "system\tcoverage\tcoverage *\th",
        "lead\t0.5\t* [0.2500, 0.7500]\t0.1",
        "mmr\t0.25\t\t—",
    ]


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


_CELLS = st.text(st.sampled_from("ab 詩é\n"), max_size=9)
_GROUPS = st.lists(st.lists(st.tuples(_CELLS, _CELLS, st.integers().map(str)), max_size=6))


@settings(max_examples=tries(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_GROUPS, st.booleans())
@example([[("a", "b\n詩é b", "1")] * 3, [("ab", "", "-22")] * 2], True)
def test_that_a_table_off_a_terminal_is_drawn_as_on_a_wide_one(monkeypatch, groups, has_lines):
    monkeypatch.setenv("COLUMNS", "1000")
    columns = [Column(title="name"), Column(title="texts"), Column(title="n", is_number=True)]
    grids = [grid_of_texts(columns, groups)]
    on = "".join(shown_pieces(grids, is_terminal=True, has_lines=has_lines))
    plain = "".join(f"{line.rstrip()}\n" for line in re.sub(r"\x1b\[\d+m", "", on).splitlines())
    assert "".join(shown_pieces(grids, has_lines=has_lines)) == plain


def test_that_the_best_is_bold_in_html_and_numbers_are_set_right_in_latex():
    assert "<b>0.5000</b>" in as_html(GRID)
    assert r"\begin{tabular}{lrr}" in as_latex(GRID)


def test_that_a_value_to_sort_by_is_no_number_of_a_file():
    assert Cell(text="b", value="b").number is None
    assert Cell(text="1", value=1.0).number == 1.0


@in_turn(
    ("value", "text"),
    [
        (None, "—"), (Fraction(0), "0.000"), (Fraction(1), "1.000"), (Fraction(2, 3), "0.667"),
        (0.5, "0.500"), (-0.25, "-0.250"), (-1e-9, "0.000"), (12, "12.000"),
    ],
)  # fmt: skip
def test_that_a_number_has_its_zero_and_all_its_decimals(value, text):
    assert decimal_text(value) == text


def test_that_a_difference_has_its_sign_and_none_where_nothing_is_seen():
    assert [change_text(Fraction(n, 2), 2) for n in (1, 0, -1)] == ["+0.50", "0.00", "-0.50"]
    assert change_text(Fraction(1, 5000)) == change_text(-Fraction(1, 5000)) == "0.000"


def test_that_a_minus_is_set_for_numbers_and_for_nothing_else():
    assert typeset("-0.500 [-1.000, 0.250]") == "−0.500 [−1.000, 0.250]"
    assert typeset("rouge-1 A-2 1-2 --3") == "rouge-1 A-2 1-2 -−3"
    cells = (Cell(text="-0.5", value=-0.5), Cell(text="-5 is a name", is_number=False))
    assert ">−0.5<" in (page := table(("a", "b"), [cells], name="t"))
    assert ">-5 is a name<" in page
