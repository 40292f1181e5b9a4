"""ROUGE-WE, best-match variant: units of a reference matched with those most like them.

Source: Ng and Abrecht (2015), "Better summarization evaluation with word embeddings for ROUGE": the
    likeness of two words is the cosine of their vectors, 0 if one has none; the vector of an n-gram
    is the element-wise product of its words'.
Differs: how units are matched. The paper leaves it open, and the released program sums over pairs
    in an order that its hash tables decide. Here pairs are taken from the most alike on, each unit
    once; equal units are like 1, with or without vectors; likeness below 0 counts 0.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from awase.core.metrics.pruned.counting import Unit
from awase.core.vectors.vector_file import Vector

Floats = NDArray[np.float64]

_TAKEN = -1.0
_DECIMALS = 12


def soft_hits(
    reference: Sequence[Unit], summary: Sequence[Unit], vectors: Mapping[str, Vector]
) -> float:
    """Returns the sum over matched units of how like they are, 0 to the number of units.

    Args:
        reference: Units of a reference, as often as they occur; units of different lengths are
            not like each other.
        vectors: Of the words that have one, not zero.
    """
    return float(
        sum(
            _hits(
                [unit for unit in reference if len(unit) == size],
                [unit for unit in summary if len(unit) == size],
                vectors,
            )
            for size in {len(unit) for unit in reference}
        )
    )


def _hits(
    reference: Sequence[Unit], summary: Sequence[Unit], vectors: Mapping[str, Vector]
) -> float:
    of_reference, of_summary = Counter(reference), Counter(summary)
    equal = of_reference & of_summary
    # Nothing is more alike than equals, so that they are matched first.
    left = sorted((of_reference - equal).items())
    right = sorted((of_summary - equal).items())
    rows, columns = _with_vector(left, vectors), _with_vector(right, vectors)
    if not rows or not columns:
        return float(equal.total())
    likeness = _unit_vectors(rows, vectors) @ _unit_vectors(columns, vectors).T
    # Equal likeness stays equal whatever order a machine adds in, so that ties break alike.
    likeness = np.round(likeness, _DECIMALS)
    n_rows, n_columns = (np.array([times for _, times in units]) for units in (rows, columns))
    return equal.total() + matched(np.clip(likeness, 0.0, 1.0), n_rows, n_columns)


def _with_vector(
    units: Sequence[tuple[Unit, int]], vectors: Mapping[str, Vector]
) -> list[tuple[Unit, int]]:
    return [(unit, times) for unit, times in units if all(word in vectors for word in unit)]


def _unit_vectors(units: Sequence[tuple[Unit, int]], vectors: Mapping[str, Vector]) -> Floats:
    """Returns (n_units, dimension) products of the words' vectors, of length 1 or 0."""
    products = np.array(
        [np.prod([vectors[word] for word in unit], axis=0, dtype=np.float64) for unit, _ in units]
    )
    lengths = np.linalg.norm(products, axis=1, keepdims=True)
    unit: Floats = np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)
    return unit


def matched(likeness: Floats, n_rows: NDArray[np.int64], n_columns: NDArray[np.int64]) -> float:
    """Returns the likeness of all pairs taken from the most alike on.

    Args:
        likeness: (rows, columns), 0 to 1.
        n_rows: (rows,) how often each may be taken.
        n_columns: (columns,) how often each may be taken.

    Of pairs that are equally alike the first row goes first, then the first column. A pair that is
    the best of its row and of its column is taken in that order, too, so that all such pairs can be
    taken at once.
    """
    likeness, n_rows, n_columns = likeness.copy(), n_rows.copy(), n_columns.copy()
    total = 0.0
    for _ in range(likeness.shape[0] + likeness.shape[1]):
        best_column = likeness.argmax(axis=1)
        best_row = likeness.argmax(axis=0)
        rows = np.flatnonzero(best_row[best_column] == np.arange(len(best_column)))
        columns = best_column[rows]
        alike = likeness[rows, columns]
        rows, columns, alike = (part[alike > 0] for part in (rows, columns, alike))
        if not len(rows):
            break
        times = np.minimum(n_rows[rows], n_columns[columns])
        total += float((alike * times).sum())
        n_rows[rows] -= times
        n_columns[columns] -= times
        likeness[n_rows == 0] = _TAKEN
        likeness[:, n_columns == 0] = _TAKEN
    return total
