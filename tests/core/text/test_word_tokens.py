"""Tokens of any script: what is taken, what parts, and that ASCII is as in ROUGE-1.5.5."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from tests.in_part import in_turn

from awase.core.text.tokenisers import (
    ascii_tokens,
    char_tokens,
    has_unspaced_script,
    unicode_tokens,
)


@in_turn(
    ("text", "tokens"),
    [
        ("", ()),
        ("— …「」_", ()),
        ("Café naïve", ("café", "naïve")),
        ("Cafe\u0301", ("café",)),
        ("ＡＢＣ１２　ｶﾞ", ("abc12", "ガ")),
        ("Straße STRASSE", ("strasse", "strasse")),
        ("हिन्दी में", ("हिन्दी", "में")),
        ("don't snake_case", ("don", "t", "snake", "case")),
        ("犬が走った。猫は寝た。", ("犬が走った", "猫は寝た")),
        ("£12.50", ("12", "50")),
        ("葛\U000e0100城市 ☎\ufe0f03", ("葛城市", "03")),
    ],
)
def test_that_words_are_runs_of_letters_marks_and_digits(text, tokens):
    assert unicode_tokens(text) == tokens


def test_that_characters_stand_alone_with_their_marks():
    assert char_tokens("犬が、３D") == ("犬", "が", "3", "d")
    assert char_tokens("x\u0323\u0308y z") == (
        unicodedata.normalize("NFKC", "x\u0323\u0308"),
        "y",
        "z",
    )
    assert char_tokens("\u0301a") == ("\u0301", "a")


@given(st.text(st.characters(max_codepoint=127)))
def test_that_ascii_text_has_the_tokens_of_rouge(text):
    assert unicode_tokens(text) == ascii_tokens(text)


@given(st.text())
def test_that_characters_are_those_of_the_words(text):
    assert "".join(char_tokens(text)) == "".join(unicode_tokens(text))
    assert all(char_tokens(text))


@given(st.text())
def test_that_how_a_text_was_typed_does_not_matter(text):
    for form in ("NFC", "NFD", "NFKC"):
        assert unicode_tokens(unicodedata.normalize(form, text)) == unicode_tokens(text)


def test_that_scripts_without_blanks_are_known():
    assert has_unspaced_script("The 犬")
    assert has_unspaced_script("สุนัข")
    assert not has_unspaced_script("café 한국어 русский")
