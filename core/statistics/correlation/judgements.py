"""What several annotators said about a system in a topic, as one value.

mean         the mean of the judgements
z            the mean of z-scores: each annotator's judgements of the measure less their mean,
             over their standard deviation (n - 1), as in direct assessment (Graham et al. 2015)
majority[:K] the value that at least K judgements have; without K, more than half of them
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from awase.core.errors import InputError, Listing, Problem
from awase.core.records.human_score import HumanScore

MEAN, Z, MAJORITY = "mean", "z", "majority"

_MAJORITY = re.compile(r"majority(?::([1-9][0-9]{0,5}))?")

Cell = tuple[str, str | None]
"""System, topic; a topic of None = the system as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """How judgements of one system in one topic become one value.

    Attributes:
        kind: `mean`, `z` or `majority`.
        least: Of `majority`, how many have to agree; None = more than half.
    """

    kind: str = MEAN
    least: int | None = None

    @classmethod
    def parse(cls, text: str) -> "Joining":
        """Returns what `mean`, `z`, `majority` or `majority:K` spells.

        Raises:
            InputError: It is none of these.
        """
        match = _MAJORITY.fullmatch(text)
        if match is not None:
            return cls(kind=MAJORITY, least=int(match[1]) if match[1] else None)
        if text not in (MEAN, Z):
            raise InputError.of(
                "“{text}” is not a way to join annotators.",
                "Use mean, z, majority or majority:K.",
                text=text,
            )
        return cls(kind=text)

    def __str__(self) -> str:
        return self.kind if self.least is None else f"{self.kind}:{self.least}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """The values, and what to beware of.

    Attributes:
        values: By system and topic.
        annotators: Who judged, in the order of appearance.
        warnings: Judgements that could not be used; annotators who saw different things.
    """

    values: dict[Cell, float]
    annotators: tuple[str | None, ...]
    warnings: tuple[Problem, ...] = ()


def join_judgements(scores: Sequence[HumanScore], joining: Joining) -> Joined:
    """Returns one value for each system and topic that has one.

    Args:
        scores: Judgements of one measure.
        joining: How.
    """
    annotators = tuple(dict.fromkeys(score.annotator for score in scores))
    if joining.kind == Z:
        values, warnings = _z_scored(scores)
    elif joining.kind == MAJORITY:
        values, warnings = _by_majority(scores, joining.least)
    else:
        values, warnings = _means(_by_cell(scores)), _uneven(scores)
    return Joined(values=values, annotators=annotators, warnings=tuple(warnings))


def _by_cell(scores: Iterable[HumanScore]) -> dict[Cell, list[float]]:
    cells: dict[Cell, list[float]] = {}
    for score in scores:
        cells.setdefault((score.system, score.topic), []).append(score.value)
    return cells


def _means(cells: dict[Cell, list[float]]) -> dict[Cell, float]:
    return {cell: fmean(values) for cell, values in cells.items()}


def _uneven(scores: Sequence[HumanScore]) -> list[Problem]:
    """Returns a warning when annotators judged different things, so that strictness matters."""
    seen: dict[str | None, set[Cell]] = {}
    for score in scores:
        seen.setdefault(score.annotator, set()).add((score.system, score.topic))
    systems = {who: frozenset(system for system, _ in cells) for who, cells in seen.items()}
    if len(set(systems.values())) < 2:
        return []
    return [
        Problem(
            what="{n} annotators judged different systems; a mean of raw scores then mixes how "
            "strict they are with how good the systems are.",
            hint="Join their judgements as z-scores.",
            fields={"n": len(seen)},
        )
    ]


def _z_scored(scores: Sequence[HumanScore]) -> tuple[dict[Cell, float], list[Problem]]:
    own: dict[str | None, list[float]] = {}
    for score in scores:
        own.setdefault(score.annotator, []).append(score.value)
    scales = {
        who: (fmean(values), stdev(values))
        for who, values in own.items()
        if len(values) > 1 and max(values) > min(values)
    }
    cells: dict[Cell, list[float]] = {}
    for score in scores:
        if score.annotator in scales:
            mean, deviation = scales[score.annotator]
            cell = score.system, score.topic
            cells.setdefault(cell, []).append((score.value - mean) / deviation)
    without = [who or "(unnamed)" for who in own if who not in scales]
    problem = Problem(
        what="The judgements of {names} do not vary, so they have no z-scores and are left out.",
        fields={"names": Listing(without)},
    )
    return _means(cells), [problem] if without else []


def _by_majority(
    scores: Sequence[HumanScore], least: int | None
) -> tuple[dict[Cell, float], list[Problem]]:
    found: dict[Cell, float] = {}
    cells = _by_cell(scores)
    for cell, values in cells.items():
        needed = least or len(values) // 2 + 1
        agreed = [value for value, n in Counter(values).items() if n >= needed]
        if len(agreed) == 1:
            found[cell] = agreed[0]
    n_without = len(cells) - len(found)
    problem = Problem(
        what="{n} of {all} judged outputs have no majority and count as missing.",
        fields={"n": n_without, "all": len(cells)},
    )
    return found, [problem] if n_without else []
