"""ROUGE-N, -S and -SU: which units a text has, and how many a summary shares with a reference."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.rouge.comparison import FOREIGN, Batch, Ids, Texts, histogram
from awase.core.metrics.rouge.compiled import ngram_hits, skip_bigram_hits, unit_hits
from awase.core.metrics.rouge.counts import Counts, Floats, rounded
from awase.core.metrics.rouge.tally import Tally, ratios

MOST_CELLS = 1 << 20
_WIDEST_TABLE = 1 << 22


@dataclass(frozen=True, slots=True, kw_only=True)
class Units:
    """Units of several texts, without those that no reference has.

    Attributes:
        ids: (n,) from 1 on; no two comparisons share one.
        owners: (n,) the text that each belongs to.
    """

    ids: Ids
    owners: Ids


def shared_units(
    peers: Units, models: Units, n_peers: int, slots: NDArray[np.int64], n_units: int
) -> Floats:
    """Returns (n_peers, n_slots) sums over units of the lesser of the two counts.

    Args:
        slots: (n_models,) the place of each reference in its comparison.
    """
    n_slots = int(slots.max(initial=-1)) + 1
    compiled = unit_hits(
        (peers.ids, peers.owners), (models.ids, slots[models.owners]), (n_peers, n_slots), n_units
    )
    if compiled is not None:
        return compiled
    of_models = histogram(models.ids, slots[models.owners], n_slots, n_units)
    bits = n_units.bit_length()
    cells, times = _counted(peers.owners << bits | peers.ids)
    owners, units = cells >> bits, cells & ((1 << bits) - 1)
    hits = np.empty((n_peers, n_slots))
    for slot in range(n_slots):
        lesser = np.minimum(times, of_models[slot, units])
        hits[:, slot] = np.bincount(owners, weights=lesser, minlength=n_peers)
    return hits


def _counted(values: Ids) -> tuple[Ids, NDArray[np.int64]]:
    """Returns the different values and how often each is there."""
    values = np.sort(values)
    starts = np.flatnonzero(np.diff(values, prepend=-1))
    return values[starts], np.diff(starts, append=len(values))


def unit_counts(hits: Floats, models: Floats, peers: Floats) -> Counts:
    """Returns the counts of a measure whose best reference has the best rounded recall.

    Args:
        hits: (n_peers, n_models) matched units.
        models: (n_models,) units of each reference.
        peers: (n_peers,) units of each summary.
    """
    recall = np.divide(hits, models, out=np.zeros_like(hits), where=models > 0)
    return Counts(hits=hits, models=models, peers=peers, selection=rounded(recall))


def ngram_tallies(batch: Batch, longest: int) -> list[list[Tally]]:
    """Returns for ROUGE-1 to ROUGE-`longest` the counts of all comparisons, in one piece or more.

    Source: Lin (2004), equation 1; n-grams cross sentence ends, as in ROUGE-1.5.5.
    """
    hits = ngram_hits(batch, longest)
    if hits is not None:
        return [[_ngram_tally(one, size, batch)] for size, one in enumerate(hits, start=1)]
    result: list[list[Tally]] = [[] for _ in range(longest)]
    n_tokens = np.diff(batch.models.token_starts[batch.models.starts])
    for part in batch.parts(n_tokens * _base(batch), MOST_CELLS) if longest else ():
        for tallies, tally in zip(result, _ngram_tallies(part, longest), strict=True):
            tallies.append(tally)
    return result


def _ngram_tallies(batch: Batch, longest: int) -> Iterator[Tally]:
    models, peers = batch.models, batch.peers
    model_units, peer_units, n_units = models.ids, peers.ids, batch.n_ids
    model_ends, peer_ends = _from_one(models, batch), _from_one(peers, batch)
    base = _base(batch)
    for size in range(1, longest + 1):
        if size > 1:
            model_units, peer_units, n_units = renumbered(
                _longer(model_units, model_ends, base),
                _longer(peer_units, peer_ends, base),
                (n_units + 1) * base,
            )
        hits = shared_units(
            _whole(peer_units, peers), _whole(model_units, models),
            peers.n_texts, models.slots, n_units,
        )  # fmt: skip
        yield _ngram_tally(hits, size, batch)


def _ngram_tally(hits: Floats, size: int, batch: Batch) -> Tally:
    of_models, of_peers = (
        np.maximum(texts.lengths - (size - 1.0), 0) for texts in (batch.models, batch.peers)
    )
    return _unit_tally(hits, of_models, of_peers, batch)


def _unit_tally(hits: Floats, models: Floats, peers: Floats, batch: Batch) -> Tally:
    selection = rounded(ratios(hits, models, batch))
    return Tally.of(batch, hits=hits, models=models, peers=peers, selection=selection)


def _base(batch: Batch) -> int:
    """Returns a number above all ids as `_from_one` has them."""
    return int(np.diff(batch.id_starts).max(initial=0)) + 1


def _from_one(texts: Texts, batch: Batch) -> Ids:
    """Returns the tokens' ids counted from 1 in each comparison, which makes codes small."""
    n_tokens = np.diff(texts.token_starts[texts.starts])
    return np.maximum(texts.ids - np.repeat(batch.id_starts[:-1], n_tokens), FOREIGN)


