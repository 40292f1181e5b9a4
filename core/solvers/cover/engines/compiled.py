"""Minimal covers by one call of the compiled kernel, where it is there.

It presolves, splits, bounds and searches as the Python beside it does, need for need; what it
leaves open for lack of steps, or because a part is too large for it, it says with bounds.
"""

from array import array
from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate, chain, compress
from typing import Final

from awase.core.kernel.arrays import passed_numbers
from awase.core.kernel.binding import KernelError, kernel
from awase.core.solvers.cover.component import Bounds, ComponentCover
from awase.core.solvers.cover.presolve import Component
from awase.core.solvers.effort import Effort
from awase.core.solvers.masks import items_of, mask_of, union_of

STEPS_A_PART: Final = 1_000_000
"""Beyond so many, about a second, MaxSAT may be faster, or nobody is.

The Steiner system of 45 points takes 400,000, and MaxSAT minutes.
"""

STEPS_BEFORE_CORE: Final = 10_000
"""Beyond so many in one search of a part it pays to make the part smaller and to join needs."""

_MOST_STEPS: Final = 1 << 50
_N_SETS, _N_TOLD, _N_ROWS = 5, 3, 7
_COVER, _EVERY, _POSSIBLE, _MENTIONED, _FORCED = range(_N_SETS)
_COMPLETE, _MINIMAL = 0, 1
_HOPELESS: Final = -2


class KernelAnswer:
    """What the kernel found out about needs.

    Attributes:
        steps: Needs and items of the readable lower bound.
        part_of: The part of each need; less than 0 = it is met when others are, or never.
        stages: Of each part how much is known.
        lowers: Of each part a bound on the size of its covers.
        counts: Of each part how many minimal covers were found.
        exact: Of each part 1 if there are no others.
    """

    __slots__ = ("_sets", "counts", "exact", "lowers", "part_of", "stages", "steps")

    def __init__(self, told: "array[int]", n_needs: int, sets: "list[bytes]") -> None:
        """Reads what the kernel has written."""
        n_parts, n_steps = told[0], told[1]
        row = [_N_TOLD + n_needs * number for number in range(_N_ROWS)]
        self._sets = sets
        self.part_of = told[row[0] : row[0] + n_needs]
        needs, items = (told[start : start + n_steps] for start in row[1:3])
        self.steps = [*zip(needs, items, strict=True)]
        self.stages, self.lowers, self.counts, self.exact = (
            told[start : start + n_parts] for start in row[3:]
        )

    def _items(self, row: int) -> Iterable[int]:
        return compress(range(len(self._sets[row])), self._sets[row])

    @property
    def conflict(self) -> tuple[int, ...]:
        """Needs that nothing satisfies; where there are any, no more than that is known."""
        if _HOPELESS not in self.part_of:
            return ()
        return tuple([need for need, part in enumerate(self.part_of) if part == _HOPELESS])

    @property
    def cover(self) -> frozenset[int]:
        """The smallest cover found."""
        return frozenset(self._items(_COVER))

    @property
    def every(self) -> frozenset[int]:
        """Items known to be in every minimal cover."""
        return frozenset(self._items(_EVERY))

    @property
    def possible(self) -> frozenset[int]:
        """Items not known to be missing from every minimal cover."""
        return frozenset(self._items(_POSSIBLE))

    @property
    def mentioned(self) -> frozenset[int]:
        """All items of alternatives."""
        return frozenset(self._items(_MENTIONED))

    @property
    def forced(self) -> frozenset[int]:
        """Items that some need has in all its alternatives."""
        return frozenset(self._items(_FORCED))

    def is_settled(self, part: int, max_covers: int) -> bool:
        """Returns whether all that was asked for is known of a part; with no covers h is."""
        return self.stages[part] == _COMPLETE or (not max_covers and self.stages[part] == _MINIMAL)

    @property
    def is_complete(self) -> bool:
        """Whether everything is known of every part."""
        return not any(self.stages)


