"""The counting loops of the ROUGE family in the compiled kernel, where it is there.

Each function returns None where it is not, or where texts are too long for its tables; the caller
then does the same with numpy.
"""

import ctypes

import numpy as np
from numpy.typing import NDArray

from awase.core.kernel.arrays import Array, RawTexts, passed
from awase.core.kernel.binding import Kernel, kernel
from awase.core.metrics.rouge.comparison import Batch, Ids, Texts
from awase.core.metrics.rouge.counts import Floats


class _Side:
    """One side of a batch as it is passed, its arrays being kept meanwhile."""

    def __init__(self, texts: Texts) -> None:
        levels = (texts.ids, texts.sentence_starts, texts.text_starts, texts.starts)
        self._kept = [_int64(level) for level in levels]
        self.raw = ctypes.byref(RawTexts(*(passed(level, "int64") for level in self._kept)))


def ngram_hits(batch: Batch, longest: int) -> Floats | None:
    """Returns (longest, n_peers, n_slots) matches of 1-grams to `longest`-grams."""
    library = kernel()
    if library is None:
        return None
    peers, models = _Side(batch.peers), _Side(batch.models)
    ids, n_slots = _int64(batch.id_starts), batch.models.n_slots
    hits = np.zeros((longest, batch.peers.n_texts, n_slots))
    done = library.call(
        "awase_ngrams", peers.raw, models.raw, passed(ids, "int64"), longest, n_slots, _cells(hits)
    )
    return hits if done else None


def skip_bigram_hits(batch: Batch, gap: int | None) -> tuple[Floats, Floats] | None:
    """Returns (n_peers, n_slots) matches of skip-bigrams, and of all tokens but the last."""
    library = kernel()
    if library is None:
        return None
    peers, models = _Side(batch.peers), _Side(batch.models)
    ids, n_slots = _int64(batch.id_starts), batch.models.n_slots
    pairs = np.zeros((batch.peers.n_texts, n_slots))
    tokens = np.zeros_like(pairs)
    done = library.call(
        "awase_skip_bigrams", peers.raw, models.raw, passed(ids, "int64"),
        -1 if gap is None else gap, n_slots, _cells(pairs), _cells(tokens),
    )  # fmt: skip
    return (pairs, tokens) if done else None


def path_hits(batch: Batch, powers: Floats | None) -> Floats | None:
    """Returns (n_peers, n_slots) tokens hit by ROUGE-L, or the weights of ROUGE-W's runs.

    Args:
        powers: k ** weight for k = 0 to one more than the longest reference sentence has tokens;
            None = ROUGE-L.
    """
    library = kernel()
    if library is None:
        return None
    running = [_Side(batch.peers), _Side(batch.models)]
    is_one = batch.peers_apart is batch.peers and batch.models_apart is batch.models
    apart = running if is_one else [_Side(batch.peers_apart), _Side(batch.models_apart)]
    ids, n_slots = _int64(batch.id_starts), batch.models.n_slots
    table = np.zeros(0) if powers is None else powers
    hits = np.zeros((batch.peers.n_texts, n_slots))
    done = library.call(
        "awase_paths", *(side.raw for side in (*running, *apart)), passed(ids, "int64"),
        _cells(table), n_slots, _cells(hits),
    )  # fmt: skip
    return hits if done else None


def unit_hits(
    peers: tuple[Ids, Ids], models: tuple[Ids, Ids], shape: tuple[int, int], n_units: int
) -> Floats | None:
    """Returns (n_peers, n_slots) sums over units of the lesser of the two counts.

    Args:
        peers: Units, from 1 on, and the summary that each belongs to.
        models: Units, from 1 on, and the place of the reference that each belongs to.
    """
    library: Kernel | None = kernel()
    if library is None:
        return None
    hits = np.zeros(shape)
    arrays = [_int64(array) for array in (*peers, *models)]
    done = library.call(
        "awase_units", *(passed(array, "int64") for array in arrays), n_units, shape[1],
        _cells(hits),
    )  # fmt: skip
    return hits if done else None


def _cells(array: Floats) -> Array:
    return passed(array, "float64")


def _int64(array: NDArray[np.integer]) -> Ids:
    return np.ascontiguousarray(array, np.int64)
