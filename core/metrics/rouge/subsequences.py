"""ROUGE-L and ROUGE-W of whole summaries: union of paths, clipped, counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.rouge.comparison import Batch, Floats, Tally, Texts, histogram, ratios
from awase.core.metrics.rouge.lanes import (
    WIDEST,
    WIDTHS,
    Marks,
    lanes_of,
    lcs_stops,
    mark,
    marked,
    n_lanes,
    no_marks,
    peer_rows,
    power_table,
    wlcs_stops,
)
from awase.core.metrics.rouge.units import path_hits

MOST_LANES = 1 << 16


def lcs_tallies(batch: Batch) -> list[Tally]:
    """Returns the counts of summary-level ROUGE-L of all comparisons, in chunks.

    Source: Lin (2004), section 3.2, as ROUGE-1.5.5 counts.
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
    """Returns the counts of ROUGE-W of all comparisons, in chunks.

    Args:
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
    """Returns (n_peers, n_slots of references) hits from (n_slots, n_models) ones."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Clipping:
    """The references' tokens put together by reference and word."""

    order: NDArray[np.int64]
    group_starts: NDArray[np.int64]  # (n_groups,) where each reference's word begins in `order`
    model_starts: NDArray[np.int64]  # (n_models + 1,) where each reference's groups begin
    # (n_slots, n_groups) how often the word may count, by place of the summary.
    room: NDArray[np.int64]

    def n_hits(self, marks: Marks) -> NDArray[np.float64]:
        """Returns (n_slots, n_models) numbers of marked tokens that count."""
        hits = np.zeros((len(marks), len(self.group_starts) + 1), np.int32)
        if len(self.group_starts):
            grouped = marks.take(self.order, axis=1).astype(np.int32)
            by_group = np.add.reduceat(grouped, self.group_starts, axis=1)
            np.cumsum(np.minimum(by_group, self.room), axis=1, out=hits[:, 1:])
        by_model = hits[:, self.model_starts]
        return (by_model[:, 1:] - by_model[:, :-1]).astype(np.float64)

    def hits(self, marks: Marks) -> Marks:
        """Returns which marked tokens count: the first of each word, up to its clipping."""
        grouped = marks[:, self.order]
        so_far = np.cumsum(grouped, axis=1, dtype=np.int32)
        before = so_far[:, self.group_starts] - grouped[:, self.group_starts]
        sizes = np.diff(self.group_starts, append=len(self.order))
        most = np.repeat(before + self.room, sizes, axis=1)
        hits = np.empty_like(marks)
        hits[:, self.order] = grouped & (so_far <= most)
        return hits


def clipping(batch: Batch) -> Clipping:
    """Returns the clipping of every word, from the running texts, as in ROUGE-1.5.5.

    The paper has no clipping; with it, ROUGE-L never exceeds ROUGE-1.
    """
    apart, models, peers = batch.models_apart, batch.models, batch.peers
    bits = batch.n_ids.bit_length()
    key = apart.owners << bits | apart.ids
    order = np.argsort(key, kind="stable")
    grouped = key[order]
    group_starts = np.flatnonzero(np.diff(grouped, prepend=-1))
    keys = grouped[group_starts]
    texts, ids = keys >> bits, keys & ((1 << bits) - 1)
    of_models = histogram(models.ids, models.slots[models.owners], models.n_slots, batch.n_ids)
    of_peers = histogram(peers.ids, peers.slots[peers.owners], peers.n_slots, batch.n_ids)
    return Clipping(
        order=order,
        group_starts=group_starts,
        model_starts=np.searchsorted(texts, np.arange(apart.n_texts + 1)),
        room=np.minimum(of_peers[:, ids], of_models[apart.slots[texts], ids]).astype(np.int32),
    )


def places_of(sentence: Sequence[int]) -> dict[int, int]:
    """Returns each token's positions in a reference sentence as bits."""
    places: dict[int, int] = {}
    bit = 1
    for token in sentence:
        places[token] = places.get(token, 0) | bit
        bit <<= 1
    return places


def lcs_marks(places: Mapping[int, int], n_places: int, sentence: Sequence[int]) -> int:
    """Returns the reference's positions on the path of a longest common subsequence, as bits.

    Source: Hyyro (2004) for the table, a bit for each position where it grows; the walk is that of
        `lanes`. Tokens that match nothing change no row, and one of a run is enough for the walk.
    """
    full = (1 << n_places) - 1
    flat = full
    matches: list[int] = []
    stops: list[int] = []
    is_idle = True
    for token in sentence:
        match = places.get(token)
        if match:
            common = flat & match
            flat = ((flat + common) | (flat ^ common)) & full
            matches.append(match)
            stops.append((flat ^ full) | match)
            is_idle = False
        elif not is_idle:
            matches.append(0)
            stops.append(flat ^ full)
            is_idle = True
    return walk_back(matches, stops, full)


def walk_back(matches: Sequence[int], stops: Sequence[int], full: int) -> int:
    """Returns the positions marked by backtracking."""
    found, below = 0, full
    for index in range(len(stops) - 1, -1, -1):
        here = stops[index] & below
        if not here:
            break
        highest = 1 << here.bit_length() - 1
        if highest & matches[index]:
            found |= highest
            below = highest - 1
        else:
            below = highest + highest - 1
    return found


def mark_long_sentences(marks: Marks, batch: Batch, weight: float | None) -> None:
    """Sets the marks of sentences too long for lanes; `weight` None = ROUGE-L."""
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
    """Returns by token where the row of the weighted table grows, with numpy between matches."""
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
    """Returns the next row: the running maximum of the former, restarted at each match."""
    row = best.copy()
    row[places + 1] = matched
    bounds = [0, *(places + 1).tolist(), len(row)]
    for begin, end in pairwise(bounds):
        np.maximum.accumulate(row[begin:end], out=row[begin:end])
    return row
