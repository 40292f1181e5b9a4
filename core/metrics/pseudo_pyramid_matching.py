"""Pseudo-pyramid: a system's units matched with the units of oracles, weighted by agreement.

Source: Hirao, Kamigaito and Nagata, “抽出型オラクルを利用した要約の自動評価”, equations 2 to 8.
Differs: eq. 3 demands that every system unit be matched, which is impossible when there are more of
    them than oracle units: here each is matched at most once. Eq. 6 omits z_j in the constraint.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, chain, pairwise
from math import lcm
from typing import TYPE_CHECKING

from awase.core.kernel.binding import kernel, passed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from awase.core.metrics.kit.extractive import Unit
    from awase.core.text.numbered_tokens import NumberedTexts


Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PyramidUnit:
    """A unit of some oracle."""

    unit: "Unit"
    tokens: Tokens
    length: int  # in the unit of the limit
    weight: Fraction


@dataclass(frozen=True, kw_only=True)
class Pyramid:
    """Weighted units of the oracles of some references."""

    units: tuple[PyramidUnit, ...]  # of all oracles, in the order of the source
    limit: int  # L, in the unit in which lengths are

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
        """The common denominator of all weights, and the integer weights."""
        scale = lcm(*[one.weight.denominator for one in self.units])
        return scale, [
            one.weight.numerator * (scale // one.weight.denominator) for one in self.units
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitMatch:
    """A system unit and the oracle unit that it is paid for."""

    system_idx: int  # index of the system's unit
    oracle_idx: int
    common: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching:
    """How a summary's units were matched."""

    matches: tuple[UnitMatch, ...]  # one for each matched oracle unit, in order
    paid: Fraction  # sum of their weights: the numerator of eq. 7.
    # Matches that were not paid, as one of the two is in `matches` already.
    others: tuple[UnitMatch, ...]


def weights_of(
    oracles: "Iterable[Sequence[Sequence[Unit]]]",
) -> "dict[Unit, Fraction]":
    """Returns N(o) of each unit, eq. 2, from the oracles for each reference.

    A unit in some of several equally good ones counts for the share that has it.
    """
    weights: dict[Unit, Fraction | int] = {}
    for of_reference in oracles:
        # Whole numbers, which nearly all are, add up ten times as fast.
        share = Fraction(1, len(of_reference)) if len(of_reference) > 1 else 1
        for optimum in of_reference:
            for unit in optimum:
                weights[unit] = weights.get(unit, 0) + share
    return {unit: Fraction(weight) for unit, weight in weights.items()}


def merged(
    units: Sequence[PyramidUnit], oracles: "Sequence[Sequence[Sequence[Unit]]]"
) -> list[PyramidUnit]:
    """Merges units with equal tokens: the first, with the weight of them all.

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


def matching_of(pyramid: Pyramid, compared: "ComparedUnits", system_idx: int) -> Matching:
    """Returns a system's matched units, paid or not."""
    chosen = compared.chosen[system_idx]
    paid: list[UnitMatch] = []
    others: list[UnitMatch] = []
    for unit_idx, text_idx in enumerate(compared.systems[system_idx]):
        for oracle_idx in compared.alike[text_idx].nonzero()[0].tolist():
            common = int(compared.common[text_idx, oracle_idx])
            match = UnitMatch(system_idx=unit_idx, oracle_idx=oracle_idx, common=common)
            (paid if chosen[unit_idx] == oracle_idx else others).append(match)
    return Matching(
        matches=tuple(sorted(paid, key=lambda match: match.oracle_idx)),
        paid=pyramid.weight_of(match.oracle_idx for match in paid),
        others=tuple(others),
    )


def knapsack(weights: Sequence[int], lengths: Sequence[int], limit: int) -> int:
    """Returns the highest total weight of units within the length limit."""
    if sum(lengths) <= limit:
        return sum(weights)
    import numpy as np

    best = np.zeros(limit + 1, np.int64)
    for weight, length in zip(weights, lengths, strict=True):
        if length <= limit:
            best[length:] = np.maximum(best[length:], best[: limit + 1 - length] + weight)
    return int(best[-1])


def pyramid_of(
    oracles: "Sequence[Sequence[Sequence[Unit]]]",
    tokens_of: "Mapping[Unit, Tokens]",
    length_of: "Mapping[Unit, int]",
    limit: int,
    *,
    merges: bool,
) -> Pyramid:
    """Returns the pyramid of the oracles for each reference.

    Units without tokens are left out, and those with equal ones merged if it `merges`; lengths are
    in the unit of the limit.
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


NOTHING = -1  # in the place of an oracle unit: the system's unit is paid for none


@dataclass(frozen=True, slots=True, kw_only=True)
class Likeness:
    """When a system's unit u and an oracle's unit o may be matched."""

    threshold: Fraction  # tau, over 0 and up to 1: LCS(u, o) / len(o) >= tau, exactly (eq. 4, 8).
    is_exact: bool = False  # whether only equal tokens are alike, whatever tau is

    def needed(self, lengths: Sequence[int]) -> list[int]:
        """Returns the least LCS(u, o) for each oracle unit, from its length in tokens."""
        if self.is_exact:
            return [*lengths]
        over, under = self.threshold.numerator, self.threshold.denominator
        return [-(-over * n // under) for n in lengths]


@dataclass(frozen=True, kw_only=True, eq=False)
class ComparedUnits:
    """Several systems compared with the same oracle units."""

    common: "NDArray[np.int64]"
    alike: "NDArray[np.uint8]"  # the same shape: 1 where the two may be matched
    systems: Sequence[Sequence[int]]  # for each system the indices of its units' texts
    # For each system and each of its units the oracle unit that it is paid for, or `NOTHING`.
    chosen: Sequence[Sequence[int]]

    def paid(self, system_idx: int) -> list[int]:
        """Returns the oracle units that a system's units are paid for."""
        return [oracle_idx for oracle_idx in self.chosen[system_idx] if oracle_idx != NOTHING]


