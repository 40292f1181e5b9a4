"""The random numbers of Perl 5.20 and later: drand48, the same on every platform."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

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
