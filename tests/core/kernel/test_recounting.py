"""Oracles counted again: by the definition, in Python, and by the kernel where it is there."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import strategies as st
from tests.kernels import needs_kernel, without_kernel
from tests.laws import law

from awase.core.kernel.binding import KernelError, kernel, passed
from awase.core.metrics.kit.extractive import (
    each_ngram,
    ngrams,
    places_of,
    problem_of,
    recount,
    recount_compiled,
)
from awase.core.text.numbered_tokens import NumberedTexts, numbered_texts, numbered_tokens
from awase.core.text.tokenisers import blank_tokens, unicode_tokens

TOKENS = st.lists(st.sampled_from("aabbcde"), max_size=9).map(tuple)
UNITS = st.lists(st.tuples(TOKENS, st.integers(0, 5)), min_size=1, max_size=8)
REFERENCES = st.lists(TOKENS, max_size=3)


@st.composite
def cases(draw: st.DrawFn):
    units, reference = draw(UNITS), draw(REFERENCES)
    places = st.lists(st.integers(0, len(units) - 1), unique=True, max_size=4)
    n, limit = draw(st.integers(1, 4)), draw(st.integers(0, 12))
    return units, reference, n, limit, draw(st.lists(places, max_size=3))


def by_python(units, reference, n, limit, sets):
    texts, lengths = [text for text, _ in units], [length for _, length in units]
    wanted = ngrams([token for sentence in reference for token in sentence], n)
    places = places_of([each_ngram(text, n) for text in texts])
    return recount(problem_of(places, lengths, wanted, limit), lengths, sets)


@law(100, cases())
def test_that_sets_of_units_are_worth_what_the_definition_says(case):
    units, reference, n, _limit, sets = case
    found = by_python(*case)
    wanted = Counter(each_ngram([token for sentence in reference for token in sentence], n))

    def value(chosen: list[int]) -> int:
        own = Counter(g for one in chosen if units[one][1] for g in each_ngram(units[one][0], n))
        return (own & wanted).total()

    assert found.total == wanted.total()
    for chosen, one in zip(sets, found.sets, strict=True):
        rests = [[other for other in chosen if other != unit] for unit in chosen]
        assert one.value == value(chosen)
        assert one.length == sum(units[unit][1] for unit in chosen)
        assert one.is_irredundant == all(value(rest) < value(chosen) for rest in rests)


@needs_kernel
@law(200, cases())
def test_that_the_kernel_counts_sets_and_greedy_choices_as_python_does(case):
    units, reference, n, limit, sets = case
    numbered = numbered_tokens([*(text for text, _ in units), *reference])
    parts = numbered.part(0, len(units)), numbered.part(len(units), len(units) + len(reference))
    lengths = [length for _, length in units]
    assert recount_compiled(*parts, n, lengths, limit, sets) == by_python(*case)
    with without_kernel():
        assert recount_compiled(*parts, n, lengths, limit, sets) is None


WORDS = st.sampled_from(
    ["a", "The", "the", "U.S.", "x1", "caf\u00e9", "\u732b", "\0", "-", "ab" * 9]
)


@law(100, st.lists(st.lists(WORDS, max_size=6).map(" ".join), max_size=5))
def test_that_equal_tokens_have_equal_numbers_however_they_are_found(texts):
    for cut in (unicode_tokens, blank_tokens):
        ways = [numbered_texts(texts, cut)]
        with without_kernel():
            ways.append(numbered_texts(texts, cut))
        for found in ways:
            parts = [found.part(place, place + 1).tokens.tolist() for place in range(len(texts))]
            assert found.lengths() == [len(cut(text)) for text in texts]
            pairs = {
                pair
                for text, part in zip(texts, parts, strict=True)
                for pair in zip(cut(text), part, strict=True)
            }
            assert len({token for token, _ in pairs}) == len(pairs)
            assert len({number for _, number in pairs}) == len(pairs)


FINE = {
    "tokens": [1, 2, 3],
    "starts": [0, 2, 3],
    "reference": [1, 2],
    "lengths": [2, 1],
    "sets": [0, 1],
    "set_starts": [0, 2],
}


@needs_kernel
@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"tokens": [1, -2, 3]},
        {"reference": [-1, 2]},
        {"starts": [0, 2, 4]},
        {"lengths": [2]},
        {"lengths": [2, -1]},
        {"sets": [0, 2]},
        {"sets": [0, -1]},
        {"set_starts": [0, 1]},
        {"set_starts": [0, 1, 2]},
        {"n": 0},
    ],
)
def test_that_sets_of_units_that_are_not_there_are_refused(changed):
    library = kernel()
    assert library is not None
    given_arrays = {name: np.array(changed.get(name, one), np.int64) for name, one in FINE.items()}
    tokens, starts, reference, lengths, *sets = [
        passed(one, "int64") for one in given_arrays.values()
    ]
    told = np.zeros(5, np.int64)

    def call() -> bool:
        n = changed.get("n", 2)
        return library.call(
            "awase_recount", tokens, starts, reference, n, lengths, 9, *sets, passed(told, "int64")
        )

    if changed:
        with pytest.raises(KernelError):
            call()
    else:
        assert call()
        assert told.tolist() == [1, 1, 1, 3, 0]


def test_that_parts_of_texts_keep_their_numbers():
    found = NumberedTexts(tokens=np.array([4, 5, 4, 6]), starts=np.array([0, 1, 3, 4]))
    assert found.part(1, 3).tokens.tolist() == [5, 4, 6]
    assert found.part(1, 3).starts.tolist() == [0, 2, 3]
    assert found.part(3, 3).starts.tolist() == [0]