def compared(
    texts: "NumberedTexts",
    oracles: "NumberedTexts",
    systems: Sequence[Sequence[int]],
    likeness: Likeness,
    by_weight: Sequence[int],
) -> ComparedUnits:
    """Matches systems' units with oracle units, one to one (eq. 3).

    `systems` has for each the indices of its units' `texts`, which are there once. Oracle units are
    numbered alike, none is empty; `by_weight` has their indices, the heaviest first.
    """
    import numpy as np

    lengths = oracles.lengths()
    shape = len(texts.starts) - 1, len(lengths)
    needed = np.array(likeness.needed(lengths), np.int64)
    common, alike = np.zeros(shape, np.int64), np.zeros(shape, np.uint8)
    flat = np.full(sum(map(len, systems)), NOTHING, np.int64)
    if not _in_kernel(
        texts, oracles, needed, by_weight, systems, (common, alike, flat), likeness.is_exact
    ):
        common[:] = _common_lengths(texts, oracles)
        alike[:] = common >= needed
        if likeness.is_exact:
            alike &= np.array(texts.lengths()).reshape(-1, 1) == np.array(lengths)
        flat[:] = [*chain.from_iterable(_assigned(alike, by_weight, own) for own in systems)]
    numbers = flat.tolist()
    ends = [0, *accumulate(map(len, systems))]
    return ComparedUnits(
        common=common,
        alike=alike,
        systems=systems,
        chosen=[numbers[begin:end] for begin, end in pairwise(ends)],
    )


def _in_kernel(
    texts: "NumberedTexts",
    oracles: "NumberedTexts",
    needed: "NDArray[np.int64]",
    by_weight: Sequence[int],
    systems: Sequence[Sequence[int]],
    into: "tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.int64]]",
    is_exact: bool,
) -> bool:
    """Runs the match in the kernel, if there is one."""
    library = kernel()
    if library is None:
        return False
    import numpy as np

    places = [
        np.array([*chain.from_iterable(systems)], np.int64),
        np.array([0, *accumulate(map(len, systems))], np.int64),
    ]
    sides = texts.tokens, texts.starts, oracles.tokens, oracles.starts
    order = np.array(by_weight, np.int64)
    common, alike, chosen = into
    return library.call(
        "awase_matching", *(passed(one, "int64") for one in (*sides, needed, order, *places)),
        int(is_exact), passed(common, "int64"), passed(alike, "uint8"), passed(chosen, "int64"),
    )  # fmt: skip


def _common_lengths(texts: "NumberedTexts", oracles: "NumberedTexts") -> "NDArray[np.int32]":
    import numpy as np
    from rapidfuzz.distance import LCSseq
    from rapidfuzz.process import cdist

    # A character for each token: compared several times faster than the tokens.
    queries, choices = (
        [
            "".join(map(_letter, side.tokens[begin:end].tolist()))
            for begin, end in pairwise(side.starts.tolist())
        ]
        for side in (texts, oracles)
    )
    found = cdist(queries, choices, scorer=LCSseq.similarity, dtype=np.int32)
    return np.asarray(found).reshape(len(queries), len(choices))


_FIRST_SURROGATE, _N_SURROGATES = 0xD800, 0x800


def _letter(number: int) -> str:
    return chr(number if number < _FIRST_SURROGATE else number + _N_SURROGATES)


def _assigned(
    alike: "NDArray[np.uint8]", by_weight: Sequence[int], text_idxs: Sequence[int]
) -> list[int]:
    """Returns each unit's matched oracle unit, or `NOTHING`."""
    rows_of: dict[int, list[int]] = {}
    for row, text_idx in enumerate(text_idxs):
        for column in alike[text_idx].nonzero()[0].tolist():
            rows_of.setdefault(column, []).append(row)
    chosen = [NOTHING] * len(text_idxs)
    for column in by_weight:
        if column in rows_of:
            _match(column, rows_of, chosen)
    return chosen


def _match(column: int, rows_of: dict[int, list[int]], chosen: list[int]) -> None:
    """Matches an oracle unit, if all earlier ones can stay matched (augmenting path)."""
    reached_by: dict[int, int] = {}
    waiting = deque([column])
    while waiting:
        at = waiting.popleft()
        for row in rows_of[at]:
            if row in reached_by:
                continue
            reached_by[row] = at
            if chosen[row] == NOTHING:
                _shift(row, column, reached_by, chosen)
                return
            waiting.append(chosen[row])


def _shift(row: int, column: int, reached_by: dict[int, int], chosen: list[int]) -> None:
    """Shifts the matches along an augmenting path."""
    while True:
        taker = reached_by[row]
        left = chosen.index(taker) if taker != column else row
        chosen[row] = taker
        if taker == column:
            return
        row = left
