"""Sums of one level and some annotators by topic, in a form that all levels share.

Every value is 1 - observed / expected, both functions of sums over topics: so intervals, values by
topic and reasons are computed in one way.

Source: Krippendorff (2004) for alpha, Cohen (1960) for kappa, in the same form.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from awase.core.statistics.alpha import Floats, Sums, alpha_of, disagreements

# (n, k) sums to the mean disagreement observed and expected, (n,) each.
Shares = Callable[[Floats], tuple[Floats, Floats]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicSums:
    """Sums of some annotators on one level."""

    n_items: Floats
    columns: Floats
    shares: Shares  # what makes observed and expected disagreement of sums of `columns`

    def values(self, columns: Floats) -> Floats:
        """Returns (n,) 1 - observed / expected, at most 1; NaN where undefined."""
        return alpha_of(*self.shares(columns))


def from_sums(parts: Sequence[float]) -> TopicSums:
    """Returns alpha's sums by topic from concatenated `Sums`."""
    sums = np.array(parts, dtype=np.float64).reshape(-1, len(Sums._fields))
    return TopicSums(
        n_items=sums[:, -1].copy(),
        columns=np.ascontiguousarray(sums[:, :-1]),
        shares=_alpha_shares,
    )


def from_cells(n_items: Sequence[float], cells: Sequence[float]) -> TopicSums:
    """Returns kappa's counts by topic from concatenated cells, four a topic."""
    return TopicSums(
        n_items=np.array(n_items, dtype=np.float64),
        columns=np.array(cells, dtype=np.float64).reshape(len(n_items), 4),
        shares=disagreements,
    )


def _alpha_shares(columns: Floats) -> tuple[Floats, Floats]:
    observed, expected, n = columns.T
    undefined = np.full_like(n, np.nan)
    return (
        np.divide(observed, n, where=n > 0, out=undefined.copy()),
        np.divide(expected, n, where=n > 0, out=undefined),
    )
