"""Rounding to five decimals exactly as C's printf does, for whole arrays."""

import numpy as np
from numpy.typing import NDArray

_SCALE = 1e5
_NEAR_A_TIE = 1e-6


def rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the values as `%.5f` prints them, read back.

    `numpy.round` is not this: it scales first, which moves values across a tie.

    Args:
        values: Any shape, finite.
    """
    scaled = values * _SCALE
    result = np.rint(scaled) / _SCALE
    doubtful = np.abs(scaled - np.floor(scaled) - 0.5) < _NEAR_A_TIE
    if doubtful.any():
        result[doubtful] = [float(f"{value:.5f}") for value in values[doubtful].tolist()]
    return result
