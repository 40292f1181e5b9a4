"""Assignments are those of scipy, ties included."""

import random
from fractions import Fraction

import pytest
from tests.in_part import in_part

from awase.core.agreement.distances import assigned

NUMBERS = {
    "few": (0.0, 0.5, 1.0),
    "jaccards": tuple(float(Fraction(above, below)) for below in range(1, 8) for above in range(8)),
    "any": (),
}


@pytest.mark.slow
@pytest.mark.parametrize("numbers", in_part(NUMBERS, first=2))
def test_that_assignments_are_those_of_scipy(numbers):
    from scipy.optimize import linear_sum_assignment

    rng = random.Random(numbers)
    for _ in range(600):
        n_rows, n_columns = rng.randint(1, 9), rng.randint(1, 9)
        known = NUMBERS[numbers]
        weights = [
            [rng.choice(known) if known else rng.uniform(-1, 1) for _ in range(n_columns)]
            for _ in range(n_rows)
        ]
        rows, columns = linear_sum_assignment(weights, maximize=True)
        assert assigned(weights) == [*zip(rows.tolist(), columns.tolist(), strict=True)]
