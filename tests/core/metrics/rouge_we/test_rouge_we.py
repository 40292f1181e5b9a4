"""ROUGE-WE, best-match variant: hand-worked numbers, the slow version, laws, refusals."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st
from tests.core.metrics.pruned.test_pruned_family import value
from tests.core.metrics.rouge.test_rouge_family import abstract, against, text, topic
from tests.core.metrics.vector_tables import given, table
from tests.in_part import in_turn
from tests.laws import tries
from tests.oracles import pruned as paper

from awase.core.metrics.rouge_we import soft_hits

law = settings(deadline=None, max_examples=tries(30))
METRICS = ("rouge-we-1", "rouge-we-2", "rouge-we-su4")
VECTORS = table(killed=(1, 0), murdered=(0.6, 0.8), man=(0, 1), anti=(-1, 0))


@in_turn(
    ("reference", "summary", "expected"),
    [
        ("killed", "murdered", 0.6),
        ("killed man", "murdered", 0.8 / 2),
        ("killed", "killed murdered", 1),
        ("killed killed", "killed murdered", 1.6 / 2),
        ("killed", "anti", 0),
        ("killed", "zebra", 0),
        ("zebra", "zebra", 1),
        ("zebra zebra", "zebra gnu", 1 / 2),
    ],
)
def test_that_each_word_is_matched_with_the_most_alike_that_is_free(reference, summary, expected):
    of_topic = against((reference,), summary)
    assert value(of_topic, "rouge-we-1", given(VECTORS)) == pytest.approx(expected, abs=1e-6)


def test_that_the_vector_of_a_pair_is_the_product_of_its_words():
    vectors = table(a=(1, 2), b=(3, 1), c=(2, 1), d=(1, 1), e=(1, 0), f=(0, 1))
    # a b = (3, 2), c d = (2, 1)
    expected = (3 * 2 + 2 * 1) / sqrt(13) / sqrt(5)
    of_topic = against(("a b",), "c d")
    assert value(of_topic, "rouge-we-2", given(vectors)) == pytest.approx(expected, abs=1e-6)
    for reference in ("a x", "e f"):  # of the latter the product is 0
        assert value(against((reference,), "c d"), "rouge-we-2", given(vectors)) == 0


def test_that_pairs_with_words_between_and_all_words_but_the_last_are_units_of_su4():
    # a b, a c, b c, a, b against a c, a b, c b, a, c
    assert value(against(("a b c",), "a c b"), "rouge-we-su4", given(table())) == 3 / 5
    # of the reference a b, …, a f (but not a g) and a; b to f with what follows
    six_between = value(against(("a b c d e f g",), "a g"), "rouge-we-su4", given(table()))
    assert six_between == 1 / (5 + 5 + 4 + 3 + 2 + 1 + 6)


words = st.sampled_from("abcdefgh")
texts = st.lists(words, max_size=8)
RANDOM = np.random.default_rng(11)
SEVEN = {word: RANDOM.standard_normal(3).astype(np.float32) for word in "abcdefg"}  # h has none


def units_of(metric, text):
    return paper.skip_units(text, 4) if metric[-1] == "4" else paper.ngrams(text, int(metric[-1]))


@law
@drawn(st.lists(texts, min_size=1, max_size=2), texts, st.sampled_from(METRICS))
def test_that_scores_are_those_of_the_slow_version(references, summary, metric):
    abstracts = [abstract(" ".join(one), id=f"{i}") for i, one in enumerate(references)]
    of_topic = topic(text("x", " ".join(summary)), abstracts=abstracts)
    slow = paper.best_match(
        [units_of(metric, one) for one in references],
        units_of(metric, summary),
        {word: vector.tolist() for word, vector in SEVEN.items()},
    )
    found = value(of_topic, metric, given(table(**SEVEN)))
    assert (found is None) == (slow is None)
    if slow is not None:
        assert found == pytest.approx(slow, abs=1e-6)


def test_that_nothing_matches_nothing():
    assert soft_hits([], [("a",)], {}) == 0
    assert soft_hits([("a",)], [], {}) == 0
    assert soft_hits([("a",)], [("a", "b")], SEVEN) == 0
