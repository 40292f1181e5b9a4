"""Four coefficients of correlation, and their values for one sample.

Source: Pearson's r; Spearman's rho with average ranks; Kendall (1945), tau-b; accuracy over pairs
of systems, Kocmi et al. (2021), a pair tied on both sides counting as right and one tied on a
single side as wrong (acc_eq of Deutsch, Foster and Freitag 2023).
"""

import math
from enum import StrEnum

import numpy as np

from awase.core.statistics.correlation.pair_agreement import Agreement
from awase.core.statistics.exact_sums import Floats

FEWEST = 3
"""A correlation of fewer than this many values is undefined."""

_DIGITS = 12


class Coefficient(StrEnum):
    """A coefficient, as commands and results name it."""

    R = "r"
    RHO = "rho"
    TAU = "tau-b"
    ACCURACY = "accuracy"


PAPERS = (Coefficient.R, Coefficient.RHO, Coefficient.TAU)
"""The columns of the papers' tables."""

VARIANTS = {
    Coefficient.R: "Pearson's r",
    Coefficient.RHO: "Spearman's rho (average ranks)",
    Coefficient.TAU: "Kendall's tau-b",
    Coefficient.ACCURACY: "pairwise accuracy (tied on both sides: right; on one: wrong)",
}
"""What each is in full, for people."""


def coefficient_of(x: Floats, y: Floats, coefficient: Coefficient) -> float:
    """Returns the coefficient of two samples, NaN when it is undefined.

    Args:
        x: (n,), finite.
        y: (n,), finite.
        coefficient: Which one.

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
    return _rho(x, y) if coefficient is Coefficient.RHO else _tau_b(x, y)


def settled(means: Floats) -> Floats:
    """Returns `means` rounded to 12 decimals of the greatest, so that equal means are equal.

    A mean depends on the order in which its terms are added; without this, systems that are tied
    would be ordered by the last bit.

    Args:
        means: Any shape; NaN stays.
    """
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
    """Returns r as `scipy.stats.pearsonr` does, but for its product of vectors.

    What that makes of the last digit is another thing on another processor.
    """
    x, y = (_directed(side - side.mean()) for side in (x, y))
    return float(np.clip((x * y).sum(), -1.0, 1.0))


def _directed(x: Floats) -> Floats:
    x = x / np.abs(x).max()
    directed: Floats = x / np.sqrt((x * x).sum())
    return directed


def _rho(x: Floats, y: Floats) -> float:
    """Returns rho as `scipy.stats.spearmanr` does; the sums are of halves and quarters, exact."""
    return float(np.corrcoef(_ranks(x), _ranks(y))[1, 0])


def _ranks(values: Floats) -> Floats:
    """Returns the ranks from 1, of equal values their mean."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks


def _tau_b(x: Floats, y: Floats) -> float:
    """Returns tau-b as `scipy.stats.kendalltau` does, whose package takes 77 MB."""
    n_pairs = len(x) * (len(x) - 1) // 2
    places, counts = zip(
        *(np.unique(side, return_inverse=True, return_counts=True)[1:] for side in (x, y)),
        strict=True,
    )
    untied_x, untied_y = (n_pairs - int((one * (one - 1) // 2).sum()) for one in counts)
    in_favour = int(Agreement(*places).of_items().sum()) // 2
    return float(np.clip(in_favour / np.sqrt(untied_x) / np.sqrt(untied_y), -1.0, 1.0))


def _accuracy(x: Floats, y: Floats) -> float:
    ranks_x, ranks_y = (np.unique(side, return_inverse=True)[1] for side in (x, y))
    right = 0
    for idx in range(len(x) - 1):  # a row at a time: all pairs at once may not fit in memory
        signs_x = np.sign(ranks_x[idx] - ranks_x[idx + 1 :])
        right += int((signs_x == np.sign(ranks_y[idx] - ranks_y[idx + 1 :])).sum())
    return right / (len(x) * (len(x) - 1) / 2)
