"""Numbers whose sums are the same on every processor."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_BITS = 53
"""Of a float's significand."""


def summable(values: Floats, n_terms: int, axis: int | None = 0) -> Floats:
    """Returns `values`, rounded so that sums of them are exact and hang on no order of adding.

    A product of matrices is added up in whatever order suits the processor, and its last digit with
    it; where no sum has to be rounded, there is but one.

    Args:
        values: Any shape, finite.
        n_terms: How many of the values a sum has at most, each as often as it is counted; whole
            numbers of times, of either sign.
        axis: Along which they are summed; None = all together.

    Returns:
        The same shape; each is moved by at most n_terms * 2**-53 of the greatest summed with it.
    """
    greatest = np.abs(values).max(axis=axis, keepdims=True, initial=0.0)
    unit = np.ldexp(1.0, np.frexp(greatest)[1] + n_terms.bit_length() - _BITS)
    rounded: Floats = np.round(values / unit) * unit
    return rounded
