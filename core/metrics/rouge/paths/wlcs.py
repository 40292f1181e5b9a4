"""Weighted longest common subsequences of all lanes at once, in the program's own arithmetic."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.rouge.counts import Floats
from awase.core.metrics.rouge.paths.lanes import WIDEST, Lanes, Words

_BITS = 8


def power_table(weight: float, longest: int) -> Floats:
    """Returns k ** weight for k = 0 to `longest`, from the C library as in the program."""
    return np.array([float(k) ** weight for k in range(longest + 1)])


def wlcs_stops(lanes: Lanes, weight: float) -> list[Words]:
    """Returns by step where the walk back cannot go up.

    Args:
        lanes: Pairs of texts, side by side.
        weight: Of a run of k matches, k ** weight; at least 1 favours long runs (`-w`).

    Source: Lin (2004), section 4; the order of the additions is ROUGE-1.5.5's, because ties decide
        the path and hang on the last bit.
    """
    powers = power_table(weight, WIDEST + 1)
    n_tokens = int(lanes.full.max(initial=0)).bit_length()
    table = _Table(n_tokens, lanes.full.size, powers)
    matches = np.empty_like(lanes.full)
    stops = lanes.steps()
    for step, stop in enumerate(stops):
        match = lanes.matches(step, matches)
        grows = table.advance(match.ravel())
        np.bitwise_or(_packed(grows, match.dtype).reshape(match.shape), match, out=stop)
    return stops


class _Table:
    """One row of each lane's table: best weight and run of matches for each reference prefix."""

    def __init__(self, n_tokens: int, n_lanes: int, powers: Floats) -> None:
        self._powers = powers
        self._best = np.zeros((n_tokens + 1, n_lanes))
        self._runs = np.zeros((n_tokens + 1, n_lanes), np.uint8)
        self._grows = np.empty((n_tokens, n_lanes), np.bool_)
        self._matched: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None

    def advance(self, match: Words) -> NDArray[np.bool_]:
        """Takes one more token of the systems' sentences; returns where the new row grows.

        Args:
            match: (n,) where the token stands in the reference, in the first n lanes; the others
                have ended.
        """
        n_tokens, n_lanes = len(self._grows), len(match)
        tokens, lanes = _set_bits(match)
        runs = self._runs[tokens, lanes]
        matched = (self._best[tokens, lanes] + self._powers[runs + 1]) - self._powers[runs]
        if self._matched is not None:
            self._runs[self._matched] = 0
        self._matched = (tokens + 1, lanes)
        self._runs[self._matched] = runs + 1
        bounds = np.searchsorted(tokens, np.arange(n_tokens + 1)).tolist()
        grows = self._grows[:, :n_lanes]
        above = self._best[0, :n_lanes]
        for token in range(n_tokens):
            here = self._best[token + 1, :n_lanes]
            np.maximum(above, here, out=here)
            found = slice(bounds[token], bounds[token + 1])
            here[lanes[found]] = matched[found]
            np.greater(here, above, out=grows[token])
            above = here
        return grows


def _set_bits(words: Words) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns the bits that are set and the indices of their words, lowest bits first."""
    indices = np.flatnonzero(words != 0)
    rest = words[indices]
    bits, owners = [np.empty(0, np.uint8)], [indices[:0]]
    while len(indices):
        lowest = rest & (~rest + rest.dtype.type(1))
        # The exponent of the double that is this power of two.
        bits.append(((lowest.astype(np.float64).view(np.int64) >> 52) - 1023).astype(np.uint8))
        owners.append(indices)
        rest = rest ^ lowest
        more = rest != 0
        indices, rest = indices[more], rest[more]
    bit, owner = np.concatenate(bits), np.concatenate(owners)
    order = np.argsort(bit, kind="stable")
    return bit[order].astype(np.int64), owner[order]


def _packed(bits: NDArray[np.bool_], dtype: np.dtype[np.unsignedinteger[Any]]) -> Words:
    """Returns (n_words,) words of (n_bits, n_words) bits, lowest first."""
    n_bits, n_words = bits.shape
    octets = np.zeros((n_words, dtype.itemsize), np.uint8)
    octet = np.empty(n_words, np.uint8)
    for first in range(0, n_bits, _BITS):
        octet[:] = 0
        for bit in reversed(range(first, min(first + _BITS, n_bits))):
            np.add(octet, octet, out=octet)
            np.bitwise_or(octet, bits[bit].view(np.uint8), out=octet)
        octets[:, first // _BITS] = octet
    return octets.view(dtype.newbyteorder("<")).ravel().astype(dtype, copy=False)
