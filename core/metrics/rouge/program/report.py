"""The lines that ROUGE-1.5.5 prints."""

import re
from collections.abc import Iterator, Mapping
from functools import cmp_to_key

import numpy as np

from awase.core.metrics.rouge.counts import Floats
from awase.core.metrics.rouge.program.bootstrap import Averages

_RULE = "-" * 45
_DOTS = "." * 45
_LEADING_INTEGER = re.compile("[0-9]+")


def average_lines(title: str, averages: Averages, confidence: str) -> Iterator[str]:
    """Yields the block of one measure.

    Args:
        title: System and measure.
        averages: Of one measure: arrays (3,).
        confidence: In percent, as it was typed.
    """
    yield _RULE
    for name, mean, low, high in zip(
        "RPF", averages.mean.tolist(), averages.low.tolist(), averages.high.tolist(), strict=True
    ):
        yield (
            f"{title} Average_{name}: {mean:.5f} ({confidence}%-conf.int. {low:.5f} - {high:.5f})"
        )


def count_lines(title: str, totals: Floats) -> Iterator[str]:
    """Yields the block of one measure under `-t 2`; (n, 3) totals in the order of the ids."""
    sums = [0.0, 0.0, 0.0]
    for row in totals.tolist():
        sums = [total + value for total, value in zip(sums, row, strict=True)]
    models, peers, hits = (int(total) for total in sums)
    yield _RULE
    yield f"{title} M_count: {models} P_count: {peers} H_count: {hits}"


def summary_lines(title: str, values: Mapping[str, Floats], *, are_counts: bool) -> Iterator[str]:
    """Yields a line for each summary (`-d`).

    Args:
        title: System and measure.
        values: (3,) by the summary's id.
        are_counts: Whether they are raw counts: of references, of the summary, matched (`-t 1` and
            `-t 2` print these under the names R, P and F).
    """
    form = ".15g" if are_counts else ".5f"
    yield _DOTS
    for id_ in sorted(sorted(values), key=cmp_to_key(_by_number)):
        models, peers, hits = np.asarray(values[id_]).tolist()
        yield f"{title} Eval {id_} R:{models:{form}} P:{peers:{form}} F:{hits:{form}}"


def _by_number(left: str, right: str) -> int:
    """Compares ids by the numbers they begin with, as text when one has none.

    Differs: equal numbers stay in the order of the text; in Perl they come in any order.
    """
    numbers = [_LEADING_INTEGER.match(id_) for id_ in (left, right)]
    if numbers[0] and numbers[1]:
        return int(numbers[0][0]) - int(numbers[1][0])
    return (left > right) - (left < right)
