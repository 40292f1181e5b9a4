"""Scores, each with the reason when it is undefined and the signature that makes it citable."""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from awase.core.errors import Problem

DATA_FACTS: Final = ("no_source", "nrefs", "systems", "whose", "topics")
"""Keys that signatures carry about what was scored; scores of one column may differ in them.

- `no_source`: how many abstract sentences were left out of it;
- `nrefs`: how many references each text has;
- `systems`: which ones' words were merged together, where others decide a system's value;
- `whose`: a digest of whose alignment each abstract's was, where they differ;
- `topics`: of which topics a mean is.
"""

_FACT = re.compile(rf"[:,](?:{'|'.join(DATA_FACTS)})=[^,]*")
_WHOSE = re.compile(r"([:,]annotator=(?:first|all))\([^()]*\)")


@lru_cache(maxsize=4096)
def without_facts(signature: str) -> str:
    """Returns the signature without facts about the data, in which topics may differ.

    Whose alignments `annotator=first` and `annotator=all` came to is such a fact, too.

    >>> without_facts("coverage:first=h,no_source=2,version=1.0")
    'coverage:first=h,version=1.0'
    >>> without_facts("coverage:annotator=first(A+B),whose=0a,topics=3@0b,version=1.0")
    'coverage:annotator=first,version=1.0'
    """
    bare = _WHOSE.sub(r"\1", _FACT.sub("", signature))
    name = signature.partition(":")[0]
    return f"{name}:{bare[len(name) + 1 :]}" if bare[len(name) : len(name) + 1] == "," else bare


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
        spread: Lowest and highest value that a single annotator's work gives, where `value` is the
            mean over several annotators; else None.
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
    spread: tuple[Fraction, Fraction] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverSize:
    """The size of the minimal cover that scores rest on.

    Attributes:
        topic: Topic.
        length: Length class of the abstracts.
        annotator: Whose alignments, as the request names them.
        h: The mean over the topic's abstracts of this class that have alternatives.
    """

    topic: str
    length: str | None
    annotator: str
    h: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTable:
    """Scores in the order topic, length, system, metric, means last; and what to beware of.

    Attributes:
        scores: By topic, then the means.
        warnings: What a reader of the scores should know.
        cover_sizes: Of the minimal covers that were needed.
    """

    scores: tuple[Score, ...] = ()
    warnings: tuple[Problem, ...] = ()
    cover_sizes: tuple[CoverSize, ...] = ()

    def __add__(self, other: "ScoreTable") -> "ScoreTable":
        return ScoreTable(
            scores=_means_last(self.scores, other.scores),
            warnings=self.warnings + other.warnings,
            cover_sizes=self.cover_sizes + other.cover_sizes,
        )


def _means_last(first: tuple[Score, ...], second: tuple[Score, ...]) -> tuple[Score, ...]:
    """Returns the scores of two tables, of which the first has its means last."""
    if not second:
        return first
    scores = (*first, *second) if first else second
    by_topic = [score for score in scores if score.topic is not None]
    return (*by_topic, *(score for score in scores if score.topic is None))
