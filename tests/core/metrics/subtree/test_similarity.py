"""Similarity of subtrees: the worked example, the slow version, and the laws of the measure."""

import numpy as np
import pytest
from hypothesis import strategies as st
from tests.core.language.strategies import heads
from tests.core.language.trees import tree
from tests.laws import law
from tests.oracles import subtree as oracle

from awase.core.metrics.subtree_similarity import (
    EMPTY,
    NO_PARTNER,
    ForestOptions,
    HeadKey,
    SubtreeVector,
    forest_of,
    joined,
    pair_score,
    partners,
)

VECTORS = {"cats": (1, 0), "chased": (0, 1), "mice": (1, 1), "small": (1, -1)}
X = tree("cats 2 nsubj", "chased 0 root", "mice 2 obj")
Y = tree("cats 2 nsubj", "chased 0 root", "small 4 amod", "mice 2 obj")


def forest(sentence, **options):
    vectors = np.array([VECTORS[word.form.lower()] for word in sentence.words], float)
    return forest_of(sentence, vectors, ForestOptions(**options))


def test_that_the_worked_example_has_the_scores_of_its_hand():
    score = pair_score(forest(X), forest(Y))
    assert [round(value, 4) for value in (score.precision, score.recall, score.f)] == [
        0.8222, 0.6167, 0.7048
    ]  # fmt: skip
    counts = [(one.length, one.n_system, one.n_reference) for one in score.lengths]
    assert counts == [(1, 3, 4), (2, 2, 2), (3, 1, 1), (4, 0, 1)]
    table = [(one.precision, one.recall, one.f) for one in score.lengths]
    assert np.round(table, 4).tolist() == [
        [1.0, 0.75, 0.8571], [0.9743, 0.5, 0.6609], [0.9487, 0.9487, 0.9487], [0, 0, 0]
    ]  # fmt: skip


def test_that_partners_are_the_most_similar_subtrees_of_their_length_and_head():
    x, y = forest(X), forest(Y)
    of_x, of_y = partners(x, y)

    def linked(one, other, found):
        return {
            one.subtrees[idx].subtree.words: other.subtrees[partner].subtree.words
            for idx, partner in enumerate(found.partner)
            if partner != NO_PARTNER
        }

    assert linked(x, y, of_x) == {
        (0,): (0,), (1,): (1,), (2,): (3,), (0, 1): (0, 1), (1, 2): (0, 1), (0, 1, 2): (1, 2, 3)
    }  # fmt: skip
    assert linked(y, x, of_y) == {
        (0,): (0,), (1,): (1,), (3,): (2,), (0, 1): (0, 1), (1, 2, 3): (0, 1, 2)
    }  # fmt: skip
    assert of_x.similarity == pytest.approx([1, 1, 1, 1, 0.9487, 0.9487], abs=1e-4)


def test_that_heads_are_compared_by_form_lemma_or_lemma_and_part_of_speech():
    one = tree("Saw/see/VERB 0 root")
    other = tree("saw/saw/NOUN 0 root")
    third = tree("sees/see/NOUN 0 root")
    vectors = np.ones((1, 2))

    def f(left, right, key):
        options = ForestOptions(key=key)
        return pair_score(*(forest_of(text, vectors, options) for text in (left, right))).f

    assert [f(one, other, key) for key in HeadKey] == pytest.approx([1, 0, 0])
    assert [f(one, third, key) for key in HeadKey] == pytest.approx([0, 1, 0])


def test_that_a_word_without_lemma_is_known_by_its_form():
    sentence = tree("Dogs//NOUN 0 root")
    bare = forest_of(sentence, np.ones((1, 2)), ForestOptions(key=HeadKey.LEMMA))
    assert bare.keys == ("dogs",)


def test_that_punctuation_is_taken_off_where_nothing_else_is_below_it():
    sentence = tree(
        "Yes//INTJ 4 x", ",//PUNCT 1 punct", '"//PUNCT 2 punct', "go//VERB 0 root",
        "-//PUNCT 4 punct", "now//ADV 5 advmod",
    )  # fmt: skip
    kept = forest_of(sentence, np.ones((6, 2)), ForestOptions(drops_punctuation=True))
    assert [placed.subtree.words for placed in kept.subtrees] == [
        (0,), (3,), (4,), (5,), (0, 3), (4, 5), (3, 4, 5), (0, 3, 4, 5)
    ]  # fmt: skip
    mark = forest_of(
        tree("!//PUNCT 0 root"), np.ones((1, 2)), ForestOptions(drops_punctuation=True)
    )
    assert mark.subtrees == ()
    assert pair_score(joined([mark]), EMPTY) is None


def test_that_opposite_vectors_score_as_unlike_heads_and_zero_vectors_score_nothing():
    word = tree("a 0 root")
    plus, minus, zero = (forest_of(word, np.array([[v, 0.0]])) for v in (1, -1, 0))
    assert pair_score(plus, minus).f == 0
    assert pair_score(plus, zero).f == 0
    assert pair_score(zero, zero).f == 0


def test_that_vectors_of_another_number_of_words_are_a_defect():
    with pytest.raises(ValueError, match="3 words, vectors of the shape"):
        forest_of(X, np.ones((4, 2)))


@st.composite
def texts(draw):
    """A text as the oracle has it, of up to three sentences."""
    return [
        (
            (found := draw(heads(draw(st.integers(1, 6))))),
            draw(st.lists(st.sampled_from("abA"), min_size=len(found), max_size=len(found))),
            draw(
                st.lists(
                    st.tuples(*[st.integers(-2, 3)] * 2), min_size=len(found), max_size=len(found)
                )
            ),
        )
        for _ in range(draw(st.integers(0, 3)))
    ]


def as_forest(text, **options):
    return joined(
        forest_of(
            tree(
                *(
                    f"{key} {head} {'dep' if head else 'root'}"
                    for key, head in zip(keys, found, strict=True)
                )
            ),
            np.array(vectors, float),
            ForestOptions(**options),
        )
        for found, keys, vectors in text
    )


def lowered(text):
    return [(found, [key.lower() for key in keys], vectors) for found, keys, vectors in text]


def values(score):
    return None if score is None else (score.precision, score.recall, score.f)


@law(12, texts(), texts(), st.booleans(), st.booleans(), st.sampled_from(SubtreeVector))
def test_that_the_scores_are_those_of_the_slow_version(x, y, head_filter, distinct, vector):
    made = {"distinct": distinct, "vector": vector}
    found = values(pair_score(as_forest(x, **made), as_forest(y, **made), by_head=head_filter))
    truth = oracle.scores(
        lowered(x),
        lowered(y),
        head_filter=head_filter,
        distinct=distinct,
        head_vectors=vector is SubtreeVector.HEAD,
    )
    assert (found is None) == (truth is None)
    assert found is None or found == pytest.approx(truth, abs=1e-9)


@law(12, texts(), texts())
def test_that_f_is_twice_the_sum_of_f_by_length_over_the_lengths_of_both(x, y):
    score = pair_score(as_forest(x), as_forest(y))
    if score is not None:
        n_lengths = sum((one.n_system > 0) + (one.n_reference > 0) for one in score.lengths)
        assert score.f == pytest.approx(2 * sum(one.f for one in score.lengths) / n_lengths)
