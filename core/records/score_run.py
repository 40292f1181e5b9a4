"""Scores that were kept, with what was scored."""

from dataclasses import dataclass
from enum import Enum

from awase.core.records.score import ScoreTable


class Origin(Enum):
    """Where kept scores come from."""

    COMPUTED = "computed"
    """This program made them of the corpus."""
    IMPORTED = "imported"
    """They were read from a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What was scored.

    Attributes:
        metrics: As asked for; empty for imported scores.
        topics: Ids; None = all that there were.
        systems: Names; None = all that there were.
        origin: Where the scores come from.
        program: Version of the program that made or read them.
    """

    metrics: tuple[str, ...] = ()
    topics: tuple[str, ...] | None = None
    systems: tuple[str, ...] | None = None
    origin: Origin = Origin.COMPUTED
    program: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptScores:
    """What is known of a kept run without reading its scores.

    Attributes:
        id: Its number; grows with time.
        at: When it was kept: ISO 8601, UTC.
        who: The person.
        title: What people call it.
        corpus_state: Of the corpus that was scored; another one now = out of date.
        selection: What was scored.
    """

    id: int
    at: str
    who: str
    title: str
    corpus_state: str
    selection: Selection


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRun:
    """A kept run with its scores."""

    kept: KeptScores
    table: ScoreTable
