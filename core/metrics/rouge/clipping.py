"""Which marked tokens count: no word more often than the reference and the summary have it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.rouge.comparison import Batch, histogram
from awase.core.metrics.rouge.paths.walking import Marks


@dataclass(frozen=True, slots=True, kw_only=True)
class Clipping:
    """The references' tokens put together by reference and word.

    Attributes:
        order: (n_tokens,) the tokens by reference, word and place.
        group_starts: (n_groups,) where each reference's word begins in `order`.
        model_starts: (n_models + 1,) where each reference's groups begin.
        room: (n_slots, n_groups) how often the word may count, by place of the summary.
    """

    order: NDArray[np.int64]
    group_starts: NDArray[np.int64]
    model_starts: NDArray[np.int64]
    room: NDArray[np.int64]

    def n_hits(self, marks: Marks) -> NDArray[np.float64]:
        """Returns (n_slots, n_models) how many marked tokens count; where they stand is no matter.

        Args:
            marks: As `no_marks` has them.
        """
        hits = np.zeros((len(marks), len(self.group_starts) + 1), np.int32)
        if len(self.group_starts):
            grouped = marks.take(self.order, axis=1).astype(np.int32)
            by_group = np.add.reduceat(grouped, self.group_starts, axis=1)
            np.cumsum(np.minimum(by_group, self.room), axis=1, out=hits[:, 1:])
        by_model = hits[:, self.model_starts]
        return (by_model[:, 1:] - by_model[:, :-1]).astype(np.float64)

    def hits(self, marks: Marks) -> Marks:
        """Returns which marked tokens count: the first of each word, as many as there is room.

        Args:
            marks: As `no_marks` has them.
        """
        grouped = marks[:, self.order]
        so_far = np.cumsum(grouped, axis=1, dtype=np.int32)
        before = so_far[:, self.group_starts] - grouped[:, self.group_starts]
        sizes = np.diff(self.group_starts, append=len(self.order))
        most = np.repeat(before + self.room, sizes, axis=1)
        hits = np.empty_like(marks)
        hits[:, self.order] = grouped & (so_far <= most)
        return hits


def clipping(batch: Batch) -> Clipping:
    """Returns the room of every word, from the running texts, as in ROUGE-1.5.5.

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
