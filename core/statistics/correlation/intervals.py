"""Confidence intervals of correlations: percentiles of a bootstrap, and closed forms."""

import math
from dataclasses import dataclass

import numpy as np

from awase.core.statistics.correlation.coefficients import Coefficient
from awase.core.statistics.exact_sums import Floats

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A confidence interval.

    Attributes:
        low: Its lower end.
        high: Its upper end.
        n_undefined: Of a bootstrap, the resamples without a value, which are left out.
    """

    low: float
    high: float
    n_undefined: int = 0


def percentile_interval(values: Floats, confidence: float = CONFIDENCE) -> Interval | None:
    """Returns the interval that holds the middle `confidence` of resampled values.

    Args:
        values: (n_resamples,), NaN = undefined.
        confidence: Between 0 and 1.

    Returns:
        None when no resample has a value.

    Source: Efron (1979); percentiles by linear interpolation, as numpy and nlpstats.
    """
    defined = values[~np.isnan(values)]
    if not defined.size:
        return None
    outside = (1 - confidence) / 2
    low, high = np.quantile(defined, [outside, 1 - outside])
    return Interval(low=float(low), high=float(high), n_undefined=len(values) - defined.size)


def closed_form_interval(
    value: float, n: int, coefficient: Coefficient, confidence: float = CONFIDENCE
) -> Interval | None:
    """Returns tanh(artanh(value) -+ z * c / sqrt(n - b)).

    Args:
        value: From -1 to 1.
        n: How many values were correlated.
        coefficient: r: b = 3, c = 1; rho: b = 3, c^2 = 1 + rho^2 / 2; tau-b: b = 4, c^2 = .437.
        confidence: Between 0 and 1.

    Returns:
        None where there is no such form: accuracy, n <= b, and a value of -1 or 1.

    Source: Fisher (1921) for r; Bonett and Wright (2000) for rho and tau.
    """
    if coefficient is Coefficient.ACCURACY or abs(value) >= 1:
        return None
    less, squared = {
        Coefficient.R: (3, 1.0),
        Coefficient.RHO: (3, 1 + value**2 / 2),
        Coefficient.TAU: (4, 0.437),
    }[coefficient]
    if n <= less:
        return None
    from statistics import NormalDist

    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    reach = z * math.sqrt(squared / (n - less))
    centre = math.atanh(value)
    return Interval(low=math.tanh(centre - reach), high=math.tanh(centre + reach))