def _longer(units: Ids, ends: Ids, base: int) -> Ids:
    """Returns codes of the units lengthened by the token behind them.

    The unit behind `units[i]` of size k is at `ends[i + k]`; shifting by the lost length does it.
    A code with a foreign part is below `base` or a multiple of it, as is none of a reference.
    """
    n_longer = max(len(units) - 1, 0)
    return units[:n_longer] * base + ends[len(ends) - n_longer :]


def _whole(units: Ids, texts: Texts) -> Units:
    """Returns the units that lie within one text; foreign ones are left out."""
    owners = texts.owners[: len(units)]
    last_owners = texts.owners[len(texts.owners) - len(units) :]
    keep = np.flatnonzero((units != FOREIGN) & (owners == last_owners))
    return Units(ids=units[keep], owners=owners[keep])


def renumbered(model_codes: Ids, peer_codes: Ids, bound: int) -> tuple[Ids, Ids, int]:
    """Returns the codes as small ids; a code that no reference has is `FOREIGN`.

    Args:
        model_codes: Codes of the references' units, over 0.
        peer_codes: Codes of the systems' units.

    Returns:
        Ids of the references' units, of the systems' units, and the largest id.
    """
    n_codes = len(model_codes)
    if bound <= _WIDEST_TABLE:
        # Any different number per code will do: the last place where it stands.
        id_of = np.zeros(bound, np.int32)
        id_of[model_codes] = np.arange(1, n_codes + 1)
        # Codes are products of ids, and overflow 32 bits.
        model_ids, peer_ids = (id_of[c].astype(np.int64) for c in (model_codes, peer_codes))
        return model_ids, peer_ids, n_codes
    known, model_ids = np.unique(np.append(model_codes, FOREIGN), return_inverse=True)
    places = np.minimum(np.searchsorted(known, peer_codes), len(known) - 1)
    peer_ids = np.where(known[places] == peer_codes, places, FOREIGN)
    return model_ids[:-1], peer_ids, len(known) - 1


