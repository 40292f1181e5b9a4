import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import agreement as slow

from awase.core.statistics.alpha import alpha_of, disagreements, precision_recall_f1


def table(first, second):
    pairs = [*zip(first, second, strict=True)]
    order = [(True, True), (True, False), (False, True), (False, False)]
    return np.array([[pairs.count(cell) for cell in order]], dtype=float)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=20))
def test_that_kappa_is_cohens(cells):
    first, second = zip(*cells, strict=True)
    expected = slow.cohen_kappa(first, second)
    found = alpha_of(*disagreements(table(first, second)))[0]
    if expected is None:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(float(expected), abs=1e-9)


def test_that_precision_and_recall_are_those_of_the_second_against_the_first():
    assert precision_recall_f1(np.array([3.0, 1, 2, 4])) == pytest.approx((3 / 5, 3 / 4, 6 / 9))


def test_that_without_a_link_they_are_undefined():
    assert all(map(math.isnan, precision_recall_f1(np.array([0.0, 0, 0, 4]))))
