"""How far everybody is, as a table."""

from collections.abc import Iterable, Sequence
from typing import Final

from awase.core.project.progress import PersonProgress
from awase.core.reports.grid import UNDEFINED, Cell, Grid, columns_of, csv_text, grid_of
from awase.core.reports.numbers import decimal_text

MS: Final = 1000
COLUMNS: Final = (
    "person", "role", "abstracts done", "of", "sentences settled", "of", "flagged",
    "median s", "p90 s", "an hour", "alpha", "due",
)  # fmt: skip
OF_HELP: Final = ("taken", "decoys taken", "of")
"""Further columns, where suggestions were taken or decoys shown."""
CSV_COLUMNS: Final = (
    "person", "name", "role", "abstracts_done", "abstracts", "sentences_settled", "sentences",
    "flagged", "sentences_timed", "median_s", "p90_s", "sentences_an_hour", "alpha", "due",
    "suggestions_taken", "decoys", "decoys_taken",
)  # fmt: skip


def has_help(people: Iterable[PersonProgress]) -> bool:
    """Returns whether somebody took a suggestion or saw a decoy."""
    return any(one.n_taken or one.n_decoys for one in people)


def report_of_progress(people: Sequence[PersonProgress]) -> Grid:
    """Returns a row a person."""
    is_helped = has_help(people)
    columns = (*COLUMNS, *(OF_HELP if is_helped else ()))
    return grid_of(columns_of(columns, 2), (_row(one, is_helped) for one in people))


def _row(one: PersonProgress, is_helped: bool) -> tuple[Cell, ...]:
    counts = (one.n_taken, one.n_decoys_taken, one.n_decoys) if is_helped else ()
    return (
        Cell(text=one.id, is_number=False),
        Cell(text=one.role or "", is_number=False),
        *map(_count, (one.n_jobs_done, one.n_jobs, one.n_settled, one.n_sentences)),
        _count(one.n_flagged),
        _number(one.median_ms, 1 / MS),
        _number(one.p90_ms, 1 / MS),
        _number(one.an_hour, 1),
        Cell(text=decimal_text(one.alpha), value=one.alpha),
        Cell(text=one.due or "", is_number=False),
        *map(_count, counts),
    )


def progress_csv(people: Iterable[PersonProgress]) -> str:
    """Returns a row a person, every number in full; what is undefined is empty."""
    return csv_text(CSV_COLUMNS, (progress_values(one).values() for one in people))


def progress_values(one: PersonProgress) -> dict[str, object]:
    """Returns what `CSV_COLUMNS` name; what is undefined is None."""
    values = (
        one.id, one.name, one.role, one.n_jobs_done, one.n_jobs, one.n_settled, one.n_sentences,
        one.n_flagged, one.n_timed, _rounded(one.median_ms, MS), _rounded(one.p90_ms, MS),
        _rounded(one.an_hour, 1), one.alpha, one.due,
        one.n_taken, one.n_decoys, one.n_decoys_taken,
    )  # fmt: skip
    return dict(zip(CSV_COLUMNS, values, strict=True))


def _rounded(value: float | None, by: int) -> float | None:
    return None if value is None else round(value / by, 3)


def _count(n: int) -> Cell:
    return Cell(text=str(n), value=n)


def _number(value: float | None, factor: float) -> Cell:
    if value is None:
        return Cell(text=UNDEFINED)
    return Cell(text=f"{value * factor:.0f}", value=value * factor)
