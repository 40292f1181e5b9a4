"""The compiled kernel counts what numpy counts, in every cell and under all options.

Nothing here runs where it was not built: `python tools/build_kernel.py` builds it where cargo is.
"""

import ctypes
import os
import subprocess
import sys
from random import Random

import numpy as np
import pytest
from hypothesis import strategies as st
from tests.in_part import in_part, in_turn
from tests.kernels import needs_kernel, without_kernel
from tests.laws import law

from awase.core.kernel.binding import (
    OFF,
    SWITCH,
    KernelError,
    RawTexts,
    description,
    kernel,
    passed,
)
from awase.core.metrics.kit.metric import NO_LIMIT, LengthLimit
from awase.core.metrics.rouge.comparison import Counts, RougeComparison
from awase.core.metrics.rouge.measures import Measures, count
from awase.core.metrics.rouge.tokens import Preparation, WordLists
from awase.core.text.numbered_tokens import token_kinds
from awase.core.text.rouge_stemmer import porter_variant
from awase.core.text.tokenisers import (
    SENTENCE_END,
    closed_by_zeros,
    japanese_tokens,
    unicode_tokens,
)

pytestmark = needs_kernel

WORDS = (
    "a a a b b c the of running yelling agreement x1 e-f U.S. relational abcdefghijklmnop"
    " abcdefgh abcdefghi men geese caf\u00e9 \u732b\u304c\u5bdd\u308b \0".split(" ")
)


def long_sentence(seed: int) -> str:
    """Over 64 words, so that one machine word does not hold them; quicker than drawn by word."""
    chance = Random(seed)
    return " ".join(chance.choices(chance.choice([WORDS, "abc"]), k=chance.choice([66, 150])))


SENTENCES = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join) | st.integers(0).map(
    long_sentence
)
SUMMARIES = st.lists(SENTENCES, max_size=3)
COMPARISONS = st.builds(
    RougeComparison,
    peers=st.lists(SUMMARIES, max_size=3),
    models=st.lists(SUMMARIES, min_size=1, max_size=3),
)
MEASURES = st.builds(
    Measures,
    longest_ngram=st.integers(0, 6),
    lcs=st.booleans(),
    weight=st.none() | st.sampled_from([0.7, 1.0, 1.2, 2.0]),
    skip=st.booleans(),
    gap=st.none() | st.integers(0, 6),
)


def blank_tokens(text: str) -> tuple[str, ...]:
    return (*text.replace("\0", " ").split(), "")


LIMITS = (
    st.just(NO_LIMIT)
    | st.builds(LengthLimit, words=st.integers(1, 80))
    | st.builds(LengthLimit, bytes=st.integers(1, 300))
    | st.builds(LengthLimit, characters=st.integers(1, 300))
)
LISTS = WordLists(
    stop_words=frozenset({"a", "of"}),
    exceptions={"running": "ran", "men": "man", "geese": "", "yelling": "caf\u00e9"},
)
PREPARATIONS = st.builds(
    Preparation,
    stem=st.booleans(),
    drops_stop_words=st.booleans(),
    limit=LIMITS,
    tokeniser=st.none() | st.sampled_from([unicode_tokens, blank_tokens, japanese_tokens]),
    lists=st.none() | st.just(LISTS),
)


def cells(counts: Counts) -> list[object]:
    arrays = (counts.hits, counts.models, counts.peers, counts.selection)
    return [counts.root, *((array.shape, array.tobytes()) for array in arrays)]


@pytest.mark.filterwarnings("ignore::awase.core.metrics.rouge.tokens.LostLettersWarning")
@law(150, st.lists(COMPARISONS, min_size=1, max_size=3), MEASURES, PREPARATIONS)
def test_that_every_cell_is_that_of_numpy(comparisons, measures, preparation):
    compiled = count(comparisons, measures, preparation)
    with without_kernel():
        plain = count(comparisons, measures, preparation)
    assert [[*one] for one in compiled] == [[*one] for one in plain]
    for ours, theirs in zip(compiled, plain, strict=True):
        for label, counts in ours.items():
            assert cells(counts) == cells(theirs[label]), label


@pytest.mark.slow
@pytest.mark.parametrize("gap", in_part([0, 4, None], first=2))
def test_that_pairs_of_few_and_of_many_different_words_are_those_of_numpy(gap):
    def summary(n_words: int, shift: int) -> str:
        return " ".join(f"w{place * 7 % (n_words + shift)}" for place in range(n_words + shift))

    # A reference of so many different words is counted otherwise; the next one finds all forgotten.
    comparisons = [
        RougeComparison(
            peers=[summary(n, s) for s in (0, 3, 5)], models=[summary(n, s) for s in (0, 2)]
        )
        for n in (9, 1_015, 1_025, 30, 1_400, 8)
    ]
    compiled = count(comparisons, Measures(skip=True, gap=gap))
    with without_kernel():
        plain = count(comparisons, Measures(skip=True, gap=gap))
    for ours, theirs in zip(compiled, plain, strict=True):
        assert {label: cells(one) for label, one in ours.items()} == {
            label: cells(one) for label, one in theirs.items()
        }
        assert all(counts.hits.any() for counts in ours.values())


