"""Four coefficients of correlation, of samples and of score matrices; judgements as matrices.

Source: Pearson's r; Spearman's rho with average ranks; Kendall (1945), tau-b; accuracy over pairs
of systems, Kocmi et al. (2021), a pair tied on both sides counting as right and one tied on a
single side as wrong (acc_eq of Deutsch, Foster and Freitag 2023).
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isqrt
from statistics import fmean, median, stdev
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import InputError, Listing, Problem
from awase.core.records.topic import HumanScore
from awase.core.statistics.bootstraps import Floats

FEWEST = 3  # a correlation of fewer than this many values is undefined

_DIGITS = 12


class Coefficient(StrEnum):
    """A coefficient, as commands and results name it."""

    R = "r"
    RHO = "rho"
    TAU = "tau-b"
    ACCURACY = "accuracy"


PAPERS = (Coefficient.R, Coefficient.RHO, Coefficient.TAU)  # the columns of the papers' tables

# What each is in full, for people.
VARIANTS = {
    Coefficient.R: "Pearson's r",
    Coefficient.RHO: "Spearman's rho (average ranks)",
    Coefficient.TAU: "Kendall's tau-b",
    Coefficient.ACCURACY: "pairwise accuracy (tied on both sides: right; on one: wrong)",
}


def coefficient_of(x: Floats, y: Floats, coefficient: Coefficient) -> float:
    """Returns the coefficient of two samples, -1 to 1, accuracy 0 to 1; NaN when it is undefined.

    It is for n < 3 and, except for accuracy, when one side is constant.
    """
    if len(x) < FEWEST:
        return float("nan")
    if coefficient is Coefficient.ACCURACY:
        return _accuracy(x, y)
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    if coefficient is Coefficient.R:
        if _is_near_constant(x) or _is_near_constant(y):
            return float("nan")
        return _product_moment(x, y)
    if coefficient is Coefficient.TAU:
        return _tau_b(x, y)
    # As `scipy.stats.spearmanr`; the sums are of halves and quarters, exact.
    return float(np.corrcoef(_ranks(x), _ranks(y))[1, 0])


def settled(means: Floats) -> Floats:
    """Rounds `means` to 12 decimals of the greatest, so that equal means are equal."""
    # The last bit depends on the order of adding and would order tied systems. NaN stays.
    finite = np.abs(means[np.isfinite(means)])
    greatest = float(finite.max()) if finite.size else 0.0
    if greatest == 0:
        return means
    unit = 10.0 ** math.floor(math.log10(greatest))
    rounded: Floats = np.round(means / unit, _DIGITS) * unit
    return rounded


def _is_near_constant(x: Floats) -> bool:
    return bool(np.ptp(x) <= 1e-13 * np.max(np.abs(x)))


def _product_moment(x: Floats, y: Floats) -> float:
    """Returns r as `scipy.stats.pearsonr`, without its dot product."""
    # BLAS gives another last digit on another processor.
    x, y = (_directed(side - side.mean()) for side in (x, y))
    return float(np.clip((x * y).sum(), -1.0, 1.0))


def _directed(x: Floats) -> Floats:
    x = x / np.abs(x).max()
    directed: Floats = x / np.sqrt((x * x).sum())
    return directed


def _ranks(values: Floats) -> Floats:
    """Returns ranks from 1, ties averaged."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks


