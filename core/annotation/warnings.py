"""Warnings about valid but suspicious alternatives."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from awase.core.records.alignment import Alternative


class AlternativeFault(Enum):
    """Why an alternative is redundant."""

    DUPLICATE = "duplicate"
    CONTAINS = "contains"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlternativeWarning:
    """A redundant alternative."""

    alternative_idx: int
    fault: AlternativeFault
    other_idx: int


def alternative_warnings(alternatives: Sequence[Alternative]) -> tuple[AlternativeWarning, ...]:
    """Returns at most one warning an alternative, in order.

    Of equal alternatives the first has none. One that contains another is redundant.
    """
    sets = [alternative.as_set for alternative in alternatives]
    found: list[AlternativeWarning] = []
    for this_idx, this in enumerate(sets):
        equal_idx = sets.index(this)
        if equal_idx < this_idx:
            fault, other_idx = AlternativeFault.DUPLICATE, equal_idx
        else:
            smaller = (idx for idx, other in enumerate(sets) if other < this)
            fault, other_idx = AlternativeFault.CONTAINS, next(smaller, -1)
        if other_idx >= 0:
            found.append(
                AlternativeWarning(alternative_idx=this_idx, fault=fault, other_idx=other_idx)
            )
    return tuple(found)
