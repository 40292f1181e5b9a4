"""The minimal cover problem, its answer, and presolve.

A problem is an AND over needs of an OR over alternatives of an AND of items. A cover contains an
alternative of every need; a minimal cover has fewest items, h. With sentences of an abstract as
needs and source sentences as items this is h of TSC-3 (Hirao, Okumura, Fukushima, Nanba 2004,
section 3).

Items are bits of an int. The reductions, and why every tie survives:

- An alternative that contains another of the same need is dropped: the same sets satisfy the need.
- Items in every alternative of some need are forced. They are in every cover, so they leave all
  alternatives, and needs that they satisfy are dropped. One pass is enough, as the other common
  items of each need stay.
- A need is implied, and dropped, when each alternative of some other need contains one of its own.
- The rest splits into components without common items. A minimal cover is a free choice of one
  minimal cover of each.

Not done, as it would lose ties: dropping an item because another serves the same needs.

Bounds: a greedy cover from above, disjoint needs from below.
"""

import math
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from itertools import chain, compress
from operator import is_not


class Status(Enum):
    """Whether an answer is optimal; the values are stored in databases and never change."""

    OPTIMAL = "optimal"  # proved best, with complete details

    # Satisfies every constraint; bounds limit its distance from the best.
    FEASIBLE = "feasible"

    # Nothing satisfies the constraints; the result names those in conflict.
    INFEASIBLE = "infeasible"

    # Time ran out; like FEASIBLE, without a running search.
    TIMED_OUT = "timed out"


class EffortSpent(Exception):
    """The effort limit was reached; never leaves `awase.core.solvers`."""


class Effort:
    """Budget of steps, of about a microsecond each."""

    is_stoppable = False  # whether another thread may stop the work

    def __init__(self, steps: float | None = None) -> None:
        self.left = math.inf if steps is None else steps

    def spend(self, steps: float) -> None:
        """Subtracts `steps`; `EffortSpent` if they exceed the rest."""
        self.left -= steps
        if self.left < 0:
            raise EffortSpent

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Lets `stop` call `interrupt` while the block runs."""
        yield


class StoppableEffort(Effort):
    """Unlimited until another thread stops it."""

    is_stoppable = True

    def __init__(self) -> None:
        super().__init__()
        self._is_stopped = False
        self._lock = threading.Lock()
        self._interrupt: Callable[[], None] | None = None

    def spend(self, steps: float) -> None:
        """Raises `EffortSpent` if stopped."""
        if self._is_stopped:
            raise EffortSpent

    def stop(self) -> None:
        """Requests the work to stop."""
        with self._lock:
            self._is_stopped = True
            if self._interrupt is not None:
                self._interrupt()

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Lets `stop` call `interrupt` while the block runs."""
        with self._lock:
            self._interrupt = interrupt
        try:
            yield
        finally:
            with self._lock:
                self._interrupt = None


def mask_of(items: Iterable[int]) -> int:
    """Returns `items` as bits."""
    mask = 0
    for item in items:
        mask |= 1 << item
    return mask


def items_of(mask: int) -> list[int]:
    """Returns the items of `mask`, ascending."""
    items = []
    while mask:
        low = mask & -mask
        items.append(low.bit_length() - 1)
        mask ^= low
    return items


def minimal_masks(masks: Iterable[int]) -> tuple[int, ...]:
    """Returns the minimal masks under inclusion, ascending, without repetitions."""
    distinct = set(masks)
    if len(distinct) < 2:
        return tuple(distinct)
    by_size = sorted(distinct, key=int.bit_count)
    if by_size[0].bit_count() == by_size[-1].bit_count():  # thousands of alternatives are alike
        by_size.sort()
        return tuple(by_size)
    kept: list[int] = []
    for mask in by_size:
        for smaller in kept:
            if smaller & mask == smaller:
                break
        else:
            kept.append(mask)
    kept.sort()
    return tuple(kept)


def union_of(need: Iterable[int]) -> int:
    """Returns the union of the masks."""
    items = 0
    for mask in need:
        items |= mask
    return items


# Bit sets of which none contains another. Empty = never holds; {0} = always holds.
Family = frozenset[int]


