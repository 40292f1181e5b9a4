"""Exact arithmetic that the scorers share."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm


def exact_weight(value: float) -> Fraction:
    """Returns the simplest fraction that a file's decimal stands for: .3333333333333333 is 1/3."""
    simple = Fraction(value).limit_denominator(1000)
    return simple if float(simple) == value else Fraction(repr(float(value)))


def mean(values: Sequence[Fraction]) -> Fraction:
    """Returns the exact mean of at least one value."""
    common = lcm(*{value.denominator for value in values})
    total = sum(value.numerator * (common // value.denominator) for value in values)
    return Fraction(total, common * len(values))
