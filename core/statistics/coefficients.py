"""Four coefficients of correlation, and their values for one sample.

Source: Pearson's r; Spearman's rho with average ranks; Kendall (1945), tau-b; accuracy over pairs
of systems, Kocmi et al. (2021), a pair tied on both sides counting as right and one tied on a
single side as wrong (acc_eq of Deutsch, Foster and Freitag 2023).
"""

import math
from enum import StrEnum
from math import isqrt

import numpy as np
from numpy.typing import NDArray

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
    """Returns the coefficient of two samples, NaN when it is undefined.

    Returns:
        From -1 to 1, accuracy from 0 to 1; NaN for n < 3 and, except for accuracy, when one side is
        constant.
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
    return float(np.corrcoef(average_ranks(x), average_ranks(y))[1, 0])


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


def average_ranks(values: Floats) -> Floats:
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
