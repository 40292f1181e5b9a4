"""Length limits in words, characters and bytes, and text that was tokenised before."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import building
from tests.building import abstract, text
from tests.in_part import in_part, in_turn
from tests.laws import CHARACTERS, law

from awase.core.errors import InputError, Silent
from awase.core.metrics.kit.extractive import OracleEffort
from awase.core.metrics.kit.metric import LengthLimit, running_text, sentences_apart
from awase.core.metrics.kit.oracle_choices import chosen_with
from awase.core.metrics.kit.supplies import NO_SUPPLIES
from awase.core.metrics.oracles import OracleFinder, Reference, oracle_options
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.records.abstract import Limit
from awase.core.records.corpus import Corpus
from awase.core.text.script import length_of
from awase.core.text.tokenisers import blank_tokens, japanese_content_tokens, japanese_tokens

JAPANESE = "首相は国会で予算案を説明した。"
ONE_SIDE = [JAPANESE], ["It rains."]
TOKENISED = "首相 は 国会 で 予算 案 を 説明 し た 。"


def topic(summary, reference, source=("出典",), language=None, limit=None):
    own = abstract("a", texts=reference, limit=limit)
    return building.topic(
        docs=source, language=language, abstracts=[own], outputs=[text("x", *summary)]
    )


def table(summary, reference, *metrics):
    corpus = Corpus(topics=(topic(summary, reference),))
    return score_corpus(corpus, requests_of(metrics), Silent())


def values(summary, reference, metric):
    scores = table(summary, reference, metric).scores
    return [score.value for score in scores if score.topic is not None]


def refusal(summary, reference, metric):
    with pytest.raises(InputError) as error:
        table(summary, reference, metric)
    return str(error.value)


# --- characters ----------------------------------------------------------------------------------

texts = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), max_size=5)


@given(texts, st.integers(1, 30))
def test_that_a_limit_in_characters_counts_what_is_no_white_space(sentences, size):
    raw = [sentence.encode() for sentence in sentences]
    taken = running_text(raw, LengthLimit(characters=size))
    assert taken == sentences_apart(raw, LengthLimit(characters=size))
    n_characters = length_of([piece.decode() for piece in taken], "characters")
    assert n_characters == min(size, length_of(sentences, "characters"))
    assert all(one.startswith(piece) for one, piece in zip(raw, taken, strict=False))


def test_that_a_character_is_cut_with_its_marks():
    text = "か\u3099け".encode()  # が as macOS writes it
    assert running_text([text], LengthLimit(characters=1)) == ["か\u3099".encode()]
    assert length_of(["か\u3099け葛\U000e0100"], "characters") == 3


def test_that_characters_outside_the_limit_do_not_count_in_any_face_of_rouge():
    reference, summary = "犬が走った。", "犬が走った。猫は寝た。"
    assert values([summary], [reference], "rouge-1:tokens=chars")[1] < 1
    assert values([summary], [reference], "rouge-1:tokens=chars,limit=6c") == [1.0] * 3
    assert values([summary], [reference], "rouge-l:tokens=ja,limit=6c") == [1.0] * 3


def test_that_limits_exclude_each_other():
    with pytest.raises(InputError, match="exclude each other"):
        LengthLimit(words=3, characters=4)


# --- words ---------------------------------------------------------------------------------------


@in_turn("metric", ["rouge-1", "rouge-l", "rouge-su"])
@in_turn("tokens", ["unicode", "chars"])
@in_turn("sides", [ONE_SIDE, ONE_SIDE[::-1]])
def test_that_a_limit_in_words_is_refused_for_text_without_blanks(metric, tokens, sides):
    message = refusal(*sides, f"{metric}:tokens={tokens},limit=5w")
    assert message.startswith(
        f"{metric} with limit=5w counts words between blanks, and text of system “x” or its "
        "references in topic “t” has none between its words. Give the limit in characters, such "
        "as limit=400c;"
    )
    english = "Ministers met in Tokyo (東京) to talk"
    assert values([english], [english], f"{metric}:tokens={tokens},limit=5w")[0] == 1.0


ja_words = st.sampled_from(["犬が", "走った。", "東京都で", "３.5mの", "雪", "NHKは", "報じた、"])
ja_texts = st.lists(st.lists(ja_words, min_size=1, max_size=6).map("".join), min_size=1, max_size=3)


@pytest.mark.slow
@law(30, ja_texts, ja_texts, st.integers(1, 12))
def test_that_words_of_japanese_are_counted_where_they_are_the_tokens(peer, model, size):
    limited = values(peer, model, f"rouge-1:tokens=ja,limit={size}w")
    tokens_of = ([t for one in text for t in japanese_tokens(one)] for text in (peer, model))
    as_blanks = [" ".join(found[:size]) for found in tokens_of]
    assert limited == values([as_blanks[0]], [as_blanks[1]], "rouge-1:tokens=blanks")


def test_that_dropped_words_count_towards_a_limit_in_words():
    sentence = "犬が走った。"
    assert japanese_tokens(sentence) == ("犬", "が", "走っ", "た")
    assert japanese_content_tokens(sentence) == ("犬", "走っ")
    # Of three words 犬 が 走っ two have content, which is all that the reference has of it.
    recall, precision, _ = values([sentence], ["犬が"], "rouge-1:tokens=ja,stop=yes,limit=3w")
    assert (recall, precision) == (1.0, 0.5)
    # 犬 が 犬
    assert values(["犬が"] * 3, ["犬が"], "rouge-1:tokens=ja,stop=yes,limit=3w")[:2] == [1.0, 0.5]


# --- bytes ---------------------------------------------------------------------------------------


def test_that_a_limit_in_bytes_tells_that_it_cuts_a_character():
    def told(size, sentence="犬が走った。", metric="rouge-1:tokens=chars"):
        warnings = table([sentence], ["犬"], f"{metric},limit={size}b").warnings
        return [str(one) for one in warnings if "within a character" in str(one)]

    assert told(4) == [
        "limit=4b ends within a character of x or their references, and what it leaves of the "
        "character does not count (topics t). Give the limit in characters, such as limit=400c, "
        "unless bytes were the rule."
    ]
    assert told(6) == told(99) == []
    assert told(2, "It", "rouge-l:tokens=unicode")  # the reference alone
    # The reader of ROUGE-L cuts where that of the others does not.
    assert not told(6, "犬が", "rouge-l:tokens=ja")


# --- text tokenised before -----------------------------------------------------------------------

tokens = st.sampled_from("犬 が 走っ た 。 、 ＮＨＫ NHK 3.5 don't ％".split())
tokenised = st.lists(st.lists(tokens, min_size=1, max_size=9).map(" ".join), min_size=1, max_size=3)


def as_numbers(sentences, numbers):
    """Replaces tokens by numbers, as Japanese is given to the Perl program."""
    return [
        " ".join(f"{numbers.setdefault(token.casefold(), len(numbers) + 1000)}" for token in
                 sentence.split())
        for sentence in sentences
    ]  # fmt: skip


@law(50, tokenised, tokenised, st.sampled_from(["", ",limit=4w"]))
@pytest.mark.parametrize("metric", in_part(["rouge-2", "rouge-l", "rouge-w", "rouge-su"]))
def test_that_tokenised_text_scores_as_its_numbers_do_in_the_perl_program(
    metric, peer, model, limit
):
    numbers = {}
    peer_ids, model_ids = as_numbers(peer, numbers), as_numbers(model, numbers)
    expected = values(peer_ids, model_ids, f"{metric}:tokens=ascii{limit}")
    assert values(peer, model, f"{metric}:tokens=blanks{limit}") == expected


@given(st.text(CHARACTERS))
def test_that_tokens_are_what_blanks_part_folded_in_case(text):
    assert blank_tokens(text) == tuple(word.casefold() for word in text.split())


def test_that_punctuation_counts_in_tokenised_text_only():
    assert values([TOKENISED], [JAPANESE.replace("。", "")], "rouge-1:tokens=ja") == [1.0] * 3
    assert values(["た 。"], ["た ."], "rouge-1:tokens=blanks")[0] == 0.5
    (score, *_) = table([TOKENISED], [TOKENISED], "rouge-1:tokens=blanks").scores
    assert "tokens=blanks-2," in score.signature


@in_turn("sides", [ONE_SIDE, ONE_SIDE[::-1]])
@in_turn(("tokens", "told"), [("blanks", "has no blank"), ("unicode", "is in a script without")])
def test_that_text_without_blanks_is_told(sides, tokens, told):
    (warning,) = table(*sides, f"rouge-1:tokens={tokens}").warnings
    assert str(warning).startswith(f"Text of x or its references {told}")


# --- oracles -------------------------------------------------------------------------------------


def source(of_topic, **options):
    chosen = oracle_options(chosen_with({"oracle": "rouge-1", "unit": "sentence", **options}))
    return OracleFinder(chosen, NO_SUPPLIES, OracleEffort()).source_of(of_topic)


SOURCE = ("首相は国会で予算案を説明した。", "野党は反対した。", "犬が走った。")
REFERENCE = Reference(sentences=("犬が走った。野党は反対した。",))


def test_that_words_of_a_japanese_oracle_are_counted_as_its_tokens():
    found = source(topic(["犬"], ["犬"], SOURCE), limit="9w").oracle_for(REFERENCE)
    assert [unit.text for unit in found.units] == [*SOURCE[1:]]
    assert (found.length, found.limit) == (9, 9)
    shorter = source(topic(["犬"], ["犬"], SOURCE), limit="8w").oracle_for(REFERENCE)
    assert len(shorter.units) == 1
    by_characters = source(topic(["犬"], ["犬"], SOURCE), limit="14c").oracle_for(REFERENCE)
    assert Fraction(by_characters.value, by_characters.total) == 1


@pytest.mark.parametrize("tokens", ["chars", "unicode"])
def test_that_an_oracle_of_so_many_words_is_refused_where_nothing_parts_them(tokens):
    with pytest.raises(InputError, match="Topic “t” has no blanks between words, so 8 words"):
        source(topic(["犬"], ["犬"], SOURCE), limit="8w", tokens=tokens).oracle_for(REFERENCE)
    declared = Reference(sentences=REFERENCE.sentences, limit=Limit(unit="words", size=8))
    with pytest.raises(InputError, match="or tokens=blanks for text that is already tokenised"):
        source(topic(["犬"], ["犬"], SOURCE), tokens=tokens).oracle_for(declared)


def test_that_a_reference_without_limit_is_measured_in_characters_where_nothing_parts_words():
    chinese = topic(["狗"], ["狗"], ("总理说明了预算。", "狗跑了。"), language="zh")
    limit = source(chinese).limit_for(Reference(sentences=("狗跑了。",)))
    assert limit == Limit(unit="characters", size=4)
