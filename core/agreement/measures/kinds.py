"""In which way two annotators differ about an abstract sentence."""

from collections.abc import Callable
from enum import StrEnum

from awase.core.solvers.masks import Family, absorbed, implies, items_of, union_of


class Kind(StrEnum):
    """Every pair of settled entries is of exactly one kind: the first that fits, in this order."""

    BOTH_NO_SOURCE = "both no source"
    ONE_NO_SOURCE = "one no source"
    IDENTICAL = "identical"
    SAME_AFTER_ABSORPTION = "same after absorption"
    MISSED_ALTERNATIVE = "missed alternative"
    GROUPED_OTHERWISE = "same sentences, grouped otherwise"
    IMPLIES = "one implies the other"
    OVERLAPPING = "overlapping"
    DISJOINT = "disjoint"

    @property
    def is_agreement(self) -> bool:
        """Whether both annotators agree."""
        return self in (Kind.BOTH_NO_SOURCE, Kind.IDENTICAL, Kind.SAME_AFTER_ABSORPTION)


def kind_of(first: Family, second: Family, *, is_same_as_given: bool) -> Kind:
    """Returns the kind of a pair of entries; families are absorbed, empty = no source."""
    if not first or not second:
        return Kind.ONE_NO_SOURCE if first or second else Kind.BOTH_NO_SOURCE
    if first == second:
        return Kind.IDENTICAL if is_same_as_given else Kind.SAME_AFTER_ABSORPTION
    if first < second or second < first:
        return Kind.MISSED_ALTERNATIVE
    one, other = union_of(first), union_of(second)
    if one == other:
        return Kind.GROUPED_OTHERWISE
    if implies(first, tuple(second)) or implies(second, tuple(first)):
        return Kind.IMPLIES
    return Kind.OVERLAPPING if one & other else Kind.DISJOINT


def is_explained(first: Family, second: Family, standing_for: Callable[[int], int]) -> bool:
    """Returns whether the families are equivalent up to near-duplicates."""
    return _with(first, standing_for) == _with(second, standing_for)


def _with(family: Family, standing_for: Callable[[int], int]) -> Family:
    masks = []
    for mask in family:
        changed = 0
        for item in items_of(mask):
            changed |= 1 << standing_for(item)
        masks.append(changed)
    return absorbed(masks)
