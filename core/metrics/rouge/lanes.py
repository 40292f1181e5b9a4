"""Lanes: sentence pairs of many comparisons, advanced together.

A lane is a pair of a system's sentence and a reference's sentence of the same topic. Lanes form a
matrix: a row for each of the systems' sentences, longest first, a column for each of a topic's
references' sentences. Step j looks at token j of the systems' sentences that are that long: a
prefix of the rows. A reference sentence of up to 64 tokens is one machine word, token i its bit i.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.rouge.comparison import FOREIGN, Batch, Floats, Texts

Words = NDArray[np.unsignedinteger[Any]]

Width = tuple[int, int, type[Any]]

# Classes of reference sentences: more tokens than, at most, and the word that holds them.
WIDTHS: tuple[Width, ...] = ((0, 32, np.uint32), (32, 64, np.uint64))
WIDEST = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerRows:
    """The systems' sentences of a batch, longest first, without tokens that cannot matter."""

    # (n_steps, n_rows) ids by step and sentence; only the first `n_rows_at` of a step mean
    # anything.
    tokens: NDArray[np.int64]
    n_rows_at: tuple[int, ...]
    order: NDArray[np.int64]  # (n_rows,) which of the systems' sentences each row is
    comparisons: NDArray[np.int64]  # (n_rows,) the comparison of each row


@dataclass(frozen=True, slots=True, kw_only=True)
class Lanes:
    """The lanes of a batch with reference sentences of one class of length."""

    rows: PeerRows
    table: Words  # (n_ids + 1, n_columns) positions by id and column
    full: Words  # (n_rows, n_columns) all positions of the lane's reference sentence; 0 = no lane
    places: NDArray[np.int64]
    columns: NDArray[np.int64]  # (n,) the column of each
    bits: Words  # (n,) the position of each in its sentence, as a word with that bit

    def matches(self, step: int, out: Words) -> Words:
        """Returns (n_rows_at, n_columns) bits of the positions of a step's token.

        `out` (n_rows, n_columns) is overwritten, the result its upper part: recomputing is cheaper
        than storing.
        """
        n_rows = self.rows.n_rows_at[step]
        tokens = self.rows.tokens[step, :n_rows]
        # Without a mode, take would fill a copy in case of an invalid index.
        return self.table.take(tokens, axis=0, out=out[:n_rows], mode="clip")

    def steps(self) -> list[Words]:
        """Returns for each step (n_rows_at, n_columns) words to be written, in one piece."""
        ends = np.cumsum(self.rows.n_rows_at)
        words = np.empty((ends[-1], self.full.shape[1]), self.full.dtype)
        return np.split(words, ends[:-1])


def peer_rows(batch: Batch) -> PeerRows:
    """Returns the systems' sentences of the batch."""
    peers = batch.peers_apart
    ids, lengths = _that_matter(peers)
    order = np.argsort(-lengths, kind="stable")
    firsts = (np.cumsum(lengths) - lengths)[order]
    steps = np.arange(lengths.max(initial=0))
    # Values beyond a sentence's end are never used.
    tokens = ids.take(firsts + steps[:, np.newaxis], mode="clip")
    n_rows_at = np.searchsorted(-lengths[order], -steps)
    text_of = np.repeat(np.arange(peers.n_texts), np.diff(peers.text_starts))
    return PeerRows(
        tokens=tokens,
        n_rows_at=tuple(n_rows_at.tolist()),
        order=order,
        comparisons=peers.comparisons[text_of][order],
    )


def _that_matter(texts: Texts) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns ids without idle foreign tokens, and the sentences' lengths."""
    # A foreign token changes neither the table nor, behind another one, the path; before the first
    # match the path has ended anyway. So one of a run is enough, and none at a start.
    ids, starts = texts.ids, texts.sentence_starts
    is_idle = ids == FOREIGN
    is_idle[1:] &= ids[:-1] == FOREIGN
    first = starts[:-1][starts[:-1] < starts[1:]]
    is_idle[first] = ids[first] == FOREIGN
    n_kept = np.concatenate(([0], np.cumsum(~is_idle)))[starts]
    return ids[~is_idle], np.diff(n_kept)


