import math
import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reporters import Heard

from awase.core.errors import Cancelled, Silent
from awase.core.statistics.bootstraps import bootstrap_intervals, summable

PROCESSORS = (
    {"OPENBLAS_CORETYPE": "Nehalem", "NPY_DISABLE_CPU_FEATURES": "X86_V4 X86_V3"},
    {"OPENBLAS_CORETYPE": "Haswell"},
)
"""Without and with fused multiplication: BLAS adds in another order, and rounds otherwise."""

FIGURES = """
import numpy as np
from awase.core.agreement.effect_study import _Means
from awase.core.metrics.rouge_we import soft_hits
from awase.core.metrics.subtree_similarity import Forest, partners
from awase.core.errors import Silent
from awase.core.statistics.bootstraps import Interval, bootstrap_interval, bootstrap_intervals
from awase.core.statistics.bootstraps import bootstrap_p_values, randomisation_p_values
from awase.core.statistics.coefficients import Coefficient, Level, coefficient_of
from awase.core.statistics.correlation_inference import ResamplingUnit, bootstrap_values
from awase.core.statistics.correlation_inference import permutation_values

rng = np.random.default_rng
x, y, z = rng(1).random((3, 13, 37))
every = {"level": None, "coefficients": tuple(Coefficient), "unit": ResamplingUnit.BOTH,
         "n_resamples": 50,
         "reporter": Silent()}
found = [coefficient_of(x[:, 0], y[:, 0], one) for one in Coefficient]
for level in Level:
    every["level"] = level
    found += bootstrap_values(x, y, **every, rng=rng(2)).values()
    found += permutation_values(x, y, z, **every, rng=rng(3))[1].values()
columns, some = x.T - y.T, {"n_resamples": 300}
found.append(bootstrap_interval(columns, **some, level=0.95, rng=rng(4)))
for test in (bootstrap_p_values, randomisation_p_values):
    found.append(test(columns, **some, rng=rng(5)))
found += bootstrap_intervals([x.T[:, :2]], [lambda sums: sums[:, 0] / sums[:, 1]], **some,
                             level=0.95, rng=rng(6), reporter=Silent())[0]
means = _Means(x[0], rng(7).integers(0, 9, 37), 9)
found.append(means.in_samples(rng(8).integers(0, 4, (50, 9))))
vectors = {str(n): row for n, row in enumerate(rng(9).normal(size=(90, 50)))}
words = [(one,) for one in vectors]
found.append(soft_hits(words[:40], words[40:], vectors))
rows = rng(10).normal(size=(80, 50))
rows /= np.sqrt((rows * rows).sum(axis=1, keepdims=True))
halves = [Forest(subtrees=(None,) * 40, lengths=np.ones(40, np.int64), keys=("",) * 40,
                 directions=half) for half in (rows[:40], rows[40:])]
found += [one.similarity for one in partners(*halves)]
for one in found:
    value = one[:2] if type(one) is Interval else one
    print(np.asarray(value, np.float64).tobytes().hex())
"""


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60), st.data(), st.integers(-40, 40))
def test_that_sums_are_exact_in_any_order(values, data, exponent):
    given_values = np.array(values) * 2.0**exponent
    rounded = summable(given_values, len(values))
    shuffled = np.array(data.draw(st.permutations(rounded.tolist())))
    assert rounded.sum() == shuffled.cumsum()[-1] == rounded @ np.ones(len(values))
    assert rounded.sum() == math.fsum(rounded)
    bound = len(values) * 2.0**-53 * np.abs(given_values).max()
    assert np.abs(rounded - given_values).max() <= 2 * bound


def test_that_the_smallest_numbers_stay_as_they_are():
    tiny = np.array([5.6e-309, -5e-324])
    assert np.array_equal(summable(tiny, 2), tiny)


def test_that_columns_do_not_depend_on_their_neighbours():
    values = np.random.default_rng(1).random((7, 2)) * [1.0, 1e9]
    assert np.array_equal(summable(values, 7)[:, :1], summable(values[:, :1], 7))
    assert np.array_equal(summable(np.zeros((3, 1)), 3), np.zeros((3, 1)))


def figures(processor: dict[str, str]) -> str:
    environment = {**os.environ, **processor}
    done = subprocess.run(
        [sys.executable, "-c", FIGURES], env=environment, check=True, text=True, capture_output=True
    )
    return done.stdout


@pytest.mark.slow
def test_that_figures_are_the_same_on_another_processor():
    one, other = map(figures, PROCESSORS)
    assert one.count("\n") > 30
    assert one == other


def ratio(sums):
    return 1 - sums[:, 0] / sums[:, 1]


def intervals(sums, statistics, n=4_000, reporter=None):
    return bootstrap_intervals(
        sums, statistics, n_resamples=n, level=0.95, rng=np.random.default_rng(3),
        reporter=reporter or Silent(),
    )  # fmt: skip


def topics(seed, n=20):
    rng = np.random.default_rng(seed)
    expected = rng.uniform(5, 9, n)
    return np.stack([expected * rng.uniform(0, 0.6, n), expected], axis=1)


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
