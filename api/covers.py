"""Minimal covers of alternatives that are written down as lists."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from awase.core.errors import InputError
from awase.core.solvers.cover import CoverProblem, Status
from awase.core.solvers.cover_solving import MAX_COVERS, minimal_cover

Item = TypeVar("Item", bound=Hashable)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Cover(Generic[Item]):
    """A smallest set of items that holds an alternative of every need.

    Attributes:
        status: `optimal`, `infeasible`, or the state when the search had to stop.
        h: The size of a minimal cover; None while it is not proved, or when there is none.
        items: The smallest cover known, in the order in which its items were first named.
        lower: No cover has fewer items; None when there is none.
        upper: How many `items` are; None when there is no cover.
        n_covers: How many different minimal covers there are; None when h is not proved.
        n_covers_exact: False when they were counted up to a cap only: there are as many or more.
        in_every: Items that every minimal cover holds.
        in_none: Items that no minimal cover holds.
        unsatisfied: Positions of needs without any alternative.
    """

    status: str
    h: int | None
    items: tuple[Item, ...] | None
    lower: int | None
    upper: int | None
    n_covers: int | None
    n_covers_exact: bool
    in_every: frozenset[Item]
    in_none: frozenset[Item]
    unsatisfied: tuple[int, ...]

    def __repr__(self) -> str:
        if self.h is None:
            known = "" if self.lower is None else f", h from {self.lower} to {self.upper}"
            return f"<Cover: {self.status}{known}>"
        counted = self.n_covers if self.n_covers_exact else f"{self.n_covers} or more"
        return f"<Cover: h = {self.h}, minimal covers: {counted}>"


def cover(
    alternatives: Iterable[Iterable[Iterable[Item]]], *, max_covers: int = MAX_COVERS
) -> Cover[Item]:
    """Returns the minimal cover of needs, each a list of alternatives, each a set of items.

    Args:
        alternatives: For each abstract sentence its alternatives, for each alternative the source
            sentences that together suffice; any hashable ids.
        max_covers: In each independent part minimal covers are counted up to this number.

    Raises:
        InputError: An alternative is empty, or text stands where a list of items should.

    Source: Hirao, Okumura, Fukushima, Nanba 2004, section 3 (h of TSC-3).

    >>> cover([[["s1"], ["s10", "s11"]], [["s11"], ["s12"]], [["s12", "s13"], ["s14"]]]).h
    3
    """
    needs = [[_members(one) for one in need] for need in alternatives]
    numbers: dict[Item, int] = {}
    for need in needs:
        for one in need:
            for item in one:
                numbers.setdefault(item, len(numbers))
    if any(not one for need in needs for one in need):
        raise InputError.of("An alternative is empty.", "Remove it: it would require nothing.")
    problem = CoverProblem(
        needs=tuple(tuple(frozenset(numbers[i] for i in one) for one in need) for need in needs)
    )
    found = minimal_cover(problem, max_covers=max_covers)
    items = tuple(numbers)
    return Cover(
        status=Status(found.status).value,
        h=found.h,
        items=None if found.cover is None else tuple(items[i] for i in sorted(found.cover)),
        lower=found.lower,
        upper=found.upper,
        n_covers=found.n_covers,
        n_covers_exact=found.n_covers_exact,
        in_every=frozenset(items[i] for i in found.in_every),
        in_none=frozenset(items[i] for i in found.in_none),
        unsatisfied=found.conflict,
    )


def _members(alternative: Iterable[Item]) -> tuple[Item, ...]:
    if isinstance(alternative, str):
        raise InputError.of(
            "Expected a list of items, found “{text}”.",
            "Write [[“s1”], [“s10”, “s11”]]: a list of alternatives, each a list of items.",
            text=alternative,
        )
    return tuple(alternative)
