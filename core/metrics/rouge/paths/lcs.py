"""Longest common subsequences of all lanes at once: one bit for each token of a reference."""

import numpy as np

from awase.core.metrics.rouge.paths.lanes import Lanes, Words


def lcs_stops(lanes: Lanes) -> list[Words]:
    """Returns by step where the walk back cannot go up.

    Bit i of `flat` is 0 where the table's row grows between tokens i - 1 and i. The program goes up
    on a tie, hence stops exactly where the row grows, or at a match.

    Source: Hyyro (2004), "Bit-parallel LCS-length computation revisited".
    """
    flat = np.full_like(lanes.full, -1 & np.iinfo(lanes.full.dtype).max)
    matches, common = np.empty_like(flat), np.empty_like(flat)
    stops = lanes.steps()
    for step, total in enumerate(stops):
        n_rows = len(total)
        here, spare = flat[:n_rows], common[:n_rows]
        match = lanes.matches(step, matches)
        np.bitwise_and(here, match, out=spare)
        np.add(here, spare, out=total)
        np.bitwise_xor(here, spare, out=here)
        np.bitwise_or(here, total, out=here)
        np.invert(here, out=total)
        np.bitwise_or(total, match, out=total)
    return stops