def lanes_of(batch: Batch, rows: PeerRows, width: Width) -> Lanes | None:
    """Returns the lanes of the references' sentences of one class; None when there is none."""
    over, most, word = width
    models = batch.models_apart
    starts = models.sentence_starts
    lengths = np.diff(starts)
    sentences = np.flatnonzero((lengths > over) & (lengths <= most))
    if not len(sentences) or not rows.n_rows_at:
        return None
    lengths = lengths[sentences]
    text_of = np.searchsorted(models.text_starts, sentences, side="right") - 1
    comparisons = models.comparisons[text_of]
    columns = np.arange(len(sentences)) - np.searchsorted(comparisons, comparisons)
    n_columns = int(columns.max()) + 1
    full = np.zeros((batch.n_comparisons, n_columns), word)
    full[comparisons, columns] = word(np.iinfo(word).max) >> (most - lengths).astype(word)
    bit_of = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    places = bit_of + np.repeat(starts[sentences], lengths)
    columns = np.repeat(columns, lengths)
    bits = np.left_shift(word(1), bit_of.astype(word))
    table = np.zeros((batch.n_ids + 1) * n_columns, word)
    # No bit is twice in a cell, so that the sum is the union.
    np.add.at(table, models.ids[places] * n_columns + columns, bits)
    return Lanes(
        rows=rows,
        table=table.reshape(-1, n_columns),
        full=full[rows.comparisons],
        places=places,
        columns=columns,
        bits=bits,
    )


def n_lanes(batch: Batch) -> NDArray[np.int64]:
    """Returns (n_comparisons,) numbers of lanes over all classes."""
    n_sentences = [
        np.diff(side.text_starts[side.starts]) for side in (batch.models_apart, batch.peers_apart)
    ]
    return np.asarray(n_sentences[0] * n_sentences[1])


Marks = NDArray[np.bool_]


def marked(lanes: Lanes, stops: Sequence[Words]) -> Words:
    """Returns (n_rows, n_columns) the positions marked in each lane."""
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
    """Sets the union of a summary's marks (from `marked`) in `marks` (from `no_marks`)."""
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
    """Returns (n_slots, n_reference_tokens) marks, none set.

    Row k is of the k-th summary of the comparison that the token belongs to.
    """
    return np.zeros((batch.peers_apart.n_slots, len(batch.models_apart.ids)), np.bool_)


def _or_by_text(words: Words, starts: NDArray[np.int64]) -> Words:
    """Returns (n_texts, n_columns) unions; a text without sentences has no marks."""
    result = np.zeros((len(starts) - 1, words.shape[1]), words.dtype)
    filled = np.flatnonzero(np.diff(starts))
    if len(filled):
        result[filled] = np.bitwise_or.reduceat(words, starts[filled], axis=0)
    return result


def lcs_stops(lanes: Lanes) -> list[Words]:
    """Returns by step where backtracking cannot go up.

    Bit i of `flat` is 0 where the table's row grows between tokens i - 1 and i. The program goes up
    on a tie, hence stops exactly where the row grows, or at a match.

    Source: Hyyro (2004), "Bit-parallel LCS-length computation revisited".
    """
    flat = np.full_like(lanes.full, -1 & np.iinfo(lanes.full.dtype).max)
    matches, common = np.empty_like(flat), np.empty_like(flat)
    stops = lanes.steps()
    for step, total in enumerate(stops):
        n_rows = len(total)
        here, spare = flat[:n_rows], common[:n_rows]
        match = lanes.matches(step, matches)
        np.bitwise_and(here, match, out=spare)
        np.add(here, spare, out=total)
        np.bitwise_xor(here, spare, out=here)
        np.bitwise_or(here, total, out=here)
        np.invert(here, out=total)
        np.bitwise_or(total, match, out=total)
    return stops


_BITS = 8


def power_table(weight: float, longest: int) -> Floats:
    """Returns k ** weight for k = 0 to `longest`, from the C library as in the program."""
    return np.array([float(k) ** weight for k in range(longest + 1)])


