"""Checks answers without the engines that gave them, and proves that no cover is smaller.

`verify` recomputes what a `MinimalCover` claims from the problem's own sets. `prove` gives, for
each independent component, the unsatisfiability of h - 1 as a DRUP proof, which any checker of that
format accepts; together with the forced items they prove h.

Source: Sinz (2005), Towards an optimal CNF encoding of Boolean cardinality constraints, CP (the
sequential counter); Goldberg, Novikov (2003), Verification of proofs of unsatisfiability for CNF
formulas, DATE.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from awase.core.solvers.cover import (
    Certificate,
    Component,
    CoverProblem,
    MinimalCover,
    mask_need,
    presolve,
    without_implied,
)
from awase.core.solvers.cover_component import ComponentCover
from awase.core.solvers.cover_solving import DEFAULT_ENGINE, engine_named, solve_part
from awase.core.solvers.effort import Effort
from awase.core.solvers.masks import items_of, mask_of

Clause = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentProof:
    """A proof that some needs cannot be met with `bound` items beside the forced ones.

    Variable 1 stands for the first item of `items`, and so on; then one for each alternative of
    several items, in the order of first mention; then the counter's s(i, j), i-th item and j-th
    count, row by row.

    Attributes:
        needs: Indices of the needs.
        items: Their items without forced ones, ascending; no two proofs share an item.
        bound: One less than the fewest items that meet them.
        clauses: Each need, each alternative, and at most `bound` items.
        lines: The proof in DRUP: clauses ending in 0, deletions begin with d, the last one is "0".
    """

    needs: tuple[int, ...]
    items: tuple[int, ...]
    bound: int
    clauses: tuple[Clause, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverProof:
    """A proof that no cover has fewer than `lower` items.

    Attributes:
        forced: Items that are in every allowed alternative of some need.
        components: A proof for each independent rest.
    """

    forced: frozenset[int]
    components: tuple[ComponentProof, ...]

    @property
    def lower(self) -> int:
        """The size that every cover has at least."""
        return len(self.forced) + sum(part.bound + 1 for part in self.components)


def prove(problem: CoverProblem, *, max_conflicts: int = 1_000_000) -> CoverProof | None:
    """Returns a proof of h, None when it takes more than `max_conflicts` or there is no cover.

    Takes as long as the proof is hard to find: seconds where `minimal_cover` takes milliseconds.
    """
    presolved = presolve([mask_need(need, mask_of(problem.forbidden)) for need in problem.needs])
    if presolved.conflict:
        return None
    engine = engine_named(DEFAULT_ENGINE)
    proofs = []
    for component in presolved.components:
        leaves = without_implied(component)
        answers = solve_part(component, engine, Effort(), max_covers=1)
        for leaf, answer in zip(leaves, answers, strict=True):
            needs = tuple([presolved.origin[need] for need in leaf])
            proof = prove_component(leaf, answer, needs, max_conflicts)
            if proof is None:
                return None
            proofs.append(proof)
    return CoverProof(forced=frozenset(items_of(presolved.forced)), components=tuple(proofs))


def prove_component(
    leaf: Component, answer: ComponentCover, needs: tuple[int, ...], max_conflicts: int
) -> ComponentProof | None:
    """Returns the proof that one component has no smaller cover; None = not within the conflicts.

    Args:
        leaf: The component.
        answer: What an engine found out about it.
        needs: Positions of its needs among the problem's.
        max_conflicts: How long the solver may try.

    Raises:
        RuntimeError: There is a smaller cover, so the engine was wrong.
    """
    from pysat.solvers import Solver  # 36 ms to import

    items = items_of(mask_of(item for need in leaf for mask in need for item in items_of(mask)))
    bound = answer.lower - 1
    clauses = _clauses(leaf, items, bound)
    with Solver(name="g3", bootstrap_with=clauses, with_proof=True) as solver:
        solver.conf_budget(max_conflicts)
        found = solver.solve_limited()
        if found is None:
            return None
        if found:
            raise RuntimeError("an engine claimed a cover to be minimal that is not")
        lines = tuple(line.strip() for line in solver.get_proof())
    if not lines:  # the clauses contradict each other at once, of which the solver writes nothing
        lines = ("0",)
    return ComponentProof(
        needs=needs, items=tuple(items), bound=bound, clauses=tuple(clauses), lines=lines
    )


def _clauses(leaf: Component, items: Sequence[int], bound: int) -> list[Clause]:
    variable = {1 << item: var for var, item in enumerate(items, start=1)}
    clauses: list[Clause] = []
    for need in leaf:
        for mask in need:
            if mask not in variable:
                variable[mask] = len(variable) + 1
                clauses += [(-variable[mask], variable[1 << item]) for item in items_of(mask)]
        clauses.append(tuple([variable[mask] for mask in need]))
    return clauses + at_most(bound, len(items), len(variable))


def at_most(bound: int, n_variables: int, top: int) -> list[Clause]:
    """Returns clauses that admit at most `bound` of the variables 1..`n_variables`.

    Args:
        bound: 0 or more.
        n_variables: How many variables are counted.
        top: The last variable in use.
    """
    if bound == 0:
        return [(-x,) for x in range(1, n_variables + 1)]

    def s(i: int, j: int) -> int:
        return top + (i - 1) * bound + j

    clauses: list[Clause] = []
    for i in range(1, n_variables + 1):
        clauses.append((-i, s(i, 1)))
        if i > 1:
            clauses += [(-s(i - 1, j), s(i, j)) for j in range(1, bound + 1)]
            clauses += [(-i, -s(i - 1, j - 1), s(i, j)) for j in range(2, bound + 1)]
            clauses.append((-i, -s(i - 1, bound)))
    return clauses


def verify(problem: CoverProblem, result: MinimalCover) -> tuple[str, ...]:
    """Returns what is wrong with `result`, nothing when all that can be checked holds.

    Checked: that the cover is one and has the stated size, that the bounds and the item sets agree
    with it and with each other, that each need of the conflict cannot be met and all others can,
    and the certificate. When its `lower` is `result.upper`, the cover is thereby proved minimal.
    """
    allowed = [
        [alternative for alternative in need if not alternative & problem.forbidden]
        for need in problem.needs
    ]
    wrong = []
    if result.conflict != tuple([idx for idx, need in enumerate(allowed) if not need]):
        wrong.append("the conflict is not the set of needs that cannot be met")
    if result.cover is None or result.lower is None or result.certificate is None:
        if not result.conflict:
            wrong.append("no cover is given though there is one")
        return tuple(wrong)
    if result.conflict:
        wrong.append("a cover is given though there is none")
    wrong += _wrong_cover(problem, result, result.cover, result.lower)
    wrong += _wrong_certificate(allowed, result.certificate, result.lower)
    return tuple(wrong)


def _wrong_cover(
    problem: CoverProblem, result: MinimalCover, cover: frozenset[int], lower: int
) -> list[str]:
    wrong = []
    if cover & problem.forbidden:
        wrong.append("the cover holds a forbidden item")
    if not all(any(alternative <= cover for alternative in need) for need in problem.needs):
        wrong.append("the cover leaves a need unmet")
    if len(cover) != result.upper:
        wrong.append("the upper bound is not the size of the cover")
    if lower > len(cover):
        wrong.append("the lower bound is above the upper")
    if not result.in_every <= cover and lower == len(cover):
        wrong.append("the cover lacks an item that is in every minimal cover")
    if result.in_none & cover and lower == len(cover):
        wrong.append("the cover holds an item that is in no minimal cover")
    return wrong


def _wrong_certificate(
    allowed: Sequence[Sequence[frozenset[int]]], certificate: Certificate, lower: int
) -> list[str]:
    wrong = []
    common = [frozenset.intersection(*need) for need in allowed if need]
    if not certificate.forced <= frozenset().union(*common):
        wrong.append("a forced item is not in every alternative of any need")
    counted: frozenset[int] = frozenset()
    for step in certificate.steps:
        alternatives = _minimal([one - certificate.forced for one in allowed[step.need]])
        fewest = min([len(alternative - counted) for alternative in alternatives], default=0)
        if step.n_items > fewest:
            wrong.append(f"need {step.need} asks for {fewest} further items only")
        counted = counted.union(*alternatives)
    if certificate.lower > lower:
        wrong.append("the certificate proves more than the lower bound")
    return wrong


def _minimal(alternatives: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    return [one for one in alternatives if not any(other < one for other in alternatives)]
