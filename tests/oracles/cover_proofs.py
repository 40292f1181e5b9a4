"""Checks DRUP proofs by reverse unit propagation, and re-encodes what they claim to refute."""

from collections.abc import Sequence

from tests.oracles.cover_verification import ComponentProof, CoverProof

from awase.core.solvers.cover import CoverProblem

Clauses = list[frozenset[int]]


def refutes(clauses: Sequence[Sequence[int]], lines: Sequence[str]) -> bool:
    """Returns whether each added clause follows by unit propagation, at last the empty one.

    What follows without any assumption stays true when the clause that it came of is deleted, as
    solvers and other checkers of DRUP take it.
    """
    known: Clauses = [frozenset(clause) for clause in clauses]
    fixed: set[int] = set()
    for line in lines:
        deleted = line.startswith("d")
        clause = frozenset(int(word) for word in line.lstrip("d ").split()[:-1])
        if deleted:
            if clause in known:
                if _conflicts(known, fixed):
                    return True
                known.remove(clause)
            continue
        if not _conflicts(known, fixed | {-literal for literal in clause}):
            return False
        if not clause:
            return True
        known.append(clause)
    return _conflicts(known, fixed)


def _conflicts(clauses: Clauses, true: set[int]) -> bool:
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            if clause & true:
                continue
            open_literals = [literal for literal in clause if -literal not in true]
            if not open_literals:
                return True
            if len(open_literals) == 1:
                true.add(open_literals[0])
                changed = True
    return False


def proof_is_valid(problem: CoverProblem, proof: CoverProof) -> bool:
    """Returns whether `proof` proves that no cover of `problem` is smaller than its `lower`."""
    allowed = [[a for a in need if not a & problem.forbidden] for need in problem.needs]
    forced = frozenset().union(*(frozenset.intersection(*need) for need in allowed))
    items = [item for part in proof.components for item in part.items]
    return (
        proof.forced <= forced
        and len(items) == len(set(items))
        and not set(items) & proof.forced
        and all(_part_is_valid(allowed, proof.forced, part) for part in proof.components)
    )


def _part_is_valid(
    allowed: list[list[frozenset[int]]], forced: frozenset[int], part: ComponentProof
) -> bool:
    """Checks that the clauses say no more than the needs and the bound do, then the refutation."""
    number = {item: n for n, item in enumerate(part.items, start=1)}
    needs = [{a - forced for a in allowed[idx]} for idx in part.needs]
    needs = [{a for a in need if not any(b < a for b in need)} for need in needs]
    by_clause = {frozenset(clause) for clause in part.clauses}
    # The meaning of a variable above the items is read off its implications, then every clause
    # must be one of: implication, need, counter.
    n_items = len(part.items)
    n_alternatives = len({a for need in needs for a in need if len(a) > 1})
    top = n_items + n_alternatives
    implied: dict[int, set[int]] = {}
    for clause in by_clause:
        if len(clause) == 2 and max(map(abs, clause)) <= top:
            low, high = sorted(clause)
            if low < -n_items and 0 < high <= n_items:
                implied.setdefault(-low, set()).add(part.items[high - 1])
    meaning = {frozenset(items): variable for variable, items in implied.items()}
    meaning |= {frozenset([item]): variable for item, variable in number.items()}
    expected = {frozenset((-v, number[i])) for v, items in implied.items() for i in items}
    expected |= {frozenset(meaning[a] for a in need) for need in needs}
    expected |= _counter(part.bound, n_items, top)
    return by_clause <= expected and refutes(part.clauses, part.lines)


def _counter(bound: int, n_items: int, top: int) -> set[frozenset[int]]:
    """Sinz's counter: s[i][j] may be false only if fewer than j of the first i items are true."""
    if bound == 0:
        return {frozenset([-item]) for item in range(1, n_items + 1)}
    s = [[top + i * bound + j + 1 for j in range(bound)] for i in range(n_items)]
    clauses = set()
    for i in range(n_items):
        clauses.add(frozenset((-(i + 1), s[i][0])))
        for j in range(bound if i else 0):
            clauses.add(frozenset((-s[i - 1][j], s[i][j])))
        for j in range(1, bound if i else 0):
            clauses.add(frozenset((-(i + 1), -s[i - 1][j - 1], s[i][j])))
        if i:
            clauses.add(frozenset((-(i + 1), -s[i - 1][bound - 1])))
    return clauses
