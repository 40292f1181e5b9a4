import numpy as np
import pytest
from tests.reporters import Heard

from awase.core.errors import Cancelled
from awase.core.progress import Silent
from awase.core.statistics.bootstraps import bootstrap_intervals


def ratio(sums):
    return 1 - sums[:, 0] / sums[:, 1]


def intervals(sums, statistics, n=4_000, seed=3, reporter=None):
    return bootstrap_intervals(
        sums, statistics, n_resamples=n, level=0.95, rng=np.random.default_rng(seed),
        reporter=reporter or Silent(),
    )  # fmt: skip


def topics(seed, n=20):
    rng = np.random.default_rng(seed)
    expected = rng.uniform(5, 9, n)
    return np.stack([expected * rng.uniform(0, 0.6, n), expected], axis=1)


@pytest.mark.slow
def test_that_an_interval_is_the_quantiles_of_resampled_topics():
    """By hand: topics drawn one by one, and sums made anew."""
    sums, rng = topics(1), np.random.default_rng(11)
    drawn = [ratio(sums[rng.integers(0, 20, 20)].sum(axis=0)[np.newaxis])[0] for _ in range(8_000)]
    (found,) = intervals([sums], [ratio], n=8_000)
    assert found[:2] == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.005)


def test_that_an_interval_does_not_depend_on_its_neighbours():
    alone = intervals([topics(1)], [ratio])
    assert intervals([topics(2), topics(1)], [ratio, ratio])[1] == pytest.approx(alone[0])


def test_that_a_difference_of_a_statistic_with_itself_is_nothing():
    both = np.concatenate([topics(1), topics(1)], axis=1)
    (found,) = intervals([both], [lambda s: ratio(s[:, :2]) - ratio(s[:, 2:])])
    assert found[:2] == (0.0, 0.0)


def test_that_there_is_no_interval_where_most_resamples_have_no_value():
    sums = np.zeros((20, 2))
    sums[0] = 1
    found, few = intervals(
        [sums, sums],
        [
            lambda s: np.where(s[:, 1] > 3, 1.0, np.nan),
            lambda s: np.where(s[:, 1] > 0, 1.0, np.nan),
        ],
    )
    assert found is None
    assert few is not None
    assert 0.3 * 4_000 < few.n_undefined < 0.4 * 4_000


@pytest.mark.slow
def test_that_resampling_can_be_stopped():
    with pytest.raises(Cancelled):
        intervals([np.ones((5_000, 2))], [ratio], n=1_000, reporter=Heard(at=1))
