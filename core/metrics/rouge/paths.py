"""Which tokens of a reference lie on the paths that ROUGE-1.5.5 walks back through its tables.

In column j of a table the walk goes up, to earlier tokens of the reference, until it meets a match
(which it marks, and leaves diagonally) or a place where it must turn left. So from one column to
the next only the highest such place at or below the cursor matters.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.rouge.comparison import NumberedComparison
from awase.core.metrics.rouge.lanes import Lanes, Words


def marked(lanes: Lanes, stops: Sequence[Words], matches: Sequence[Words]) -> Words:
    """Returns (n_rows, n_columns) the positions marked in each lane.

    Args:
        lanes: What was compared.
        stops: By step, (n_rows_at, n_columns): where the walk cannot go up, matches included.
        matches: By step, (n_rows_at, n_columns): where the tokens are equal.
    """
    below = lanes.full.copy()
    found = np.zeros_like(below)
    shifted = np.empty_like(below)
    word_bits = below.dtype.itemsize * 8
    for stop, match in zip(reversed(stops), reversed(matches), strict=True):
        n_rows = len(stop)
        here, spare = below[:n_rows], shifted[:n_rows]
        np.bitwise_and(here, stop, out=here)
        shift = 1
        while shift < word_bits:
            np.right_shift(here, shift, out=spare)
            np.bitwise_or(here, spare, out=here)
            shift *= 2
        np.right_shift(here, 1, out=spare)
        np.bitwise_xor(here, spare, out=spare)
        np.bitwise_and(spare, match, out=spare)
        np.bitwise_or(found[:n_rows], spare, out=found[:n_rows])
        np.bitwise_xor(here, spare, out=here)
    return found


def mark(
    marks: Sequence[NDArray[np.bool_]],
    batch: Sequence[NumberedComparison],
    lanes: Lanes,
    found: Words,
) -> None:
    """Sets for each comparison what any sentence of a summary marked.

    Args:
        marks: For each comparison (n_peers, n_reference_tokens); written to.
        batch: The comparisons.
        lanes: Theirs.
        found: As `marked` returns it.
    """
    by_sentence = np.empty_like(found)
    by_sentence[lanes.order] = found
    first = 0
    for here, comparison, place in zip(marks, batch, lanes.places, strict=True):
        starts = comparison.peers_apart.text_starts
        last = first + int(starts[-1])
        if place.n_columns:
            words = _or_by_text(by_sentence[first:last], starts)
            bit = np.left_shift(words.dtype.type(1), place.bits.astype(words.dtype))
            here[:, place.tokens] = (words[:, place.columns] & bit) != 0
        first = last


def _or_by_text(words: Words, starts: NDArray[np.int64]) -> Words:
    """Returns (n_texts, n_columns); a text without sentences has nothing marked."""
    result = np.zeros((len(starts) - 1, words.shape[1]), words.dtype)
    filled = np.flatnonzero(np.diff(starts))
    if len(filled):
        result[filled] = np.bitwise_or.reduceat(words, starts[filled], axis=0)
    return result
