"""The counting loops of the ROUGE family in the compiled kernel, where it is there.

Each function returns None where it is not; the caller then does the same with numpy.
"""

import ctypes

import numpy as np

from awase.core.kernel.arrays import SIZE, HeldTexts, Ids, address
from awase.core.kernel.library import kernel
from awase.core.metrics.rouge.comparison import Batch, Texts
from awase.core.metrics.rouge.counts import Floats


def ngram_hits(batch: Batch, longest: int) -> Floats | None:
    """Returns (longest, n_peers, n_slots) matches of 1-grams to `longest`-grams."""
    library = kernel()
    if library is None:
        return None
    peers, models = _held(batch.peers), _held(batch.models)
    ids = np.ascontiguousarray(batch.id_starts, np.int64)
    hits = np.zeros((longest, batch.peers.n_texts, batch.models.n_slots))
    library.awase_ngrams(
        ctypes.byref(peers.raw), ctypes.byref(models.raw), address(ids),
        SIZE(longest), SIZE(batch.models.n_slots), address(hits),
    )  # fmt: skip
    return hits


def skip_bigram_hits(batch: Batch, gap: int | None) -> tuple[Floats, Floats] | None:
    """Returns (n_peers, n_slots) matches of skip-bigrams, and of all tokens but the last."""
    library = kernel()
    if library is None:
        return None
    peers, models = _held(batch.peers), _held(batch.models)
    ids = np.ascontiguousarray(batch.id_starts, np.int64)
    pairs = np.zeros((batch.peers.n_texts, batch.models.n_slots))
    tokens = np.zeros_like(pairs)
    library.awase_skip_bigrams(
        ctypes.byref(peers.raw), ctypes.byref(models.raw), address(ids),
        ctypes.c_int64(-1 if gap is None else gap), SIZE(batch.models.n_slots),
        address(pairs), address(tokens),
    )  # fmt: skip
    return pairs, tokens


def path_hits(batch: Batch, powers: Floats | None) -> Floats | None:
    """Returns (n_peers, n_slots) tokens hit by ROUGE-L, or the weights of ROUGE-W's runs.

    Args:
        batch: What is compared.
        powers: k ** weight for k = 0 to one more than the longest reference sentence has tokens;
            None = ROUGE-L.
    """
    library = kernel()
    if library is None:
        return None
    sides = [
        _held(side)
        for side in (batch.peers, batch.models, batch.peers_apart, batch.models_apart)
    ]
    ids = np.ascontiguousarray(batch.id_starts, np.int64)
    table = np.zeros(0) if powers is None else np.ascontiguousarray(powers, np.float64)
    hits = np.zeros((batch.peers.n_texts, batch.models.n_slots))
    library.awase_paths(
        *(ctypes.byref(side.raw) for side in sides), address(ids),
        address(table), SIZE(len(table)), SIZE(batch.models.n_slots), address(hits),
    )  # fmt: skip
    return hits


def _held(texts: Texts) -> HeldTexts:
    return HeldTexts(_int64(texts.ids), texts.sentence_starts, texts.text_starts, texts.starts)


def _int64(ids: Ids) -> Ids:
    return np.ascontiguousarray(ids, np.int64)
