"""Scores by name as matrices of one shape."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from awase.core.statistics.correlation.levels import shared
from awase.core.statistics.exact_sums import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedScores:
    """The scores of one metric, or of people.

    Attributes:
        name: What tables call it, unlike any other's of the same study.
        values: (system, topic) to a finite value; a topic of None = the system as a whole.
        signature: Everything that can change the values.
    """

    name: str
    values: Mapping[tuple[str, str | None], float]
    signature: str = ""

    @property
    def is_of_wholes(self) -> bool:
        """Whether systems were scored as wholes, not topic by topic."""
        return all(topic is None for _, topic in self.values)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order of appearance."""
        return tuple(dict.fromkeys(system for system, _ in self.values))

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics, in the order of appearance; none of systems as wholes."""
        return tuple(dict.fromkeys(topic for _, topic in self.values if topic is not None))


class Aligned(NamedTuple):
    """Matrices of the same systems and topics.

    Attributes:
        systems: Names of the rows: those with a score in each of the matrices.
        topics: Names of the columns.
        matrices: (n_systems, n_topics) each, NaN where any lacks the score.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    matrices: tuple[Floats, ...]


def aligned(scores: Sequence[NamedScores], excluded: Iterable[str] = ()) -> Aligned:
    """Returns what several have scores for: one mask for all.

    Scores of systems as wholes stand in every topic of the others, which leaves the means over
    topics what they are; when all are of that kind there is a single column.

    Args:
        scores: At least one.
        excluded: Systems that are left out.
    """
    left_out = {*excluded}
    systems = [name for name in scores[0].systems if name not in left_out]
    by_topic = [one for one in scores if not one.is_of_wholes]
    topics: list[str | None] = [*by_topic[0].topics] if by_topic else [None]
    if not systems or not topics:
        return Aligned((), (), tuple(np.empty((0, 0)) for _ in scores))
    full = shared(*(_matrix(one, systems, topics) for one in scores))
    is_there = ~np.isnan(full[0])
    rows, columns = np.flatnonzero(is_there.any(axis=1)), np.flatnonzero(is_there.any(axis=0))
    return Aligned(
        systems=tuple(systems[row] for row in rows),
        topics=tuple(topics[column] or "" for column in columns),
        matrices=tuple(matrix[np.ix_(rows, columns)] for matrix in full),
    )


def _matrix(scores: NamedScores, systems: Sequence[str], topics: Sequence[str | None]) -> Floats:
    of_whole = scores.is_of_wholes
    values = [
        [scores.values.get((system, None if of_whole else topic), np.nan) for topic in topics]
        for system in systems
    ]
    return np.array(values, dtype=np.float64)
