"""Comparisons of pairs, against resamples drawn one by one."""

import random

import numpy as np
import pytest
from tests.agreement_corpora import MERGED, TABLE_1, corpus, topic

from awase.core.agreement.distances import SetDistance, raters_in
from awase.core.agreement.report import agreement_of
from awase.core.agreement.results import AgreementRequest
from awase.core.agreement.rows import usual_comparisons
from awase.core.errors import InputError, Silent
from awase.core.metrics.significance import Resampling

A, B, C = "A", "B", "C"
AB, AC = (A, B), (A, C)


def drawn(n_topics=10):
    """Returns topics in which B seldom and C often differs from A."""
    rng = random.Random(4)

    def changed(row, share):
        return [(rng.randint(1, 60),)] if rng.random() < share else row

    shares = {A: 0.0, B: 0.2, C: 0.7}
    return [
        topic(f"T{at}", {
            who: [changed(row, share) if share else row for row in TABLE_1]
            for who, share in shares.items()
        })
        for at in range(n_topics)
    ]  # fmt: skip


def compared(topics, compares, **options):
    request = AgreementRequest(
        distances=(SetDistance.ALTERNATIVES,),
        compares=compares,
        compares_texts=False,
        resampling=Resampling(n_resamples=300, seed=3),
        **options,
    )
    return agreement_of(corpus(*topics), request, Silent())


def slow_alpha(rows, weights):
    """Alpha of sums by topic: 1 − Σ w·Do / Σ w·De."""
    observed = sum(w * row.observed * 2 * row.n_items for w, row in zip(weights, rows, strict=True))
    expected = sum(w * row.expected * 2 * row.n_items for w, row in zip(weights, rows, strict=True))
    return 1 - observed / expected


def test_that_a_difference_and_its_interval_are_those_of_resampled_topics():
    found = compared(drawn(), ((AB, AC),))
    (one,) = found.differences
    by_topic = [found.row(pair, SetDistance.ALTERNATIVES).by_topic for pair in (AB, AC)]
    ones = [1] * 10
    assert one.value == pytest.approx(
        slow_alpha(by_topic[0], ones) - slow_alpha(by_topic[1], ones), abs=1e-9
    )
    rng = np.random.default_rng(3)
    values = []
    for weights in rng.multinomial(10, np.full(10, 0.1), size=300):
        values.append(slow_alpha(by_topic[0], weights) - slow_alpha(by_topic[1], weights))
    low, high = np.quantile(values, [0.025, 0.975])
    assert (one.interval.low, one.interval.high) == pytest.approx((low, high), abs=1e-9)
    assert one.interval.low > 0  # B does agree more
    assert one.reason is None
    (same,) = compared(drawn(), ((AB, AB),)).differences
    assert (same.value, same.interval.low, same.interval.high) == (0, 0, 0)


def test_that_only_topics_of_both_pairs_count_and_few_have_no_interval():
    topics = [
        topic("T", {A: TABLE_1, B: MERGED, C: TABLE_1}),
        topic("U", {A: TABLE_1, B: [[], [(9,)], []]}),
    ]
    (one,) = compared(topics, ((AB, AC),)).differences
    assert one.n_topics == 1
    assert one.alphas == (pytest.approx(0.768, abs=5e-4), 1)
    assert "too few topics (1)" in str(one.reason)


def test_that_nothing_in_common_has_no_difference():
    topics = [topic("T", {A: TABLE_1, B: MERGED}), topic("U", {A: TABLE_1, C: MERGED})]
    (one,) = compared(topics, ((AB, AC),)).differences
    assert (one.value, one.n_topics) == (None, 0)
    assert "no value" in str(one.reason)
    with pytest.raises(InputError, match="Nobody called “Z”"):
        compared(drawn(1), ((AB, (A, "Z")),))


def usual(corpus):
    return usual_comparisons(raters_in(corpus.topics, Silent()))


def test_that_two_people_are_compared_with_the_robot_and_three_with_each_other():
    two = corpus(topic("T", {A: TABLE_1, B: MERGED}))
    assert usual(two) == ((AB, (A, "robot")), (AB, (B, "robot")))
    three = corpus(*drawn(1))
    assert usual(three) == ((AB, AC), (AB, (B, C)), (AC, (B, C)))
    four = corpus(topic("T", {who: TABLE_1 for who in "ABCD"}))
    assert usual(four) == ()
