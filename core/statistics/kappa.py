"""Cohen's kappa and precision, recall and F1 of two coders' yes and no, from counts of cells.

Source: Cohen (1960), A coefficient of agreement for nominal scales.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def disagreements(table: Floats) -> tuple[Floats, Floats]:
    """Returns the share of cells in which two coders differ, and the share expected by chance.

    Cohen's kappa is 1 - the first / the second.

    Args:
        table: (n, 4) counts of cells: both, first only, second only, neither.

    Returns:
        (n,) twice, from 0 to 1; NaN without any cell.
    """
    both, first, second, neither = table.T
    n = both + first + second + neither
    with np.errstate(divide="ignore", invalid="ignore"):
        yes_first, yes_second = (both + first) / n, (both + second) / n
        observed = (first + second) / n
    return observed, yes_first * (1 - yes_second) + yes_second * (1 - yes_first)


def precision_recall_f1(table: Floats) -> tuple[float, float, float]:
    """Returns the second coder's precision, recall and F1 against the first; NaN = undefined.

    Args:
        table: (4,) counts of cells: both, first only, second only, neither.
    """
    both, first, second, _ = (float(cell) for cell in table)

    def share(part: float, whole: float) -> float:
        return part / whole if whole else float("nan")

    return (
        share(both, both + second),
        share(both, both + first),
        share(2 * both, 2 * both + first + second),
    )
