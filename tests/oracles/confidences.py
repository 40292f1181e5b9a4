"""How good confidences are: calibration, precision of the surest, recall at a precision."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

N_BINS = 10


def calibration_error(confidences: Sequence[float], labels: Sequence[bool]) -> float:
    """Returns the expected calibration error in ten bins of equal width: 0..1, n at least 1."""
    sure, right = np.asarray(confidences, dtype=float), np.asarray(labels, dtype=float)
    bins = np.minimum((sure * N_BINS).astype(int), N_BINS - 1)
    gaps = (
        abs(float(sure[bins == one].sum()) - float(right[bins == one].sum()))
        for one in range(N_BINS)
    )
    return sum(gaps) / len(sure)


def precision_of_surest(
    confidences: Sequence[float], labels: Sequence[bool], share: float
) -> float:
    """Returns the share of right ones among the surest `share` of all, at least one."""
    right = _sorted_labels(confidences, labels)
    return float(right[: max(1, int(len(right) * share))].mean())


def recall_at_precision(
    confidences: Sequence[float], labels: Sequence[bool], precision: float
) -> float:
    """Returns the greatest share of the right ones found while `precision` holds."""
    right = _sorted_labels(confidences, labels)
    found = np.cumsum(right)
    held = found / np.arange(1, len(right) + 1) >= precision
    return float(found[held].max(initial=0) / max(1, right.sum()))


def _sorted_labels(confidences: Sequence[float], labels: Sequence[bool]) -> NDArray[np.bool_]:
    order = np.argsort(-np.asarray(confidences, dtype=float), kind="stable")
    return np.asarray(labels, dtype=bool)[order]
