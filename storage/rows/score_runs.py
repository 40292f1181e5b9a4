"""Kept scores: rows <-> records.

They are about the corpus and no part of it: keeping and removing them changes nothing that is
annotated, so the operation log does not speak of them, and they do not go out of date by it.
"""

import json
from collections import deque
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from itertools import starmap
from typing import Any, Final, Generic, TypeVar

from sqlalchemy import Connection, RowMapping, delete, insert, select

from awase.core.batches import batches
from awase.core.errors import InputError, Problem
from awase.core.records.encoding.json_values import dumps
from awase.core.records.score import (
    CoverSize,
    KeptScores,
    Origin,
    PackedScores,
    Score,
    ScoreRun,
    ScoreTable,
    Selection,
)
from awase.storage.rows.clock import now
from awase.storage.rows.schema import ScoreRunRow

LONG_TEXT: Final = 1 << 22
"""Letters of a table of which few scores are held at a time."""
_AT_ONCE: Final = 4096
_decode: Final = json.JSONDecoder().raw_decode
_Item = TypeVar("_Item", bound=Hashable)
_Json = dict[str, Any]  # Any: JSON that this module has written


class _Places(Generic[_Item]):
    """Items by the order in which they were first asked for."""

    def __init__(self) -> None:
        self.items: dict[_Item, int] = {}

    def place_of(self, item: _Item) -> int:
        return self.items.setdefault(item, len(self.items))


def table_text(table: ScoreTable) -> str:
    """Returns a score table as JSON, made some scores at a time: the text alone is held."""
    signatures: _Places[str] = _Places()
    reasons: _Places[str] = _Places()
    spreads: dict[str, list[Any]] = {}

    def row(index: int, score: Score) -> list[object]:
        if score.spread is not None:
            spreads[str(index)] = [*map(_number_value, score.spread)]
        return [
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

    scores = [*_portions(starmap(row, enumerate(table.scores)))]
    sizes = ([one.topic, one.length, one.annotator, str(one.h)] for one in table.cover_sizes)
    texts = [json.loads(text) for text in reasons.items]
    head = dumps({"signatures": [*signatures.items], "reasons": texts})
    tail = dumps({"spreads": spreads, "warnings": [*map(_problem_value, table.warnings)]})
    return "".join(
        (head[:-1], ',"scores":[', *scores, "],", tail[1:-1],
         ',"cover_sizes":[', *_portions(sizes), "]}")
    )  # fmt: skip


def _portions(values: Iterable[object]) -> Iterator[str]:
    """Yields the JSON of a list some thousands of values at a time, without its brackets."""
    for at, some in enumerate(batches(values, _AT_ONCE)):
        yield f"{',' if at else ''}{dumps(some)[1:-1]}"


class _Rows:
    """The lists in a list of compact JSON, each read when somebody goes through them."""

    def __init__(self, text: str, at: int) -> None:
        """Takes the text, and where the outer list begins."""
        self._text, self._at = text, at
        self.end = at

    def __iter__(self) -> Iterator[list[Any]]:
        at = self._at + 1
        while self._text[at] != "]":
            row, at = _decode(self._text, at)
            at += self._text[at] == ","
            yield row
        self.end = at + 1


def _with_rows_unread(text: str) -> _Json:
    """Returns the members of the JSON of a table, its scores as `_Rows`."""
    value: _Json = {}
    at = 0
    while text[at] != "}":
        name, at = _decode(text, at + 1)
        if name == "scores":
            value[name] = rows = _Rows(text, at + 1)
            deque(rows, maxlen=0)  # to where they end
            at = rows.end
        else:
            value[name], at = _decode(text, at + 1)
    return value


def table_of(text: str) -> ScoreTable:
    """Returns the table that `table_text` wrote; very many scores are read one by one, packed."""
    is_long = len(text) > LONG_TEXT
    value = _with_rows_unread(text) if is_long else json.loads(text)
    signatures, reasons = value["signatures"], [_problem(one) for one in value["reasons"]]
    spreads = value.get("spreads", {})  # of several annotators; before 0.2 nobody asked for all
    scores = (
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
    )  # fmt: skip
    return ScoreTable(
        scores=PackedScores.of(scores) if is_long else tuple(scores),
        warnings=tuple(_problem(one) for one in value["warnings"]),
        cover_sizes=tuple(
            CoverSize(topic=topic, length=length, annotator=annotator, h=Fraction(h))
            for topic, length, annotator, h in value["cover_sizes"]
        ),
    )


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


_ABOUT = (
    ScoreRunRow.id,
    ScoreRunRow.at,
    ScoreRunRow.who,
    ScoreRunRow.title,
    ScoreRunRow.corpus_state,
    ScoreRunRow.selection,
)


def keep_run(
    connection: Connection,
    table: ScoreTable,
    *,
    title: str,
    who: str,
    corpus_state: str,
    selection: Selection,
) -> KeptScores:
    """Adds a row and returns what is known of it."""
    title = " ".join(title.split())
    if not title:
        raise InputError.of("Kept scores need a title.", "Give them one.")
    at = now()
    values = {
        "at": at,
        "who": who,
        "title": title,
        "corpus_state": corpus_state,
        "selection": selection_text(selection),
        "scores": table_text(table),
    }
    key = connection.execute(insert(ScoreRunRow).values(values)).inserted_primary_key
    if key is None:
        raise RuntimeError("the database returned no key for the scores")
    return KeptScores(
        id=int(key[0]), at=at, who=who, title=title, corpus_state=corpus_state, selection=selection
    )


def kept_runs(connection: Connection) -> tuple[KeptScores, ...]:
    """Returns what was kept, the newest first, without the scores."""
    rows = connection.execute(select(*_ABOUT).order_by(ScoreRunRow.id.desc())).mappings()
    return tuple(_kept(row) for row in rows)


def kept_run(connection: Connection, run_id: int) -> ScoreRun | None:
    """Returns kept scores; None when there are none of this number."""
    wanted = select(*_ABOUT, ScoreRunRow.scores).where(ScoreRunRow.id == run_id)
    row = connection.execute(wanted).mappings().one_or_none()
    return None if row is None else ScoreRun(kept=_kept(row), table=table_of(row["scores"]))


def remove_run(connection: Connection, run_id: int) -> None:
    """Removes kept scores."""
    if not connection.execute(delete(ScoreRunRow).where(ScoreRunRow.id == run_id)).rowcount:
        raise no_such_run(run_id)


def no_such_run(run_id: int) -> InputError:
    """Returns what is told of a number that no kept scores have."""
    return InputError.of(
        "The corpus has no kept scores with the number {id}.",
        "The list of kept scores tells the numbers.",
        id=run_id,
    )


def _kept(row: RowMapping) -> KeptScores:
    return KeptScores(
        id=row["id"],
        at=row["at"],
        who=row["who"],
        title=row["title"],
        corpus_state=row["corpus_state"],
        selection=selection_of(row["selection"]),
    )
