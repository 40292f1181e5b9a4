"""The formulas of pruned ROUGE and BE: the formulas on paper, and laws."""

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


def test_that_without_a_unit_in_the_references_there_is_no_recall():
    assert recall([], [("man", "the", "det")], by_type=True) is None
    assert recall([[], []], [("man", "the", "det")], by_type=False) is None
