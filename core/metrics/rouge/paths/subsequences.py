"""ROUGE-L and ROUGE-W of whole summaries: union of paths, clipped, counted."""

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.rouge.clipping import clipping
from awase.core.metrics.rouge.comparison import Batch, Texts
from awase.core.metrics.rouge.compiled import path_hits
from awase.core.metrics.rouge.counts import Floats
from awase.core.metrics.rouge.paths.lanes import WIDTHS, lanes_of, n_lanes, peer_rows
from awase.core.metrics.rouge.paths.lcs import lcs_stops
from awase.core.metrics.rouge.paths.long_sentences import mark_long_sentences
from awase.core.metrics.rouge.paths.walking import Marks, mark, marked, no_marks
from awase.core.metrics.rouge.paths.wlcs import power_table, wlcs_stops
from awase.core.metrics.rouge.tally import Tally, ratios

MOST_LANES = 1 << 16


def lcs_tallies(batch: Batch) -> list[Tally]:
    """Returns the counts of summary-level ROUGE-L of all comparisons, in one piece or more.

    Source: Lin (2004), section 3.2, as ROUGE-1.5.5 counts does.
    """
    compiled = path_hits(batch, None)
    if compiled is not None:
        return [_lcs_tally(batch, compiled)]
    result: list[Tally] = []
    for part in batch.parts(n_lanes(batch), MOST_LANES):
        hits = _by_peer(clipping(part).n_hits(_marks(part, None)), part)
        result.append(_lcs_tally(part, hits))
    return result


def _lcs_tally(batch: Batch, hits: Floats) -> Tally:
    models = batch.models_apart.lengths.astype(np.float64)
    return Tally.of(
        batch,
        hits=hits,
        models=models,
        peers=batch.peers.lengths.astype(np.float64),
        selection=ratios(hits, models, batch),
    )


def wlcs_tallies(batch: Batch, weight: float) -> list[Tally]:
    """Returns the counts of ROUGE-W of all comparisons, in one piece or more.

    Args:
        batch: What is compared.
        weight: A run of k matches earns k ** weight (`-w`); over 0.

    Source: Lin (2004), section 4, as ROUGE-1.5.5 counts.
    Differs: from the paper as the program does, which weights the references' lengths twice.
        A reference without tokens has recall 0; the program dies of it.
    """
    longest = int(np.diff(batch.models_apart.sentence_starts).max(initial=0))
    compiled = path_hits(batch, power_table(weight, longest + 1))
    if compiled is not None:
        return [_wlcs_tally(batch, compiled, weight)]
    result: list[Tally] = []
    for part in batch.parts(n_lanes(batch), MOST_LANES):
        marks = _marks(part, weight)
        by_slot = _run_weights(part.models_apart, marks, clipping(part).hits(marks), weight)
        hits = _by_peer(by_slot, part)
        result.append(_wlcs_tally(part, hits, weight))
    return result


def _marks(batch: Batch, weight: float | None) -> Marks:
    """Returns what the paths mark."""
    marks = no_marks(batch)
    mark_long_sentences(marks, batch, weight)
    rows = peer_rows(batch)
    for width in WIDTHS:
        lanes = lanes_of(batch, rows, width)
        if lanes is not None:
            stops = lcs_stops(lanes) if weight is None else wlcs_stops(lanes, weight)
            mark(marks, batch, lanes, marked(lanes, stops))
    return marks


def _by_peer(by_slot: Floats, batch: Batch) -> Floats:
    """Returns (n_peers, n_slots of references) hits.

    Args:
        by_slot: (n_slots, n_models) by place of the summary in its comparison, and reference.
        batch: Whose they are.
    """
    models, peers = batch.models_apart, batch.peers_apart
    hits = np.zeros((peers.n_slots, batch.n_comparisons, models.n_slots))
    hits[:, models.comparisons, models.slots] = by_slot
    return hits[peers.slots, peers.comparisons]


def _wlcs_tally(batch: Batch, hits: Floats, weight: float) -> Tally:
    bases = _weighted_lengths(batch.models_apart, weight)
    recalls = ratios(hits, bases, batch)
    return Tally.of(
        batch,
        hits=hits,
        models=np.array([base**weight for base in bases.tolist()]),
        peers=np.array([float(n) ** weight for n in batch.peers.lengths.tolist()]),
        selection=np.array(
            [[value ** (1 / weight) for value in row] for row in recalls.tolist()]
        ).reshape(recalls.shape),
        root=1 / weight,
    )


def _weighted_lengths(models: Texts, weight: float) -> Floats:
    weighted = [float(n) ** weight for n in np.diff(models.sentence_starts).tolist()]
    bases: list[float] = []
    for first, last in zip(models.text_starts, models.text_starts[1:], strict=False):
        base = 0.0
        for value in weighted[first:last]:
            base += value
        bases.append(base)
    return np.array(bases)


def _run_weights(models: Texts, marks: Marks, hits: Marks, weight: float) -> Floats:
    """Returns (n_slots, n_models) the weights of all runs of hits.

    A run ends at a hit before an unmarked token, or at a hit that ends the sentence. A marked token
    that does not count neither lengthens a run nor ends it, and what is pending when the sentence
    ends on one is lost, as in ROUGE-1.5.5.
    """
    starts = models.sentence_starts
    is_last = np.zeros(len(models.ids), np.bool_)
    is_last[starts[1:][np.diff(starts) > 0] - 1] = True
    before_unmarked = np.ones_like(marks)
    before_unmarked[:, :-1] = ~marks[:, 1:]
    peers, tokens = np.nonzero(hits & (before_unmarked | is_last))
    so_far = np.cumsum(hits, axis=1)
    sentence_of = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    totals = so_far[peers, tokens]
    begins = starts[sentence_of[tokens]]
    earlier: NDArray[np.int64] = so_far[peers, begins] - hits[peers, begins]
    follows = np.zeros(len(tokens), np.bool_)
    follows[1:] = (peers[1:] == peers[:-1]) & (begins[1:] == begins[:-1])
    earlier[follows] = totals[:-1][follows[1:]]
    powers = np.array([float(k) ** weight for k in range(int(np.diff(starts).max(initial=0)) + 1)])
    cells = peers * models.n_texts + models.owners[tokens]
    # bincount adds in the order given, which is the program's.
    sums = np.bincount(
        cells, weights=powers[totals - earlier], minlength=len(marks) * models.n_texts
    )
    return sums.reshape(len(marks), models.n_texts).astype(np.float64)