PIECES = (
    "s es sses ies y eed ed ing at bl iz ational tional enci anci izer bli alli entli eli ousli"
    " ization ation ator alism iveness fulness ousness aliti iviti biliti logi icate ative alize"
    " iciti ical ful ness al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive"
    " ize sion tion e ll"
).split()
BASES = "a ba fa hi fiz fizz his hiss fal fall hop hopp rub yel sky tr tray y by cow fox".split()


@pytest.mark.parametrize(
    "bases", in_part([BASES, [f"{base}{a}" for base in ("tri", "hopp") for a in PIECES]])
)
def test_that_every_ending_is_taken_off_as_by_the_patterns(bases):
    words = [base + piece for base in bases[::3] for piece in PIECES]
    each = [[word] for word in words]
    preparation = Preparation(stem=True, lists=WordLists(stop_words=frozenset(), exceptions={}))
    (counted,) = count(
        [RougeComparison(peers=each, models=each)], Measures(longest_ngram=1), preparation
    )
    stems = np.array([porter_variant(word) if len(word) > 3 else word for word in words])
    assert np.array_equal(counted["ROUGE-1"].hits, stems[:, None] == stems)


@pytest.mark.slow
@law(200, st.lists(st.binary(max_size=40) | st.text("abcdefgh \0", max_size=40).map(str.encode)))
def test_that_tokens_are_those_of_numpy(sentences):
    closed = closed_by_zeros(sentences)
    found = token_kinds(closed)
    with without_kernel():
        plain = token_kinds(closed)
    tokens, plain_tokens = found.tokens(), plain.tokens()
    assert [tokens[kind] for kind in found.kind_of] == [plain_tokens[k] for k in plain.kind_of]
    assert len({*tokens}) == len(tokens)
    if sentences:
        assert tokens[found.end] == plain_tokens[plain.end] == SENTENCE_END


@pytest.mark.slow
def test_that_text_too_large_for_its_tables_is_counted_without_it():
    peer = ["w1 w2"]
    for n_words, measures in ((6_000, Measures(skip=True)), (70_000, Measures(lcs=True))):
        words = " ".join(f"w{n}" for n in range(n_words))
        (counted,) = count([RougeComparison(peers=[peer], models=[words])], measures)
        assert {one.hits.item() for one in counted.values()} <= {1, 2}


def texts(**changed: list[int]) -> tuple[object, list[object]]:
    """Two comparisons of one text each, one sentence a text, of two tokens each."""
    levels = {
        "ids": [1, 2, 3, 4],
        "sentence_starts": [0, 2, 4],
        "text_starts": [0, 1, 2],
        "starts": [0, 1, 2],
    }
    kept = [np.array(values, np.int64) for values in (levels | changed).values()]
    return ctypes.byref(RawTexts(*(passed(one, "int64") for one in kept))), kept


@in_turn(
    "changed",
    [
        {"sentence_starts": [0, 2, 5]},
        {"sentence_starts": [0, 9, 4]},
        {"sentence_starts": [1, 2, 4]},
        {"sentence_starts": []},
        {"text_starts": [0, -1, 2]},
        {"starts": [0, 1, 2**62]},
        {"starts": [0]},
        {"ids": []},
        {"ids": [1, 2, 3, 2**40]},
    ],
)
def test_that_offsets_that_lead_out_of_an_array_are_refused(changed):
    library = kernel()
    assert library is not None
    ids, hits = np.array([0, 2, 4], np.int64), np.zeros((1, 2, 1))
    (fine, fine_kept), (broken, broken_kept) = texts(), texts(**changed)
    rest = (passed(ids, "int64"), 1, 1, passed(hits, "float64"))
    assert library.call("awase_ngrams", fine, fine, *rest)
    assert hits.ravel().tolist() == [2, 2]
    with pytest.raises(KernelError, match=SWITCH):
        library.call("awase_ngrams", broken, fine, *rest)
    with pytest.raises(KernelError):
        library.call("awase_ngrams", fine, broken, *rest)
    assert fine_kept
    assert broken_kept


NUMBERED = {
    "kinds": [1, 2, 0, 2, 3, 0],
    "words": [0, 1, 2, -1],
    "text_starts": [0, 1, 2],
    "model_starts": [0, 1],
    "peer_starts": [1, 2],
}


