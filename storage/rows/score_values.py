"""Score tables as JSON text, with every value exact.

A fraction is text such as `5/9`, a float the shortest number that reads back the same. Signatures
and reasons repeat thousands of times, so each stands once and is named by its place.
"""

import json
from collections.abc import Hashable
from fractions import Fraction
from typing import Any, Generic, TypeVar

from awase.core.errors import Problem
from awase.core.records.encoding.json_values import dumps
from awase.core.records.score import CoverSize, Score, ScoreTable
from awase.core.records.score_run import Origin, Selection

_Item = TypeVar("_Item", bound=Hashable)
_Json = dict[str, Any]  # Any: JSON that this module has written


class _Places(Generic[_Item]):
    """Items by the order in which they were first asked for."""

    def __init__(self) -> None:
        self.items: dict[_Item, int] = {}

    def place_of(self, item: _Item) -> int:
        return self.items.setdefault(item, len(self.items))


def table_text(table: ScoreTable) -> str:
    """Returns a score table as JSON."""
    signatures: _Places[str] = _Places()
    reasons: _Places[str] = _Places()
    scores = [
        [
            score.topic,
            score.length,
            score.system,
            score.metric,
            _number_value(score.value),
            signatures.place_of(score.signature),
            score.provisional,
            None if score.reason is None else reasons.place_of(dumps(_problem_value(score.reason))),
            score.n_topics,
        ]
        for score in table.scores
    ]
    return dumps(
        {
            "signatures": [*signatures.items],
            "reasons": [json.loads(text) for text in reasons.items],
            "scores": scores,
            "spreads": {
                str(index): [*map(_number_value, score.spread)]
                for index, score in enumerate(table.scores)
                if score.spread is not None
            },
            "warnings": [_problem_value(problem) for problem in table.warnings],
            "cover_sizes": [
                [size.topic, size.length, size.annotator, str(size.h)] for size in table.cover_sizes
            ],
        }
    )


def table_of(text: str) -> ScoreTable:
    """Returns the table that `table_text` wrote."""
    value = json.loads(text)
    signatures, reasons = value["signatures"], [_problem(one) for one in value["reasons"]]
    spreads = value.get("spreads", {})  # of several annotators; before 0.2 nobody asked for all
    return ScoreTable(
        scores=tuple(
            Score(
                topic=topic,
                length=length,
                system=system,
                metric=metric,
                value=_number(number),
                signature=signatures[signature],
                provisional=provisional,
                reason=None if reason is None else reasons[reason],
                n_topics=n_topics,
                spread=_spread(spreads.get(str(index))),
            )
            for index, (
                topic, length, system, metric, number, signature, provisional, reason, n_topics
            ) in enumerate(value["scores"])
        ),
        warnings=tuple(_problem(one) for one in value["warnings"]),
        cover_sizes=tuple(
            CoverSize(topic=topic, length=length, annotator=annotator, h=Fraction(h))
            for topic, length, annotator, h in value["cover_sizes"]
        ),
    )  # fmt: skip


def selection_text(selection: Selection) -> str:
    """Returns a selection as JSON."""
    return dumps(
        {
            "metrics": selection.metrics,
            "topics": selection.topics,
            "systems": selection.systems,
            "origin": selection.origin.value,
            "program": selection.program,
        }
    )


def selection_of(text: str) -> Selection:
    """Returns the selection that `selection_text` wrote."""
    value = json.loads(text)
    return Selection(
        metrics=tuple(value["metrics"]),
        topics=_names(value["topics"]),
        systems=_names(value["systems"]),
        origin=Origin(value["origin"]),
        program=value["program"],
    )


def _names(value: list[str] | None) -> tuple[str, ...] | None:
    return None if value is None else tuple(value)


def _spread(value: list[str] | None) -> tuple[Fraction, Fraction] | None:
    return None if value is None else (Fraction(value[0]), Fraction(value[1]))


def _number_value(value: Fraction | float | None) -> str | float | None:
    return f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else value


def _number(value: str | float | None) -> Fraction | float | None:
    if isinstance(value, str):
        return Fraction(value)
    return None if value is None else float(value)


def _problem_value(problem: Problem) -> _Json:
    return {
        "what": problem.what,
        "hint": problem.hint,
        "fields": dict(problem.fields),
        "source": problem.source,
        "line": problem.line,
        "path": problem.path,
    }


def _problem(value: _Json) -> Problem:
    return Problem(**value)
