"""Pseudo-pyramid: a system's units matched with the units of oracles, weighted by how many agree.

Source: Hirao, Kamigaito and Nagata, “抽出型オラクルを利用した要約の自動評価”, equations 2 to 8.
Differs: eq. 3 demands that every system unit be matched, which is impossible when there are more of
    them than oracle units: here each is matched at most once. Eq. 6 forgets z_j in the constraint.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

from awase.core.metrics.pseudo_pyramid.comparing import Compared, Tokens
from awase.core.oracles.units import Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class PyramidUnit:
    """A unit of some oracle.

    Attributes:
        unit: In the source.
        tokens: Of its text.
        length: In the unit of the limit.
        weight: N(o): in how many references' oracles it is.
    """

    unit: Unit
    tokens: Tokens
    length: int
    weight: Fraction


@dataclass(frozen=True, kw_only=True)
class Pyramid:
    """What summaries with the same references are measured against.

    Attributes:
        units: Of all oracles, in the order of the source.
        limit: L, in the unit in which lengths are.
    """

    units: tuple[PyramidUnit, ...]
    limit: int

    @cached_property
    def upper(self) -> Fraction:
        """Upper(O): the highest weight that units within the limit can have (eq. 6)."""
        scale, weights = self._whole_weights
        return Fraction(knapsack(weights, [one.length for one in self.units], self.limit), scale)

    @cached_property
    def by_weight(self) -> list[int]:
        """Indices of the units, the heaviest first, of equals in their order."""
        weights = self._whole_weights[1]
        return sorted(range(len(weights)), key=lambda idx: -weights[idx])

    def weight_of(self, oracle_idxs: Iterable[int]) -> Fraction:
        """Returns the exact sum of units' weights."""
        scale, weights = self._whole_weights
        return Fraction(sum([weights[idx] for idx in oracle_idxs]), scale)

    @cached_property
    def _whole_weights(self) -> tuple[int, list[int]]:
        """What makes all weights whole, and the weights times that."""
        scale = lcm(*[one.weight.denominator for one in self.units])
        return scale, [
            one.weight.numerator * (scale // one.weight.denominator) for one in self.units
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A system unit and the oracle unit that it is paid for.

    Attributes:
        system_idx: Index of the system's unit.
        oracle_idx: Index in `Pyramid.units`.
        common: Length of their longest common subsequence, in tokens.
    """

    system_idx: int
    oracle_idx: int
    common: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching:
    """How a summary's units were matched.

    Attributes:
        matches: One for each oracle unit that was found, in its order.
        paid: Sum of their weights: the numerator of eq. 7.
        others: Matches that were not paid, as one of the two is in `matches` already.
    """

    matches: tuple[Match, ...]
    paid: Fraction
    others: tuple[Match, ...]


def weights_of(
    oracles: Iterable[Sequence[Sequence[Unit]]],
) -> dict[Unit, Fraction]:
    """Returns N(o) of each unit, eq. 2.

    Args:
        oracles: For each reference its oracles; a unit in some of several equally good ones counts
            for the share that has it.
    """
    weights: dict[Unit, Fraction | int] = {}
    for of_reference in oracles:
        # Whole numbers, which nearly all are, add up ten times as fast.
        share = Fraction(1, len(of_reference)) if len(of_reference) > 1 else 1
        for optimum in of_reference:
            for unit in optimum:
                weights[unit] = weights.get(unit, 0) + share
    return {unit: Fraction(weight) for unit, weight in weights.items()}


def merged(units: Sequence[PyramidUnit], oracles: Sequence[Sequence[Sequence[Unit]]]) -> list[
    PyramidUnit
]:  # fmt: skip
    """Returns the units, those with equal tokens as one: the first, with the weight of them all.

    A reference counts once for a text, however often its oracle has it.
    """
    tokens_by_unit = {one.unit: one.tokens for one in units}
    weights: dict[Tokens, Fraction] = {}
    for of_reference in oracles:
        for optimum in of_reference:
            for tokens in dict.fromkeys(tokens_by_unit[unit] for unit in optimum):
                share = Fraction(1, len(of_reference))
                weights[tokens] = weights.get(tokens, Fraction(0)) + share
    first = {one.tokens: one for one in reversed(units)}
    return [
        PyramidUnit(unit=one.unit, tokens=one.tokens, length=one.length, weight=weights[one.tokens])
        for one in units
        if first[one.tokens] is one
    ]


def matching_of(pyramid: Pyramid, compared: Compared, system_idx: int) -> Matching:
    """Returns which units of a system were matched with what, paid or not."""
    pairs = compared.pairs_of(system_idx)
    matches = [
        (Match(system_idx=row, oracle_idx=column, common=n), is_paid)
        for row, column, n, is_paid in pairs
    ]
    paid = [match for match, is_paid in matches if is_paid]
    return Matching(
        matches=tuple(sorted(paid, key=lambda match: match.oracle_idx)),
        paid=pyramid.weight_of(match.oracle_idx for match in paid),
        others=tuple(match for match, is_paid in matches if not is_paid),
    )


def knapsack(weights: Sequence[int], lengths: Sequence[int], limit: int) -> int:
    """Returns the highest sum of weights of units whose lengths are within the limit together.

    Args:
        weights: From 0.
        lengths: From 0.
        limit: From 0.
    """
    if sum(lengths) <= limit:
        return sum(weights)
    import numpy as np

    best = np.zeros(limit + 1, np.int64)
    for weight, length in zip(weights, lengths, strict=True):
        if length <= limit:
            best[length:] = np.maximum(best[length:], best[: limit + 1 - length] + weight)
    return int(best[-1])


def pyramid_of(
    oracles: Sequence[Sequence[Sequence[Unit]]],
    tokens_of: Mapping[Unit, Tokens],
    length_of: Mapping[Unit, int],
    limit: int,
    *,
    merges: bool,
) -> Pyramid:
    """Returns the pyramid of the oracles for each reference.

    Args:
        oracles: For each reference its oracles.
        tokens_of: Of every unit in them; one without tokens can match nothing and is left out.
        length_of: Of every unit, in the unit of the limit.
        limit: L.
        merges: Whether units with equal tokens are one.
    """
    weights = weights_of(oracles)
    units = [
        PyramidUnit(unit=unit, tokens=tokens_of[unit], length=length_of[unit], weight=weights[unit])
        for unit in tokens_of
        if unit in weights and tokens_of[unit]
    ]
    known = {one.unit for one in units}
    kept = [[[u for u in optimum if u in known] for optimum in one] for one in oracles]
    return Pyramid(units=tuple(merged(units, kept) if merges else units), limit=limit)