@in_turn(
    "changed",
    [
        {"kinds": [1, 2, 0, 2, 4, 0]},
        {"kinds": [1, 2, 0, 2, -1, 0]},
        {"kinds": [1, 2, 0, 2, 3]},
        {"kinds": [0, 0, 0]},
        {"text_starts": [0, 1, 3]},
        {"text_starts": [0, 2]},
        {"model_starts": [0, 2]},
        {"model_starts": [0]},
        {"model_starts": [0, 2**62]},
        {"peer_starts": [1, 3]},
        {"peer_starts": [2, 1]},
    ],
)
def test_that_tokens_without_their_sentences_and_texts_are_refused(changed):
    library = kernel()
    assert library is not None
    given_arrays = [np.array(v, np.int64) for v in (NUMBERED | changed).values()]
    found = [np.zeros(n, np.int64) for n in (len(given_arrays[0]), 3, 2)]
    passed_arrays = [passed(one, "int64") for one in (*given_arrays, *found)]
    with pytest.raises(KernelError):
        library.call("awase_numbers", *passed_arrays)


def test_that_tokens_are_numbered_as_their_references_have_them():
    library = kernel()
    assert library is not None
    arrays = [np.array(values, np.int64) for values in NUMBERED.values()]
    ids, sentence_starts, id_starts = (np.zeros(n, np.int64) for n in (6, 3, 2))
    arrays += [ids, sentence_starts, id_starts]
    assert library.call("awase_numbers", *(passed(one, "int64") for one in arrays))
    assert ids[:3].tolist() == [1, 2, 2]
    assert (sentence_starts.tolist(), id_starts.tolist()) == ([0, 2, 3], [0, 2])


WORDS_OF = {
    "text": b"the men ran",
    "spans": [0, 3, 4, 7, 8, 11],
    "irregular": b"menman",
    "irregular_starts": [0, 3, 6],
    "dropped": b"the",
    "dropped_starts": [0, 3],
}


def words_of(shortest: int, n_words: int = 3, **changed: bytes | list[int]) -> list[int]:
    library = kernel()
    assert library is not None
    kept = [
        (np.frombuffer(one, np.uint8), "uint8")
        if isinstance(one, bytes)
        else (np.array(one, np.int64), "int64")
        for one in (WORDS_OF | changed).values()
    ]
    words = np.zeros(n_words, np.int64)
    library.call("awase_words", *(passed(*one) for one in kept), shortest, passed(words, "int64"))
    return words.tolist()


def test_that_stop_words_are_dropped_and_irregular_forms_exchanged():
    assert words_of(3) == [-1, 1, 2]
    assert words_of(3, text=b"the men man", spans=[0, 3, 4, 7, 8, 11]) == [-1, 1, 1]
    assert words_of(4, text=b"the men man", spans=[0, 3, 4, 7, 8, 11]) == [-1, 1, 2]
    assert words_of(3, irregular=b"men", irregular_starts=[0, 3, 3]) == [-1, -1, 1]


@in_turn(
    "changed",
    [
        {"spans": [0, 3, 4, 7, 8, 12]},
        {"spans": [0, 3, 7, 4, 8, 11]},
        {"spans": [-1, 3, 4, 7, 8, 11]},
        {"spans": [0, 3]},
        {"irregular_starts": [0, 3, 7]},
        {"irregular_starts": [0, 6]},
        {"dropped_starts": []},
    ],
)
def test_that_words_outside_of_their_text_are_refused(changed):
    with pytest.raises(KernelError):
        words_of(3, **changed)


def test_that_a_result_of_another_size_and_numbers_of_another_kind_are_refused():
    library = kernel()
    assert library is not None
    ids, hits, kept = np.array([0, 2, 4], np.int64), np.zeros(1), texts()
    with pytest.raises(KernelError):
        library.call(
            "awase_ngrams", kept[0], kept[0], passed(ids, "int64"), 1, 1, passed(hits, "float64")
        )
    with pytest.raises(ValueError, match="int32"):
        passed(np.zeros(3, np.int32), "int64")
    with pytest.raises(ValueError, match="gaps"):
        passed(np.zeros((4, 4))[:, ::2], "float64")


@pytest.mark.slow
def test_that_a_setting_switches_it_off():
    assert description() == "compiled kernel"
    with without_kernel():
        assert description() == "numpy"
    program = "from awase.core.kernel.binding import description; print(description())"
    environment = {**os.environ, SWITCH: OFF, "PYTHONPATH": os.pathsep.join(sys.path)}
    told = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert told.stdout.strip() == "numpy"
