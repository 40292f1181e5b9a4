"""The scores of a summary that people compared with a pyramid.

Source: Nenkova and Passonneau (2004), section 3.2 (the original score); Passonneau, Nenkova,
McKeown, Sigelman (2005), section 3 (the modified one). Counts as DUCView 1.5 makes them.
"""

from collections.abc import Collection, Sequence


def ideal_weight(weights: Sequence[int], n_units: int) -> int:
    """Returns the most that `n_units` content units can weigh: the heaviest of the pyramid.

    Args:
        weights: Of all SCUs of the pyramid.
        n_units: At least 0; above the size of the pyramid, all of it counts.
    """
    return sum(sorted(weights, reverse=True)[:n_units])


def average_units(weights: Sequence[int], n_summaries: int) -> int:
    """Returns the average number of SCUs in the model summaries, rounded down as in DUCView.

    A summary expresses each SCU to whose weight it contributes.

    Args:
        weights: Of all SCUs of the pyramid.
        n_summaries: At least 1.
    """
    return sum(weights) // n_summaries


def pyramid_score(expressed: Collection[int], weights: Sequence[int], n_units: int) -> float | None:
    """Returns the weight of the expressed SCUs over the most that `n_units` units can weigh.

    Args:
        expressed: The weight of each SCU that the summary expresses, each SCU once.
        weights: Of all SCUs of the pyramid, from 1.
        n_units: Content units of the summary (original), or of an average model (modified).

    Returns:
        From 0, higher is better; the original is at most 1. None = undefined, as `n_units` is 0.
    """
    ideal = ideal_weight(weights, n_units)
    return sum(expressed) / ideal if ideal else None
