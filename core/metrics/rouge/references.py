"""How several references make one score, as the option `refs` names it.

Leaving each reference out in turn makes the scores of systems comparable with those of people, who
have one reference fewer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import numpy as np

from awase.core.metrics.rouge.counts import Counts, Floats, Formula, scores_of
from awase.core.metrics.rouge.tally import Tally


@dataclass(frozen=True, slots=True)
class References:
    """A way to make one score of several references.

    Attributes:
        formula: How those that count are put together.
        jackknifed: Whether each is left out in turn.
    """

    formula: Formula
    jackknifed: bool = False

    def scores(self, comparisons: Sequence[Counts], alpha: float) -> Floats:
        """Returns (n, 3) recall, precision and F of all summaries, one comparison after the other.

        Args:
            comparisons: Counts of one measure, at least one.
            alpha: Towards 1, F favours precision.
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

    Args:
        counts: Of one topic, with all references.
        formula: How the references of a set are put together.
        alpha: As in `scores_of`.

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
