"""Averages and confidence intervals as ROUGE-1.5.5 prints them: of bootstrap resamples."""

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from awase.core.errors import InputError
from awase.core.metrics.rouge.comparison import Floats, ratios_of, rounded

_MOST_SUMS = 1 << 15


class Averaging(Enum):
    """Kinds of averages (`-t`)."""

    BY_SUMMARY = "0"  # the rounded scores of the summaries
    BY_TOKEN = "1"  # counts are summed first, so long summaries weigh more


@dataclass(frozen=True, slots=True, kw_only=True)
class RougeResampling:
    """Settings of averages and intervals."""

    n_resamples: int = 1000  # number of bootstrap resamples (`-r`), at least 1
    confidence: float = 95.0  # of the interval in percent (`-c`), 0 to 100
    averaging: Averaging = Averaging.BY_SUMMARY
    # Towards 1, F favours precision (`-p`); matters for `Averaging.BY_TOKEN` alone.
    alpha: float = 0.5

    def __post_init__(self) -> None:
        if self.n_resamples < 1:
            raise InputError.of("{n} resamples are too few.", "At least 1.", n=self.n_resamples)
        if not 0 <= self.confidence <= 100:
            raise InputError.of(
                "A confidence of {confidence} % is impossible.",
                "Choose 0 to 100.",
                confidence=self.confidence,
            )
        if not 0 <= self.alpha <= 1:
            raise InputError.of("Alpha is {alpha}.", "Choose 0 to 1.", alpha=self.alpha)


DEFAULT = RougeResampling()


@dataclass(frozen=True, slots=True, kw_only=True)
class Averages:
    """Recall, precision and F over summaries, rounded to five decimals."""

    mean: Floats  # (..., 3) means of the resamples: what ROUGE-1.5.5 calls the average
    low: Floats  # (..., 3) lower ends of the confidence intervals
    high: Floats  # (..., 3) upper ends


def bootstrap(values: Floats, resampling: RougeResampling = DEFAULT) -> Averages:
    """Returns averages and intervals over summaries.

    Args:
        values: (n_summaries, ..., 3) scores, or under `Averaging.BY_TOKEN` totals as
            `Counts.totals` gives them. ROUGE-1.5.5 orders summaries by their ids as strings, and
            the order decides which are drawn.

    Source: ROUGE-1.5.5. The average is over resamples, so that it differs from the plain mean in
        the fourth decimal for few summaries; see `plain_mean`.
    """
    samples = _sums(values, resampling.n_resamples)
    if resampling.averaging is Averaging.BY_TOKEN:
        samples = ratios_of(samples, resampling.alpha)
    else:
        samples /= max(len(values), 1)
    samples.sort(axis=0)
    mean = np.zeros(samples.shape[1:])
    for sample in samples:  # one after the other, as the program adds
        mean += sample
    low, high = _ends(samples, resampling)
    return Averages(
        mean=_rounded(mean / resampling.n_resamples), low=_rounded(low), high=_rounded(high)
    )


def plain_mean(values: Floats) -> Floats:
    """Returns (..., 3) unrounded means over (n_summaries, ..., 3), as most programs report."""
    return np.asarray(values.mean(axis=0))


def _sums(values: Floats, n_resamples: int) -> Floats:
    """Returns (n_resamples, ..., 3) sums of the summaries drawn, added in the order drawn."""
    sums = np.zeros((n_resamples, *values.shape[1:]))
    drawn = resample_indices(len(values), n_resamples)
    # Some resamples at a time, so that their sums stay in the processor's cache.
    at_once = max(1, _MOST_SUMS // max(1, sums[:1].size))
    for first in range(0, n_resamples, at_once):
        some = sums[first : first + at_once]
        for items in drawn[:, first : first + at_once]:
            some += values.take(items, axis=0)
    return sums


def _ends(samples: Floats, resampling: RougeResampling) -> tuple[Floats, Floats]:
    n_samples = len(samples)
    outside = n_samples * ((100 - resampling.confidence) / 2.0) / 100.0
    upper = int(n_samples - outside - 1)
    share = n_samples - outside - 1 - upper

    def between(index: int) -> Floats:
        here, behind = _sample(samples, index), _sample(samples, index + 1)
        return here + (behind - here) * share

    # The program interpolates the lower end with the upper end's share, too.
    return between(int(outside)), between(upper)


def _sample(samples: Floats, index: int) -> Floats:
    """Returns one sorted sample; a missing one is 0, as in Perl."""
    n_samples = len(samples)
    if -n_samples <= index < n_samples:
        return np.asarray(samples[index])
    return np.zeros(samples.shape[1:])


def _rounded(values: Floats) -> NDArray[np.float64]:
    return rounded(np.asarray(values, np.float64).ravel()).reshape(np.shape(values))


def perl_mean(values: Floats) -> Floats:
    """Returns (..., 3) means of the program's resamples of `values`, rounded to five decimals.

    Source: ROUGE-1.5.5.
    """
    return bootstrap(values).mean


_MULTIPLIER = 0x5DEECE66D
_INCREMENT = 0xB
_LOW_BITS_OF_SEED = 0x330E
_MASK = np.uint64((1 << 48) - 1)


@lru_cache(maxsize=8)
def resample_indices(n_items: int, n_resamples: int) -> NDArray[np.int64]:
    """Returns (n_items, n_resamples) the items drawn: column s with the generator seeded by s.

    Source: perl's `srand` and `rand` (perlfunc; POSIX drand48). ROUGE-1.5.5 draws as many items
        as there are, with `int(rand(n))`.
    Differs: Perl before 5.20 used the C library's generator, so intervals printed by it may differ
        in their last digits.
    """
    state = (np.arange(n_resamples, dtype=np.uint64) << np.uint64(16)) + np.uint64(
        _LOW_BITS_OF_SEED
    )
    drawn = np.empty((n_items, n_resamples), np.int64)
    for draw in range(n_items):
        # uint64 wraps modulo 2 ** 64, of which 2 ** 48 is a divisor.
        state = (state * np.uint64(_MULTIPLIER) + np.uint64(_INCREMENT)) & _MASK
        drawn[draw] = state.astype(np.float64) / 2.0**48 * n_items
    drawn.flags.writeable = False
    return drawn
