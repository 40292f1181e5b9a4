"""Which tokens of a reference lie on the paths that ROUGE-1.5.5 walks back through its tables.

In column j of a table the walk goes up, to earlier tokens of the reference, until it meets a match
(which it marks, and leaves diagonally) or a place where it must turn left. So from one column to
the next only the highest such place at or below the cursor matters.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.rouge.comparison import Batch
from awase.core.metrics.rouge.paths.lanes import Lanes, Words

Marks = NDArray[np.bool_]


def marked(lanes: Lanes, stops: Sequence[Words]) -> Words:
    """Returns (n_rows, n_columns) the positions marked in each lane.

    Args:
        lanes: What was compared.
        stops: By step, (n_rows_at, n_columns): where the walk cannot go up, matches included.
    """
    below = lanes.full.copy()
    found = np.zeros_like(below)
    matches, shifted = np.empty_like(below), np.empty_like(below)
    word_bits = below.dtype.itemsize * 8
    for step in reversed(range(len(stops))):
        stop = stops[step]
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
        np.bitwise_and(spare, lanes.matches(step, matches), out=spare)
        np.bitwise_or(found[:n_rows], spare, out=found[:n_rows])
        np.bitwise_xor(here, spare, out=here)
    return found


def mark(marks: Marks, batch: Batch, lanes: Lanes, found: Words) -> None:
    """Sets what any sentence of a summary marked.

    Args:
        marks: As `no_marks` returns it; written to.
        batch: The comparisons.
        lanes: Theirs.
        found: As `marked` returns it.
    """
    peers = batch.peers_apart
    by_sentence = np.empty_like(found)
    by_sentence[lanes.rows.order] = found
    words = np.zeros((batch.n_comparisons, len(marks), found.shape[1]), found.dtype)
    words[peers.comparisons, peers.slots] = _or_by_text(by_sentence, peers.text_starts)
    models = batch.models_apart
    comparisons = models.comparisons[models.owners[lanes.places]]
    of_tokens = words.transpose(1, 0, 2)[:, comparisons, lanes.columns]
    marks[:, lanes.places] = (of_tokens & lanes.bits) != 0


def no_marks(batch: Batch) -> Marks:
    """Returns (n_slots, n_reference_tokens) marks, none of them set.

    Row k is of the k-th summary of the comparison that the token belongs to.
    """
    return np.zeros((batch.peers_apart.n_slots, len(batch.models_apart.ids)), np.bool_)


def _or_by_text(words: Words, starts: NDArray[np.int64]) -> Words:
    """Returns (n_texts, n_columns); a text without sentences has nothing marked."""
    result = np.zeros((len(starts) - 1, words.shape[1]), words.dtype)
    filled = np.flatnonzero(np.diff(starts))
    if len(filled):
        result[filled] = np.bitwise_or.reduceat(words, starts[filled], axis=0)
    return result
