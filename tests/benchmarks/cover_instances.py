"""Synthetic minimal cover instances: the three kinds that are measured.

All have TSC-3's size at `scale=1`: 120 source sentences, 10-40 abstract sentences, 1-6 alternatives
of 1-5 source sentences each; at `scale=10` there are ten times as many sentences of both kinds.

- realistic: the documents tell facts. A fact stands in 1-4 source sentences (its carriers), a
  source sentence can carry several facts, an abstract sentence tells 1-3 facts, and an alternative
  is one carrier for each of its facts, now and then with one more. Most abstract sentences have one
  or two alternatives, as in table 1 of the TSC-3 paper.
- uniform: every alternative is drawn uniformly from all source sentences: one big component.
- shared: all alternatives are drawn from the same 30 source sentences, at least two alternatives of
  at least two sentences each, so that nothing is forced and the linear relaxation is poor.
"""

import random
from collections.abc import Callable, Mapping
from itertools import permutations

from awase.core.solvers.cover import CoverProblem

N_SOURCE = 120
N_ABSTRACT = (10, 40)
N_SHARED = 30


def realistic(rng: random.Random, scale: int = 1) -> CoverProblem:
    n_needs = rng.randint(*N_ABSTRACT) * scale
    n_source = N_SOURCE * scale
    carriers = [
        rng.sample(range(n_source), rng.choices((1, 2, 3, 4), (30, 35, 25, 10))[0])
        for _ in range(max(3, round(n_needs * 1.3)))
    ]
    needs = []
    for _ in range(n_needs):
        facts = rng.sample(carriers, rng.choices((1, 2, 3), (50, 38, 12))[0])
        n_alternatives = rng.choices((1, 2, 3, 4, 5, 6), (35, 27, 16, 10, 7, 5))[0]
        needs.append(
            tuple(
                frozenset(
                    [rng.choice(fact) for fact in facts]
                    + ([rng.randrange(n_source)] if rng.random() < 0.15 else [])
                )
                for _ in range(n_alternatives)
            )
        )
    return CoverProblem(needs=tuple(needs))


def uniform(rng: random.Random, scale: int = 1) -> CoverProblem:
    return _drawn(rng, scale, lambda size: rng.sample(range(N_SOURCE * scale), size))


def shared(rng: random.Random, scale: int = 1) -> CoverProblem:
    return _drawn(rng, scale, lambda size: rng.sample(range(N_SHARED * scale), max(2, size)), 2)


def _drawn(
    rng: random.Random, scale: int, draw: Callable[[int], list[int]], fewest: int = 1
) -> CoverProblem:
    return CoverProblem(
        needs=tuple(
            tuple(frozenset(draw(rng.randint(1, 5))) for _ in range(rng.randint(fewest, 6)))
            for _ in range(rng.randint(*N_ABSTRACT) * scale)
        )
    )


def toggled(problem: CoverProblem, rng: random.Random) -> CoverProblem:
    """Returns the problem after one toggle: a sentence put into or taken out of an alternative."""
    needs = list(problem.needs)
    need_idx = rng.randrange(len(needs))
    alternatives = list(needs[need_idx])
    alternative_idx = rng.randrange(len(alternatives))
    old = alternatives[alternative_idx]
    removable = len(old) > 1 and rng.random() < 0.5
    nearby = sorted(old)[0] + rng.randint(1, 10)
    changed = old - {rng.choice(sorted(old))} if removable else old | {nearby}
    alternatives[alternative_idx] = changed
    needs[need_idx] = tuple(alternatives)
    return CoverProblem(needs=tuple(needs), forbidden=problem.forbidden)


def steiner(n_points: int) -> CoverProblem:
    """Returns the covering problem of the Steiner triple system of 9, 27, 81, 243 … points.

    Each need is a triple, and any point of it is enough. Notoriously hard: h is 5, 18, 61 and 198.

    Source: Fulkerson, Nemhauser and Trotter (1974), Two computationally difficult set covering
    problems that arise in computing the 1-width of incidence matrices of Steiner triple systems;
    the tripling construction, from the system of 3 points.
    """
    triples, size = [(0, 1, 2)], 3
    while size < n_points:
        copies = range(3)
        triples = [
            *((x, x + size, x + 2 * size) for x in range(size)),
            *((x + c * size, y + c * size, z + c * size) for x, y, z in triples for c in copies),
            *(
                (x + a * size, y + b * size, z + c * size)
                for x, y, z in triples
                for a, b, c in permutations(copies)
            ),
        ]
        size *= 3
    if size != n_points:
        raise ValueError(f"{n_points} is no power of 3")
    return CoverProblem(needs=tuple(tuple(frozenset({x}) for x in triple) for triple in triples))


def crossing(rng: random.Random, n_needs: int, n_source: int, n_alternatives: int) -> CoverProblem:
    """Returns needs of so many alternatives each, drawn uniformly, that no bound is near h."""
    return CoverProblem(
        needs=tuple(
            tuple(
                frozenset(rng.sample(range(n_source), rng.randint(1, 5)))
                for _ in range(n_alternatives)
            )
            for _ in range(n_needs)
        )
    )


KINDS: Mapping[str, Callable[[random.Random, int], CoverProblem]] = {
    "realistic": realistic,
    "uniform": uniform,
    "shared": shared,
}
