"""Records of the minimal cover problem and its answer.

A problem is an AND over needs of an OR over alternatives of an AND of items. A cover contains an
alternative of every need; a minimal cover has fewest items, h. With sentences of an abstract as
needs and source sentences as items this is h of TSC-3 (Hirao, Okumura, Fukushima, Nanba 2004,
section 3).
"""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import chain, compress
from operator import is_not

from awase.core.solvers.effort import Status

Need = tuple[frozenset[int], ...]  # the alternatives of one need; any one of them is enough

# The largest item; items are bit numbers inside, so callers number them from 0 without gaps.
MAX_ITEM = 65_535


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverProblem:
    """A cover problem; `ValueError` for an empty alternative or an item out of range."""

    # One entry for each need: its alternatives, each a set of items in 0..65535. A need without
    # alternatives cannot be satisfied.
    needs: tuple[Need, ...]
    forbidden: frozenset[int] = frozenset()  # items that no cover may hold

    def __post_init__(self) -> None:
        if not all(chain.from_iterable(self.needs)):  # one pass: a problem is made at every key
            need_idx = next(idx for idx, need in enumerate(self.needs) if not all(need))
            raise ValueError(f"need {need_idx} has an empty alternative")
        _check_items(self.forbidden.union(*chain.from_iterable(self.needs)))

    def with_needs(self, needs: tuple[Need, ...]) -> "CoverProblem":
        """Returns a problem with other needs, of which only new ones are checked."""
        if len(needs) == len(self.needs):
            fresh = tuple(compress(needs, map(is_not, needs, self.needs)))
        else:
            fresh = needs
        CoverProblem(needs=fresh)  # the check
        made = object.__new__(CoverProblem)
        object.__setattr__(made, "needs", needs)
        object.__setattr__(made, "forbidden", self.forbidden)
        return made


def _check_items(items: Collection[int]) -> None:
    if items and not (min(items) >= 0 and max(items) <= MAX_ITEM):
        raise ValueError(f"items must lie in 0..{MAX_ITEM}")


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificateStep:
    """A need, and its number of items beyond those of earlier steps."""

    need: int
    # Fewest items that any of its alternatives has outside the forced items and outside every item
    # of the needs of earlier steps; at least 1.
    n_items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """A short proof that no cover is smaller than `lower`.

    Forced items are in every alternative of some need. Without them, and without alternatives that
    contain another one of their need, the needs of the steps require further items, each among its
    own items, so that no item is counted twice.
    """

    forced: frozenset[int]
    # Needs that ask for more, in the order in which they are counted.
    steps: tuple[CertificateStep, ...]

    @property
    def lower(self) -> int:
        """The size that every cover is proved to have at least."""
        return len(self.forced) + sum(step.n_items for step in self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class MinimalCover:
    """The answer to a `CoverProblem`."""

    # OPTIMAL when all below is known; FEASIBLE or TIMED_OUT when it is known in part; INFEASIBLE
    # when there is no cover.
    status: Status
    # The smallest cover known, None when there is none. Of several minimal covers it is the one
    # whose sorted items come first, as long as `n_covers_exact`.
    cover: frozenset[int] | None = None
    lower: int | None = None  # no cover has fewer items; None when there is no cover
    upper: int | None = None  # size of `cover`; None when there is no cover
    # How many different minimal covers there are; None unless OPTIMAL. Each part of the problem
    # that shares no item with the rest is counted up to a cap, and the product is given.
    n_covers: int | None = None
    # False when a part has more minimal covers than the cap: `n_covers` is then a lower bound.
    n_covers_exact: bool = True
    # Items in every minimal cover; those known so far unless OPTIMAL.
    in_every: frozenset[int] = frozenset()
    # Mentioned items in no minimal cover; those known so far unless OPTIMAL.
    in_none: frozenset[int] = frozenset()
    is_final: bool = True
    # Indices of the needs that cannot be satisfied, each for itself, ascending.
    conflict: tuple[int, ...] = ()
    # A readable proof of a lower bound; it proves `cover` minimal when its `lower` is h. None when
    # there is no cover.
    certificate: Certificate | None = None

    @property
    def h(self) -> int | None:
        """Size of a minimal cover, None while it is unknown or when there is none."""
        return self.upper if self.lower == self.upper else None
