"""Scores, each with the reason when it is undefined and the signature that makes it citable."""

from dataclasses import dataclass
from fractions import Fraction

from awase.core.errors import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """One number about one system.

    Attributes:
        topic: Topic scored; None = the mean over the topics in which the score is defined.
        length: Length class of the abstract; None when it has none.
        system: The system.
        metric: Metric name, with its component after a dot when it has several.
        value: Exact for the metrics that are exact; None = undefined, see `reason`.
        signature: Every option that can change the value, and the program's version.
        provisional: Whether the annotation it rests on is unfinished.
        reason: Why it is undefined; None when it is defined.
        n_topics: How many topics the value rests on.
    """

    topic: str | None
    length: str | None
    system: str
    metric: str
    value: Fraction | float | None
    signature: str
    provisional: bool = False
    reason: Problem | None = None
    n_topics: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTable:
    """Scores in the order topic, length, system, metric, means last; and what to beware of."""

    scores: tuple[Score, ...] = ()
    warnings: tuple[Problem, ...] = ()

    def __add__(self, other: "ScoreTable") -> "ScoreTable":
        scores = self.scores + other.scores
        return ScoreTable(
            scores=tuple(sorted(scores, key=lambda score: score.topic is None)),
            warnings=self.warnings + other.warnings,
        )
