"""Old sentences found again among new ones; numbers stay with their text."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.in_part import in_turn

from awase.core.text.resplitting import ResplitOutcome, resplit

A, B, C = "犬が走った。", "猫は眠った。", "雨が降り始めた。"


def test_that_equal_sentences_keep_their_numbers_wherever_they_stand():
    found = resplit([(7, A), (2, B), (5, C)], [C, A, B])
    assert found.sentences == ((5, C), (7, A), (2, B))
    assert found.to_review() == ()


def test_that_width_and_white_space_make_no_difference():
    found = resplit(
        [(1, "ＴＳＣ－３の コーパス。"), (2, "The  dog\tran.")],
        ["TSC-3のコーパス。", "The dog ran."],
    )
    assert [n for n, _ in found.sentences] == [1, 2]
    assert found.to_review() == ()


def test_that_a_cut_sentence_keeps_its_number_in_the_first_part():
    found = resplit([(1, A + B), (2, C)], [A, B, C])
    assert found.sentences == ((1, A), (3, B), (2, C))
    assert found.found == {1: (1, 3), 2: (2,)}
    assert found.fates == {1: ResplitOutcome.CUT, 2: ResplitOutcome.SAME}


def test_that_joined_sentences_have_the_number_of_the_first():
    found = resplit([(4, A), (1, B), (2, C)], [A + B, C])
    assert found.sentences == ((4, A + B), (2, C))
    assert found.found == {4: (4,), 1: (4,), 2: (2,)}
    assert found.fates[1] is ResplitOutcome.JOINED


def test_that_a_boundary_that_moved_is_found_on_both_sides():
    found = resplit([(1, "あいうえお"), (2, "かきくけこ")], ["あいう", "えおかきくけこ"])
    assert found.found == {1: (1, 2), 2: (2,)}
    assert found.sentences[0][0] == 1


def test_that_an_edited_sentence_keeps_its_number_and_is_to_be_reviewed():
    found = resplit([(1, A), (2, C)], [A, "大雨が降り始めた。"])
    assert found.sentences == ((1, A), (2, "大雨が降り始めた。"))
    assert found.fates[2] is ResplitOutcome.EDITED
    assert found.to_review() == (2,)


def test_that_the_likest_of_two_gets_the_number():
    found = resplit([(1, "The old dog ran home.")], ["The old dog.", "The old dog ran home again."])
    assert dict(found.sentences)[1] == "The old dog ran home again."


def test_that_a_sentence_that_was_rewritten_and_cut_is_found_in_both_parts():
    old = "The dog ran home and the cat slept on the roof all day."
    found = resplit([(1, old)], ["The dog ran home", "and the cat slept on the roof"])
    assert found.found[1] == (1, 2) or found.found[1] == (2, 1)


def test_that_what_is_nowhere_is_gone_and_its_number_is_not_given_again():
    found = resplit([(1, A), (9, C)], [A, "全く別の話である。"])
    assert found.gone() == (9,)
    assert found.sentences[1][0] == 10


def test_that_sentences_that_stand_twice_are_not_confused():
    found = resplit([(1, A), (2, B), (3, A)], [A, B, A, C])
    assert found.sentences == ((1, A), (2, B), (3, A), (4, C))


@in_turn("old", [[], [(3, A)]])
@in_turn("new", [[], [B]])
def test_that_nothing_at_all_is_no_special_case(old, new):
    found = resplit(old, new)
    assert [text for _, text in found.sentences] == new
    assert all(n not in dict(old) for n, _ in found.sentences)


_texts = st.text("あいab。 ", max_size=6)


@given(
    old=st.lists(st.tuples(st.integers(1, 30), _texts), max_size=6, unique_by=lambda pair: pair[0]),
    new=st.lists(_texts, max_size=6),
)
def test_that_numbers_are_never_given_twice_nor_to_another_text(old, new):
    found = resplit(old, new)
    assert [text for _, text in found.sentences] == new
    numbers = [n for n, _ in found.sentences]
    assert len(set(numbers)) == len(numbers)
    assert set(found.found) == {n for n, _ in old} == set(found.fates)
    for n in numbers:
        holds_its_own_text = n in dict(old) and n in {m for ms in found.found.values() for m in ms}
        assert holds_its_own_text or n > max((n for n, _ in old), default=0)


@given(st.lists(st.text("あい。", min_size=1, max_size=5), min_size=1, max_size=8), st.data())
def test_that_a_new_split_of_the_same_text_loses_nothing(texts, data):
    whole = "".join(texts)
    cuts = sorted(data.draw(st.sets(st.integers(1, len(whole)), max_size=5)))
    new = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True) if a < b]
    found = resplit(list(enumerate(texts, start=1)), new)
    by_number = dict(found.sentences)
    assert found.gone() == ()
    for n, text in enumerate(texts, start=1):
        assert text in "".join(by_number[m] for m in found.found[n])


@pytest.mark.slow
def test_that_fifty_thousand_other_characters_are_compared_in_time():
    old = [(n, f"これは{n}番目の古い文であり{n * 7}と書かれている。") for n in range(1, 1700)]
    new = [f"それとは別の{n}番の新しい文には{n * 3}とある。" for n in range(1, 1700)]
    start_s = time.process_time()
    resplit(old, new)
    assert time.process_time() - start_s < 5
