"""Systems whose scores lie far from all others. They are suggested, never removed."""

from collections.abc import Mapping
from statistics import median

CUTOFF = 2.5
_AS_DEVIATION = 1.4826  # makes the MAD of a normal sample its standard deviation


def outliers(values: Mapping[str, float]) -> dict[str, float]:
    """Returns the systems with |x - median| / (1.4826 MAD) > 2.5, and that number of each.

    Args:
        values: A mean score for each system.

    Returns:
        Empty, too, when more than half of the systems have one score, as the MAD then is 0.

    Source: Leys et al. (2013); Mathur, Baldwin and Cohn (2020) for metrics of translation.
    """
    if not values:
        return {}
    middle = median(values.values())
    deviation = _AS_DEVIATION * median(abs(value - middle) for value in values.values())
    if deviation == 0:
        return {}
    distances = {name: abs(value - middle) / deviation for name, value in values.items()}
    return {name: distance for name, distance in distances.items() if distance > CUTOFF}
