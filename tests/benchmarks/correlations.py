"""Resampled correlations beside nlpstats, in one run: CPU seconds for 9,999 resamples.

24 systems, 100 topics, r, rho and tau-b, drawing systems and topics. nlpstats does a share of the
resamples, as its time goes with their number. The intervals of both stand beside each other.
"""

import time
import warnings
from collections.abc import Callable

import numpy as np

from awase.core.errors import Silent
from awase.core.statistics.bootstraps import percentile_interval
from awase.core.statistics.coefficients import PAPERS, Level
from awase.core.statistics.correlation_intervals import (
    ResamplingUnit,
    bootstrap_values,
    permutation_values,
)

N_RESAMPLES = 9999
GOAL = 10
_SHARE = {Level.SYSTEM: 10, Level.TOPIC: 1000, Level.GLOBAL: 100}
_LEVELS = {Level.SYSTEM: "system", Level.TOPIC: "input", Level.GLOBAL: "global"}
_NAMES = ("pearson", "spearman", "kendall")


def made(n_systems: int = 24, n_topics: int = 100) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns human scores and those of two metrics."""
    rng = np.random.default_rng(0)
    quality = rng.normal(size=(n_systems, 1))
    human, first, second = (
        quality + noise * rng.normal(size=(n_systems, n_topics)) for noise in (1.0, 1.0, 1.2)
    )
    return human, first, second


def cpu_s(work: Callable[[], object]) -> tuple[float, object]:
    """Returns the CPU seconds of one call, and what it returned."""
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


def main() -> None:
    """Prints a Markdown table."""
    import nlpstats.correlations as nlpstats

    human, first, second = made()
    warnings.simplefilter("ignore")  # nlpstats correlates constant topics
    print(
        "| work | level | ours, s | nlpstats, s | ratio | goal | |\n|---|---|---|---|---|---|---|"
    )
    for level in Level:
        n_theirs = max(N_RESAMPLES // _SHARE[level], 1)
        rng = np.random.default_rng(1)
        common = {"level": level, "coefficients": PAPERS, "unit": ResamplingUnit.BOTH, "rng": rng,
                  "n_resamples": N_RESAMPLES, "reporter": Silent()}  # fmt: skip

        def ours(common: dict = common) -> object:
            return bootstrap_values(first, human, **common)

        def theirs(level: Level = level, n: int = n_theirs) -> object:
            return [
                nlpstats.bootstrap(first, human, _LEVELS[level], name, "both", n_resamples=n)
                for name in _NAMES
            ]

        values = row("bootstrap", level, ours, theirs, N_RESAMPLES / n_theirs)
        _print_intervals(values)

        def ours_p(common: dict = common) -> object:
            return permutation_values(first, second, human, **common)

        def theirs_p(level: Level = level, n: int = n_theirs) -> object:
            return [
                nlpstats.permutation_test(
                    first, second, human, _LEVELS[level], name, "both", n_resamples=n
                )
                for name in _NAMES
            ]

        row("permutation", level, ours_p, theirs_p, N_RESAMPLES / n_theirs)
    _print_tied(human, first.round(1), second.round(1))


def _print_tied(human: np.ndarray, first: np.ndarray, second: np.ndarray) -> None:
    """Prints the row of scores that are rounded, as those of short texts are: many are tied."""
    import nlpstats.correlations as nlpstats

    def ours() -> object:
        rng = np.random.default_rng(1)
        return permutation_values(
            first, second, human, level=Level.GLOBAL, coefficients=PAPERS, unit=ResamplingUnit.BOTH,
            rng=rng, n_resamples=N_RESAMPLES, reporter=Silent(),
        )  # fmt: skip

    def theirs() -> object:
        return [
            nlpstats.permutation_test(first, second, human, "global", name, "both", n_resamples=99)
            for name in _NAMES
        ]

    row("permutation, tied", Level.GLOBAL, ours, theirs, N_RESAMPLES / 99)


def row(
    work: str, level: Level, ours: Callable[[], object], theirs: Callable[[], object], times: float
) -> tuple[object, object]:
    """Prints a row; returns what both found."""
    own_s, own = min((cpu_s(ours) for _ in range(3)), key=lambda pair: pair[0])
    their_s, their = cpu_s(theirs)
    their_s *= times
    ratio = their_s / own_s
    verdict = "" if ratio >= GOAL else "missed"
    print(
        f"| {work} | {level} | {own_s:.2f} | {their_s:,.0f} | {ratio:.0f} | {GOAL} | {verdict} |",
        flush=True,
    )
    return own, their


def _print_intervals(values: tuple[object, object]) -> None:
    ours, theirs = values
    for name, own, their in zip(_NAMES, ours.values(), theirs, strict=True):  # type: ignore[attr-defined, call-overload]
        interval = percentile_interval(own, 0.95)
        print(
            f"<!-- {name}: ours {interval.low:.3f} to {interval.high:.3f}, nlpstats "
            f"{their.lower:.3f} to {their.upper:.3f} -->"
        )


if __name__ == "__main__":
    main()
