"""The tokenisers by name: words of Japanese, words as written, refusals and their remedies."""

import unicodedata
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.in_part import in_turn
from tests.laws import CHARACTERS
from tests.threads import run_all

from awase.core.errors import InputError
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic
from awase.core.text import tokenisers
from awase.core.text.script import folded, spans_of
from awase.core.text.tokenisers import (
    ascii_tokens,
    char_tokens,
    has_unspaced_script,
    japanese_tokens,
    refuse_lost_letters,
    settled,
    tokeniser_called,
    tokeniser_id,
    tokeniser_of,
    unicode_tokens,
)

NAMES = ("ascii", "unicode", "ja", "chars", "blanks")


@in_turn(
    ("text", "tokens"),
    [
        ("", ""),
        ("。、「」…　", ""),
        ("国会議員が東京都に行った。", "国会 議員 が 東京 都 に 行っ た"),
        ("ＡＢＣと㌔と２０２４年", "abc と キロ と 2024 年"),
        ("ｶﾞﾗｽ", "ガラス"),
        ("葛\U000e0100城市", "葛城 市"),
    ],
)
def test_that_japanese_is_cut_into_short_units(text, tokens):
    assert japanese_tokens(text) == tuple(tokens.split())


@pytest.mark.slow
def test_that_a_text_too_long_for_the_analyser_is_cut_by_sentence():
    sentence = "犬が走った。"
    n = 49_150 // len(sentence.encode()) + 1
    assert japanese_tokens(sentence * n) == ("犬", "が", "走っ", "た") * n
    assert "".join(japanese_tokens("あ" * 60_000)) == "あ" * 60_000


def test_that_stop_words_of_japanese_are_particles_and_auxiliary_verbs():
    content, whole = tokeniser_called("ja", stop=True), tokeniser_called("ja")
    assert content.tokens("犬が走りました。") == ("犬", "走り")
    assert content.drops_function_words
    assert whole.tokens("犬が走りました。") == ("犬", "が", "走り", "まし", "た")
    assert not whole.drops_function_words


@in_turn("name", ["ascii", "unicode", "blanks"])
def test_that_tokens_of_other_languages_are_the_same_with_and_without_stop_words(name):
    assert tokeniser_called(name, stop=True) == tokeniser_called(name)


@pytest.mark.slow
def test_that_threads_may_cut_at_the_same_time():
    text, found = "国会議員が東京都に行った。" * 500, []
    run_all(Thread(target=lambda: found.append(japanese_tokens(text))) for _ in range(4))
    assert found == [japanese_tokens(text)] * 4


@given(st.text(CHARACTERS), st.sampled_from(NAMES))
def test_that_words_as_written_fold_to_the_tokens(text, name):
    tokeniser = tokeniser_called(name)
    assert tuple(word.casefold() for word in tokeniser.words(text)) == tokeniser.tokens(text)
    assert all(tokeniser.tokens(text))


@in_turn("name", NAMES)
def test_that_a_tokeniser_answers_to_its_version(name):
    tokeniser = tokeniser_called(name)
    assert tokeniser_called(tokeniser.id) == tokeniser


def test_that_the_version_of_japanese_names_analyser_and_dictionary():
    rules, number, analyser, _, dictionary, version = tokeniser_called("ja").id.split("-")
    assert (rules, number, analyser, dictionary) == ("ja", "2", "sudachi", "core")
    assert version.isdigit()


@in_turn(
    ("text", "remedy"),
    [
        ("naïve", "Choose tokens=unicode."),
        ("犬が走った。", "Choose tokens=ja for words of Japanese, or tokens=chars"),
        ("東京都", "Choose tokens=ja if this is Japanese, else tokens=chars."),
        ("สวัสดี", "Choose tokens=chars: this script has no blanks"),
    ],
)
def test_that_a_loss_of_letters_names_the_tokeniser_that_fits_the_language(text, remedy):
    with pytest.raises(InputError) as error:
        refuse_lost_letters(["a", text], metric="m", system="s", topic="t")
    assert remedy in str(error.value)
    refuse_lost_letters(["plain – “text”"], metric="m", system="s", topic="t")


