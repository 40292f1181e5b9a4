"""ROUGE-N, -S and -SU: which units a text has, and how many a summary shares with a reference."""

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.rouge.comparison import (
    FOREIGN,
    LocalIds,
    LocalTexts,
    NumberedComparison,
    histogram,
)
from awase.core.metrics.rouge.counts import Counts, Floats
from awase.core.metrics.rouge.rounding import rounded

_MOST_CELLS = 1 << 22

_Owned = tuple[LocalIds, LocalIds]
"""Units and, for each, the text that it belongs to."""


def unit_counts(hits: Floats, models: Floats, peers: Floats) -> Counts:
    """Returns the counts of a measure whose best reference has the best rounded recall."""
    recall = np.divide(hits, models, out=np.zeros_like(hits), where=models > 0)
    return Counts(hits=hits, models=models, peers=peers, selection=rounded(recall))


def ngram_counts(comparison: NumberedComparison, longest: int) -> list[Counts]:
    """Returns the counts of ROUGE-1 to ROUGE-`longest`.

    Source: Lin (2004), equation 1; n-grams cross sentence ends, as in ROUGE-1.5.5.
    """
    models, peers = comparison.models, comparison.peers
    model_units, peer_units, n_units = models.ids, peers.ids, comparison.n_local
    result: list[Counts] = []
    for size in range(1, longest + 1):
        if size > 1:
            codes = [
                _longer(units, texts.ids, comparison.n_local + 1)
                for units, texts in ((model_units, models), (peer_units, peers))
            ]
            bound = (n_units + 1) * (comparison.n_local + 1)
            model_units, peer_units, n_units = renumbered(codes[0], codes[1], bound)
        last = size - 1
        hits = shared_units(
            _whole(peer_units, peers, last),
            _whole(model_units, models, last),
            (peers.n_texts, models.n_texts),
            n_units,
        )
        sizes = (np.maximum(texts.lengths - last, 0.0) for texts in (models, peers))
        result.append(unit_counts(hits, *sizes))
    return result


def _longer(units: LocalIds, ids: LocalIds, base: int) -> LocalIds:
    """Returns codes of the units lengthened by the token behind them.

    The unit behind `units[i]` of size k is at `ids[i + k]`; shifting by the lost length does it.
    """
    n_longer = max(len(units) - 1, 0)
    shift = len(ids) - n_longer
    codes = units[:n_longer] * base + ids[shift:]
    codes[(units[:n_longer] == FOREIGN) | (ids[shift:] == FOREIGN)] = FOREIGN
    return codes


def _whole(units: LocalIds, texts: LocalTexts, last: int) -> _Owned:
    """Returns the units that lie within one text and whose they are; foreign ones are left out."""
    owners = texts.owners
    keep = units != FOREIGN
    if last:
        keep &= owners[: len(units)] == owners[len(owners) - len(units) :]
    return units[keep], owners[: len(units)][keep]


def renumbered(
    model_codes: LocalIds, peer_codes: LocalIds, bound: int
) -> tuple[LocalIds, LocalIds, int]:
    """Returns the codes as small ids; a code that no reference has is `FOREIGN`.

    Args:
        model_codes: Codes of the references' units; 0 = foreign.
        peer_codes: Codes of the systems' units; 0 = foreign.
        bound: All codes are below it.

    Returns:
        Ids of the references' units, of the systems' units, and the largest id.
    """
    n_codes = len(model_codes)
    if bound <= _MOST_CELLS:
        # Any different number per code will do: the last place where it stands.
        id_of = np.zeros(bound, np.int32)
        id_of[model_codes] = np.arange(1, n_codes + 1)
        id_of[FOREIGN] = FOREIGN
        # Codes are products of ids, and overflow 32 bits.
        model_ids, peer_ids = (id_of[c].astype(np.int64) for c in (model_codes, peer_codes))
        return model_ids, peer_ids, n_codes
    known, model_ids = np.unique(np.append(model_codes, FOREIGN), return_inverse=True)
    places = np.minimum(np.searchsorted(known, peer_codes), len(known) - 1)
    peer_ids = np.where(known[places] == peer_codes, places, FOREIGN)
    return model_ids[:-1], peer_ids, len(known) - 1


