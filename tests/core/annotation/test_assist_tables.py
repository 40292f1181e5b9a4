"""The published figures of lexical suggestions on FAR lie within our intervals."""

import numpy as np
import pytest
from tests.benchmarks.candidates import FAR


@pytest.mark.slow
@pytest.mark.skipif(not FAR.exists(), reason="FAR is shared data")
def test_that_the_tables_on_far_have_the_independent_figures_within_their_intervals(capsys):
    from tests.benchmarks.assist import main

    main()
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in capsys.readouterr().out.splitlines()
        if line.startswith("| FAR |")
    ]
    expected = {  # independent code on the same data
        0: (2, [0.806, 0.987, 0.923, 0.875, 0.026]),
        3: (4, [0.613, 0.413, 0.610]),
        4: (2, [0.452, 0.667, 0.810, 0.607, 0.905]),
    }
    assert (rows[0][1], rows[3][1], rows[3][2], rows[4][1]) == ("310", "8435", "172", "42")
    for at, (first, figures) in expected.items():
        for cell, figure in zip(rows[at][first:], figures, strict=False):
            low, high = cell.partition("[")[2].rstrip("]").split(",")
            assert float(low) <= figure <= float(high), (at, cell, figure)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("right_of", "least"),
    [(lambda sure: sure, 0.9), (lambda sure: max(0.0, sure - 0.1), 0.8)],
    ids=["calibrated", "too sure"],
)
def test_that_the_interval_of_a_calibration_error_covers_the_truth(right_of, least):
    """Percentiles of a bootstrap never do where the confidences are right."""
    from tests.benchmarks.assist import calibration_coverage

    rng = np.random.default_rng(3)
    by_topic = [[(float(one), True) for one in rng.beta(4, 1, 4)] for _ in range(60)]
    covered = calibration_coverage(by_topic, right_of, 20)
    assert covered["ours"] >= least
    if right_of(0.5) == 0.5:
        assert covered["percentile"] == 0
