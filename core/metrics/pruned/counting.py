"""The formulas of pruned ROUGE and pruned BE, on units of any kind.

Source: Honda, Hirao and Nagata, "pruned ROUGE and pruned BE", equations 1 to 3.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

Unit = tuple[str, ...]
"""An n-gram, or head, modifier and relation."""


def recall(
    references: Sequence[Sequence[Unit]], summary: Sequence[Unit], *, by_type: bool
) -> Fraction | None:
    """Returns the share of the references' units that the summary has, 0 to 1.

    One ratio over all references: a unit in two of them counts twice, above and below.

    Args:
        references: Units of each reference.
        by_type: Count each unit once a text (equation 2) instead of as often as it occurs
            (equation 1).

    Returns:
        None when the references have no unit.
    """
    of_summary = _counts(summary, by_type=by_type)
    hits = n_units = 0
    for reference in references:
        of_reference = _counts(reference, by_type=by_type)
        hits += (of_reference & of_summary).total()
        n_units += of_reference.total()
    return Fraction(hits, n_units) if n_units else None


def _counts(units: Iterable[Unit], *, by_type: bool) -> Counter[Unit]:
    return Counter(set(units) if by_type else units)


def replaced(units: Iterable[Unit], n_words: int, of: Callable[[str], str]) -> list[Unit]:
    """Returns the units with other words.

    Args:
        n_words: How many parts of a unit, from the first on, are words; a relation is none.
    """
    return [(*map(of, unit[:n_words]), *unit[n_words:]) for unit in units]
