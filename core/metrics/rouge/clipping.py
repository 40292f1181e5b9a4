"""Which marked tokens count: no word more often than the reference and the summary have it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.rouge.comparison import NumberedComparison, histogram

Marks = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clipping:
    """The references' tokens put together by reference and word.

    Attributes:
        order: (n_tokens,) the tokens by reference, word and place.
        group_starts: (n_groups,) where each reference's word begins in `order`.
        model_starts: (n_models + 1,) where each reference's groups begin.
        room: (n_peers, n_groups) how often the word may count.
    """

    order: NDArray[np.int64]
    group_starts: NDArray[np.int64]
    model_starts: NDArray[np.int64]
    room: NDArray[np.int64]

    def n_hits(self, marks: Marks) -> NDArray[np.float64]:
        """Returns (n_peers, n_models) how many marked tokens count; where they stand is no matter.

        Args:
            marks: (n_peers, n_tokens) in reading order.
        """
        hits = np.zeros((len(marks), len(self.group_starts) + 1), np.int64)
        if len(self.group_starts):
            grouped = marks[:, self.order].astype(np.int64)
            by_group = np.add.reduceat(grouped, self.group_starts, axis=1)
            np.cumsum(np.minimum(by_group, self.room), axis=1, out=hits[:, 1:])
        by_model = hits[:, self.model_starts]
        return (by_model[:, 1:] - by_model[:, :-1]).astype(np.float64)

    def hits(self, marks: Marks) -> Marks:
        """Returns which marked tokens count: the first of each word, as many as there is room.

        Args:
            marks: (n_peers, n_tokens) in reading order.
        """
        grouped = marks[:, self.order]
        so_far = np.cumsum(grouped, axis=1, dtype=np.int32)
        before = so_far[:, self.group_starts] - grouped[:, self.group_starts]
        sizes = np.diff(self.group_starts, append=len(self.order))
        most = np.repeat(before + self.room, sizes, axis=1)
        hits = np.empty_like(marks)
        hits[:, self.order] = grouped & (so_far <= most)
        return hits


def clipping(comparison: NumberedComparison) -> Clipping:
    """Returns the room of every word, from the running texts, as in ROUGE-1.5.5.

    The paper has no clipping; with it, ROUGE-L never exceeds ROUGE-1.
    """
    apart = comparison.models_apart
    n_cells = comparison.n_local + 1
    key = apart.owners * n_cells + apart.ids
    order = np.argsort(key, kind="stable")
    grouped = key[order]
    group_starts = np.flatnonzero(np.diff(grouped, prepend=-1))
    keys = grouped[group_starts]
    of_models, of_peers = (
        histogram(texts.ids, texts.owners, texts.n_texts, comparison.n_local)
        for texts in (comparison.models, comparison.peers)
    )
    room = np.minimum(of_peers[:, keys % n_cells], of_models.ravel()[keys])
    return Clipping(
        order=order,
        group_starts=group_starts,
        model_starts=np.searchsorted(keys, np.arange(apart.n_texts + 1) * n_cells),
        room=room,
    )
