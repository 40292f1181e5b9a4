import pytest
from hypothesis import given
from hypothesis import strategies as st

from awase.core.text.text_search import folded
from awase.core.text.tokens.grams import grams_needed, grams_of

LETTERS = "aB1 .訓練のｶﾞか\u3099ß①İ한글שלוםعم\u0651é\u0301😀𠮷_-\n\x00\ud800"
TEXTS = st.one_of(st.text(alphabet=LETTERS, max_size=14), st.text(max_size=14))


@given(st.lists(TEXTS, max_size=4), TEXTS)
def test_that_a_text_that_has_words_has_all_their_grams(texts, words) -> None:
    needle = folded(words.strip())
    kept = [folded(text) for text in texts]
    if any(needle in text for text in kept):
        assert grams_needed(needle) <= grams_of(kept)


@given(TEXTS, st.integers(0, 12), st.integers(1, 5))
def test_that_every_part_of_a_text_is_known_by_its_grams(text, begin, size) -> None:
    whole = folded(text)
    assert grams_needed(whole[begin : begin + size]) <= grams_of([whole])


@pytest.mark.parametrize(
    ("words", "grams"),
    [
        ("訓練", {"訓練"}),
        ("訓練校", {"訓練", "練校"}),
        ("鯨", {"鯨"}),
        ("rain", {"rai", "ain"}),
        ("km", {"km"}),
        ("NHK受信", {"nhk", "受信"}),
        ("１０日", {"10", "日"}),
        ("שלום", {"שלו", "לום"}),
        ("the 鯨", {"the", "鯨"}),
        ("。", set()),
        ("", set()),
    ],
)
def test_that_words_need_their_longest_grams(words, grams) -> None:
    assert grams_needed(folded(words)) == grams


def test_that_grams_tell_texts_apart() -> None:
    assert not grams_needed("訓練") <= grams_of(["練訓", "訓。練"])
    assert not grams_needed("rain") <= grams_of(["ra in", "air"])
