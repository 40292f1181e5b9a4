"""The formulas of pruned ROUGE and BE: the formulas on paper, and laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import pruned as paper

from awase.core.metrics.pruned_reading import recall, replaced


def test_that_relations_are_never_replaced():
    units = [("det", "det", "det")]
    assert replaced(units, 2, lambda _: "x") == [("x", "x", "det")]


words = st.sampled_from("abcdef")
texts = st.lists(st.tuples(words, words, st.sampled_from("rs")), max_size=8)
groups = st.lists(st.sampled_from(["ab", "cd", "ef", "ad"]), max_size=2, unique=True).filter(
    lambda chosen: len({*"".join(chosen)}) == len("".join(chosen))
)


@pytest.mark.slow
@given(st.lists(texts, max_size=3), texts, groups)
def test_that_the_formulas_are_those_on_paper(references, summary, clusters):
    of = {word: group[0] for group in clusters for word in group}
    for merged in ([], clusters):
        ours = [
            replaced(text, 2, lambda word: of.get(word, word) if merged else word)  # noqa: B023
            for text in (*references, summary)
        ]
        theirs = [paper.renamed(text, 2, merged) for text in (*references, summary)]
        for by_type, formula in ((False, paper.equation_1), (True, paper.equation_2)):
            value = recall(ours[:-1], ours[-1], by_type=by_type)
            expected = formula(theirs[:-1], theirs[-1])
            assert (value is None) == (expected is None)
            if value is not None:
                assert float(value) == expected


@pytest.mark.slow
@given(st.lists(texts, min_size=1, max_size=3).filter(any), texts, st.booleans())
def test_that_recall_is_0_to_1_and_grows_with_the_summary(references, summary, by_type):
    value = recall(references, summary, by_type=by_type)
    everything = [unit for text in references for unit in text]
    assert 0 <= value <= recall(references, summary + everything, by_type=by_type) == 1
    assert recall(references, [], by_type=by_type) == 0
    assert recall(references, [("z", "z", "z")], by_type=by_type) == 0


@given(texts.filter(bool), texts)
def test_that_two_equal_references_score_as_one(reference, summary):
    for by_type in (False, True):
        assert recall([reference] * 2, summary, by_type=by_type) == recall(
            [reference], summary, by_type=by_type
        )


def test_that_without_a_unit_in_the_references_there_is_no_recall():
    assert recall([], [("man", "the", "det")], by_type=True) is None
    assert recall([[], []], [("man", "the", "det")], by_type=False) is None
