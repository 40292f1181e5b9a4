"""Stored scores: rows <-> records.

Not part of the corpus's state: storing and removing them is not logged, and does not outdate them.
"""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, fields
from fractions import Fraction
from itertools import starmap
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, RowMapping, bindparam, delete, func, select, update

from awase.core.errors import InputError, Problem, Reporter, batches
from awase.core.records.corpus import Assignment, Corpus
from awase.core.records.digests import EntryKey, changed_entries
from awase.core.records.edits import Changes, Run, TopicParts, difference, frame_of, head_of
from awase.core.records.json_values import dumps
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
from awase.core.records.topic import Topic, changed_pairs, ids_of, select_topics
from awase.storage.inserting import (
    TOPICS_AT_ONCE,
    Placed,
    insert_abstracts,
    insert_documents,
    insert_outputs,
    insert_records,
    insert_topics,
    topic_digests,
    write_frame_digest,
    write_head,
)
from awase.storage.querying import change, insert_with_keys, now, only_row_of, rows_of, stamp
from awase.storage.rows.reading import ASSIGNMENTS, HUMAN_SCORES, PERSONS
from awase.storage.rows.schema import AssignmentRow, ScoreRunRow, TopicRow

_MOVED: Final = (
    update(TopicRow)
    .where(TopicRow.key == bindparam("topic_id"))
    .values(position=bindparam("place"))
)

_Part = TypeVar("_Part")
_Insert = Callable[[Connection, Sequence[Placed[_Part]]], None]


def write_difference(
    connection: Connection,
    old: Corpus,
    new: Corpus,
    reporter: Reporter,
    *,
    is_stamped: bool = True,
) -> Changes:
    """Writes the differences from `old` to `new`; equal topics are not touched.

    Common topics must be in the same order. Changed entries get a new version if `is_stamped`; else
    the caller sets versions.
    """
    was = {topic_id: place for place, topic_id in enumerate(ids_of(old.topics))}
    place = {topic_id: place for place, topic_id in enumerate(ids_of(new.topics))}
    gone = [one for one in was if one not in place]
    total = len(gone) + len(place)
    for done, topic_id in enumerate(gone):
        reporter.advance(done, total, topic_id)
        connection.execute(delete(TopicRow).where(TopicRow.key == topic_id))
    changed, entries = set(gone), list[tuple[EntryKey, str]]()

    def take(known: Topic | None, topic: Topic) -> None:
        reporter.advance(len(gone) + place[topic.id], total, topic.id)
        if known != topic:
            changed.add(topic.id)
            entries.extend(changed_entries(known, topic) if is_stamped else ())

    for known, topic in changed_pairs(old.topics, new.topics):
        take(known, topic)
        if known != topic:
            exchange_parts(connection, topic, *difference(known, topic))
    for topics in batches(select_topics(new.topics, place.keys() - was.keys()), TOPICS_AT_ONCE):
        for topic in topics:
            take(None, topic)
        insert_topics(connection, [(place[topic.id], topic) for topic in topics])
    stamp(connection, entries, at=now())
    moved = [{"topic_id": one, "place": to} for one, to in place.items() if was.get(one, to) != to]
    if moved:
        connection.execute(_MOVED, moved)
    is_corpus_changed = _write_frame(connection, old, new)
    return Changes(topics=frozenset(changed), corpus=is_corpus_changed)


def _write_frame(connection: Connection, old: Corpus, new: Corpus) -> bool:
    """Writes differences outside topics; returns whether there were any."""
    is_changed = head_of(old) != head_of(new)
    if is_changed:
        write_head(connection, new)
    if old.human_scores != new.human_scores:
        change(connection, "DELETE FROM human_score")
        insert_records(connection, HUMAN_SCORES, new.human_scores)
        is_changed = True
    if old.persons != new.persons:
        change(connection, "DELETE FROM person")
        insert_records(connection, PERSONS, new.persons)
        is_changed = True
    if old.assignments != new.assignments:
        write_assignments(connection, old.assignments, new.assignments)
        is_changed = True
    if is_changed:
        write_frame_digest(connection, frame_of(new))
    return is_changed


