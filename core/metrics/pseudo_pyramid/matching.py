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
from typing import TYPE_CHECKING

from awase.core.oracles.units import Unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Tokens = tuple[str, ...]


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
        scale = lcm(*(one.weight.denominator for one in self.units))
        weights = [one.weight.numerator * (scale // one.weight.denominator) for one in self.units]
        return Fraction(knapsack(weights, [one.length for one in self.units], self.limit), scale)


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
    weights: dict[Unit, Fraction] = {}
    for of_reference in oracles:
        share = Fraction(1, max(1, len(of_reference)))
        for optimum in of_reference:
            for unit in optimum:
                weights[unit] = weights.get(unit, Fraction(0)) + share
    return weights


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


def common_lengths(systems: Sequence[Tokens], oracles: Sequence[Tokens]) -> "NDArray[np.int32]":
    """Returns (n_systems, n_oracles) lengths of longest common subsequences, in tokens."""
    import numpy as np
    from rapidfuzz.distance import LCSseq
    from rapidfuzz.process import cdist

    # A character for each token: compared several times faster than the tokens.
    letters = _Letters()
    queries = ["".join(map(letters.__getitem__, tokens)) for tokens in systems]
    choices = ["".join(map(letters.__getitem__, tokens)) for tokens in oracles]
    return np.asarray(cdist(queries, choices, scorer=LCSseq.similarity, dtype=np.int32))


_FIRST_SURROGATE, _N_SURROGATES = 0xD800, 0x800


class _Letters(dict[str, str]):
    """Token -> a character of its own, filled as tokens are met."""

    def __missing__(self, token: str) -> str:
        number = len(self)
        letter = chr(number if number < _FIRST_SURROGATE else number + _N_SURROGATES)
        self[token] = letter
        return letter


def are_alike(
    common: "NDArray[np.int32]", lengths: Sequence[int], threshold: Fraction
) -> "NDArray[np.bool_]":
    """Returns (n_systems, n_oracles) whether LCS(u, o) / len(o) >= threshold, exactly (eq. 4, 8).

    Args:
        common: (n_systems, n_oracles) LCS(u, o).
        lengths: len(o) of each oracle unit, in tokens; over 0.
        threshold: tau, over 0 and up to 1.
    """
    import numpy as np

    needed = np.array([-(-threshold.numerator * n // threshold.denominator) for n in lengths])
    return np.asarray(common >= needed)


def matched(pyramid: Pyramid, common: "NDArray[np.int32]", alike: "NDArray[np.bool_]") -> Matching:
    """Returns the best matching (eq. 3): each unit of either side at most once.

    Args:
        pyramid: The oracle units.
        common: (n_system_units, n_oracle_units) lengths of common subsequences.
        alike: The same shape: which pairs may be matched.
    """
    pairs = [(int(row), int(column)) for row, column in zip(*alike.nonzero(), strict=True)]
    rows, columns = {row for row, _ in pairs}, {column for _, column in pairs}
    if len(rows) == len(columns) == len(pairs):
        chosen = pairs
    else:
        chosen = _assigned(pyramid, sorted(rows), sorted(columns), alike)
    taken = {*chosen}
    return Matching(
        matches=tuple(
            Match(system_idx=row, oracle_idx=column, common=int(common[row, column]))
            for row, column in sorted(chosen, key=lambda pair: pair[1])
        ),
        paid=_sum([pyramid.units[column].weight for _, column in chosen]),
        others=tuple(
            Match(system_idx=row, oracle_idx=column, common=int(common[row, column]))
            for row, column in pairs
            if (row, column) not in taken
        ),
    )


def _sum(weights: Sequence[Fraction]) -> Fraction:
    """Returns the exact sum; nearly all weights are whole, which is added up faster."""
    scale = lcm(*(weight.denominator for weight in weights))
    return Fraction(sum([w.numerator * (scale // w.denominator) for w in weights]), scale)


def _assigned(
    pyramid: Pyramid, rows: list[int], columns: list[int], alike: "NDArray[np.bool_]"
) -> list[tuple[int, int]]:
    import numpy as np
    from scipy.optimize import linear_sum_assignment  # 0.4 s to import

    weights = [pyramid.units[column].weight for column in columns]
    scale = lcm(*(weight.denominator for weight in weights))
    part = alike[np.ix_(rows, columns)]
    # Whole numbers far below 2**53: the assignment is exact.
    worth = part * np.array([float(weight * scale) for weight in weights])
    found = linear_sum_assignment(worth, maximize=True)
    return [
        (rows[row], columns[column])
        for row, column in zip(*found, strict=True)
        if part[row, column]
    ]


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
