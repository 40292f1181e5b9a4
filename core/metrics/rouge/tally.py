"""Sums of counts over references, and how several references make one score."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import numpy as np

from awase.core.metrics.rouge.comparison import Batch, Texts
from awase.core.metrics.rouge.counts import Counts, Floats, Formula, scores_of
from awase.core.metrics.rouge.tokens.lexicon import Offsets


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Counts of a batch: a row for each summary, a column for each place among the references.

    Attributes:
        hits: (n_peers, n_slots) matched units; 0 where the comparison has fewer references.
        models: (n_models,) units of each reference.
        peers: (n_peers,) units of each summary.
        selection: (n_peers, n_slots) as in `Counts`.
        model_starts: (n_comparisons + 1,) offsets of the comparisons into the references.
        peer_starts: (n_comparisons + 1,) offsets of the comparisons into the summaries.
    """

    hits: Floats
    models: Floats
    peers: Floats
    selection: Floats
    model_starts: Offsets
    peer_starts: Offsets
    root: float = 1.0

    @classmethod
    def of(
        cls,
        batch: Batch,
        *,
        hits: Floats,
        models: Floats,
        peers: Floats,
        selection: Floats,
        root: float = 1.0,
    ) -> "Tally":
        """Returns what was counted in a batch; the shapes are those of the attributes."""
        return cls(
            hits=hits,
            models=models,
            peers=peers,
            selection=selection,
            model_starts=batch.models.starts,
            peer_starts=batch.peers.starts,
            root=root,
        )

    def by_comparison(self) -> Iterator[Counts]:
        """Yields the counts of each comparison of the batch."""
        model_starts, peer_starts = self.model_starts.tolist(), self.peer_starts.tolist()
        for index in range(len(model_starts) - 1):
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

    def totals(self, formula: Formula) -> Floats:
        """Returns (n_peers, 3) what `Counts.totals` returns for one comparison after the other.

        Every comparison has a reference.
        """
        n_peers, n_slots = self.hits.shape
        n_models = np.diff(self.model_starts)
        comparisons = np.repeat(np.arange(len(n_models)), np.diff(self.peer_starts))
        first, n_models = self.model_starts[comparisons], n_models[comparisons]
        totals = np.zeros((n_peers, 3))
        if formula is Formula.BEST:
            # Where a comparison has fewer references nothing is better than the first.
            best = np.argmax(self.selection, axis=1)
            totals[:, 0], totals[:, 1] = self.models[first + best], self.peers
            totals[:, 2] = self.hits[np.arange(n_peers), best]
            return totals
        # As the program adds, one reference after the other.
        for slot in range(n_slots):
            has_it = np.flatnonzero(n_models > slot)
            totals[has_it, 0] += self.models[first[has_it] + slot]
            totals[has_it, 1] += self.peers[has_it]
            totals[has_it, 2] += self.hits[has_it, slot]
        return totals


def ratios(hits: Floats, models: Floats, batch: Batch) -> Floats:
    """Returns (n_peers, n_slots) the shares of the references' units that summaries have.

    Args:
        models: (n_models,) units of each reference; a share of none is 0.
    """
    below = by_slot(models, batch.models)[batch.peers.comparisons]
    return np.divide(hits, below, out=np.zeros_like(hits), where=below > 0)


def by_slot(values: Floats, texts: Texts) -> Floats:
    """Returns (n_comparisons, n_slots) the values of the texts; 0 where there is no text."""
    result = np.zeros((len(texts.starts) - 1, texts.n_slots), values.dtype)
    result[texts.comparisons, texts.slots] = values
    return result


@dataclass(frozen=True, slots=True)
class References:
    """A way to make one score of several references.

    Attributes:
        jackknifed: Whether each is left out in turn.
    """

    formula: Formula
    jackknifed: bool = False

    def scores(self, comparisons: Sequence[Counts], alpha: float) -> Floats:
        """Returns (n, 3) recall, precision and F of all summaries, one comparison after the other.

        Args:
            comparisons: Counts of one measure, at least one.
        """
        if self.jackknifed:
            return np.concatenate([jackknifed(one, self.formula, alpha) for one in comparisons])
        totals = np.concatenate([counts.totals(self.formula) for counts in comparisons])
        return scores_of(totals, alpha, comparisons[0].root)

    def scores_of_tally(self, tally: Tally, alpha: float) -> Floats:
        """Returns what `scores` returns of the tally's comparisons, of which there is at least one.

        Each of them has a reference.
        """
        if self.jackknifed:
            return self.scores([*tally.by_comparison()], alpha)
        return scores_of(tally.totals(self.formula), alpha, tally.root)


REFERENCES: Final[Mapping[str, References]] = MappingProxyType(
    {
        "a": References(Formula.ALL),
        "b": References(Formula.BEST),
        "a-jackknife": References(Formula.ALL, jackknifed=True),
        "b-jackknife": References(Formula.BEST, jackknifed=True),
    }
)
"""By the value of the option `refs`, the default first."""


def jackknifed(counts: Counts, formula: Formula, alpha: float = 0.5) -> Floats:
    """Returns (n_peers, 3) means over all sets of all references but one, unrounded.

    A person's summary, when scored, has one reference fewer than a system's; leaving one out for
    the systems too makes the numbers comparable. With a single reference nothing is left out.

    Source: Lin (2004), section 2.1.
    Differs: from ROUGE-1.5.5, which dropped it; it agrees with the program's average over settings
        in which each set is an evaluation of its own.
    """
    n_models = len(counts.models)
    if n_models < 2:
        return scores_of(counts.totals(formula), alpha, counts.root)
    scores = [
        scores_of(_without(counts, model).totals(formula), alpha, counts.root)
        for model in range(n_models)
    ]
    # Sorted: the order in which references were brought changes no digit.
    return np.asarray(np.mean(np.sort(scores, axis=0), axis=0))


def _without(counts: Counts, model: int) -> Counts:
    return replace(
        counts,
        hits=np.delete(counts.hits, model, axis=1),
        models=np.delete(counts.models, model),
        selection=np.delete(counts.selection, model, axis=1),
    )
