"""Smaller covers of a hard component: part of a known cover is taken back, and found anew exactly.

With the compiled kernel local search comes first: it is far better where alternatives are single
items or needs share much, and worse where they share little. Each round then frees some items of
the cover, those of needs that lie together or any, keeps the others, and solves what is unmet; with
the kernel larger parts at a time. A cover as large as the one before is taken, too, so that the
search moves on. It proves nothing: bounds from below come from the engines.

Source: Shaw (1998), Using constraint programming and local search methods to solve vehicle routing
problems, CP (large neighbourhood search).
"""

import random
from collections.abc import Callable

from awase.core.kernel.binding import kernel
from awase.core.solvers.cover.bounds_without_search import bounds_of
from awase.core.solvers.cover.component import Bounds
from awase.core.solvers.cover.engines.compiled import smaller_cover, solve_compiled
from awase.core.solvers.cover.engines.search import solve_by_search
from awase.core.solvers.cover.presolve import (
    Component,
    MaskedNeed,
    NeedMasks,
    presolve,
    without_implied,
)
from awase.core.solvers.effort import Effort
from awase.core.solvers.masks import items_of, minimal_masks, union_of

MOST_IDLE_ROUNDS = 3_000
"""After so many rounds without a smaller cover the search ends."""

_MOST_IDLE_STEPS = 200_000
"""It also ends after so many steps of the kernel without one, about a second."""

_LOCAL_STEPS = 200_000
"""So many steps local search has: what it finds in a second it has mostly found in a tenth."""

_FREED, _FREED_WITH_KERNEL = (4, 16), (6, 40)
_STEPS_A_PART = 3_000
_FEW_NEEDS = 4


class CoverImprover:
    """Improves one cover of a component; round by round the same for equal seeds."""

    def __init__(self, component: Component, cover: int, seed: int = 0) -> None:
        """Takes a cover of the component."""
        self._component = component
        self._unions = [union_of(need) for need in component]
        self._needs_of: dict[int, list[int]] = {}
        for need_idx, union in enumerate(self._unions):
            for item in items_of(union):
                self._needs_of.setdefault(item, []).append(need_idx)
        self._rng = random.Random(seed)
        self._range_freed = _FREED if kernel() is None else _FREED_WITH_KERNEL
        self._cover = cover
        self._has_begun = False
        self._steps = 0
        self.best = cover

    def improve(
        self,
        on_better: Callable[[int], None],
        is_wanted: Callable[[], bool] = lambda: True,
        most_idle_rounds: int = MOST_IDLE_ROUNDS,
    ) -> int:
        """Returns the smallest cover found.

        Args:
            on_better: Called with each cover that is smaller than all before.
            is_wanted: Asked once a round; False ends the search.
            most_idle_rounds: After so many rounds without a smaller cover it ends.
        """
        n_idle, self._steps = 0, 0
        while n_idle < most_idle_rounds and self._steps < _MOST_IDLE_STEPS and is_wanted():
            n_idle += 1
            cover = self._next()
            if cover.bit_count() > self._cover.bit_count():
                continue
            self._cover = cover
            if cover.bit_count() < self.best.bit_count():
                self.best, n_idle, self._steps = cover, 0, 0
                on_better(cover)
        return self.best

    def _next(self) -> int:
        if self._has_begun:
            return self._again(self._freed())
        self._has_begun = True
        return smaller_cover(self._component, self._cover, _LOCAL_STEPS)

    def _freed(self) -> int:
        """Returns items of the cover, about as many as a part can have."""
        items = items_of(self._cover)
        rng = self._rng
        n_freed = min(rng.randint(*self._range_freed), len(items))
        if rng.random() < 0.5:
            return sum(1 << item for item in rng.sample(items, n_freed))
        item = rng.choice(items)
        freed = 1 << item
        near = self._needs_of[item]
        for need_idx in rng.sample(near, len(near)):
            for other in items_of(self._unions[need_idx] & self._cover & ~freed):
                freed |= 1 << other
                if freed.bit_count() == n_freed:
                    return freed
        return freed

    def _again(self, freed: int) -> int:
        """Returns a cover that keeps the items that are not freed."""
        kept = self._cover & ~freed
        allowed = self._cover.bit_count()
        presolved = presolve([*self._unmet(kept, freed)])
        cover = kept | presolved.forced
        for component in sorted(presolved.components, key=len):
            for part in without_implied(component):
                bounds = bounds_of(part)
                if cover.bit_count() + bounds.lower > allowed:
                    return self._cover
                cover |= self._small_cover(part, bounds)
        return cover

    def _small_cover(self, part: Component, bounds: Bounds) -> int:
        """Returns a cover of a part, a minimal one unless that takes long."""
        if len(part) > _FEW_NEEDS:
            effort = Effort(_STEPS_A_PART)
            found = solve_compiled(part, bounds, effort, 0)
            if found is not None:
                self._steps += _STEPS_A_PART - int(effort.left)
                return found.cover
        return solve_by_search(part, bounds, Effort(_STEPS_A_PART), 1).cover

    def _unmet(self, kept: int, freed: int) -> list[NeedMasks]:
        touched = {idx for item in items_of(freed) for idx in self._needs_of[item]}
        unmet: dict[MaskedNeed, None] = {}
        for need_idx in sorted(touched):
            need = self._component[need_idx]
            if not any([mask & kept == mask for mask in need]):
                unmet[minimal_masks([mask & ~kept for mask in need])] = None
        return [_masks_of(need) for need in unmet]


def _masks_of(need: MaskedNeed) -> NeedMasks:
    common = -1
    for mask in need:
        common &= mask
    union = union_of(need)
    return NeedMasks(need, common, union, union)
