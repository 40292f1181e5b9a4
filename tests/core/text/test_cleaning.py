import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.in_part import in_turn

from awase.core.records.identifiers import is_storable
from awase.core.text.limits import length_of, usual_unit
from awase.core.text.script import cleaned, on_one_line


def test_that_control_characters_are_removed_and_counted():
    found = cleaned("a\x00b\x00c\x07\ufeff")
    assert found.text == "abc"
    assert found.removed == (("U+0000", 2), ("U+0007", 1), ("U+FEFF", 1))
    assert found.n_removed == 4


@in_turn("end", ["\r\n", "\r", "\v", "\f", "\x85", "\u2028", "\u2029"])
def test_that_every_line_end_becomes_the_plain_one(end):
    assert cleaned(f"a{end}b").text == "a\nb"
    assert cleaned(f"a{end}b").n_removed == 0


@in_turn("text", ["👨‍👩‍👧 é が", "שלום (עולם)", "مرحبا\u200f!", "犬\tcat\n"])
def test_that_emoji_marks_and_right_to_left_letters_stay(text):
    assert cleaned(text).text == text
    assert cleaned(text).removed == ()


def test_that_what_turns_the_direction_of_other_text_is_removed():
    assert cleaned("a\u202eb\u2066c").text == "abc"


@given(st.text(st.characters(codec=None)))
def test_that_whatever_is_pasted_can_be_stored(text):
    assert is_storable(cleaned(text).text)
    assert cleaned(cleaned(text).text).removed == ()
    assert "\n" not in on_one_line(text)


def test_that_lengths_are_counted_in_each_unit():
    sentences = ["犬が 走る。", "The dog ran."]
    assert [length_of(sentences, unit) for unit in ("characters", "words", "sentences")] == [
        15,
        5,
        2,
    ]
    assert length_of(["犬"], "bytes") == 3
    assert length_of(["  "], "sentences") == 0
    with pytest.raises(ValueError, match="no unit"):
        length_of([], "pages")


def test_that_japanese_is_measured_in_characters_and_english_in_words():
    assert usual_unit("ja") == usual_unit(None, "犬が走る。") == "characters"
    assert usual_unit("en") == usual_unit(None, "The dog ran.") == "words"
