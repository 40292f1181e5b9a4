"""Exact arithmetic that the scorers share, and how signatures spell its fractions."""

import re
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import lcm

_DECIMAL = re.compile(r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+")
_RATIO = re.compile(r"[0-9]+:[0-9]+")
_DIGITS_OF_A_ROUNDED_WEIGHT = 4
_MOST_DIGITS = 17
_LARGEST_ROUNDED_DENOMINATOR = 12


def exact_weight(value: float) -> Fraction:
    """Returns the fraction that a file's number stands for: .3333333333333333 is 1/3.

    Where no denominator up to 1,000 gives this very number, it is read as `weight_of` reads text.
    """
    simple = Fraction(value).limit_denominator(1000)
    return simple if float(simple) == value else weight_of(f"{Decimal(repr(float(value))):f}")


def weight_text(weight: Fraction) -> str:
    """Returns a weight from 0 as signatures spell it; `weight_of` reads it back exactly."""
    for digits in range(_DIGITS_OF_A_ROUNDED_WEIGHT, _MOST_DIGITS + 1):
        whole, decimals = divmod(round(weight * 10**digits), 10**digits)
        text = f"{whole}.{decimals:0{digits}}".rstrip("0").rstrip(".")
        if weight_of(text) == weight:
            return text
    return f"{weight.numerator}:{weight.denominator}"


def weight_of(text: str) -> Fraction:
    """Returns the exact weight that `text` spells: `0.5`, or `1:7` for 1/7.

    A decimal of four digits or more that is the rounding of a fraction with a denominator of at
    most 12 stands for that fraction: 0.3333 is 1/3. Every other decimal is taken as written.

    Raises:
        ValueError: `text` is not a number from 0, or not a finite one.
    """
    if _RATIO.fullmatch(text):
        numerator, denominator = (int(part) for part in text.split(":"))
        if denominator:
            return Fraction(numerator, denominator)
    if not _DECIMAL.fullmatch(text):
        raise ValueError(f"{text!r} is not a weight")
    exact = Fraction(text)
    digits = len(text.partition(".")[2])
    if digits >= _DIGITS_OF_A_ROUNDED_WEIGHT:
        simple = exact.limit_denominator(_LARGEST_ROUNDED_DENOMINATOR)
        if abs(simple - exact) * 10**digits * 2 <= 1:
            return simple
    return exact


def mean(values: Sequence[Fraction]) -> Fraction:
    """Returns the exact mean of at least one value."""
    if len(values) == 1:
        return values[0]
    common = lcm(*{value.denominator for value in values})
    total = sum([value.numerator * (common // value.denominator) for value in values])
    return Fraction(total, common * len(values))


class ExactMean:
    """The exact mean of values that come one by one, of which none is held."""

    def __init__(self) -> None:
        self.n = 0
        self._numerators: dict[int, int] = defaultdict(int)

    def add(self, value: Fraction) -> None:
        """Takes a further value in."""
        self.n += 1
        self._numerators[value.denominator] += value.numerator

    def value(self) -> Fraction | None:
        """Returns the mean; None of no value."""
        total = sum(
            (Fraction(numerator, own) for own, numerator in self._numerators.items()), Fraction(0)
        )
        return total / self.n if self.n else None
