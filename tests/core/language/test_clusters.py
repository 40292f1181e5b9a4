"""Clusters of words against textbook linkage, their number, ties, and looking words up."""

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import assume
from hypothesis import strategies as st
from tests.core.metrics.vector_tables import table
from tests.in_part import in_turn
from tests.laws import law
from tests.oracles.clusters import complete_linkage, unit

from awase.core.language.vector_file import looked_up, spellings_of
from awase.core.metrics.pruned_reading import Cluster, Clustering, Distance, clustered, n_clusters

points = st.tuples(*[st.integers(-9, 9)] * 3).filter(any)
vocabularies = st.dictionaries(st.text("abcdef", min_size=1, max_size=3), points, max_size=12)
ratios = st.fractions(0, 1)


def arrays(vectors):
    return {word: np.array(v, np.float32) for word, v in vectors.items()}


def groups_of(clustering, words):
    groups = {}
    for word in words:
        groups.setdefault(clustering.representative_of(word), set()).add(word)
    return {frozenset(group) for group in groups.values()}


@in_turn(
    ("ratio", "n_words", "n_left"),
    [
        ("0.95", 0, 0), ("0.95", 1, 1), ("0.95", 10, 10), ("0.95", 11, 10), ("0.95", 30, 29),
        ("0.95", 50, 48), ("0.975", 20, 20), ("0.975", 21, 20), ("0.975", 7, 7), ("0", 5, 1),
        ("1", 5, 5),
    ],
)  # fmt: skip
def test_that_a_half_is_rounded_up_and_a_word_is_always_left(ratio, n_words, n_left):
    assert n_clusters(n_words, Fraction(ratio)) == n_left


@law(30, vocabularies, ratios, st.sampled_from(Distance))
def test_that_exactly_as_many_clusters_are_left_as_asked_ties_or_not(vectors, ratio, distance):
    clustering = clustered(arrays(vectors), ratio, distance)
    n_left = n_clusters(len(vectors), ratio)
    assert clustering.n_clusters == n_left
    assert len(groups_of(clustering, vectors)) == n_left
    assert clustering.n_merges == len(vectors) - n_left
    assert {w for c in clustering.merged for w in c.words} == {*clustering.representatives}


@law(30, vocabularies, ratios, st.sampled_from(Distance))
def test_that_clusters_are_those_of_textbook_linkage(vectors, ratio, distance):
    cosine = distance is Distance.COSINE
    vectors = {word: unit(v) for word, v in vectors.items()} if cosine else vectors
    n_left = n_clusters(len(vectors), ratio)
    expected, heights = complete_linkage(vectors, n_left, cosine)
    _, all_heights = complete_linkage(vectors, 1, cosine)
    # Textbook and program may break ties in different ways.
    gaps = [b - a for a, b in pairwise(all_heights)]
    pairs = sorted(np.linalg.norm(np.subtract(*p)) for p in combinations(vectors.values(), 2))
    gaps += [b - a for a, b in pairwise(pairs)]
    assume(all(gap > 1e-4 for gap in gaps))
    clustering = clustered(arrays(vectors), ratio, distance)
    assert groups_of(clustering, vectors) == expected
    if heights:
        top = heights[-1] ** 2 / 2 if cosine else heights[-1]
        assert clustering.merged[-1].distance == pytest.approx(top, abs=1e-4)


@pytest.mark.slow
@law(30, vocabularies, ratios, st.randoms())
def test_that_the_order_of_the_words_does_not_matter(vectors, ratio, random):
    shuffled = [*vectors.items()]
    random.shuffle(shuffled)
    assert clustered(arrays(dict(shuffled)), ratio) == clustered(arrays(vectors), ratio)


def test_that_twenty_points_of_ten_pairs_become_nineteen_clusters():
    vectors = {f"{word}{twin}": (word + 1, 1) for word in range(10) for twin in "ab"}
    clustering = clustered(arrays(vectors), Fraction("0.95"), Distance.EUCLIDEAN)
    assert clustering.n_clusters == 19
    assert clustering.merged == (Cluster(("0a", "0b"), 0.0),)


def test_that_a_cluster_is_named_by_one_of_its_own_words():
    vectors = {"killed": (1, 0), "murdered": (0.9, 0.1), "man": (0, 1), "guy": (0.1, 0.9)}
    clustering = clustered(arrays(vectors), Fraction(1, 2))
    found = [clustering.representative_of(word) for word in vectors]
    assert found == ["killed", "killed", "guy", "guy"]
    assert clustering.representative_of("banana") == "banana"


def test_that_nothing_is_merged_when_nothing_is_there():
    assert clustered({}, Fraction("0.95")) == Clustering()


# --- lookup --------------------------------------------------------------------------------------


def test_that_a_word_is_looked_up_as_written_then_in_lower_case_then_by_its_lemma():
    vectors = table(US=(1, 0), us=(0, 1), run=(1, 1), The=(2, 0))
    spellings = {
        "us": spellings_of("us", ["US"]),
        "running": spellings_of("running", ["Running"], "run"),
        "the": spellings_of("the", ["THE", "The"]),
        "dog": spellings_of("dog", []),
    }
    found = {word: v.tolist() for word, v in looked_up(spellings, vectors).items()}
    assert found == {"us": [1, 0], "running": [1, 1], "the": [2, 0]}


def test_that_small_letters_come_first_of_several_spellings():
    assert spellings_of("the", ["THE", "The", "the"]) == ("the", "The", "THE")
    assert spellings_of("the", ["THE", "The"]) == ("The", "THE", "the")


def test_that_a_zero_vector_is_none():
    spellings = {"a": spellings_of("a", ["a"]), "b": ("a", "A")}
    found = looked_up(spellings, table(a=(0, 0), A=(1, 0)))
    assert [*found] == ["b"]
