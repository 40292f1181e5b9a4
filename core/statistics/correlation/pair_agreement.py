"""How many pairs two orders agree on, less those that they disagree on, under many weightings.

The signs of all pairs are a matrix that no weighting changes, and for a few items the sum is taken
with it directly. Many items are cut into blocks of neighbours in x and blocks of neighbours in y.
Two items apart in both are compared by their blocks, that is, by numbers of items in the cells of
a grid; only pairs within a block need their own signs. With n items and blocks of √n that is
n·√n products a weighting, nearly all in matrix products, where sorting takes n·log n steps.

Source: Kendall (1945) for what is summed; the blocks are ours.
"""

from math import isqrt

import numpy as np
from numpy.typing import NDArray

from awase.core.statistics.exact_sums import Floats

_Ints = NDArray[np.intp]
_Signs = NDArray[np.int8]

FEW = 64
"""Up to so many items, all pairs are taken one by one."""

_PRODUCT = (1 << 19) - 1
"""Of the sizes of a matrix product. OpenBLAS starts a thread for each 1 << 18; their waiting for
each other takes longer than the product, ten times as long where the processor has other work."""


class Agreement:
    """The pairs of two samples of the same items."""

    def __init__(self, x: _Ints, y: _Ints) -> None:
        """Prepares what all weightings share.

        Args:
            x: (n,) places of the items' values among the different values, from 0.
            y: (n,), likewise.
        """
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
        """Returns concordant less discordant ordered pairs of drawn items, (n_weightings,).

        Args:
            weights: (n, n_weightings), whole numbers from 0.
        """
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
        """Returns what the items' cells have in favour, less what they have against."""
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
    """Returns the (n, n) signs of the differences."""
    signs: _Signs = np.sign(places[:, None] - places).astype(np.int8)
    return signs


def _block_of(places: _Ints, block_size: int) -> _Ints:
    """Returns each item's block: neighbours together, equal values never apart.

    A value with more items than a block has is a block of its own.
    """
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
