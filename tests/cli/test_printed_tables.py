"""Tables where there is no terminal: of simple texts without rich, and as rich would write them."""

import io
import sys
import tracemalloc
from collections import deque
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.cli.conftest import Terminal
from tests.in_part import in_part, in_turn
from tests.laws import tries

from awase.cli.output import messages
from awase.cli.output.messages import ProgressBar
from awase.cli.output.report import json_pieces, print_shown
from awase.cli.output.score_output import score_members
from awase.core.errors import Problem
from awase.core.metrics.significance import ScoreArrays
from awase.core.records.score import Score, ScoreTable
from awase.core.reports.grid import Column, grid_of_texts

_LETTERS = st.characters(max_codepoint=0xFF, blacklist_categories=["Cc", "Cf", "Zs"])
_TEXTS = st.text(_LETTERS | st.sampled_from(" –…"), max_size=12)
_SIMPLE, _OTHER = "~", "ł"
"""A letter that is as wide as any, and one that leaves the table to rich."""


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Column], list[list[Sequence[str]]]]:
    """Returns columns, and rows in groups."""
    kinds = draw(st.lists(st.booleans(), min_size=1, max_size=4))
    columns = [Column(title=draw(_TEXTS), is_number=is_number) for is_number in kinds]
    row = st.tuples(*[_TEXTS] * len(kinds))
    return columns, draw(st.lists(st.lists(row, max_size=3), max_size=3))


@pytest.mark.slow
@settings(
    max_examples=tries(100),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(table=tables())
@example(table=([Column(title="n", is_number=True)], [[("1 ",), ("22",)], [("3",)]]))
def test_that_a_table_of_simple_texts_is_what_rich_makes_of_it(table, capsys):
    (first, *others), groups = table

    def printed(letter: str) -> str:
        marked = Column(title=letter + first.title, is_number=first.is_number)
        print_shown([grid_of_texts([marked, *others], groups)])
        return capsys.readouterr().out

    assert printed(_SIMPLE) == printed(_OTHER).replace(_OTHER, _SIMPLE)


def test_that_all_that_is_said_goes_through_what_makes_it_harmless():
    """`say` and tables make escape sequences of a corpus visible; `click.echo` would pass them."""
    folder = Path(messages.__file__).parents[1]
    allowed = {
        "messages.py",
        "report.py",
        "rouge155.py",
    }  # the last prints what the Perl program does
    found = [path.name for path in folder.rglob("*.py") if "click.echo(" in path.read_text("utf-8")]
    assert {*found} <= allowed


@in_turn(
    ("stream", "is_quick", "is_shown"),
    [(Terminal, False, True), (Terminal, True, False), (io.StringIO, False, False)],
)
def test_that_work_is_shown_on_a_terminal_once_it_takes_a_while(stream, is_quick, is_shown):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stderr", stream())
        patch.setattr(messages, "QUIET_S", messages.QUIET_S if is_quick else 0.0)
        with ProgressBar("Exporting") as bar:
            bar.advance(1, 2, "c.json") if is_quick else bar.join()
        assert bool(sys.stderr.getvalue()) == ("Exporting" in sys.stderr.getvalue()) == is_shown


@pytest.mark.slow
@pytest.mark.parametrize("reason", in_part([None, Problem(what="There is no reference.")]))
def test_that_json_of_many_scores_takes_no_memory_beside_them(reason):
    table = ScoreTable(scores=tuple(
        Score(topic=f"t{n // 25}", length=None, system=f"s{n % 25}", metric="coverage",
              value=None if reason else Fraction(n, 7), signature="coverage:x=1", reason=reason)
        for n in range(8_000)
    ))  # fmt: skip
    made = ScoreArrays(table=table)
    tracemalloc.start()
    deque(json_pieces(score_members(table.scores, made, lambda: ())), maxlen=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000  # short texts are remembered; records of all would take 9 MB
