import math

import numpy as np
import pytest
from hypothesis import strategies as st
from tests.in_part import in_part, in_turn
from tests.laws import law
from tests.oracles.correlation import COEFFICIENTS, accuracy

from awase.core.statistics.coefficients import Coefficient, PairAgreement, coefficient_of, settled
from awase.core.statistics.resampled_coefficients import FixedPair, varying

ALL = tuple(Coefficient)
ORACLE = {**{Coefficient(name): slow for name, slow in COEFFICIENTS.items()},
          Coefficient.ACCURACY: accuracy}  # fmt: skip


def same(found, expected):
    return (math.isnan(found) and math.isnan(expected)) or found == pytest.approx(
        expected, abs=1e-9
    )


@st.composite
def samples(draw, n_least=3, n_most=9):
    n = draw(st.integers(n_least, n_most))
    values = st.lists(st.integers(-4, 4).map(float), min_size=n, max_size=n)
    return draw(values), draw(values), draw(
        st.lists(st.integers(0, 3), min_size=n, max_size=n)
    )  # fmt: skip


def test_that_a_hand_worked_example_has_its_values():
    # x orders 1 < 2 = 2 < 4, y orders 1 < 3 < 2 = 2 (ranks 1 4 2.5 2.5 and 1 2.5 2.5 4).
    x, y = np.array([1.0, 2.0, 2.0, 4.0]), np.array([1.0, 3.0, 2.0, 2.0])
    # Pairs: (1,2)+ (1,3)+ (1,4)+ (2,3) tied in x (2,4)- (3,4) tied in y; tau-b = (3-1)/sqrt(5*5).
    assert coefficient_of(x, y, Coefficient.TAU) == pytest.approx(2 / 5)
    # Right: the three with system 1 of six; a pair tied on one side only is wrong.
    assert coefficient_of(x, y, Coefficient.ACCURACY) == pytest.approx(3 / 6)
    # Deviations of ranks -1.5 0 0 1.5 and -1.5 1.5 0 0: 2.25 / 4.5.
    assert coefficient_of(x, y, Coefficient.RHO) == pytest.approx(0.5)
    # Deviations -1.25 -.25 -.25 1.75 and -1 1 0 0: 1 / sqrt(4.75 * 2).
    assert coefficient_of(x, y, Coefficient.R) == pytest.approx(1 / math.sqrt(9.5))


@law(30, samples())
def test_that_points_are_those_of_the_textbook(sample):
    x, y = np.array(sample[0]), np.array(sample[1])
    for coefficient, slow in ORACLE.items():
        assert same(coefficient_of(x, y, coefficient), slow(sample[0], sample[1]))


@pytest.mark.slow
@pytest.mark.parametrize("n", in_part([3, 65, 5, 17, 64, 300, 2_000]))
def test_that_orders_are_compared_as_by_scipy_to_the_last_digit(n):
    from scipy import stats

    rng = np.random.default_rng(n)
    for n_values in (2, 3, n, 10 * n):
        for _ in range(20):
            x, y = (rng.integers(0, n_values, n) / 7 for _ in range(2))
            if np.ptp(x) and np.ptp(y):
                rho, tau = stats.spearmanr(x, y).statistic, stats.kendalltau(x, y).statistic
                assert coefficient_of(x, y, Coefficient.R) == pytest.approx(stats.pearsonr(x, y)[0])
                assert coefficient_of(x, y, Coefficient.RHO) == rho
                assert coefficient_of(x, y, Coefficient.TAU) == tau


@in_turn("coefficient", ALL)
def test_that_two_values_have_no_correlation(coefficient):
    assert math.isnan(coefficient_of(np.array([1.0, 2.0]), np.array([1.0, 2.0]), coefficient))


@in_turn("coefficient", [Coefficient.R, Coefficient.RHO, Coefficient.TAU])
def test_that_a_constant_side_has_no_correlation(coefficient):
    constant = np.array([0.1, 0.1, 0.1, 0.1])
    assert math.isnan(coefficient_of(constant, np.arange(4.0), coefficient))


@law(30, samples())
def test_that_a_weighted_sample_is_the_sample_written_out(sample):
    x, y, drawn = (np.array(part, dtype=float) for part in sample)
    weights = np.stack([drawn, np.ones_like(drawn)])
    items = np.repeat(np.arange(len(x)), drawn.astype(int))
    found = FixedPair(x, y, ALL).under(weights.T)
    for coefficient, slow in ORACLE.items():
        extra = {"items": items.tolist()} if coefficient is Coefficient.ACCURACY else {}
        written_out = slow(x[items].tolist(), y[items].tolist(), **extra)
        assert same(found[coefficient][0], written_out)
        assert same(found[coefficient][1], slow(sample[0], sample[1]))


@law(30, samples())
def test_that_samples_which_all_differ_have_the_same_values_as_fixed_ones(sample):
    x, y, drawn = (np.array(part, dtype=float) for part in sample)
    weights = np.stack([drawn, np.ones_like(drawn)])
    fixed = FixedPair(x, y, ALL).under(weights.T)
    free = varying(np.stack([x, x]), np.stack([y, y]), weights, ALL)
    for coefficient in ALL:
        assert all(map(same, free[coefficient], fixed[coefficient]))


@pytest.mark.slow
@pytest.mark.parametrize("n", [65, 700, 1301])
@pytest.mark.parametrize("values", [3, 40, 10**6])
def test_that_a_large_sample_is_counted_as_scipy_does(n, values):
    """More items than are compared one by one; with many ties, some, and hardly any."""
    from scipy import stats

    rng = np.random.default_rng(n + values)
    x, y = rng.integers(0, values, n).astype(float), rng.normal(size=n).round(values % 7)
    drawn = rng.integers(0, 4, n)
    found = FixedPair(x, y, ALL).under(np.stack([np.ones(n), drawn], axis=1))
    for idx, items in enumerate((np.arange(n), np.repeat(np.arange(n), drawn))):
        theirs = stats.kendalltau(x[items], y[items])[0], stats.spearmanr(x[items], y[items])[0]
        assert found[Coefficient.TAU][idx] == pytest.approx(theirs[0], abs=1e-12)
        assert found[Coefficient.RHO][idx] == pytest.approx(theirs[1], abs=1e-12)
    assert found[Coefficient.ACCURACY][0] == pytest.approx(
        coefficient_of(x, y, Coefficient.ACCURACY), abs=1e-12
    )


@pytest.mark.parametrize("n", [40, 333])
def test_that_each_item_agrees_with_as_many_as_counted_one_by_one(n):
    rng = np.random.default_rng(n)
    x, y = rng.integers(0, 50, n), rng.integers(0, 9, n)
    signs = np.sign(x[:, None] - x) * np.sign(y[:, None] - y)
    agreement = PairAgreement(*(np.unique(side, return_inverse=True)[1] for side in (x, y)))
    assert agreement.of_items().tolist() == signs.sum(axis=1).tolist()
    assert agreement.under(np.ones((n, 1))).tolist() == [signs.sum()]


def test_that_means_which_differ_in_the_last_bit_are_tied():
    a, b = 0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1
    assert a != b
    assert len(set(settled(np.array([a, b, 0.5])).tolist())) == 2
    assert settled(np.array([0.0, 0.0])).tolist() == [0, 0]
