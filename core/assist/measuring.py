"""How good confidences are."""

from collections.abc import Sequence

import numpy as np


def average_precision(confidences: Sequence[float], labels: Sequence[bool]) -> float | None:
    """Returns the mean precision at the rank of each right one, 0..1; None = there is none.

    Ties keep their order.
    """
    order = np.argsort(-np.asarray(confidences, dtype=float), kind="stable")
    right = np.asarray(labels, dtype=bool)[order]
    if not right.any():
        return None
    precision = np.cumsum(right) / np.arange(1, len(right) + 1)
    return float(precision[right].mean())
