"""Logistic regression of a few features; its probability is the confidence of a suggestion."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

RIDGE: Final = 1.0
"""Penalty on the weights of standardised features, so that a clean split stays finite."""

_MOST_STEPS: Final = 100
_CLOSE_ENOUGH: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Logistic:
    """A fitted regression.

    Attributes:
        intercept: Log odds when all features are 0.
        weights: One a feature, in the features' order.
    """

    intercept: float
    weights: tuple[float, ...]

    def probability(self, features: Sequence[float]) -> float:
        """Returns 0..1 for as many features as there are weights."""
        odds = self.intercept + sum(
            weight * feature for weight, feature in zip(self.weights, features, strict=True)
        )
        return 1.0 / (1.0 + math.exp(-odds)) if odds > -700 else 0.0


def fitted_logistic(rows: Sequence[Sequence[float]], labels: Sequence[bool]) -> Logistic:
    """Returns the regression of greatest penalised likelihood.

    Newton's method on standardised features with a ridge penalty of 1 on their weights; the
    intercept is free.

    Args:
        rows: (n, n_features), n at least 1.
        labels: (n,), whether each was right.
    """
    import numpy as np  # whoever asks for a probability needs none

    raw = np.asarray(rows, dtype=float)
    right = np.asarray(labels, dtype=float)
    mean, scale = raw.mean(axis=0), raw.std(axis=0)
    scale[scale == 0.0] = 1.0
    matrix = np.column_stack([np.ones(len(raw)), (raw - mean) / scale])
    penalty = np.full(matrix.shape[1], RIDGE)
    penalty[0] = 1e-6
    weights = np.zeros(matrix.shape[1])
    for _ in range(_MOST_STEPS):
        share = 1.0 / (1.0 + np.exp(-np.clip(matrix @ weights, -30.0, 30.0)))
        gradient = matrix.T @ (right - share) - penalty * weights
        curvature = (matrix.T * (share * (1.0 - share))) @ matrix + np.diag(penalty)
        step = np.linalg.solve(curvature, gradient)
        weights += step
        if float(np.abs(step).max()) < _CLOSE_ENOUGH:
            break
    slopes = weights[1:] / scale
    return Logistic(
        intercept=float(weights[0] - slopes @ mean), weights=tuple(float(one) for one in slopes)
    )