def write_assignments(
    connection: Connection, old: Sequence[Assignment], new: Sequence[Assignment]
) -> None:
    """Writes the differences of assignments only: on a server others' rows must not be touched."""
    wanted = {*new}
    staying = [one for one in old if one in wanted]
    row, first = AssignmentRow, 0
    if staying == [*new[: len(staying)]]:
        for one in {*old} - {*staying}:
            abstract = row.abstract
            is_same = abstract.is_(None) if one.abstract is None else abstract == one.abstract
            connection.execute(
                delete(row).where(
                    row.topic == one.topic, is_same, row.person == one.person,
                    row.round == one.round,
                )
            )  # fmt: skip
        new = new[len(staying) :]
        newest = connection.execute(select(func.max(row.position))).scalar_one()
        first = 0 if newest is None else newest + 1
    else:
        connection.execute(delete(row))
    insert_records(connection, ASSIGNMENTS, new, first)


def exchange_parts(connection: Connection, topic: Topic, old: TopicParts, new: TopicParts) -> None:
    """Replaces parts `old` of a stored topic."""
    (row_id,) = only_row_of(connection, "SELECT id FROM topic WHERE key = :key", key=topic.id)
    change(
        connection,
        "UPDATE topic SET title = :title, language = :language, text_digest = :text_digest, "
        "digest = :digest WHERE id = :id",
        id=row_id, title=topic.title, language=topic.language, **topic_digests(topic),
    )  # fmt: skip
    _exchange(connection, row_id, "document", old.documents, new.documents, insert_documents)
    _exchange(connection, row_id, "abstract", old.abstracts, new.abstracts, insert_abstracts)
    _exchange(connection, row_id, "output", old.outputs, new.outputs, insert_outputs)


def _exchange(
    connection: Connection,
    topic_row_id: int,
    table: str,
    old: Run[_Part],
    new: Run[_Part],
    insert_parts: _Insert[_Part],
) -> None:
    if not old.parts and not new.parts:
        return
    query = f"SELECT id, position FROM {table} WHERE topic_id = :topic ORDER BY position"
    kept = [*rows_of(connection, query, topic=topic_row_id)]
    for gone, _ in kept[old.at : old.at + len(old.parts)]:
        change(connection, f"DELETE FROM {table} WHERE id = :id", id=gone)
    del kept[old.at : old.at + len(old.parts)]
    for idx, (kept_id, position) in enumerate(kept):
        place = idx if idx < new.at else idx + len(new.parts)
        if place != position:
            moved = f"UPDATE {table} SET position = :place WHERE id = :id"
            change(connection, moved, place=place, id=kept_id)
    insert_parts(
        connection, [(topic_row_id, new.at + idx, part) for idx, part in enumerate(new.parts)]
    )


LONG_TEXT: Final = 1 << 22  # letters of a table of which few scores are held at a time
_AT_ONCE: Final = 4096
_decode: Final = json.JSONDecoder().raw_decode
_Json = dict[str, Any]  # Any: JSON that this module has written
_PROBLEM: Final = tuple(field.name for field in fields(Problem))


def table_text(table: ScoreTable) -> str:
    """Returns a score table as JSON, in chunks, with little memory."""
    signatures: dict[str, int] = {}  # each once, to its place in their list
    reasons: dict[str, int] = {}
    spreads: dict[str, list[Any]] = {}

    def row(index: int, score: Score) -> list[object]:
        if score.spread is not None:
            spreads[str(index)] = [*map(_number_value, score.spread)]
        reason = None if score.reason is None else dumps(_problem_value(score.reason))
        return [
            score.topic,
            score.length,
            score.system,
            score.metric,
            _number_value(score.value),
            signatures.setdefault(score.signature, len(signatures)),
            score.provisional,
            None if reason is None else reasons.setdefault(reason, len(reasons)),
            score.n_topics,
        ]

    scores = [*_portions(starmap(row, enumerate(table.scores)))]
    sizes = ([one.topic, one.length, one.annotator, str(one.h)] for one in table.cover_sizes)
    texts = [json.loads(text) for text in reasons]
    head = dumps({"signatures": [*signatures], "reasons": texts})
    tail = dumps({"spreads": spreads, "warnings": [*map(_problem_value, table.warnings)]})
    return "".join(
        (head[:-1], ',"scores":[', *scores, "],", tail[1:-1],
         ',"cover_sizes":[', *_portions(sizes), "]}")
    )  # fmt: skip


def _portions(values: Iterable[object]) -> Iterator[str]:
    """Yields a list's JSON in chunks, without its brackets."""
    for at, some in enumerate(batches(values, _AT_ONCE)):
        yield f"{',' if at else ''}{dumps(some)[1:-1]}"


