import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.in_part import in_turn
from tests.oracles import rouge as oracle

from awase.core.errors import InputError
from awase.core.metrics.rouge.comparison import (
    Averaging,
    RougeResampling,
    bootstrap,
    resample_indices,
    rounded,
)


def test_that_items_are_drawn_as_perl_draws_them() -> None:
    # perl 5.36: for $s (0..2) { srand($s); print join(" ", map int(rand(10)), 1..8), "\n" }
    assert resample_indices(10, 3)[:8].T.tolist() == PERL_DRAWS


PERL_DRAWS = [[1, 7, 0, 8, 5, 7, 6, 3], [0, 4, 8, 3, 5, 0, 1, 9], [9, 1, 5, 8, 5, 2, 6, 6]]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.integers(1, 40))
def test_that_averages_are_those_of_one_resample_after_another(values, n_resamples):
    samples = oracle.resampled(values, n_resamples)
    total = 0.0
    for sample in samples:
        total += sample
    stacked = np.repeat(np.array(values)[:, np.newaxis], 3, axis=1)
    averages = bootstrap(stacked, RougeResampling(n_resamples=n_resamples))
    assert averages.mean.tolist() == [oracle.f5(total / n_resamples)] * 3


def test_that_one_summary_has_an_interval_of_no_width():
    averages = bootstrap(np.array([[0.1, 0.2, 0.3]]))
    for values in (averages.mean, averages.low, averages.high):
        assert values.tolist() == [0.1, 0.2, 0.3]


def test_that_no_summary_averages_0():
    averages = bootstrap(np.zeros((0, 3)))
    assert averages.mean.tolist() == averages.high.tolist() == [0, 0, 0]


@given(st.lists(st.floats(0, 1), min_size=2, max_size=9))
def test_that_the_interval_holds_the_average(values):
    stacked = np.repeat(np.array(values)[:, np.newaxis], 3, axis=1)
    averages = bootstrap(stacked, RougeResampling(n_resamples=200))
    assert (averages.low <= averages.mean).all()
    assert (averages.mean <= averages.high).all()


def test_that_tokens_weigh_equally_when_counts_are_summed():
    totals = np.array([[10.0, 20.0, 5.0]] * 3)
    averages = bootstrap(totals, RougeResampling(averaging=Averaging.BY_TOKEN))
    assert averages.mean.tolist() == [0.5, 0.25, 0.33333]


@in_turn(
    "choice", [{"n_resamples": 0}, {"confidence": 101.0}, {"confidence": -1.0}, {"alpha": 1.5}]
)
def test_that_impossible_choices_are_refused(choice):
    with pytest.raises(InputError):
        RougeResampling(**choice)  # type: ignore[arg-type]


@given(st.lists(st.floats(0, 3) | st.integers(0, 400000).map(lambda k: k / 200000), max_size=30))
def test_that_rounding_is_that_of_printf(values):
    assert rounded(np.array(values)).tolist() == [float(f"{value:.5f}") for value in values]
