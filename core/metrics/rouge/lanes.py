"""Sentences of many comparisons side by side, so that one step advances all of them at once.

A lane is a pair of a system's sentence and a reference's sentence of the same topic. Lanes lie in a
matrix: a row for each of the systems' sentences, longest first, a column for each of a topic's
references' sentences. Step j looks at token j of the systems' sentences that are that long: a
prefix of the rows. A reference sentence of up to 64 tokens is one machine word, token i its bit i.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.rouge.comparison import FOREIGN, LocalTexts, NumberedComparison

Words = NDArray[np.unsignedinteger[Any]]

Width = tuple[int, int, type[Any]]

WIDTHS: tuple[Width, ...] = ((0, 32, np.uint32), (32, 64, np.uint64))
"""Classes of reference sentences: more tokens than, at most, and the word that holds them."""
WIDEST = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Lanes:
    """The lanes of some comparisons, with reference sentences of one class of length.

    Attributes:
        table: (n_token_rows, n_columns) for each token and column the positions where it stands.
        tokens: (n_steps, n_rows) rows of `table`, by step and systems' sentence, longest first.
        n_rows_at: (n_steps,) how many rows are as long as the step.
        full: (n_rows, n_columns) all positions of the lane's reference sentence; 0 = no lane.
        order: (n_rows,) which of the systems' sentences each row is.
        places: For each comparison, where its columns' tokens stand.
    """

    table: Words
    tokens: NDArray[np.int64]
    n_rows_at: tuple[int, ...]
    full: Words
    order: NDArray[np.int64]
    places: tuple["Places", ...]

    def matches(self) -> list[Words]:
        """Returns for each step (n_rows_at, n_columns) the positions where its token stands."""
        return [
            self.table.take(self.tokens[step, :n_rows], axis=0)
            for step, n_rows in enumerate(self.n_rows_at)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where the tokens of one comparison's references lie in its lanes.

    Attributes:
        tokens: (n,) indices of the tokens among all of the references'.
        columns: (n,) the column of each.
        bits: (n,) the position of each in its sentence.
        n_columns: How many columns the comparison has.
    """

    tokens: NDArray[np.int64]
    columns: NDArray[np.int64]
    bits: NDArray[np.int64]
    n_columns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerRows:
    """The systems' sentences of some comparisons, without tokens that cannot matter.

    Attributes:
        tokens: As in `Lanes`.
        n_rows_at: As in `Lanes`.
        order: As in `Lanes`.
        comparison_of: (n_rows,) which comparison each row is of, in the order of `order`.
        token_rows: (n_comparisons + 1,) where the tokens of each begin in a table.
    """

    tokens: NDArray[np.int64]
    n_rows_at: tuple[int, ...]
    order: NDArray[np.int64]
    comparison_of: NDArray[np.int64]
    token_rows: NDArray[np.int64]


def peer_rows(batch: Sequence[NumberedComparison]) -> PeerRows:
    """Returns the systems' sentences of the batch, longest first."""
    token_rows = np.cumsum([0, *(c.n_local + 1 for c in batch)])
    kept = [_that_matter(c.peers_apart) for c in batch]
    lengths = np.concatenate([sentence_lengths for _, sentence_lengths in kept])
    flat = np.concatenate([ids + start for (ids, _), start in zip(kept, token_rows, strict=False)])
    n_steps = int(lengths.max(initial=0))
    is_token = np.arange(n_steps) < lengths[:, np.newaxis]
    tokens = np.zeros((len(lengths), n_steps), np.int64)
    tokens[is_token] = flat
    order = np.argsort(-lengths, kind="stable")
    comparison_of = np.repeat(np.arange(len(batch)), [len(lengths) for _, lengths in kept])
    return PeerRows(
        tokens=np.ascontiguousarray(tokens[order].T),
        n_rows_at=tuple(np.count_nonzero(is_token, axis=0).tolist()),
        order=order,
        comparison_of=comparison_of[order],
        token_rows=token_rows,
    )


def _that_matter(texts: LocalTexts) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
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


def lanes_of(batch: Sequence[NumberedComparison], rows: PeerRows, width: Width) -> Lanes | None:
    """Returns the lanes of the references' sentences of one class; None when there is none."""
    places = tuple(_places(c.models_apart, over=width[0], most=width[1]) for c in batch)
    n_columns = max(place.n_columns for place in places)
    if not n_columns or not rows.n_rows_at:
        return None
    word = width[2]
    table = np.zeros((rows.token_rows[-1], n_columns), word)
    full = np.zeros((len(batch), n_columns), word)
    for index, (comparison, place) in enumerate(zip(batch, places, strict=True)):
        bits = np.left_shift(word(1), place.bits.astype(word))
        ids = comparison.models_apart.ids[place.tokens] + rows.token_rows[index]
        np.bitwise_or.at(table, (ids, place.columns), bits)
        np.bitwise_or.at(full[index], place.columns, bits)
    return Lanes(
        table=table,
        tokens=rows.tokens,
        n_rows_at=rows.n_rows_at,
        full=full[rows.comparison_of],
        order=rows.order,
        places=places,
    )


def _places(models: LocalTexts, *, over: int, most: int) -> Places:
    lengths = np.diff(models.sentence_starts)
    is_here = (lengths > over) & (lengths <= most)
    column_of = np.cumsum(is_here) - 1
    sentence_of = np.repeat(np.arange(len(lengths)), lengths)
    tokens = np.flatnonzero(is_here[sentence_of])
    sentences = sentence_of[tokens]
    return Places(
        tokens=tokens,
        columns=column_of[sentences],
        bits=tokens - models.sentence_starts[sentences],
        n_columns=int(np.count_nonzero(is_here)),
    )


def batches(
    comparisons: Sequence[NumberedComparison], width: Width, most_lanes: int
) -> Iterator[slice]:
    """Yields parts of the comparisons, each with about `most_lanes` lanes of the class."""
    first = n_lanes = 0
    for index, comparison in enumerate(comparisons):
        lengths = np.diff(comparison.models_apart.sentence_starts)
        n_columns = np.count_nonzero((lengths > width[0]) & (lengths <= width[1]))
        n_lanes += int(n_columns) * (len(comparison.peers_apart.sentence_starts) - 1)
        if n_lanes >= most_lanes:
            yield slice(first, index + 1)
            first, n_lanes = index + 1, 0
    if n_lanes:
        yield slice(first, len(comparisons))
