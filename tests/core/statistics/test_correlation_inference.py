import numpy as np
import pytest
from hypothesis import strategies as st
from tests.in_part import in_part, in_turn
from tests.laws import law
from tests.oracles.correlation import COEFFICIENTS, all_swaps, at_level, swapped

from awase.core.errors import Silent
from awase.core.statistics.bootstraps import percentile_interval
from awase.core.statistics.coefficients import PAPERS, Coefficient, Level, coefficient_of, correlate
from awase.core.statistics.correlation_inference import (
    ResamplingUnit,
    bootstrap_values,
    closed_form_interval,
    permutation_p,
    permutation_values,
    swap_differences,
    williams_p,
)

NLPSTATS_NAME = {"r": "pearson", "rho": "spearman", "tau-b": "kendall"}


@st.composite
def matrices(draw, n_systems=4, n_topics=3, n_matrices=2):
    values = st.one_of(st.none(), st.integers(0, 5))
    cells = [[draw(values) for _ in range(n_topics)] for _ in range(n_systems)]
    others = [
        [[None if cell is None else draw(st.integers(0, 5)) for cell in row] for row in cells]
        for _ in range(n_matrices - 1)
    ]
    return [cells, *others]


def arrays(*lists):
    return [np.array(rows, dtype=float) for rows in lists]


def made(seed, n_systems=8, n_topics=12):
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(n_systems, 1))
    return [quality + noise * rng.normal(size=(n_systems, n_topics)) for noise in (1.0, 1.5, 0.8)]


def expected_equal(found, expected):
    assert np.isnan(found) == np.isnan(expected)
    if not np.isnan(expected):
        assert found == pytest.approx(expected, abs=1e-9)


@law(25, matrices())
def test_that_points_at_each_level_are_those_of_the_textbook(pair):
    x, y = arrays(*pair)
    for level in Level:
        found = correlate(x, y, level, PAPERS)
        for coefficient in PAPERS:
            value = found[coefficient].value
            expected = at_level(*pair, level, COEFFICIENTS[coefficient])
            expected_equal(np.nan if value is None else value, expected)


def test_that_topics_where_a_side_is_constant_are_counted():
    x = np.array([[1.0, 5, np.nan], [2, 5, 1], [3, 5, 2]])
    found = correlate(x, x, Level.TOPIC, [Coefficient.TAU])[Coefficient.TAU]
    assert found.value == 1
    assert found.undefined_topics == (1, 2)


def resampled(x, y, level, unit, n=60, seed=7):
    return bootstrap_values(
        x, y, level=level, coefficients=PAPERS, unit=unit, n_resamples=n,
        rng=np.random.default_rng(seed), reporter=Silent(),
    )  # fmt: skip


@pytest.mark.parametrize("unit", ResamplingUnit)
@pytest.mark.parametrize("level", in_part(Level))
def test_that_each_resample_has_the_value_of_the_matrices_written_out(level, unit):
    """The same draws again, with rows and columns repeated as often as they were drawn."""
    x, y, _ = made(1, n_systems=6, n_topics=5)
    x[2, 3] = y[2, 3] = np.nan
    x, y = x.round(1), y.round(1)
    found = resampled(x, y, level, unit)
    rng = np.random.default_rng(7)
    systems, topics = np.ones((60, 6), int), np.ones((60, 5), int)
    if unit is not ResamplingUnit.TOPICS:
        systems = rng.multinomial(6, [1 / 6] * 6, size=60)
    if unit is not ResamplingUnit.SYSTEMS:
        topics = rng.multinomial(5, [1 / 5] * 5, size=60)
    for idx in range(60):
        rows = np.repeat(np.arange(6), systems[idx])
        columns = np.repeat(np.arange(5), topics[idx])
        pair = [
            [[None if np.isnan(v) else float(v) for v in row] for row in m[np.ix_(rows, columns)]]
            for m in (x, y)
        ]
        for coefficient in PAPERS:
            expected = at_level(*pair, level, COEFFICIENTS[coefficient])
            expected_equal(found[coefficient][idx], expected)


def test_that_a_seed_decides_the_resamples_and_the_number_does_not_change_them():
    x, y, _ = made(4)
    again = resampled(x, y, Level.SYSTEM, ResamplingUnit.SYSTEMS)
    for coefficient, values in resampled(x, y, Level.SYSTEM, ResamplingUnit.SYSTEMS).items():
        assert values.tolist() == again[coefficient].tolist()
    other = resampled(x, y, Level.SYSTEM, ResamplingUnit.SYSTEMS, seed=8)
    assert other[Coefficient.R].tolist() != again[Coefficient.R].tolist()


def test_that_resamples_without_a_value_are_counted():
    interval = percentile_interval(np.array([np.nan, 0.1, 0.2, 0.3]), 0.95)
    assert interval.n_undefined == 1
    assert interval.low == pytest.approx(0.105)
    assert percentile_interval(np.array([np.nan]), 0.95) is None


@pytest.mark.slow
@in_turn("name", ["r", "rho", "tau-b"])
def test_that_closed_forms_are_those_of_nlpstats(name):
    nlpstats = pytest.importorskip("nlpstats.correlations")
    x, y, _ = made(5)
    value = correlate(x, y, Level.SYSTEM, PAPERS)[Coefficient(name)].value
    interval = closed_form_interval(value, 8, Coefficient(name))
    theirs = nlpstats.fisher(x, y, "system", NLPSTATS_NAME[name])
    assert (interval.low, interval.high) == pytest.approx(tuple(theirs), abs=1e-9)


