"""Permutation tests beside nlpstats, in one run: CPU seconds for 9,999 resamples.

24 systems, 100 topics, r, rho and tau-b, exchanging systems and topics; scores are rounded, as
those of short texts are, so that many are tied. nlpstats does 99 of the resamples, as its time goes
with their number.
"""

import warnings

import numpy as np

from awase.core.errors import Silent
from awase.core.statistics.coefficients import PAPERS, Level
from awase.core.statistics.correlation_inference import ResamplingUnit, permutation_values
from tests.benchmarks import timed

N_RESAMPLES = 9999
_N_THEIRS = 99


def made(n_systems: int = 24, n_topics: int = 100) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns human scores and those of two metrics."""
    rng = np.random.default_rng(0)
    quality = rng.normal(size=(n_systems, 1))
    human, first, second = (
        quality + noise * rng.normal(size=(n_systems, n_topics)) for noise in (1.0, 1.0, 1.2)
    )
    return human, first.round(1), second.round(1)


def main() -> None:
    import nlpstats.correlations as nlpstats

    human, first, second = made()
    warnings.simplefilter("ignore")  # nlpstats correlates constant topics

    def ours() -> object:
        return permutation_values(
            first, second, human, level=Level.GLOBAL, coefficients=PAPERS, unit=ResamplingUnit.BOTH,
            rng=np.random.default_rng(1), n_resamples=N_RESAMPLES, reporter=Silent(),
        )  # fmt: skip

    def theirs() -> object:
        return [
            nlpstats.permutation_test(
                first, second, human, "global", name, "both", n_resamples=_N_THEIRS
            )
            for name in ("pearson", "spearman", "kendall")
        ]

    own_s = min(timed(ours)[0] for _ in range(3)) / 1000
    their_s = timed(theirs)[0] / 1000 * N_RESAMPLES / _N_THEIRS
    print(f"ours {own_s:.2f} s, nlpstats {their_s:,.0f} s, ratio {their_s / own_s:.0f}")