class _Rows:
    """Lists within compact JSON, parsed lazily on iteration."""

    def __init__(self, text: str, at: int) -> None:
        """Takes the text, and the offset of the outer list."""
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
    """Parses a table's JSON, with scores as `_Rows`."""
    value: _Json = {}
    at = 0
    while text[at] != "}":
        name, at = _decode(text, at + 1)
        if name == "scores":
            value[name] = rows = _Rows(text, at + 1)
            deque(rows, maxlen=0)  # exhausts them
            at = rows.end
        else:
            value[name], at = _decode(text, at + 1)
    return value


def table_of(text: str) -> ScoreTable:
    """Returns the table that `table_text` wrote; very many scores are read one by one, packed."""
    is_long = len(text) > LONG_TEXT
    value = _with_rows_unread(text) if is_long else json.loads(text)
    signatures, reasons = value["signatures"], [Problem(**one) for one in value["reasons"]]
    spreads = value.get("spreads", {})  # of several annotators; not stored before 0.2
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
        warnings=tuple(Problem(**one) for one in value["warnings"]),
        cover_sizes=tuple(
            CoverSize(topic=topic, length=length, annotator=annotator, h=Fraction(h))
            for topic, length, annotator, h in value["cover_sizes"]
        ),
    )


def selection_text(selection: Selection) -> str:
    """Returns a selection as JSON."""
    return dumps({**asdict(selection), "origin": selection.origin.value})


def selection_of(text: str) -> Selection:
    """Returns the selection that `selection_text` wrote."""
    value = json.loads(text)
    return Selection(
        metrics=tuple(value["metrics"]),
        topics=None if value["topics"] is None else tuple(value["topics"]),
        systems=None if value["systems"] is None else tuple(value["systems"]),
        origin=Origin(value["origin"]),
        program=value["program"],
    )


def _spread(value: list[str] | None) -> tuple[Fraction, Fraction] | None:
    return None if value is None else (Fraction(value[0]), Fraction(value[1]))


def _number_value(value: Fraction | float | None) -> str | float | None:
    return f"{value.numerator}/{value.denominator}" if isinstance(value, Fraction) else value


def _number(value: str | float | None) -> Fraction | float | None:
    if isinstance(value, str):
        return Fraction(value)
    return None if value is None else float(value)


def _problem_value(problem: Problem) -> _Json:
    return {name: getattr(problem, name) for name in _PROBLEM}


_ABOUT = tuple(getattr(ScoreRunRow, field.name) for field in fields(KeptScores))


def keep_run(
    connection: Connection,
    table: ScoreTable,
    *,
    title: str,
    who: str,
    corpus_state: str,
    selection: Selection,
) -> KeptScores:
    """Inserts a run and returns its metadata."""
    title = " ".join(title.split())
    if not title:
        raise InputError.of("Kept scores need a title.", "Give them one.")
    about = {"at": now(), "who": who, "title": title, "corpus_state": corpus_state}
    contents = {"selection": selection_text(selection), "scores": table_text(table)}
    (key,) = insert_with_keys(connection, "score_run", [{**about, **contents}])
    return KeptScores(id=key, selection=selection, **about)


def stored_runs(connection: Connection) -> tuple[KeptScores, ...]:
    """Returns the stored runs without scores, newest first."""
    rows = connection.execute(select(*_ABOUT).order_by(ScoreRunRow.id.desc())).mappings()
    return tuple(_kept(row) for row in rows)


def stored_run(connection: Connection, run_id: int) -> ScoreRun | None:
    """Returns a stored run; None if missing."""
    wanted = select(*_ABOUT, ScoreRunRow.scores).where(ScoreRunRow.id == run_id)
    row = connection.execute(wanted).mappings().one_or_none()
    return None if row is None else ScoreRun(kept=_kept(row), table=table_of(row["scores"]))


def remove_run(connection: Connection, run_id: int) -> None:
    """Deletes a stored run."""
    if not connection.execute(delete(ScoreRunRow).where(ScoreRunRow.id == run_id)).rowcount:
        raise no_such_run(run_id)


def no_such_run(run_id: int) -> InputError:
    """Returns the error that there is no such run."""
    return InputError.of(
        "The corpus has no kept scores with the number {id}.",
        "The list of kept scores shows the numbers.",
        id=run_id,
    )


def _kept(row: RowMapping) -> KeptScores:
    about = {field.name: row[field.name] for field in fields(KeptScores)}
    return KeptScores(**{**about, "selection": selection_of(row["selection"])})