def ask_kernel(
    needs: Sequence[Collection[Collection[int]]],
    forbidden: Iterable[int],
    effort: Effort,
    max_covers: int,
) -> KernelAnswer:
    """Returns what the kernel finds out about needs, where it is there.

    Args:
        needs: Their alternatives.
        forbidden: Items that no cover may hold.
        effort: Left for it; less afterwards.
        max_covers: In each part minimal covers are counted up to this number; 0 = h is enough.

    Raises:
        KernelError: The kernel is not there, or refuses what it is given.
    """
    library = kernel()
    if library is None:
        raise KernelError("there is no compiled kernel here")
    listed, banned = _listed(needs), [*forbidden]
    n_items = 1 + max(max(listed[0], default=-1), max(banned, default=-1))
    limits = (int(min(max(0, effort.left), _MOST_STEPS)), STEPS_A_PART, STEPS_BEFORE_CORE)
    given = [*listed, array("q", banned)]
    rest = array("q", limits), array("B", bytes(_N_SETS * n_items))
    told = array("q", bytes(8 * (_N_TOLD + _N_ROWS * len(needs))))
    library.call(
        "awase_cover", *map(passed_numbers, given), n_items, max_covers,
        *map(passed_numbers, (*rest, told)),
    )  # fmt: skip
    effort.left -= told[2]
    rows = rest[1].tobytes()
    cut = [rows[row * n_items : (row + 1) * n_items] for row in range(_N_SETS)]
    return KernelAnswer(told, len(needs), cut)


def _listed(needs: Sequence[Collection[Collection[int]]]) -> "list[array[int]]":
    """Returns the items of all alternatives, where each of these begins, and each need."""
    alternatives = [*chain.from_iterable(needs)]
    # Arrays of lists are made twice as fast as those of iterators.
    return [
        array("q", [*chain.from_iterable(alternatives)]),
        array("q", [*accumulate(map(len, alternatives), initial=0)]),
        array("q", [*accumulate(map(len, needs), initial=0)]),
    ]


def solve_compiled(
    component: Component, bounds: Bounds, effort: Effort, max_covers: int
) -> ComponentCover | None:
    """Returns the minimal covers of `component`, or what is known of them when the effort is spent.

    Returns None without the kernel. With `max_covers` 0 nothing is asked beyond one minimal cover.
    """
    if kernel() is None:
        return None
    items = items_of(bounds.union)
    found = ask_kernel(_numbered(component, items), (), effort, max_covers)
    cover, every, possible = (
        mask_of([items[idx] for idx in told]) for told in (found.cover, found.every, found.possible)
    )
    n_covers = 1
    for count in found.counts:
        n_covers *= count
    return ComponentCover(
        lower=max(len(found.forced) + sum(found.lowers), bounds.lower),
        cover=cover,
        every=every if found.is_complete else 0,
        possible=possible if found.is_complete else bounds.union,
        complete=found.is_complete,
        n_covers=n_covers,
        n_covers_exact=all(found.exact),
        steps=bounds.steps,
    )


def _numbered(component: Component, items: Sequence[int]) -> list[list[list[int]]]:
    """Returns the alternatives of needs with the places of their items in `items`."""
    number = {item: idx for idx, item in enumerate(items)}
    return [[[number[item] for item in items_of(mask)] for mask in need] for need in component]


def smaller_cover(component: Component, cover: int, steps: int, seed: int = 0) -> int:
    """Returns the smallest cover met by local search, `cover` where there is none smaller.

    Args:
        component: Needs as bit masks.
        cover: A cover of it.
        steps: Of about a microsecond; without the kernel none are made.
        seed: Of the same cover and seed comes the same cover.
    """
    library = kernel()
    if library is None:
        return cover
    items = items_of(union_of(map(union_of, component)))
    flags = array("B", [cover >> item & 1 for item in items])
    given = [*_listed(_numbered(component, items)), array("q", (0, steps, seed)), flags]
    library.call("awase_cover_improve", *map(passed_numbers, given))
    return mask_of(compress(items, flags))