def test_that_the_dictionary_is_forgotten_only_when_it_was_not_used_since():
    tokenisers.japanese_tokens("雪")
    held = tokenisers.analyser
    tokenisers.forget_unused_analyser()
    assert tokenisers.analyser is held
    tokenisers.japanese_tokens("雪")
    tokenisers.forget_unused_analyser()
    assert tokenisers.analyser is held
    tokenisers.forget_unused_analyser()
    assert tokenisers.analyser is not held
    assert tokenisers.japanese_tokens("東京都の雪") == ("東京", "都", "の", "雪")


def test_that_auto_names_every_tokeniser_that_it_came_to_and_is_read_back():
    topics = (Topic(id="j", language="ja"), Topic(id="e", language="en"))
    came_to = settled(Corpus(topics=topics), "auto")
    assert came_to == f"{tokeniser_called('ja').id}+unicode-2"
    assert tokeniser_id(came_to) == "auto"
    assert [tokeniser_of(one, came_to) for one in topics] == came_to.split("+")
    assert settled(Corpus(topics=topics[1:]), "auto") == "unicode-2"


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
    found = char_tokens("x\u0323\u0308y z")
    assert found == (unicodedata.normalize("NFKC", "x\u0323\u0308"), "y", "z")
    assert char_tokens("\u0301a") == ("\u0301", "a")


@given(st.text(st.characters(max_codepoint=127)))
def test_that_ascii_text_has_the_tokens_of_rouge(text):
    assert unicode_tokens(text) == ascii_tokens(text)


@given(st.text(CHARACTERS))
def test_that_characters_are_those_of_the_words(text):
    assert "".join(char_tokens(text)) == "".join(unicode_tokens(text))
    assert all(char_tokens(text))


@given(st.text(CHARACTERS))
def test_that_how_a_text_was_typed_does_not_matter(text):
    for form in ("NFC", "NFD", "NFKC"):
        assert unicode_tokens(unicodedata.normalize(form, text)) == unicode_tokens(text)


def test_that_scripts_without_blanks_are_known():
    assert has_unspaced_script("The 犬")
    assert has_unspaced_script("สุนัข")
    assert not has_unspaced_script("café 한국어 русский")


@in_turn(
    ("text", "needle", "found"),
    [
        ("The Dog saw the dog.", "DOG", ["Dog", "dog"]),
        ("職業訓練を受けた。訓練は続く。", "訓練", ["訓練", "訓練"]),
        ("ＮＴＴは１０日", "ntt", ["ＮＴＴ"]),
        ("ＮＴＴは１０日", "10日", ["１０日"]),
        ("ｶﾞｲﾄﾞ付き", "ガイド", ["ｶﾞｲﾄﾞ"]),
        ("か\u3099く", "がく", ["か\u3099く"]),
        ("㈱合わせ", "(株)", ["㈱"]),
        ("Straße", "STRASSE", ["Straße"]),
        ("aaaa", "aa", ["aa", "aa"]),
        ("葛\U000e0100城市と☎\ufe0f03", "葛城", ["葛\U000e0100城"]),
        ("１０〜２０、−３", "10～20", ["１０〜２０"]),
        ("１０〜２０、−３", "－３", ["−３"]),
        ("犬", "猫", []),
        ("犬", "", []),
        ("", "犬", []),
    ],
)
def test_that_words_are_found_whatever_their_width_and_case(text, needle, found):
    spans = spans_of(text, folded(needle))
    assert [text[start:end] for start, end in spans] == found


@given(st.text(alphabet="aAｱﾞがか\u3099１①ß犬 ", max_size=12), st.text(CHARACTERS, max_size=3))
def test_that_spans_are_in_order_and_inside_the_text(text, needle):
    spans = spans_of(text, folded(needle))
    flat = [at for span in spans for at in span]
    assert flat == sorted(flat)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert bool(spans) == (bool(needle) and folded(needle) in folded(text))
