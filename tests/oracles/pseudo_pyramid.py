"""Pseudo-pyramids as the paper writes them, by looking at every possibility."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations


def lcs(one: Sequence[str], other: Sequence[str]) -> int:
    row = [0] * (len(other) + 1)
    for token in one:
        above = row
        row = [0]
        for idx, theirs in enumerate(other):
            row.append(above[idx] + 1 if token == theirs else max(above[idx + 1], row[idx]))
    return row[-1]


def is_alike(system: Sequence[str], oracle: Sequence[str], tau: Fraction) -> bool:
    return Fraction(lcs(system, oracle), len(oracle)) >= tau


def best_matching(alike: Sequence[Sequence[bool]], weights: Sequence[Fraction]) -> Fraction:
    """The highest weight of a matching, over all ways to give system units to oracle units."""
    n_systems, n_oracles = len(alike), len(weights)
    if not n_systems or not n_oracles:
        return Fraction(0)
    padded = [*range(n_systems), *([None] * n_oracles)]
    return max(
        sum(
            (
                weights[oracle]
                for oracle, system in enumerate(given)
                if system is not None and alike[system][oracle]
            ),
            Fraction(0),
        )
        for given in permutations(padded, n_oracles)
    )


def upper(weights: Sequence[Fraction], lengths: Sequence[int], limit: int) -> Fraction:
    units = range(len(weights))
    return max(
        sum((weights[idx] for idx in chosen), Fraction(0))
        for size in range(len(weights) + 1)
        for chosen in combinations(units, size)
        if sum(lengths[idx] for idx in chosen) <= limit
    )
