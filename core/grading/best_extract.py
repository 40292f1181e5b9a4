"""The extract of limited size that covers most, proved."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from awase.core.errors import InputError, Listing
from awase.core.grading.grades import Goal
from awase.core.records.identifiers import SentenceRef
from awase.core.solvers.cover.partial_satisfaction import PartialCoverProblem, best_partial_cover
from awase.core.solvers.effort import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class BestExtract:
    """An extract that covers most."""

    # In the order of the gold's alternatives; no more than allowed.
    sentences: tuple[SentenceRef, ...]
    value: Fraction  # its Coverage or Weighted coverage, 0..1
    bound: float  # no extract of this size has more; equal to `value` when that is proved
    is_proved: bool


def best_extract(
    goal: Goal,
    most: int,
    *,
    weighted: bool = False,
    timeout_s: float | None = None,
    on_wait: Callable[[], None] = lambda: None,
) -> BestExtract:
    """Returns an extract of at most `most` sentences with maximal coverage.

    Args:
        timeout_s: Seconds until the best so far is returned with a bound; None = no limit.
        on_wait: Called some ten times a second; raising ends the search.
    """
    if most < 1:
        raise InputError.of("An extract of {n} sentences is empty.", "Allow at least 1.", n=most)
    weights = _weights(goal, weighted)
    total = sum(weights, Fraction(0))
    if not total:
        raise InputError.of("The weights of all ranks that occur are 0.")
    number = {ref: idx for idx, ref in enumerate(goal.gold.items)}
    problem = PartialCoverProblem(
        needs=tuple(
            tuple(frozenset(number[ref] for ref in members) for members in sentence.alternatives)
            for sentence in goal.gold.sentences
        ),
        weights=weights,
        most=most,
    )
    found = best_partial_cover(problem, on_wait=on_wait, timeout_s=timeout_s)
    return BestExtract(
        sentences=tuple(goal.gold.items[idx] for idx in sorted(found.items)),
        value=found.value / total,
        bound=found.bound / float(total),
        is_proved=found.status is Status.OPTIMAL,
    )


def _weights(goal: Goal, weighted: bool) -> tuple[Fraction, ...]:
    sentences = goal.gold.sentences
    if not weighted:
        return (Fraction(1),) * len(sentences)
    weight_by_rank = dict(goal.weights)
    without = [s.n for s in sentences if s.rank is None or s.rank not in weight_by_rank]
    if without:
        raise InputError.of(
            "Abstract sentences without a rank: {numbers}.",
            "Rank every sentence, or use plain coverage.",
            numbers=Listing(without),
        )
    return tuple(weight_by_rank[s.rank] for s in sentences if s.rank is not None)
