"""A long table of scores makes its rows as they are asked for; they say the same."""

from tests.building import abstract, extract, topic
from tests.in_part import in_turn

from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.metrics.significance import ScoreArrays
from awase.core.progress import Silent
from awase.core.records.corpus import Corpus
from awase.core.reports.grid import RowsOnDemand, column_values
from awase.core.reports.score_report import (
    ScoreWording,
    View,
    ViewKind,
    arranged,
    grid_of_scores,
    report_cell,
)

CORPUS = Corpus(
    topics=(
        topic("a", docs=["It rained.", "It snowed."],
              abstracts=[abstract("s", {"A1": ["s1", "s2"]}, texts=["Rain.", "Snow."])],
              outputs=[extract("x", 1), extract("y", 2, 1)]),
        topic("b", docs=["It rained.", "It snowed."],
              abstracts=[abstract("s", {"A1": ["s1", "-"]}, texts=["Rain.", "Snow."])],
              outputs=[extract("x", 2)]),
    )
)  # fmt: skip


@in_turn(
    "view", [View(), View(kind=ViewKind.SYSTEM, subject="x"), View(kind=ViewKind.LIST_BY_TOPIC)]
)
def test_that_rows_as_asked_are_those_made_at_once_and_sorted_alike(view):
    table = score_corpus(CORPUS, requests_of(["tsc3"]), Silent())
    shown, wording = arranged(ScoreArrays(table=table), view), ScoreWording(cell=report_cell)
    at_once = grid_of_scores(shown, wording)
    asked = grid_of_scores(shown, wording, as_asked=True)
    assert isinstance(asked.rows, RowsOnDemand)
    assert len(at_once.rows) > 1
    assert [*asked.rows] == [*at_once.rows]
    for column in range(len(asked.columns)):
        assert [*column_values(asked, column)] == [*column_values(at_once, column)]