def absorbed(members: Iterable[int]) -> Family:
    """Returns the family without repetitions and without members that contain another one."""
    return frozenset(minimal_masks(members))


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
        if not all(chain.from_iterable(self.needs)):  # in one pass: a problem is built at every key
            need_idx = next(idx for idx, need in enumerate(self.needs) if not all(need))
            raise ValueError(f"need {need_idx} has an empty alternative")
        items = self.forbidden.union(*chain.from_iterable(self.needs))
        if items and not (min(items) >= 0 and max(items) <= MAX_ITEM):
            raise ValueError(f"items must lie in 0..{MAX_ITEM}")

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
    # Needs with new items, in order of counting.
    steps: tuple[CertificateStep, ...]

    @property
    def lower(self) -> int:
        """The size that every cover is proved to have at least."""
        return len(self.forced) + sum(step.n_items for step in self.steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class MinimalCover:
    """The answer to a `CoverProblem`."""

    # OPTIMAL when all below is known; FEASIBLE or TIMED_OUT when partly; INFEASIBLE when there is
    # no cover.
    status: Status
    # The smallest known cover, None when there is none. Of several minimal covers the
    # lexicographically first, if `n_covers_exact`.
    cover: frozenset[int] | None = None
    lower: int | None = None  # no cover has fewer items; None when there is no cover
    upper: int | None = None  # size of `cover`; None when there is no cover
    # Number of minimal covers; None unless OPTIMAL. Each independent part is counted up to a cap,
    # and the product is taken.
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


MaskedNeed = tuple[int, ...]  # alternatives as bit masks, ascending, none holding another

Component = tuple[MaskedNeed, ...]  # needs, ascending, that are connected through shared items


@dataclass(frozen=True, slots=True)
class NeedMasks:
    """One need as bits."""

    alternatives: MaskedNeed
    common: int
    union: int
    mentioned: int


@dataclass(frozen=True, slots=True)
class Presolved:
    """A presolved problem."""

    forced: int
    mentioned: int
    components: tuple[Component, ...]
    origin: dict[MaskedNeed, int]  # index in the problem of each remaining need
    conflict: tuple[int, ...]


def mask_need(need: Need, forbidden: int = 0) -> NeedMasks:
    """Returns `need` as bits, without alternatives that contain a forbidden item."""
    masks = [mask_of(alternative) for alternative in need]
    mentioned = 0
    for mask in masks:
        mentioned |= mask
    if mentioned & forbidden:
        masks = [mask for mask in masks if not mask & forbidden]
    return need_of_masks(masks, mentioned)


def need_of_masks(masks: Sequence[int], mentioned: int) -> NeedMasks:
    """Returns a need with alternatives that are bits already."""
    alternatives = minimal_masks(masks)
    common, union = (-1 if alternatives else 0), 0
    for mask in alternatives:
        common &= mask
        union |= mask
    return NeedMasks(alternatives, common, union, mentioned)


def presolve(needs: Sequence[NeedMasks]) -> Presolved:
    """Presolves `needs`."""
    forced = mentioned = 0
    for need in needs:
        forced |= need.common
        mentioned |= need.mentioned
    origin: dict[MaskedNeed, int] = {}
    unions: dict[MaskedNeed, int] = {}
    for need_idx, need in enumerate(needs):
        alternatives = need.alternatives
        if need.union & forced:
            alternatives = tuple([mask & ~forced for mask in alternatives])
            if 0 in alternatives:
                continue
            alternatives = minimal_masks(alternatives)
        if alternatives not in origin:
            origin[alternatives] = need_idx
            unions[alternatives] = union_of(alternatives)
    conflict = tuple([idx for idx, need in enumerate(needs) if not need.alternatives])
    components = () if conflict else _split(unions)
    return Presolved(forced, mentioned, components, origin, conflict)


def _split(unions: dict[MaskedNeed, int]) -> tuple[Component, ...]:
    parts: list[tuple[int, list[MaskedNeed]]] = []
    for need, items in unions.items():
        members = [need]
        apart = []
        for part in parts:
            if part[0] & items:
                items |= part[0]
                # The longer list grows, or a component of thousands of needs is copied for each.
                if len(part[1]) > len(members):
                    members, shorter = part[1], members
                else:
                    shorter = part[1]
                members += shorter
            else:
                apart.append(part)
        apart.append((items, members))
        parts = apart
    return tuple([tuple(sorted(members)) for _, members in parts])


def without_implied(component: Component) -> tuple[Component, ...]:
    """Returns `component` without implied needs, split again."""
    index: dict[int, list[tuple[int, int]]] = {}
    for need_idx, need in enumerate(component):
        for mask in need:
            index.setdefault(mask & -mask, []).append((mask, need_idx))
    inside: dict[int, set[int]] = {}
    implied: set[int] = set()
    for need_idx, need in enumerate(component):
        smallest = min(need, key=int.bit_count)
        found = inside.get(smallest) or _met_by(smallest, index, inside)
        for mask in need:
            if len(found) == 1:  # the need itself
                break
            found = found & (inside.get(mask) or _met_by(mask, index, inside))
        if len(found) > 1:
            implied |= found - {need_idx}
    if not implied:
        return (component,)
    return _split(
        {need: union_of(need) for need_idx, need in enumerate(component) if need_idx not in implied}
    )


def _met_by(
    items: int, index: dict[int, list[tuple[int, int]]], inside: dict[int, set[int]]
) -> set[int]:
    """Returns the needs with an alternative inside `items`, cached in `inside`."""
    found = set()
    rest = items
    while rest:
        low = rest & -rest
        rest ^= low
        for mask, need_idx in index.get(low, ()):
            if mask & items == mask:
                found.add(need_idx)
    inside[items] = found
    return found


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of a component without search."""

    cover: int  # a cover, not always a minimal one
    # Needs, each with its number of items beyond those of earlier needs; their sum is a lower
    # bound.
    steps: tuple[tuple[MaskedNeed, int], ...]
    union: int

    @property
    def lower(self) -> int:
        """The size that every cover has at least."""
        return sum([n_items for _, n_items in self.steps])


Steps = tuple[tuple[MaskedNeed, int], ...]

_FEW_NEEDS = 60  # up to here an order that compares every two needs is affordable


def bounds_of(component: Component) -> Bounds:
    """Returns bounds on h of `component`, in microseconds for each alternative."""
    unions = []
    for need in component:
        union = 0
        for mask in need:
            union |= mask
        unions.append(union)
    everything = 0
    for union in unions:
        everything |= union
    steps = _most_steps(component, unions)
    lower = sum([n_items for _, n_items in steps])
    cover = _prune(_greedy(component, 0), component, unions)
    if cover.bit_count() > lower:
        again = _prune(_greedy(component[::-1], cover), component, unions)
        cover = min(cover, again, key=int.bit_count)
    return Bounds(cover, steps, everything)


def rough_bounds_of(component: Component) -> Bounds:
    """Returns wider bounds in a tenth of the time: one greedy cover, needs in one order."""
    pairs = []
    everything = 0
    for need in component:
        union = 0
        for mask in need:
            union |= mask
        everything |= union
        pairs.append((need, union))
    return Bounds(_greedy(component, 0), steps_in_order(pairs), everything)


def _most_steps(component: Component, unions: Sequence[int]) -> Steps:
    """Returns the best lower bound over a few orders of needs."""
    pairs = list(zip(component, unions, strict=True))
    orders: list[Callable[[tuple[MaskedNeed, int]], tuple[int, ...]]] = [
        lambda pair: (pair[1].bit_count(),),
        lambda pair: (len(pair[0]), pair[1].bit_count()),
    ]
    if len(component) <= _FEW_NEEDS:
        orders.append(lambda pair: (sum([1 for union in unions if union & pair[1]]),))
    return max([steps_in_order(sorted(pairs, key=order)) for order in orders], key=_total)


def _total(steps: Steps) -> int:
    return sum([n_items for _, n_items in steps])


def steps_in_order(pairs: Iterable[tuple[MaskedNeed, int]]) -> Steps:
    """Returns the number of new items for each of (need, its items), if any.

    A need without new items leaves its items to the later ones.
    """
    counted = 0
    steps = []
    for need, union in pairs:
        n_items = min([(mask & ~counted).bit_count() for mask in need])
        if n_items:
            steps.append((need, n_items))
            counted |= union
    return tuple(steps)


def _greedy(component: Component, liked: int) -> int:
    """Returns a greedy cover: needs with fewest choices first, the alternative that adds least.

    Ties: most items in `liked`, then in several needs.
    """
    often = seen = 0
    for need in component:
        for mask in need:
            often |= seen & mask
            seen |= mask
    cover = 0
    for need in sorted(component, key=len):
        cover |= min(
            need,
            key=lambda mask: (
                (mask & ~cover).bit_count(),
                -(mask & liked).bit_count(),
                -(mask & often).bit_count(),
            ),
        )
    return cover


def _prune(cover: int, component: Component, unions: Sequence[int]) -> int:
    """Drops redundant items from `cover` one by one."""
    indispensable = 0
    for need in component:
        common = -1
        for mask in need:
            if mask & cover == mask:
                common &= mask
        indispensable |= common
    for item in items_of(cover & ~indispensable):
        bit = 1 << item
        touched = [need for need, union in zip(component, unions, strict=True) if union & bit]
        if all(_is_met(need, cover & ~bit) for need in touched):
            cover &= ~bit
    return cover


def _is_met(need: MaskedNeed, cover: int) -> bool:
    return any(mask & cover == mask for mask in need)