def shared_units(peers: _Owned, models: _Owned, n_texts: tuple[int, int], n_units: int) -> Floats:
    """Returns (n_peers, n_models) sums over units of the lesser of the two counts.

    Args:
        peers: Units of the systems' summaries from 1 to `n_units`, and whose they are.
        models: Units of the references, and whose they are.
        n_texts: How many summaries and references there are.
        n_units: Largest unit.

    min(a, b) is the number of t with a >= t and b >= t: one product of 0/1 matrices for each t.
    """
    of_peers = histogram(*peers, n_texts[0], n_units)
    of_models = histogram(*models, n_texts[1], n_units)
    hits = _common(of_peers, of_models, 1)
    most = of_models.max(axis=0, initial=0)
    for times in range(2, int(most.max(initial=0)) + 1):
        columns = np.flatnonzero(most >= times)
        hits += _common(of_peers[:, columns], of_models[:, columns], times)
    return hits


def _common(of_peers: LocalIds, of_models: LocalIds, times: int) -> Floats:
    left = (of_peers >= times).astype(np.float32)
    right = (of_models >= times).astype(np.float32)
    return (left @ right.T).astype(np.float64)


def skip_bigram_counts(comparison: NumberedComparison, gap: int | None) -> tuple[Counts, Counts]:
    """Returns the counts of ROUGE-S and of ROUGE-SU.

    Args:
        comparison: What is compared.
        gap: Most words between the two of a pair (`-2`); None = no limit.

    Source: Lin (2004), section 5, as ROUGE-1.5.5 counts.
    Differs: from the paper as the program does: pairs cross sentence ends, and SU adds every token
        but the last, not a marker of the beginning.
    """
    models, peers = comparison.models, comparison.peers
    base = comparison.n_local + 1
    of_models, of_peers = _pairs(models, base, gap), _pairs(peers, base, gap)
    model_units, peer_units, n_units = renumbered(of_models[0], of_peers[0], base * base)
    n_texts = (peers.n_texts, models.n_texts)
    hits = shared_units((peer_units, of_peers[1]), (model_units, of_models[1]), n_texts, n_units)
    n_model_pairs, n_peer_pairs = (_n_pairs(t.lengths, gap) for t in (models, peers))
    single_hits = shared_units(_but_last(peers), _but_last(models), n_texts, comparison.n_local)
    n_model_singles, n_peer_singles = (np.maximum(t.lengths - 1.0, 0) for t in (models, peers))
    return (
        unit_counts(hits, n_model_pairs, n_peer_pairs),
        unit_counts(
            hits + single_hits, n_model_pairs + n_model_singles, n_peer_pairs + n_peer_singles
        ),
    )


def _pairs(texts: LocalTexts, base: int, gap: int | None) -> _Owned:
    """Returns codes of the ordered pairs without foreign tokens, and whose they are."""
    farthest = int(texts.lengths.max(initial=0)) - 1
    if gap is not None:
        farthest = min(farthest, gap + 1)
    places = np.flatnonzero(texts.ids != FOREIGN)
    ids, owners = texts.ids[places], texts.owners[places]
    # Set apart so far that no two texts have tokens within reach of each other.
    places += owners * farthest
    codes, of_text = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for behind in range(1, farthest + 1):
        near = np.flatnonzero(places[behind:] - places[:-behind] <= farthest)
        if not len(near):
            break
        codes.append(ids[near] * base + ids[near + behind])
        of_text.append(owners[near])
    return np.concatenate(codes), np.concatenate(of_text)


def _n_pairs(lengths: NDArray[np.int64], gap: int | None) -> Floats:
    """Returns how many pairs texts of these lengths have, foreign tokens counted."""
    n_distances = np.maximum(lengths - 1, 0)
    if gap is not None:
        n_distances = np.minimum(n_distances, gap + 1)
    n_pairs = n_distances * lengths - n_distances * (n_distances + 1) // 2
    return np.asarray(n_pairs, np.float64)


def _but_last(texts: LocalTexts) -> _Owned:
    ends = texts.token_starts[1:][texts.lengths > 0] - 1
    keep = texts.ids != FOREIGN
    keep[ends] = False
    return texts.ids[keep], texts.owners[keep]