def test_that_fishers_interval_of_a_hand_worked_example_has_its_value():
    # artanh(.5) = .549306; reach 1.959964 / sqrt(28 - 3) = .391993; tanh(.157313), tanh(.941299).
    interval = closed_form_interval(0.5, 28, Coefficient.R)
    assert (interval.low, interval.high) == pytest.approx((0.156028, 0.735818), abs=1e-5)
    assert closed_form_interval(1.0, 28, Coefficient.R) is None
    assert closed_form_interval(0.5, 3, Coefficient.R) is None
    assert closed_form_interval(0.5, 28, Coefficient.ACCURACY) is None


@law(15, matrices(n_systems=3, n_topics=2, n_matrices=3), st.sampled_from(ResamplingUnit))
def test_that_every_permutation_of_a_tiny_case_has_the_textbooks_difference(three, unit):
    first, second, y = arrays(*three)
    swaps = all_swaps(3, 2, unit)
    for level in Level:
        differences = swap_differences(first, second, y, level, PAPERS)
        found = differences(*map(np.array, zip(*swaps, strict=True)))
        for idx, (systems, topics) in enumerate(swaps):
            new_first, new_second = swapped(three[0], three[1], systems, topics)
            for coefficient in PAPERS:
                slow = COEFFICIENTS[coefficient]
                expected = at_level(new_first, three[2], level, slow) - at_level(
                    new_second, three[2], level, slow
                )
                expected_equal(found[coefficient][idx], expected)


@pytest.mark.slow
@in_turn("unit", ResamplingUnit)
def test_that_the_p_of_random_permutations_nears_that_of_all(unit):
    first, second, y = made(9, n_systems=6, n_topics=5)
    first, second = ((m - m.mean()) / m.std() for m in (first, second))
    swaps = all_swaps(6, 5, unit)
    differences = swap_differences(first, second, y, Level.SYSTEM, PAPERS)
    every = differences(*map(np.array, zip(*swaps, strict=True)))
    observed, drawn = permutation_values(
        first, second, y, level=Level.SYSTEM, coefficients=PAPERS, unit=unit,
        n_resamples=9999, rng=np.random.default_rng(0), reporter=Silent(),
    )  # fmt: skip
    for coefficient in PAPERS:
        exact = (np.abs(every[coefficient]) >= abs(observed[coefficient]) - 1e-12).mean()
        found = permutation_p(observed[coefficient], drawn[coefficient])
        assert found == pytest.approx(exact, abs=0.02)


@in_turn("unit", ResamplingUnit)
def test_that_a_metric_on_another_scale_is_compared_on_one(unit):
    first, _, y = made(9)
    observed, drawn = permutation_values(
        first, 1000 * first + 5, y, level=Level.SYSTEM, coefficients=PAPERS, unit=unit,
        n_resamples=99, rng=np.random.default_rng(0), reporter=Silent(),
    )  # fmt: skip
    for coefficient in PAPERS:
        assert permutation_p(observed[coefficient], drawn[coefficient]) == 1


def test_that_p_counts_the_observed_case_and_undefined_ones():
    assert permutation_p(0.5, np.array([0.5, -0.6, 0.1, np.nan])) == 4 / 5
    assert permutation_p(0.5, np.zeros(99)) == 1 / 100
    assert permutation_p(float("nan"), np.zeros(9)) is None


def test_that_williams_p_of_a_hand_worked_example_has_its_value():
    # det = 1 - .25 - .09 - .16 + 2 * .5 * .3 * .4 = .62; 98/47 * .62 + .4^2 * .6^3 = 1.32733;
    # t = .2 * sqrt(49 * 1.4 / 1.32733) = 1.43783 with 47 degrees of freedom: p is 2 * 0.0785538.
    assert williams_p(0.5, 0.3, 0.4, 50) == pytest.approx(0.1571076, abs=1e-5)
    assert williams_p(0.3, 0.5, 0.4, 50) == williams_p(0.5, 0.3, 0.4, 50)
    assert williams_p(0.5, 0.5, 1.0, 50) is None
    assert williams_p(0.5, 0.3, 0.4, 3) is None


@pytest.mark.slow
@in_turn("decimals", [0, 1, 9])
def test_that_swaps_of_many_scores_have_the_differences_written_out(decimals):
    """Larger than what is compared one by one; with many ties, some, and none."""
    first, second, y = (side.round(decimals) for side in made(4, n_systems=7, n_topics=19))
    for side in (first, second, y):
        side[2, 3] = side[5, 1:4] = np.nan
    rng = np.random.default_rng(decimals)
    systems, topics = rng.random((6, 7)) < 0.5, rng.random((6, 19)) < 0.5
    differences = swap_differences(first, second, y, Level.GLOBAL, tuple(Coefficient))
    found = differences(systems, topics)
    is_there = ~np.isnan(y)
    for idx in range(6):
        is_swapped = systems[idx][:, None] ^ topics[idx]
        sides = np.where(is_swapped, second, first), np.where(is_swapped, first, second)
        for one in Coefficient:
            ours, theirs = (coefficient_of(x[is_there], y[is_there], one) for x in sides)
            assert found[one][idx] == pytest.approx(ours - theirs, abs=1e-9)
