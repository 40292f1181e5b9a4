"""Kept scores: rows <-> records.

They are about the corpus and no part of it: keeping and removing them changes nothing that is
annotated, so the operation log does not speak of them, and they do not go out of date by it.
"""

from sqlalchemy import Connection, RowMapping, delete, insert, select

from awase.core.errors import InputError
from awase.core.records.score import ScoreTable
from awase.core.records.score_run import KeptScores, ScoreRun, Selection
from awase.storage.rows.clock import now
from awase.storage.rows.schema import ScoreRunRow
from awase.storage.rows.score_values import selection_of, selection_text, table_of, table_text

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
    """Adds a row and returns what is known of it.

    Raises:
        InputError: There is no title.
    """
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
    """Removes kept scores.

    Raises:
        InputError: There are none of this number.
    """
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
