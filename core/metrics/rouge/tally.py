"""What one measure counted in several comparisons at once."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from awase.core.metrics.rouge.comparison import Batch, Texts
from awase.core.metrics.rouge.counts import Counts, Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Counts of a batch: a row for each summary, a column for each place among the references.

    Attributes:
        hits: (n_peers, n_slots) matched units; 0 where the comparison has fewer references.
        models: (n_models,) units of each reference.
        peers: (n_peers,) units of each summary.
        selection: (n_peers, n_slots) as in `Counts`.
        root: As in `Counts`.
    """

    hits: Floats
    models: Floats
    peers: Floats
    selection: Floats
    root: float = 1.0

    def by_comparison(self, batch: Batch) -> Iterator[Counts]:
        """Yields the counts of each comparison of the batch."""
        model_starts, peer_starts = batch.models.starts.tolist(), batch.peers.starts.tolist()
        for index in range(batch.n_comparisons):
            models = slice(model_starts[index], model_starts[index + 1])
            peers = slice(peer_starts[index], peer_starts[index + 1])
            n_models = models.stop - models.start
            yield Counts(
                hits=self.hits[peers, :n_models],
                models=self.models[models],
                peers=self.peers[peers],
                selection=self.selection[peers, :n_models],
                root=self.root,
            )


def ratios(hits: Floats, models: Floats, batch: Batch) -> Floats:
    """Returns (n_peers, n_slots) the shares of the references' units that summaries have.

    Args:
        hits: (n_peers, n_slots).
        models: (n_models,) units of each reference; a share of none is 0.
        batch: Whose they are.
    """
    below = by_slot(models, batch.models)[batch.peers.comparisons]
    return np.divide(hits, below, out=np.zeros_like(hits), where=below > 0)


def by_slot(values: Floats, texts: Texts) -> Floats:
    """Returns (n_comparisons, n_slots) the values of the texts; 0 where there is no text."""
    result = np.zeros((len(texts.starts) - 1, texts.n_slots), values.dtype)
    result[texts.comparisons, texts.slots] = values
    return result
