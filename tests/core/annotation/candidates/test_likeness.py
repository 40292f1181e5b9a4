import pytest
from hypothesis import given
from hypothesis import strategies as st

from awase.core.annotation.candidates import SentenceSimilarity, keys_of

WORDS = ("boat", "oak", "tar", "湖底", "木造船", "23点", "seal")
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=6)


@given(TEXTS)
def test_that_likeness_is_0_to_1_and_near_duplicates_are_mutual_and_fewer_above_a_threshold(texts):
    likeness = SentenceSimilarity(texts)
    rows = [likeness.to_nearest([sent_idx]) for sent_idx in range(len(texts))]
    for sent_idx, row in enumerate(rows):
        assert all(0 <= value <= 1 for value in row)
        assert row == pytest.approx([other[sent_idx] for other in rows])
        for other in likeness.near_duplicates(sent_idx):
            assert other != sent_idx
            assert sent_idx in likeness.near_duplicates(other)
        few, many = (likeness.near_duplicates(sent_idx, one) for one in (0.8, 0.4))
        assert {*few} <= {*many}


def test_that_the_nearest_of_several_decides_and_a_text_without_terms_is_like_nothing():
    likeness = SentenceSimilarity(["oak, tar", "sea sky", "tar oak", "sky", ""])
    assert likeness.to_nearest([0]) == pytest.approx([1.0, 0.0, 1.0, 0.0, 0.0])
    nearest = likeness.to_nearest([0, 1])
    assert nearest[2] == pytest.approx(1.0)
    assert nearest[3] == pytest.approx(likeness.to_nearest([1])[3])
    assert likeness.to_nearest([4]) == likeness.shares_of("") == [0.0] * 5


def test_that_a_term_of_many_sentences_is_kept_once():
    """Some 80 bytes for each of thirty terms a sentence are megabytes in a corpus."""
    first, second = keys_of("年代の職業訓練"), keys_of("職業訓練、今")
    assert {id(key) for key in second if key in first} <= {id(key) for key in first}
    assert set(first) & set(second)