def skip_bigram_tallies(batch: Batch, gap: int | None) -> tuple[list[Tally], list[Tally]]:
    """Returns the counts of ROUGE-S and of ROUGE-SU of all comparisons, in one piece or more.

    Args:
        gap: Most words between the two of a pair (`-2`); None = no limit.

    Source: Lin (2004), section 5, as ROUGE-1.5.5 counts.
    Differs: from the paper as the program does: pairs cross sentence ends, and SU adds every token
        but the last, not a marker of the beginning.
    """
    compiled = skip_bigram_hits(batch, gap)
    if compiled is not None:
        of_pairs, of_both = _tallies_of_hits(*compiled, batch, gap)
        return [of_pairs], [of_both]
    pairs: list[Tally] = []
    pairs_and_words: list[Tally] = []
    costs = np.diff(batch.id_starts) * _base(batch)
    for texts in (batch.models, batch.peers):
        n_pairs = np.concatenate(([0], np.cumsum(_n_pairs(texts.lengths, gap))))
        costs += np.diff(n_pairs[texts.starts]).astype(np.int64)
    for part in batch.parts(costs, MOST_CELLS):
        of_pairs, of_both = _skip_bigram_tallies(part, gap)
        pairs.append(of_pairs)
        pairs_and_words.append(of_both)
    return pairs, pairs_and_words


def _skip_bigram_tallies(batch: Batch, gap: int | None) -> tuple[Tally, Tally]:
    models, peers = batch.models, batch.peers
    base = _base(batch)
    (model_codes, model_owners), (peer_codes, peer_owners) = (
        _pairs(texts, _from_one(texts, batch), base, gap) for texts in (models, peers)
    )
    model_units, peer_units, n_units = renumbered(model_codes, peer_codes, (batch.n_ids + 1) * base)
    keep = np.flatnonzero(peer_units)
    hits = shared_units(
        Units(ids=peer_units[keep], owners=peer_owners[keep]),
        Units(ids=model_units, owners=model_owners),
        peers.n_texts, models.slots, n_units,
    )  # fmt: skip
    single_hits = shared_units(
        _but_last(peers), _but_last(models), peers.n_texts, models.slots, batch.n_ids
    )
    return _tallies_of_hits(hits, single_hits, batch, gap)


def _tallies_of_hits(
    hits: Floats, single_hits: Floats, batch: Batch, gap: int | None
) -> tuple[Tally, Tally]:
    models, peers = batch.models, batch.peers
    n_model_pairs, n_peer_pairs = (_n_pairs(texts.lengths, gap) for texts in (models, peers))
    n_model_singles, n_peer_singles = (np.maximum(t.lengths - 1.0, 0) for t in (models, peers))
    return (
        _unit_tally(hits, n_model_pairs, n_peer_pairs, batch),
        _unit_tally(
            hits + single_hits,
            n_model_pairs + n_model_singles,
            n_peer_pairs + n_peer_singles,
            batch,
        ),
    )


def _pairs(texts: Texts, ends: Ids, base: int, gap: int | None) -> tuple[Ids, Ids]:
    """Returns codes of the ordered pairs without foreign tokens, and whose they are."""
    farthest = int(texts.lengths.max(initial=0)) - 1
    if gap is not None:
        farthest = min(farthest, gap + 1)
    places = np.flatnonzero(texts.ids != FOREIGN)
    firsts, ends, owners = texts.ids[places] * base, ends[places], texts.owners[places]
    # Set apart so far that no two texts have tokens within reach of each other.
    places += owners * farthest
    codes, of_text = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for behind in range(1, farthest + 1):
        near = np.flatnonzero(places[behind:] - places[:-behind] <= farthest)
        if not len(near):
            break
        codes.append(firsts[near] + ends[near + behind])
        of_text.append(owners[near])
    return np.concatenate(codes), np.concatenate(of_text)


def _n_pairs(lengths: NDArray[np.int64], gap: int | None) -> Floats:
    """Returns how many pairs texts of these lengths have, foreign tokens counted."""
    n_distances = np.maximum(lengths - 1, 0)
    if gap is not None:
        n_distances = np.minimum(n_distances, gap + 1)
    n_pairs = n_distances * lengths - n_distances * (n_distances + 1) // 2
    return np.asarray(n_pairs, np.float64)


def _but_last(texts: Texts) -> Units:
    keep = texts.ids != FOREIGN
    keep[texts.token_starts[1:][texts.lengths > 0] - 1] = False
    return Units(ids=texts.ids[keep], owners=texts.owners[keep])
