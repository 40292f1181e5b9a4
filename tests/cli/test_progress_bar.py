"""Progress at the command line: for people only, and of work that tells nothing, too."""

import io
import tracemalloc
from collections import deque
from fractions import Fraction

import pytest
from tests.in_part import in_part

from awase.cli.output import messages
from awase.cli.output.messages import ProgressBar
from awase.cli.output.report import json_pieces
from awase.cli.output.score_output import score_members
from awase.core.errors import Problem
from awase.core.metrics.significance import ScoreArrays
from awase.core.records.score import Score, ScoreTable


class _Terminal(io.StringIO):
    """What people look at."""

    def isatty(self) -> bool:
        return True


def test_that_silent_work_is_shown_once_it_takes_a_while(monkeypatch):
    terminal = _Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(messages, "QUIET_S", 0.0)
    with ProgressBar("Exporting") as bar:
        bar.join()
    assert "Exporting" in terminal.getvalue()


def test_that_quick_work_shows_nothing(monkeypatch):
    terminal = _Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with ProgressBar("Exporting") as bar:
        bar.advance(1, 2, "c.json")
    assert terminal.getvalue() == ""


def test_that_a_pipe_gets_no_bar(monkeypatch):
    pipe = io.StringIO()
    monkeypatch.setattr("sys.stderr", pipe)
    monkeypatch.setattr(messages, "QUIET_S", 0.0)
    with ProgressBar("Exporting") as bar:
        bar.join()
    assert pipe.getvalue() == ""


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
