"""Paths through the tables of reference sentences that no machine word holds.

The same walks as in `paths`, one pair of sentences at a time, with Python's integers for words.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.rouge.comparison import Batch, Texts
from awase.core.metrics.rouge.paths.lanes import WIDEST
from awase.core.metrics.rouge.paths.path_of_pair import lcs_marks, places_of, walk_back
from awase.core.metrics.rouge.paths.walking import Marks


def mark_long_sentences(marks: Marks, batch: Batch, weight: float | None) -> None:
    """Sets what paths mark in sentences too long for lanes.

    Args:
        marks: As `no_marks` returns it; written to.
        batch: What is compared.
        weight: Of ROUGE-W; None = ROUGE-L.
    """
    models, peers = batch.models_apart, batch.peers_apart
    starts = models.sentence_starts
    for begin, end in zip(starts.tolist(), starts[1:].tolist(), strict=False):
        if end - begin <= WIDEST:
            continue
        reference = models.ids[begin:end].tolist()
        places = places_of(reference)
        comparison = models.comparisons[models.owners[begin]]
        for peer in range(peers.starts[comparison], peers.starts[comparison + 1]):
            found = 0
            for sentence in _sentences(peers, peer):
                found |= (
                    lcs_marks(places, len(reference), sentence)
                    if weight is None
                    else _weighted_marks(places, len(reference), sentence, weight)
                )
            marks[peers.slots[peer], begin:end] = _bits(found, end - begin)


def _sentences(texts: Texts, index: int) -> list[list[int]]:
    first, last = texts.text_starts[[index, index + 1]].tolist()
    starts = texts.sentence_starts[first : last + 1].tolist()
    return [texts.ids[begin:end].tolist() for begin, end in pairwise(starts)]


def _bits(number: int, n_bits: int) -> NDArray[np.bool_]:
    octets = np.frombuffer(number.to_bytes((n_bits + 7) // 8, "little"), np.uint8)
    return np.unpackbits(octets, count=n_bits, bitorder="little").astype(np.bool_)


def _weighted_marks(
    places: Mapping[int, int], n_places: int, sentence: Sequence[int], weight: float
) -> int:
    matches = [places.get(token, 0) for token in sentence]
    full = (1 << n_places) - 1
    grows = _weighted_stops(matches, full, weight)
    stops = [grow | match for grow, match in zip(grows, matches, strict=True)]
    return walk_back(matches, stops, full)


def _weighted_stops(matches: Sequence[int], full: int, weight: float) -> list[int]:
    """Returns by token where the row of the weighted table grows.

    A row is computed with numpy between matches, one match after the other.
    """
    n_tokens = full.bit_length()
    powers = np.array([float(k) ** weight for k in range(n_tokens + 2)])
    best = np.zeros(n_tokens + 1)
    runs = np.zeros(n_tokens + 1, np.int64)
    stops: list[int] = []
    for match in matches:
        places = np.flatnonzero(_bits(match, n_tokens))
        before = runs[places]
        matched = (best[places] + powers[before + 1]) - powers[before]
        runs = np.zeros_like(runs)
        runs[places + 1] = before + 1
        best = _row(best, places, matched)
        grows = np.packbits(best[1:] > best[:-1], bitorder="little")
        stops.append(int.from_bytes(grows.tobytes(), "little"))
    return stops


def _row(
    best: NDArray[np.float64], places: NDArray[np.int64], matched: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Returns the next row: the running maximum of the former, begun anew at each match."""
    row = best.copy()
    row[places + 1] = matched
    bounds = [0, *(places + 1).tolist(), len(row)]
    for begin, end in pairwise(bounds):
        np.maximum.accumulate(row[begin:end], out=row[begin:end])
    return row
