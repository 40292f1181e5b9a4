"""The JSON of scores that come as rows is that of each score, letter by letter."""

import json

import numpy as np

from awase.cli.output.render import json_pieces
from awase.cli.output.score_output import score_members
from awase.core.errors import Problem
from awase.core.metrics.kit.cases import Case
from awase.core.metrics.kit.runner import CaseScores, ScoreColumn, values_of
from awase.core.metrics.significance import ScoreArrays
from awase.core.records.score import PackedScores, Score, ScoreTable

NAMES = ['a "b"', "50 %s of %d", "\u732b\\n", "", '"value": 0.0', "\x7f\u2028"]
VALUES = [0.0, 1.0, 1e-5, 1e-7, 0.1 + 0.2, 1 / 3, 0.41667, 1e16, 123456789.0]


def cases() -> list[Case]:
    return [
        Case(f"t{place} {topic}", length, system, (), (), "given")
        for topic in NAMES
        for place, length in enumerate((None, "", *NAMES))
        for system in NAMES
    ]


def block(reason: Problem) -> CaseScores:
    values = iter(VALUES * len(cases()))
    columns = [
        ScoreColumn(("m.r", "m.p"), "m:100%,refs=a", reason, False),
        ScoreColumn((NAMES[0],), NAMES[4], reason, False),
    ]
    found = [
        values_of(
            [
                None if place % 7 == part else [next(values) for _ in column.names]
                for place in range(len(cases()))
            ],
            len(column.names),
        )
        for part, column in enumerate(columns)
    ]
    return CaseScores(cases(), [*zip(columns, found, strict=True)])


def test_that_rows_are_written_as_each_of_their_scores_is():
    mean = Score(topic=None, length=None, system="s", metric="m.r", value=0.25, signature="m")
    scores = PackedScores([block(Problem(what="there is {n}.", fields={"n": 0}))] * 2, [mean])
    made = ScoreArrays(table=ScoreTable(scores=scores))
    text = "".join(json_pieces(score_members(scores, made, tuple)))
    assert text == "".join(json_pieces(score_members([*scores], made, tuple)))
    read = json.loads(text)
    assert [one["value"] for one in read["scores"]] == [score.value for score in scores]
    assert [one["topic"] for one in read["scores"]] == [score.topic for score in scores]
    assert len(read["warnings"]) == np.sum([score.value is None for score in scores])
