"""Minimal covers of a problem that is being edited: only what an edit touched is solved again."""

import math
from collections.abc import Mapping

from awase.core.solvers.cover.component import ComponentCover
from awase.core.solvers.cover.engines.table import DEFAULT_ENGINE, engine_named
from awase.core.solvers.cover.presolve import Component, NeedMasks, mask_need, presolve
from awase.core.solvers.cover.problem import CoverProblem, MinimalCover, Need
from awase.core.solvers.cover.solving import MAX_COVERS, Part, assemble, solve_part
from awase.core.solvers.effort import Effort
from awase.core.solvers.masks import mask_of

MAX_COMPONENTS = 4096


class CoverSession:
    """Solves problem after problem, and keeps the answers for components it has seen.

    The answers are those of `minimal_cover` with the same options. One session serves one topic:
    its items must mean the same sentences all the time. The cache is bounded; the component that
    was unused for longest goes first.
    """

    def __init__(
        self,
        *,
        engine: str = DEFAULT_ENGINE,
        max_covers: int = MAX_COVERS,
        max_components: int = MAX_COMPONENTS,
    ) -> None:
        """Starts with an empty cache.

        Args:
            engine: One of `cover_engines.ENGINES`.
            max_covers: As in `minimal_cover`.
            max_components: Largest number of components kept.

        Raises:
            ValueError: There is no such engine.
        """
        self._engine = engine_named(engine)
        self._max_covers = max_covers
        self._max_components = max_components
        self._forbidden: frozenset[int] = frozenset()
        self._needs: dict[Need, NeedMasks] = {}
        self._parts: dict[Component, tuple[Part, float]] = {}

    def solve(self, problem: CoverProblem, *, effort: int | None = None) -> MinimalCover:
        """Returns the answer for `problem`.

        Args:
            problem: What has to be covered.
            effort: As in `minimal_cover`; components from the cache cost none of it. A component
                that was too hard is tried again only with more effort.
        """
        presolved = presolve(self._masks(problem))
        limit = Effort(effort)
        parts = [
            self._part(component, limit, math.inf if effort is None else effort)
            for component in sorted(presolved.components, key=len)
        ]
        while len(self._parts) > self._max_components:
            del self._parts[next(iter(self._parts))]
        return assemble(presolved, parts)

    @property
    def n_components(self) -> int:
        """How many components' answers are kept."""
        return len(self._parts)

    def learn(self, parts: Mapping[Component, Part]) -> None:
        """Takes over answers that another process found with the same options."""
        for component, part in parts.items():
            self._parts[component] = (part, math.inf)

    def _masks(self, problem: CoverProblem) -> list[NeedMasks]:
        """Returns the needs as bits, from the last problem where it had them."""
        known = self._needs if problem.forbidden == self._forbidden else {}
        forbidden = mask_of(problem.forbidden)
        masks = [known.get(need) or mask_need(need, forbidden) for need in problem.needs]
        self._needs = dict(zip(problem.needs, masks, strict=True))
        self._forbidden = problem.forbidden
        return masks

    def _part(self, component: Component, limit: Effort, effort: float) -> Part:
        part, tried = self._parts.pop(component, ((), -1.0))
        if tried < effort:
            part = solve_part(component, self._engine, limit, self._max_covers)
            tried = math.inf if all([self._is_final(leaf) for leaf in part]) else effort
        self._parts[component] = (part, tried)
        return part

    def _is_final(self, leaf: ComponentCover) -> bool:
        """Returns whether more effort would change nothing."""
        counted = leaf.n_covers_exact or leaf.n_covers >= self._max_covers
        return leaf.complete and counted
