"""Scores with each reference left out in turn, so that systems and people can be compared."""

from dataclasses import replace

import numpy as np

from awase.core.metrics.rouge.counts import Counts, Floats, Formula, scores_of


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
    return np.asarray(np.mean(scores, axis=0))


def _without(counts: Counts, model: int) -> Counts:
    return replace(
        counts,
        hits=np.delete(counts.hits, model, axis=1),
        models=np.delete(counts.models, model),
        selection=np.delete(counts.selection, model, axis=1),
    )
