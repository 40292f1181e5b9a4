"""Sufficient statistics of a comparison, and how ROUGE-1.5.5 makes scores of them.

Counts are kept for every summary and reference, so that another formula, another alpha or a
thousand resamples never look at text again.
"""

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Formula(Enum):
    """How several references make one score (`-f`)."""

    ALL = "A"
    """Sums of matches and of units over the references: the program's "model average"."""
    BEST = "B"
    """The reference with the best recall; the first of equals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What one measure counted in one comparison.

    Attributes:
        hits: (n_peers, n_models) matched units.
        models: (n_models,) units of each reference: what recall divides by.
        peers: (n_peers,) units of each system's summary: what precision divides by.
        selection: (n_peers, n_models) recall by which `Formula.BEST` chooses.
        root: What ratios are raised to before they are scores: 1, or 1 / weight for ROUGE-W.
    """

    hits: Floats
    models: Floats
    peers: Floats
    selection: Floats
    root: float = 1.0

    def totals(self, formula: Formula) -> Floats:
        """Returns (n_peers, 3): units of references and of the summary, and matches."""
        n_peers, n_models = self.hits.shape
        totals = np.empty((n_peers, 3))
        if formula is Formula.BEST:
            best = np.argmax(self.selection, axis=1)
            totals[:, 0], totals[:, 1] = self.models[best], self.peers
            totals[:, 2] = self.hits[np.arange(n_peers), best]
            return totals
        # The program adds one reference after the other; numpy's own sum may pair them.
        totals[:] = 0
        for model in range(n_models):
            totals[:, 0] += self.models[model]
            totals[:, 1] += self.peers
            totals[:, 2] += self.hits[:, model]
        return totals


def scores_of(totals: Floats, alpha: float = 0.5, root: float = 1.0) -> Floats:
    """Returns (n, 3) recall, precision and F, each rounded to five decimals as the program does.

    Args:
        totals: (n, 3) as `Counts.totals` gives them.
        alpha: Towards 1, F favours precision (`-p`).

    Source: ROUGE-1.5.5. F is made of the rounded recall and precision; a ratio without units is 0.
    """
    models, peers, hits = totals.T
    recall = rounded(_raised(_ratio(hits, models), root))
    precision = rounded(_raised(_ratio(hits, peers), root))
    return np.stack((recall, precision, rounded(f_measure(recall, precision, alpha))), axis=-1)


def f_measure(recall: Floats, precision: Floats, alpha: float) -> Floats:
    """Returns the weighted harmonic mean, 0..1, 0 where both are 0.

    Args:
        recall: From 0 to 1, any shape, which is that of what is returned.
        precision: From 0 to 1, of the same shape.
        alpha: From 0 to 1; 1 = precision alone, 0 = recall alone.
    """
    return _ratio(precision * recall, (1 - alpha) * precision + alpha * recall)


def ratios_of(totals: Floats, alpha: float) -> Floats:
    """Returns (..., 3) unrounded recall, precision and F of summed counts (`-t 1`).

    Args:
        totals: (..., 3) units of references, of summaries, and shared.

    Differs: for ROUGE-W no root is taken, as in the program.
    """
    models, peers, hits = totals[..., 0], totals[..., 1], totals[..., 2]
    recall, precision = _ratio(hits, models), _ratio(hits, peers)
    return np.stack((recall, precision, f_measure(recall, precision, alpha)), axis=-1)


def _ratio(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def _raised(values: Floats, root: float) -> Floats:
    if root == 1.0:
        return values
    # numpy's power differs from the C library's, and so from the program's, in the last bit.
    return np.array([math.pow(value, root) for value in values.tolist()])


_SCALE = 1e5
_NEAR_A_TIE = 1e-6


def rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the values as `%.5f` prints them, read back.

    `numpy.round` is not this: it scales first, which moves values across a tie.
    """
    scaled = values * _SCALE
    result = np.rint(scaled) / _SCALE
    doubtful = np.abs(scaled - np.floor(scaled) - 0.5) < _NEAR_A_TIE
    if doubtful.any():
        result[doubtful] = [float(f"{value:.5f}") for value in values[doubtful].tolist()]
    return result
