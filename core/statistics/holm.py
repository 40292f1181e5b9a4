"""Several tests at once."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Returns p-values adjusted so that one is under alpha by mere chance at most alpha often.

    Args:
        p_values: (m,) from 0 to 1; m may be 0.

    Returns:
        (m,) in the same order, from 0 to 1; the smallest is multiplied by m, the next by m - 1, …,
        and none falls below one that was smaller.

    Source: Holm (1979), A Simple Sequentially Rejective Multiple Test Procedure; the form in which
        R's p.adjust gives it.
    """
    p = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    factors = np.arange(len(p), 0, -1)
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * factors))
    return adjusted
