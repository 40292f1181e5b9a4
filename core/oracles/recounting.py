"""What oracles found before come to when they are counted again, beside greedy choices.

In Python, and from the numbers of tokens in the compiled kernel where it is there.
"""

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np

from awase.core.kernel.arrays import passed
from awase.core.kernel.binding import kernel
from awase.core.solvers.budget.problem import (
    RULES,
    BudgetProblem,
    gains_alone,
    greedy,
    is_irredundant,
    value_of,
)
from awase.core.text.tokens.numbered import NumberedTexts


class Worth(NamedTuple):
    """One set of units.

    Attributes:
        value: Elements of the reference that it has.
        length: Of its units together.
        is_irredundant: Whether every unit of it adds to the value.
    """

    value: int
    length: int
    is_irredundant: bool


class Recount(NamedTuple):
    """Sets of units beside one reference.

    Attributes:
        total: Elements of the reference.
        greedy: The higher of the values that the greedy rules come to within the limit.
        sets: What each comes to.
    """

    total: int
    greedy: int
    sets: tuple[Worth, ...]


def recount(
    problem: BudgetProblem, lengths: Sequence[int], sets: Sequence[Sequence[int]]
) -> Recount:
    """Returns what sets come to, by their definitions.

    Args:
        problem: What they were chosen from.
        lengths: Of each unit, from 0; one of length 0 has no gains.
        sets: Units by their indices, none twice in a set.
    """
    alone = gains_alone(problem)
    return Recount(
        total=sum(problem.caps),
        greedy=max([value_of(problem, greedy(problem, rule, alone)) for rule in RULES]),
        sets=tuple(
            [
                Worth(
                    value_of(problem, units),
                    sum([lengths[unit] for unit in units]),
                    is_irredundant(problem, units),
                )
                for units in sets
            ]
        ),
    )


def recount_compiled(
    units: NumberedTexts,
    reference: NumberedTexts,
    n: int,
    lengths: Sequence[int],
    limit: int,
    sets: Sequence[Sequence[int]],
) -> Recount | None:
    """Returns the same for oracles of n-grams; None = without the kernel, or too large for it.

    Args:
        units: To choose from.
        reference: Its sentences, with numbers of the same numbering; their ends part no n-grams.
        n: From 1.
        lengths: Of each unit, from 0; one of length 0 has nothing.
        limit: Of the length of greedy choices.
        sets: As in `recount`.
    """
    library = kernel()
    if library is None:
        return None
    known = np.array(lengths, np.int64)
    flat = np.array([*chain.from_iterable(sets)], np.int64)
    set_starts = np.array([0, *accumulate(map(len, sets))], np.int64)
    told = np.zeros(2 + 3 * len(sets), np.int64)
    done = library.call(
        "awase_recount", passed(units.tokens, "int64"), passed(units.starts, "int64"),
        passed(reference.tokens, "int64"), n, passed(known, "int64"), limit,
        passed(flat, "int64"), passed(set_starts, "int64"), passed(told, "int64"),
    )  # fmt: skip
    if not done:
        return None
    total, best, *of_sets = told.tolist()
    worths = zip(of_sets[::3], of_sets[1::3], of_sets[2::3], strict=True)
    return Recount(total, best, tuple([Worth(a, b, bool(c)) for a, b, c in worths]))
