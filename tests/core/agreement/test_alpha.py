import math
from collections.abc import Sequence
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import agreement as slow

from awase.core.agreement.alpha import (
    MISSING,
    Distances,
    alpha_of,
    disagreements,
    nominal_distances,
    ordinal_distances,
    precision_recall_f1,
    topic_sums,
)

codes = st.lists(st.lists(st.integers(-1, 4), min_size=3, max_size=3), min_size=1, max_size=9)


def alpha(topics, distances):
    sums = [topic_sums(np.array(items), distances, [(0, 1, 2)])[0] for items in topics]
    observed = np.array([sum(one.observed for one in sums)])
    value = alpha_of(observed, np.array([sum(one.expected for one in sums)]))[0]
    return None if np.isnan(value) else value


def values(topics):
    return [[[None if v == MISSING else v for v in item] for item in items] for items in topics]


@given(codes)
def test_that_nominal_alpha_of_one_topic_is_krippendorffs(items):
    data = np.where(np.array(items) == MISSING, np.nan, np.array(items, dtype=float)).T
    distinct = {v for item in items if sum(x != MISSING for x in item) > 1 for v in item} - {
        MISSING
    }
    if len(distinct) < 2:
        assert alpha([items], nominal_distances(5)) is None
    else:
        theirs = krippendorff.alpha(data, level_of_measurement="nominal")
        assert alpha([items], nominal_distances(5)) == pytest.approx(theirs, abs=1e-9)


@given(codes)
def test_that_ordinal_alpha_of_one_topic_is_krippendorffs(items):
    pairable = [v for i in items if sum(x != MISSING for x in i) > 1 for v in i if v != MISSING]
    if len(set(pairable)) < 2:
        return
    data = np.where(np.array(items) == MISSING, np.nan, np.array(items, dtype=float)).T
    theirs = krippendorff.alpha(data, level_of_measurement="ordinal", value_domain=range(5))
    counts = np.bincount(pairable, minlength=5).astype(float)
    assert alpha([items], ordinal_distances(counts)) == pytest.approx(theirs, abs=1e-9)


def line(codes: Sequence[int]) -> Distances:
    """Returns how far these codes are apart on a line."""
    n = len(codes)
    pairs = list(combinations(range(n), 2))
    return Distances(
        group=np.zeros(n, dtype=np.intp),
        between=np.zeros((1, 1)),
        pairs=np.array([i * n + j for i, j in pairs], dtype=np.intp),
        own=np.array([abs(codes[i] - codes[j]) for i, j in pairs], dtype=np.float64),
    )


@given(st.lists(codes, min_size=1, max_size=3))
def test_that_chance_is_that_of_each_topic(topics):
    expected = slow.alpha(values(topics), lambda a, b: abs(a - b))
    found = alpha(topics, line(range(5)))
    assert found == (None if expected is None else pytest.approx(float(expected), abs=1e-9))


@given(codes, st.permutations(range(5)), st.permutations(range(3)))
def test_that_names_of_values_and_the_order_of_coders_and_items_do_not_matter(
    items, renamed, order
):
    other = [
        [MISSING if item[c] == MISSING else renamed[item[c]] for c in order] for item in items[::-1]
    ]
    distances = line([renamed.index(i) for i in range(5)])
    found = alpha([items], line(range(5)))
    assert alpha([other], distances) == (None if found is None else pytest.approx(found, abs=1e-12))


def test_that_groups_with_exceptions_are_the_distances_they_stand_for():
    rng = np.random.default_rng(7)
    group = np.array([0, 0, 1, 1, 2])
    between = np.array([[1.0, 0.8, 0.6], [0.8, 0.9, 0.7], [0.6, 0.7, 0.5]])
    distances = Distances(
        group=group, between=between, pairs=np.array([0 * 5 + 2, 2 * 5 + 3]), own=np.array([0.1, 0])
    )
    full = between[np.ix_(group, group)]
    full[0, 2] = full[2, 0] = 0.1
    full[2, 3] = full[3, 2] = 0
    np.fill_diagonal(full, 0)
    first, second = rng.integers(0, 5, 40), rng.integers(0, 5, 40)
    assert distances.distance_of(first, second).tolist() == full[first, second].tolist()
    counts = rng.integers(0, 4, (3, 5)).astype(float)
    assert distances.total(counts) == pytest.approx([c @ full @ c for c in counts], abs=1e-12)


def test_that_an_undefined_distance_makes_only_sums_undefined_in_which_it_takes_part():
    distances = Distances(
        group=np.array([0, 0, 0]), between=np.ones((1, 1)), pairs=np.array([1]),
        own=np.array([np.nan]),
    )  # fmt: skip
    assert distances.total(np.array([[2.0, 0, 1]])).tolist() == [4.0]
    assert np.isnan(distances.total(np.array([[1.0, 1, 0]])))[0]


def test_that_each_choice_of_coders_counts_its_own_items():
    items = np.array([[0, 1, 0], [1, 1, -1], [0, -1, 1]])
    found = topic_sums(items, nominal_distances(2), [(0, 1), (0, 2), (1, 2)])
    assert [one.n_items for one in found] == [2, 2, 1]
    for coders, one in zip([(0, 1), (0, 2), (1, 2)], found, strict=True):
        assert [one] == [*topic_sums(items[:, coders], nominal_distances(2), [(0, 1)])]


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
    # Without a link they are undefined.
    assert all(map(math.isnan, precision_recall_f1(np.array([0.0, 0, 0, 4]))))