def wlcs_stops(lanes: Lanes, weight: float) -> list[Words]:
    """Returns by step where backtracking cannot go up.

    Args:
        weight: Of a run of k matches, k ** weight; at least 1 favours long runs (`-w`).

    Source: Lin (2004), section 4; the order of the additions is ROUGE-1.5.5's, because ties decide
        the path and depend on the last bit.
    """
    powers = power_table(weight, WIDEST + 1)
    n_tokens = int(lanes.full.max(initial=0)).bit_length()
    table = _Table(n_tokens, lanes.full.size, powers)
    matches = np.empty_like(lanes.full)
    stops = lanes.steps()
    for step, stop in enumerate(stops):
        match = lanes.matches(step, matches)
        grows = table.advance(match.ravel())
        np.bitwise_or(_packed(grows, match.dtype).reshape(match.shape), match, out=stop)
    return stops


class _Table:
    """One row of each lane's table: best weight and run of matches for each reference prefix."""

    def __init__(self, n_tokens: int, n_lanes: int, powers: Floats) -> None:
        self._powers = powers
        self._best = np.zeros((n_tokens + 1, n_lanes))
        self._runs = np.zeros((n_tokens + 1, n_lanes), np.uint8)
        self._grows = np.empty((n_tokens, n_lanes), np.bool_)
        self._matched: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None

    def advance(self, match: Words) -> NDArray[np.bool_]:
        """Advances the systems' sentences by a token; returns where the new row grows.

        `match` (n,) are the token's positions in the reference for the first n lanes; the others
        have ended.
        """
        n_tokens, n_lanes = len(self._grows), len(match)
        tokens, lanes = _set_bits(match)
        runs = self._runs[tokens, lanes]
        matched = (self._best[tokens, lanes] + self._powers[runs + 1]) - self._powers[runs]
        if self._matched is not None:
            self._runs[self._matched] = 0
        self._matched = (tokens + 1, lanes)
        self._runs[self._matched] = runs + 1
        bounds = np.searchsorted(tokens, np.arange(n_tokens + 1)).tolist()
        grows = self._grows[:, :n_lanes]
        above = self._best[0, :n_lanes]
        for token in range(n_tokens):
            here = self._best[token + 1, :n_lanes]
            np.maximum(above, here, out=here)
            found = slice(bounds[token], bounds[token + 1])
            here[lanes[found]] = matched[found]
            np.greater(here, above, out=grows[token])
            above = here
        return grows


def _set_bits(words: Words) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Returns the set bits and the indices of their words, lowest bits first."""
    indices = np.flatnonzero(words != 0)
    rest = words[indices]
    bits, owners = [np.empty(0, np.uint8)], [indices[:0]]
    while len(indices):
        lowest = rest & (~rest + rest.dtype.type(1))
        # The exponent of the double that is this power of two.
        bits.append(((lowest.astype(np.float64).view(np.int64) >> 52) - 1023).astype(np.uint8))
        owners.append(indices)
        rest = rest ^ lowest
        more = rest != 0
        indices, rest = indices[more], rest[more]
    bit, owner = np.concatenate(bits), np.concatenate(owners)
    order = np.argsort(bit, kind="stable")
    return bit[order].astype(np.int64), owner[order]


def _packed(bits: NDArray[np.bool_], dtype: np.dtype[np.unsignedinteger[Any]]) -> Words:
    """Packs (n_bits, n_words) bits into (n_words,) words, lowest first."""
    n_bits, n_words = bits.shape
    octets = np.zeros((n_words, dtype.itemsize), np.uint8)
    octet = np.empty(n_words, np.uint8)
    for first in range(0, n_bits, _BITS):
        octet[:] = 0
        for bit in reversed(range(first, min(first + _BITS, n_bits))):
            np.add(octet, octet, out=octet)
            np.bitwise_or(octet, bits[bit].view(np.uint8), out=octet)
        octets[:, first // _BITS] = octet
    return octets.view(dtype.newbyteorder("<")).ravel().astype(dtype, copy=False)