def _tau_b(x: Floats, y: Floats) -> float:
    """Returns tau-b as `scipy.stats.kendalltau`, without importing its 77 MB."""
    n_pairs = len(x) * (len(x) - 1) // 2
    places, counts = zip(
        *(np.unique(side, return_inverse=True, return_counts=True)[1:] for side in (x, y)),
        strict=True,
    )
    untied_x, untied_y = (n_pairs - int((one * (one - 1) // 2).sum()) for one in counts)
    in_favour = int(PairAgreement(*places).of_items().sum()) // 2
    return float(np.clip(in_favour / np.sqrt(untied_x) / np.sqrt(untied_y), -1.0, 1.0))


def _accuracy(x: Floats, y: Floats) -> float:
    ranks_x, ranks_y = (np.unique(side, return_inverse=True)[1] for side in (x, y))
    right = 0
    for idx in range(len(x) - 1):  # a row at a time: all pairs at once may not fit in memory
        signs_x = np.sign(ranks_x[idx] - ranks_x[idx + 1 :])
        right += int((signs_x == np.sign(ranks_y[idx] - ranks_y[idx + 1 :])).sum())
    return right / (len(x) * (len(x) - 1) / 2)


_Ints = NDArray[np.intp]
_Signs = NDArray[np.int8]

FEW = 64  # up to this number of items, all pairs are enumerated

# Size of a matrix product. OpenBLAS starts a thread for each 1 << 18; their synchronisation takes
# longer than the product, ten times as long on a busy processor.
_PRODUCT = (1 << 19) - 1


class PairAgreement:
    """The pairs of two samples of the same items."""

    def __init__(self, x: _Ints, y: _Ints) -> None:
        """Takes (n,) ranks of the items among the distinct values, from 0."""
        self._n = len(x)
        self._blocks: list[tuple[_Ints, _Signs]] = []
        self._grid: _Grid | None = None
        self._at_once = 1 << 12
        everything = np.arange(len(x))
        if len(x) <= FEW:
            self._blocks.append((everything, _signs(x) * _signs(y)))
            return
        block_size = max(FEW, 8 * isqrt(len(x)) // 5)
        self._at_once = max(16, _PRODUCT // block_size**2)
        of_x, of_y = _block_of(x, block_size), _block_of(y, block_size)
        for block in range(int(of_x.max()) + 1):
            items = everything[of_x == block]
            self._add(items, _signs(x[items]) * _signs(y[items]))
        for block in range(int(of_y.max()) + 1):
            items = everything[of_y == block]
            is_apart = of_x[items][:, None] != of_x[items]
            self._add(items, _signs(x[items]) * _signs(y[items]) * is_apart)
        self._grid = _Grid(of_x, of_y)

    def under(self, weights: Floats) -> Floats:
        """Returns concordant less discordant ordered pairs of drawn items, (n_weightings,)."""
        total = np.empty(weights.shape[1])
        for begin in range(0, len(total), self._at_once):
            some = slice(begin, begin + self._at_once)
            total[some] = self._of_some(weights[:, some])
        return total

    def of_items(self) -> Floats:
        """Returns each item's concordant pairs less its discordant ones, (n,), all drawn once."""
        total = np.zeros(self._n)
        for items, signs in self._blocks:
            total[items] += signs.sum(axis=1, dtype=np.float64)
        if self._grid is not None:
            total += self._grid.of_items()
        return total

    def _of_some(self, weights: Floats) -> Floats:
        total = np.zeros(weights.shape[1])
        for items, signs in self._blocks:
            own = weights[items]
            total += np.einsum("ib,ib->b", own, signs.astype(np.float64) @ own)
        if self._grid is not None:
            total += self._grid.under(weights)
        return total

    def _add(self, items: _Ints, signs: _Signs) -> None:
        if signs.any():
            self._blocks.append((items, signs))


class _Grid:
    """Pairs of items in different blocks of x and different blocks of y."""

    def __init__(self, of_x: _Ints, of_y: _Ints) -> None:
        self._shape = int(of_x.max()) + 1, int(of_y.max()) + 1
        self._cell_of_item = cell = of_x * self._shape[1] + of_y
        self._order = np.argsort(cell, kind="stable")
        self._cells, self._begins = np.unique(cell[self._order], return_index=True)
        self._signs = _signs(np.arange(self._shape[1])).astype(np.float64)

    def of_items(self) -> Floats:
        """Returns concordant less discordant cells."""
        counts = np.bincount(self._cell_of_item, minlength=self._shape[0] * self._shape[1])
        rows = counts.reshape(self._shape).astype(np.float64)
        before = np.cumsum(rows, axis=0)
        difference = (2 * before - rows - before[-1]) @ self._signs.T
        of_items: Floats = difference.ravel()[self._cell_of_item]
        return of_items

    def under(self, weights: Floats) -> Floats:
        """Returns concordant less discordant ordered pairs, (n_weightings,)."""
        n_rows, n_columns = self._shape
        counts = np.zeros((n_rows * n_columns, weights.shape[1]))
        counts[self._cells] = np.add.reduceat(weights[self._order], self._begins, axis=0)
        rows = counts.reshape(n_rows, n_columns, -1)
        total = np.zeros(weights.shape[1])
        before = np.zeros(rows.shape[1:])
        for row in rows:
            total += np.einsum("jb,jb->b", row, self._signs @ before)
            before += row
        return 2 * total


def _signs(places: _Ints) -> _Signs:
    signs: _Signs = np.sign(places[:, None] - places).astype(np.int8)
    return signs


def _block_of(places: _Ints, block_size: int) -> _Ints:
    """Returns each item's block of neighbours; a value larger than a block gets its own."""
    # Equal values must not be split over blocks.
    sizes = np.bincount(places)
    block_of_value = np.empty(len(sizes), np.intp)
    block, filled = -1, block_size
    for value, size in enumerate(sizes):
        if filled + size > block_size:
            block, filled = block + 1, 0
        block_of_value[value] = block
        filled += int(size)
    of_items: _Ints = block_of_value[places]
    return of_items


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedScores:
    """The scores of one metric, or of people."""

    name: str
    # (system, topic) to a finite value; a topic of None = the system as a whole.
    values: Mapping[tuple[str, str | None], float]
    signature: str = ""

    @property
    def is_of_wholes(self) -> bool:
        """Whether systems were scored as wholes, not topic by topic."""
        return bool(self.values) and all(topic is None for _, topic in self.values)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the order of appearance."""
        return tuple(dict.fromkeys(system for system, _ in self.values))

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics, in the order of appearance; none of systems as wholes."""
        return tuple(dict.fromkeys(topic for _, topic in self.values if topic is not None))


class Aligned(NamedTuple):
    """Matrices of the same systems and topics."""

    systems: tuple[str, ...]  # names of the rows: those with a score in each of the matrices
    topics: tuple[str, ...]
    matrices: tuple[Floats, ...]  # (n_systems, n_topics) each, NaN where any lacks the score


def aligned(scores: Sequence[NamedScores], excluded: Iterable[str] = ()) -> Aligned:
    """Returns score matrices over the common systems and topics, with one mask for all.

    System-level scores are repeated in every topic of the others, which keeps means over topics; if
    all are system-level there is a single column.
    """
    left_out = {*excluded}
    systems = [name for name in scores[0].systems if name not in left_out]
    by_topic = [one for one in scores if not one.is_of_wholes]
    topics: list[str | None] = [*by_topic[0].topics] if by_topic else [None]
    if not systems or not topics:
        return Aligned((), (), tuple(np.empty((0, 0)) for _ in scores))
    full = shared(*(_matrix(one, systems, topics) for one in scores))
    is_there = ~np.isnan(full[0])
    rows, columns = np.flatnonzero(is_there.any(axis=1)), np.flatnonzero(is_there.any(axis=0))
    return Aligned(
        systems=tuple(systems[row] for row in rows),
        topics=tuple(topics[column] or "" for column in columns),
        matrices=tuple(matrix[np.ix_(rows, columns)] for matrix in full),
    )


def _matrix(scores: NamedScores, systems: Sequence[str], topics: Sequence[str | None]) -> Floats:
    of_whole = scores.is_of_wholes
    values = [
        [scores.values.get((system, None if of_whole else topic), np.nan) for topic in topics]
        for system in systems
    ]
    return np.array(values, dtype=np.float64)


class Level(StrEnum):
    """Level of correlation."""

    SYSTEM = "system"  # the systems' means over topics: one correlation over systems
    TOPIC = "topic"  # the systems' scores in a topic: a correlation for each topic, averaged
    GLOBAL = "global"  # all scores of all systems in all topics, in one correlation


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """A correlation, or that there is none."""

    value: float | None  # the coefficient; None = undefined
    # At the level of topics, the columns without a value: one side is constant there, or there are
    # fewer than 3 systems.
    undefined_topics: tuple[int, ...] = ()


def shared(*matrices: Floats) -> tuple[Floats, ...]:
    """Masks all matrices with NaN wherever one is missing; the shapes must be equal."""
    if len({matrix.shape for matrix in matrices}) > 1 or matrices[0].ndim != 2:
        raise ValueError("matrices of scores need one shape, systems by topics")
    is_missing = np.any([np.isnan(matrix) for matrix in matrices], axis=0)
    return tuple(np.where(is_missing, np.nan, matrix) for matrix in matrices)


def correlate(
    x: Floats, y: Floats, level: Level, coefficients: Sequence[Coefficient]
) -> dict[Coefficient, Correlation]:
    """Returns the coefficients of two (n_systems, n_topics) matrices; NaN in one masks both."""
    x, y = shared(x, y)
    if level is Level.TOPIC:
        return {one: _over_topics(x, y, one) for one in coefficients}
    if level is Level.SYSTEM:
        x, y = system_means(x), system_means(y)
    is_there = ~np.isnan(x)
    sides = x[is_there], y[is_there]
    values = {one: coefficient_of(*sides, one) for one in coefficients}
    return {one: Correlation(value=_defined(value)) for one, value in values.items()}


def system_means(x: Floats) -> Floats:
    """Returns the mean over topics of each system, (n_systems,), NaN for one without a score."""
    is_there = ~np.isnan(x)
    n_topics = is_there.sum(axis=1)
    sums = np.where(is_there, x, 0.0).sum(axis=1)
    return settled(np.where(n_topics > 0, sums / np.maximum(n_topics, 1), np.nan))


def n_of_closed_form(x: Floats, level: Level) -> int:
    """Returns n for closed forms; at topic level that of the largest topic, as in nlpstats."""
    is_there = ~np.isnan(x)
    if level is Level.SYSTEM:
        return int(is_there.any(axis=1).sum())
    if level is Level.TOPIC:
        return int(is_there.sum(axis=0).max(initial=0))
    return int(is_there.sum())


def _over_topics(x: Floats, y: Floats, coefficient: Coefficient) -> Correlation:
    values = np.array([
        coefficient_of(x[is_there, topic], y[is_there, topic], coefficient)
        for topic, is_there in enumerate(~np.isnan(x.T))
    ])  # fmt: skip
    undefined = np.isnan(values)
    return Correlation(
        value=None if undefined.all() else float(values[~undefined].mean()),
        undefined_topics=tuple(int(idx) for idx in np.flatnonzero(undefined)),
    )


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else value


CUTOFF = 2.5
_AS_DEVIATION = 1.4826  # makes the MAD of a normal sample its standard deviation


def outliers(values: Mapping[str, float]) -> dict[str, float]:
    """Returns |x - median| / (1.4826 MAD) of the systems where it is over 2.5.

    Empty, too, when more than half of the systems have one score, as the MAD is 0 then.

    Source: Leys et al. (2013); Mathur, Baldwin and Cohn (2020) for metrics of translation.
    """
    if not values:
        return {}
    middle = median(values.values())
    deviation = _AS_DEVIATION * median(abs(value - middle) for value in values.values())
    if deviation == 0:
        return {}
    distances = {name: abs(value - middle) / deviation for name, value in values.items()}
    return {name: distance for name, distance in distances.items() if distance > CUTOFF}


MEAN, Z, MAJORITY = "mean", "z", "majority"

_MAJORITY = re.compile(r"majority(?::([1-9][0-9]{0,5}))?")

Cell = tuple[str, str | None]  # system, topic; a topic of None = the system as a whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Joining:
    """How judgements of one system in one topic become one value."""

    kind: str = MEAN  # `mean`, `z` or `majority`
    least: int | None = None  # of `majority`, how many have to agree; None = more than half

    @classmethod
    def parse(cls, text: str) -> "Joining":
        """Parses `mean`, `z`, `majority` or `majority:K`."""
        match = _MAJORITY.fullmatch(text)
        if match is not None:
            return cls(kind=MAJORITY, least=int(match[1]) if match[1] else None)
        if text not in (MEAN, Z):
            raise InputError.of(
                "“{text}” is not a way to combine annotators.",
                "Use mean, z, majority or majority:K.",
                text=text,
            )
        return cls(kind=text)

    def __str__(self) -> str:
        return self.kind if self.least is None else f"{self.kind}:{self.least}"


def join_judgements(
    scores: Sequence[HumanScore], joining: Joining
) -> tuple[dict[Cell, float], list[Problem]]:
    """Returns one value for each system and topic that has one, and what to beware of."""
    if joining.kind == Z:
        return _z_scored(scores)
    if joining.kind == MAJORITY:
        return _by_majority(scores, joining.least)
    return _means(_by_cell(scores)), _uneven(scores)


def _by_cell(scores: Iterable[HumanScore]) -> dict[Cell, list[float]]:
    cells: dict[Cell, list[float]] = {}
    for score in scores:
        cells.setdefault((score.system, score.topic), []).append(score.value)
    return cells


def _means(cells: dict[Cell, list[float]]) -> dict[Cell, float]:
    return {cell: fmean(values) for cell, values in cells.items()}


def _uneven(scores: Sequence[HumanScore]) -> list[Problem]:
    """Returns a warning when annotators judged different items, so that strictness matters."""
    seen: dict[str | None, set[Cell]] = {}
    for score in scores:
        seen.setdefault(score.annotator, set()).add((score.system, score.topic))
    systems = {who: frozenset(system for system, _ in cells) for who, cells in seen.items()}
    if len(set(systems.values())) < 2:
        return []
    return [
        Problem(
            what="{n} annotators judged different systems; a mean of raw scores then mixes how "
            "strict they are with how good the systems are.",
            hint="Combine their judgements as z-scores.",
            fields={"n": len(seen)},
        )
    ]


def _z_scored(scores: Sequence[HumanScore]) -> tuple[dict[Cell, float], list[Problem]]:
    own: dict[str | None, list[float]] = {}
    for score in scores:
        own.setdefault(score.annotator, []).append(score.value)
    scales = {
        who: (fmean(values), stdev(values))
        for who, values in own.items()
        if len(values) > 1 and max(values) > min(values)
    }
    cells: dict[Cell, list[float]] = {}
    for score in scores:
        if score.annotator in scales:
            mean, deviation = scales[score.annotator]
            cell = score.system, score.topic
            cells.setdefault(cell, []).append((score.value - mean) / deviation)
    without = [who or "(unnamed)" for who in own if who not in scales]
    problem = Problem(
        what="The judgements of {names} do not vary, so they have no z-scores and are left out.",
        fields={"names": Listing(without)},
    )
    return _means(cells), [problem] if without else []


def _by_majority(
    scores: Sequence[HumanScore], least: int | None
) -> tuple[dict[Cell, float], list[Problem]]:
    found: dict[Cell, float] = {}
    cells = _by_cell(scores)
    for cell, values in cells.items():
        needed = least or len(values) // 2 + 1
        agreed = [value for value, n in Counter(values).items() if n >= needed]
        if len(agreed) == 1:
            found[cell] = agreed[0]
    n_without = len(cells) - len(found)
    problem = Problem(
        what="{n} of {all} judged {all:output|outputs} {n:has no majority and counts|"
        "have no majority and count} as missing.",
        fields={"n": n_without, "all": len(cells)},
    )
    return found, [problem] if n_without else []
