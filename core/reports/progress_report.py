"""Everybody's progress as a table."""

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Final

from awase.core.reports.grid import (
    UNDEFINED,
    Field,
    Grid,
    csv_text,
    decimal_text,
    grid_of_records,
    rows_of_records,
)
from awase.core.team.progress import PersonProgress

MS: Final = 1000


def _count(name: str, title: str | None, attribute: str) -> Field[PersonProgress]:
    return Field(name, title, attrgetter(attribute), is_number=True)


def _speed(name: str, title: str, attribute: str, by: int = 1) -> Field[PersonProgress]:
    def value(one: PersonProgress) -> float | None:
        number = getattr(one, attribute)
        return None if number is None else round(number / by, 3)

    def text(one: PersonProgress) -> str:
        number = getattr(one, attribute)
        return UNDEFINED if number is None else f"{number * (1 / by):.0f}"

    return Field(name, title, value, text, is_number=True)


FIELDS: Final[Sequence[Field[PersonProgress]]] = (
    Field("person", "person", attrgetter("id")),
    Field("name"),
    Field("role", "role"),
    _count("abstracts_done", "abstracts done", "n_jobs_done"),
    _count("abstracts", "of", "n_jobs"),
    _count("sentences_settled", "sentences settled", "n_settled"),
    _count("sentences", "of", "n_sentences"),
    _count("flagged", "flagged", "n_flagged"),
    Field("sentences_timed", value=attrgetter("n_timed")),
    _speed("median_s", "median s", "median_ms", MS),
    _speed("p90_s", "p90 s", "p90_ms", MS),
    _speed("sentences_an_hour", "an hour", "an_hour"),
    Field("alpha", "alpha", text=lambda one: decimal_text(one.alpha), is_number=True),
    Field("due", "due", is_number=True),
    _count("suggestions_taken", "taken", "n_taken"),
    _count("", "decoys taken", "n_decoys_taken"),
    _count("decoys", "of", "n_decoys"),
    Field("decoys_taken", value=attrgetter("n_decoys_taken")),
)
# Number of final fields shown only where suggestions were accepted or decoys shown.
_N_OF_HELP: Final = 4


def has_help(people: Iterable[PersonProgress]) -> bool:
    """Returns whether anybody accepted a suggestion or saw a decoy."""
    return any(one.n_taken or one.n_decoys for one in people)


def report_of_progress(people: Sequence[PersonProgress]) -> Grid:
    """Returns a row a person."""
    return grid_of_records(FIELDS if has_help(people) else FIELDS[:-_N_OF_HELP], people)


def progress_csv(people: Iterable[PersonProgress]) -> str:
    """Returns a row a person, unrounded; undefined is empty."""
    return csv_text(rows_of_records(FIELDS, people))
