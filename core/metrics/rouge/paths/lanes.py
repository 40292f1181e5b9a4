"""Sentences of many comparisons side by side, so that one step advances all of them at once.

A lane is a pair of a system's sentence and a reference's sentence of the same topic. Lanes lie in a
matrix: a row for each of the systems' sentences, longest first, a column for each of a topic's
references' sentences. Step j looks at token j of the systems' sentences that are that long: a
prefix of the rows. A reference sentence of up to 64 tokens is one machine word, token i its bit i.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.rouge.comparison import FOREIGN, Batch, Texts

Words = NDArray[np.unsignedinteger[Any]]

Width = tuple[int, int, type[Any]]

WIDTHS: tuple[Width, ...] = ((0, 32, np.uint32), (32, 64, np.uint64))
"""Classes of reference sentences: more tokens than, at most, and the word that holds them."""
WIDEST = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerRows:
    """The systems' sentences of a batch, longest first, without tokens that cannot matter.

    Attributes:
        tokens: (n_steps, n_rows) ids by step and sentence; only the first `n_rows_at` of a step
            mean anything.
        n_rows_at: (n_steps,) how many rows are as long as the step.
        order: (n_rows,) which of the systems' sentences each row is.
        comparisons: (n_rows,) the comparison of each row.
    """

    tokens: NDArray[np.int64]
    n_rows_at: tuple[int, ...]
    order: NDArray[np.int64]
    comparisons: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lanes:
    """The lanes of a batch with reference sentences of one class of length.

    Attributes:
        rows: The systems' sentences.
        table: (n_ids + 1, n_columns) for each id and column the positions where it stands.
        full: (n_rows, n_columns) all positions of the lane's reference sentence; 0 = no lane.
        places: (n,) indices of the class's tokens among all of the references'.
        columns: (n,) the column of each.
        bits: (n,) the position of each in its sentence, as a word with that bit.
    """

    rows: PeerRows
    table: Words
    full: Words
    places: NDArray[np.int64]
    columns: NDArray[np.int64]
    bits: Words

    def matches(self, step: int, out: Words) -> Words:
        """Returns (n_rows_at, n_columns) the positions where the token of a step stands.

        Args:
            step: Which token of the systems' sentences.
            out: (n_rows, n_columns) overwritten; the result is its upper part. To look matches up
                whenever they are needed costs less than to keep them.
        """
        n_rows = self.rows.n_rows_at[step]
        tokens = self.rows.tokens[step, :n_rows]
        # Without a mode, take would fill a copy, lest an index were wrong.
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
    # What is taken from beyond a sentence's end is never looked at.
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
    """Returns the ids without idle foreign ones, and the sentences' lengths then.

    A foreign token changes neither the table nor, behind another one, the path; before the first
    match of a sentence the path has ended anyway. So one of a run is enough, and none at a start.
    """
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
    """Returns (n_comparisons,) how many lanes each has, of all classes together."""
    n_sentences = [
        np.diff(side.text_starts[side.starts]) for side in (batch.models_apart, batch.peers_apart)
    ]
    return np.asarray(n_sentences[0] * n_sentences[1])
