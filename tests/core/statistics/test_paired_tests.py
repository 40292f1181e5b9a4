"""Intervals and paired tests against every resample there is, scipy, and hand-worked numbers."""

import numpy as np
import pytest
from hypothesis import strategies as st
from tests.laws import law
from tests.oracles import paired as oracle

from awase.core.statistics import bootstraps
from awase.core.statistics.bootstraps import (
    bootstrap_interval,
    bootstrap_p_values,
    holm,
    randomisation_p_values,
    resample_counts,
)

small = st.lists(st.fractions(-1, 1, max_denominator=6), min_size=1, max_size=7)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def column(values) -> np.ndarray:
    return np.array([[float(value)] for value in values])


@law(40, small)
def test_that_few_topics_are_randomised_in_every_way(differences):
    (p,) = randomisation_p_values(column(differences), n_resamples=128, rng=rng())
    assert p == pytest.approx(float(oracle.randomisation_p(differences)), abs=1e-12)


def test_that_randomisation_of_a_hand_worked_case_and_the_interval_of_one_topic_are_exact():
    # Of 8 ways to set the signs of 1, 2, 3 only +++ and --- reach a sum of 6.
    assert randomisation_p_values(column([1, 2, 3]), n_resamples=8, rng=rng()) == [0.25]
    # 3 - 2 - 1 = 0 is as near as can be: every way is as far.
    assert randomisation_p_values(column([3, -2, -1]), n_resamples=8, rng=rng()) == [1.0]
    # The interval of one topic is its value.
    low, high = bootstrap_interval(np.array([[0.25]]), n_resamples=10, level=0.9, rng=rng())
    assert (low[0], high[0]) == (0.25, 0.25)


@pytest.mark.slow
@law(8, st.lists(st.fractions(-1, 1, max_denominator=6), min_size=3, max_size=5))
def test_that_the_paired_bootstrap_nears_the_share_of_all_resamples(differences):
    (p,) = bootstrap_p_values(column(differences), n_resamples=20_000, rng=rng())
    # Five standard errors of a share of 20,000.
    assert p == pytest.approx(float(oracle.bootstrap_p(differences)), abs=0.018)


@pytest.mark.slow
@law(8, st.lists(st.fractions(0, 1, max_denominator=6), min_size=3, max_size=5))
def test_that_the_interval_nears_the_quantiles_of_all_resamples(values):
    low, high = bootstrap_interval(column(values), n_resamples=20_000, level=0.8, rng=rng())
    means = [float(one) for one in oracle.bootstrap_means(values)]
    for bound, share in ((low[0], 0.1), (high[0], 0.9)):
        below = sum(one < bound - 1e-9 for one in means) / len(means)
        up_to = sum(one <= bound + 1e-9 for one in means) / len(means)
        assert below - 0.012 <= share <= up_to + 0.012


@pytest.mark.slow
@pytest.mark.parametrize("test", [randomisation_p_values, bootstrap_p_values])
def test_that_the_paired_tests_hold_their_level_on_systems_that_do_not_differ(test):
    draws = rng(3).normal(0, 1, (30, 2_000))
    p = test(draws, n_resamples=999, rng=rng())
    # 2,000 true null hypotheses at 5 %: 100 expected; the bootstrap is a little liberal.
    assert 70 <= int((p <= 0.05).sum()) <= 150
    assert p.min() > 0


@pytest.mark.parametrize("test", [randomisation_p_values, bootstrap_p_values])
def test_that_a_column_depends_on_its_neighbours_and_on_its_sign_no_more_than_it_should(test):
    values = rng(5).normal(0.1, 1, (25, 6))
    whole = test(values, n_resamples=500, rng=rng())
    assert (test(-values, n_resamples=500, rng=rng()) == whole).all()
    for at in range(6):
        assert test(values[:, [at]], n_resamples=500, rng=rng()) == whole[at]
    # A clear difference is found, and none where there is none.
    clear = rng(8).normal(1, 0.5, (30, 1))
    assert test(clear, n_resamples=9_999, rng=rng()) == [1 / 10_000]
    assert test(np.zeros((30, 1)), n_resamples=500, rng=rng()) == [1.0]


@pytest.mark.slow
def test_that_resamples_are_as_large_as_what_they_are_drawn_from():
    batches = [*resample_counts(300_000, 10, rng())]
    assert sum(len(batch) for batch in batches) == 10
    assert len(batches) > 1
    assert all((batch.sum(axis=1) == 300_000).all() for batch in batches)


@pytest.mark.slow
@pytest.mark.parametrize("n", [7, 30])
def test_that_the_size_of_a_portion_changes_no_figure(monkeypatch, n):
    values = rng(8).normal(0.1, 0.5, (n, 2))

    def figures():
        tested = [
            test(values, n_resamples=999, rng=rng()).tolist()
            for test in (randomisation_p_values, bootstrap_p_values)
        ]
        interval = bootstrap_interval(values, n_resamples=999, level=0.9, rng=rng())
        return *tested, interval.tolist()

    whole = figures()
    monkeypatch.setattr(bootstraps, "CELLS_AT_ONCE", 100)
    assert figures() == whole


def test_that_holm_multiplies_by_what_is_left_to_test():
    # R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert len(holm([])) == 0


@law(40, st.lists(st.floats(0, 1), max_size=12))
def test_that_holm_steps_down_as_defined(p_values):
    adjusted = holm(p_values)
    assert adjusted == pytest.approx(oracle.holm(p_values))
    assert all(one >= p for one, p in zip(adjusted, p_values, strict=True))
