"""The search of the compiled kernel for all minimal covers of a component, where it is there.

Depth first over items, with a bound from the dual of the linear relaxation at every node: most
components that Python's search leaves to MaxSAT end here in a fraction of the time it takes.
"""

from itertools import accumulate, chain

import numpy as np

from awase.core.kernel.arrays import passed
from awase.core.kernel.binding import kernel
from awase.core.solvers.cover.component import Bounds, ComponentCover
from awase.core.solvers.cover.presolve import Component
from awase.core.solvers.effort import Effort
from awase.core.solvers.masks import items_of

MOST_STEPS = 1 << 50
_COMPLETE, _MINIMAL = 0, 1


def solve_compiled(
    component: Component, bounds: Bounds, effort: Effort, max_covers: int
) -> ComponentCover | None:
    """Returns the minimal covers of `component`, or what is known of them when the effort is spent.

    Returns None without the kernel, or where the component is too large for it. With `max_covers`
    0 nothing is asked beyond one minimal cover.
    """
    library = kernel()
    if library is None:
        return None
    items = items_of(bounds.union)
    number = {item: idx for idx, item in enumerate(items)}
    alternatives = [
        [number[item] for item in items_of(mask)] for need in component for mask in need
    ]
    numbers = (
        np.array([*chain.from_iterable(alternatives)], np.int64),
        np.array([0, *accumulate(map(len, alternatives))], np.int64),
        np.array([0, *accumulate(map(len, component))], np.int64),
        np.array([number[item] for item in items_of(bounds.cover)], np.int64),
    )
    steps = int(min(max(0, effort.left), MOST_STEPS))
    sets, told = np.zeros((3, len(items)), np.uint8), np.zeros(5, np.int64)
    done = library.call(
        "awase_cover", *(passed(one, "int64") for one in numbers), len(items), max_covers, steps,
        passed(sets, "uint8"), passed(told, "int64"),
    )  # fmt: skip
    if not done:
        return None
    stage, lower, n_covers, are_all, n_steps = told.tolist()
    effort.left -= n_steps
    cover, every, possible = (
        sum([1 << items[idx] for idx in row.nonzero()[0].tolist()]) for row in sets
    )
    return ComponentCover(
        lower=max(lower, bounds.lower),
        cover=cover,
        every=every,
        possible=possible if stage == _COMPLETE else bounds.union,
        complete=stage == _COMPLETE,
        n_covers=n_covers if stage == _COMPLETE else int(stage == _MINIMAL),
        n_covers_exact=stage == _COMPLETE and bool(are_all),
        steps=bounds.steps,
    )
