"""Regression, measures and weights behind the confidence of suggestions."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.in_part import in_turn
from tests.oracles.confidences import calibration_error, precision_of_surest, recall_at_precision

from awase.core.annotation.evidence import (
    RIDGE,
    fitted_logistic,
    shipped_weights,
    weights_of,
    weights_text,
)
from awase.core.annotation.fitting import average_precision
from awase.core.errors import CorpusFormatError

ranked = st.lists(st.tuples(st.integers(0, 20), st.booleans()), min_size=1, max_size=30)


@pytest.mark.slow
def test_that_the_regression_is_the_maximum_that_a_general_optimiser_finds():
    from scipy.optimize import minimize

    rng = np.random.default_rng(3)
    rows = rng.normal(size=(80, 2)) * [1.0, 50.0] + [3.0, -10.0]
    labels = rng.random(80) < 1 / (1 + np.exp(-(rows[:, 0] - 3.0)))
    fitted = fitted_logistic(rows.tolist(), labels.tolist())
    standard = (rows - rows.mean(axis=0)) / rows.std(axis=0)

    def loss(weights: np.ndarray) -> float:
        odds = weights[0] + standard @ weights[1:]
        return float(
            np.logaddexp(0, odds).sum() - odds[labels].sum() + RIDGE * (weights[1:] ** 2).sum() / 2
        )

    best = minimize(loss, np.zeros(3), tol=1e-12).x
    slopes = best[1:] / rows.std(axis=0)
    assert fitted.weights == pytest.approx(slopes, abs=1e-4)
    odds = best[0] + standard[0] @ best[1:]
    assert fitted.probability(rows[0]) == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-4)


def test_that_a_clean_split_has_finite_weights():
    fitted = fitted_logistic([[0.0], [1.0]] * 20, [False, True] * 20)
    assert 0.0 < fitted.probability([0.0]) < 0.1
    assert 0.9 < fitted.probability([1.0]) < 1.0


@pytest.mark.slow
@given(ranked)
def test_that_the_measures_are_those_of_the_textbook(rows):
    sure, right = [one / 20 for one, _ in rows], [one for _, one in rows]
    order = sorted(rows, key=lambda row: -row[0])
    hits = [sum(one for _, one in order[: n + 1]) for n in range(len(order))]
    at_hits = [hits[n] / (n + 1) for n, (_, one) in enumerate(order) if one]
    mean = sum(at_hits) / len(at_hits) if at_hits else None
    assert average_precision(sure, right) == (None if mean is None else pytest.approx(mean))
    kept = [hits[n] for n in range(len(order)) if hits[n] / (n + 1) >= 0.5]
    assert recall_at_precision(sure, right, 0.5) == pytest.approx(
        max(kept, default=0) / max(1, sum(right))
    )
    n_half = max(1, len(order) // 2)
    assert precision_of_surest(sure, right, 0.5) == pytest.approx(hits[n_half - 1] / n_half)
    bins: dict[int, list[float]] = {}
    for one, is_right in zip(sure, right, strict=True):
        bins.setdefault(min(9, int(one * 10)), []).append(one - is_right)
    error = sum(abs(sum(gaps)) for gaps in bins.values()) / len(rows)
    assert calibration_error(sure, right) == pytest.approx(error)


def test_that_weights_survive_their_text_and_name_their_data():
    weights = shipped_weights()
    assert weights_of(weights_text(weights)) == weights
    assert "FAR" in weights.data
    assert weights.n_sentences == 310


@in_turn(
    "damage",
    [
        lambda parts: parts.pop("single"),
        lambda parts: parts["pair"].pop("gain"),
        lambda parts: parts["pair"].update(gain=float("nan")),
        lambda parts: parts.update(closure=1.5),
        lambda parts: parts.update(n_sentences="many"),
    ],
)
def test_that_damaged_weights_are_refused(damage):
    parts = json.loads(weights_text(shipped_weights()))
    damage(parts)
    with pytest.raises(CorpusFormatError, match="weights of suggestions"):
        weights_of(json.dumps(parts))
