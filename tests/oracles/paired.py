"""Resampling as textbooks describe it: one resample after the other, and every one of them."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

Values = Sequence[Fraction]


def mean(values: Values) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def randomisation_p(differences: Values) -> Fraction:
    """Over every way to set the signs."""
    observed = abs(mean(differences))
    ways = [*product((1, -1), repeat=len(differences))]
    as_far = [
        abs(mean([sign * d for sign, d in zip(signs, differences, strict=True)])) >= observed
        for signs in ways
    ]
    return Fraction(sum(as_far), len(ways))


def bootstrap_p(differences: Values) -> Fraction:
    """Over every ordered resample of the centred differences."""
    observed = mean(differences)
    centred = [d - observed for d in differences]
    resamples = [*product(centred, repeat=len(differences))]
    return Fraction(sum(abs(mean(one)) >= abs(observed) for one in resamples), len(resamples))


def bootstrap_means(values: Values) -> list[Fraction]:
    """The mean of every ordered resample, sorted."""
    return sorted(mean(one) for one in product(values, repeat=len(values)))


def holm(p_values: Sequence[float]) -> list[float]:
    """By the definition: step through the sorted p-values."""
    adjusted: dict[int, float] = {}
    largest = 0.0
    ranked = sorted(range(len(p_values)), key=lambda at: (p_values[at], at))
    for rank, at in enumerate(ranked):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[at]))
        adjusted[at] = largest
    return [adjusted[at] for at in range(len(p_values))]
