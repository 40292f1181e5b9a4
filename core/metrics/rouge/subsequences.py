"""ROUGE-L and ROUGE-W of whole summaries: union of paths, clipped, counted."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.rouge.clipping import Marks, clipping
from awase.core.metrics.rouge.comparison import LocalTexts, NumberedComparison
from awase.core.metrics.rouge.counts import Counts, Floats
from awase.core.metrics.rouge.lanes import WIDTHS, batches, lanes_of, peer_rows
from awase.core.metrics.rouge.lcs import lcs_stops
from awase.core.metrics.rouge.long_sentences import marks_of_long_sentences
from awase.core.metrics.rouge.paths import mark, marked
from awase.core.metrics.rouge.wlcs import wlcs_stops

_MOST_LANES_LCS = 1 << 16
_MOST_LANES_WLCS = 1 << 15


def lcs_counts(comparisons: Sequence[NumberedComparison]) -> list[Counts]:
    """Returns the counts of summary-level ROUGE-L for each comparison.

    Source: Lin (2004), section 3.2, as ROUGE-1.5.5 counts does.
    """
    return [_lcs_counts(comparison, marks) for comparison, marks in _all_marks(comparisons, None)]


def wlcs_counts(comparisons: Sequence[NumberedComparison], weight: float) -> list[Counts]:
    """Returns the counts of ROUGE-W for each comparison.

    Args:
        comparisons: What is compared.
        weight: A run of k matches earns k ** weight (`-w`); over 0.

    Source: Lin (2004), section 4, as ROUGE-1.5.5 counts.
    Differs: from the paper as the program does, which weights the references' lengths twice.
        A reference without tokens has recall 0; the program dies of it.
    """
    return [
        _wlcs_counts(comparison, marks, weight)
        for comparison, marks in _all_marks(comparisons, weight)
    ]


def _all_marks(
    comparisons: Sequence[NumberedComparison], weight: float | None
) -> Iterator[tuple[NumberedComparison, Marks]]:
    """Returns each comparison with (n_peers, n_reference_tokens) what its paths mark."""
    all_marks = [marks_of_long_sentences(comparison, weight) for comparison in comparisons]
    most = _MOST_LANES_LCS if weight is None else _MOST_LANES_WLCS
    for width in WIDTHS:
        for part in batches(comparisons, width, most):
            batch = comparisons[part]
            lanes = lanes_of(batch, peer_rows(batch), width)
            if lanes is not None:
                matches = lanes.matches()
                stops = (
                    lcs_stops(lanes, matches)
                    if weight is None
                    else wlcs_stops(lanes, matches, weight)
                )
                mark(all_marks[part], batch, lanes, marked(lanes, stops, matches))
    return zip(comparisons, all_marks, strict=True)


def _lcs_counts(comparison: NumberedComparison, marks: Marks) -> Counts:
    models = comparison.models_apart
    by_model = clipping(comparison).n_hits(marks)
    lengths = models.lengths.astype(np.float64)
    return Counts(
        hits=by_model,
        models=lengths,
        peers=comparison.peers.lengths.astype(np.float64),
        selection=_ratio(by_model, lengths),
    )


def _wlcs_counts(comparison: NumberedComparison, marks: Marks, weight: float) -> Counts:
    models = comparison.models_apart
    hits = _run_weights(models, marks, clipping(comparison).hits(marks), weight)
    bases = _weighted_lengths(models, weight)
    ratios = _ratio(hits, bases)
    return Counts(
        hits=hits,
        models=np.array([base**weight for base in bases.tolist()]),
        peers=np.array([float(n) ** weight for n in comparison.peers.lengths.tolist()]),
        selection=np.array([[value ** (1 / weight) for value in row] for row in ratios.tolist()]),
        root=1 / weight,
    )


def _ratio(hits: Floats, bases: Floats) -> Floats:
    return np.divide(hits, bases, out=np.zeros_like(hits), where=bases > 0)


def _weighted_lengths(models: LocalTexts, weight: float) -> Floats:
    weighted = [float(n) ** weight for n in np.diff(models.sentence_starts).tolist()]
    bases: list[float] = []
    for first, last in zip(models.text_starts, models.text_starts[1:], strict=False):
        base = 0.0
        for value in weighted[first:last]:
            base += value
        bases.append(base)
    return np.array(bases)


def _run_weights(models: LocalTexts, marks: Marks, hits: Marks, weight: float) -> Floats:
    """Returns (n_peers, n_models) the weights of all runs of hits.

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
