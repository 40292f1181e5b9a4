import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.in_part import in_turn

from awase.core.errors import InputError
from awase.core.text.resplitting import resplit
from awase.core.text.script import detect_language
from awase.core.text.sentences import LONGEST, SPLITTER_IDS, split_sentences, split_text


def split(text, language=None):
    return [sentence.text for sentence in split_sentences(text, language)]


MARKED = {
    "japanese marks end sentences": [
        "雨が降った。|風も吹いた！|本当か？|そうだ。",
        "すごい！！|信じられない！？|そうか。",
        "何…。|そう……。|はい",
        "彼は行った．|次は図１を見る．|終わり",
        "これは結果である.\n|次に考察を述べる.",
    ],
    "a mark in brackets does not split": [
        "彼は「行く。必ず行く。」と言った。|次に進む。",
        "「彼は『だめだ。』と言った。だから帰る。」と話した。|以上。",
        "大統領（当時。現在は顧問。）が来た。|帰った。",
        "売上高（注を参照。）は増えた。|利益は減った。",
        "「困る！」と言う人も「いいね？」と聞く人もいた。|以上。",
        "「行くのか。」が口癖だ。|本当だ。",
    ],
    "closing brackets stay with their sentence": [
        "そう言った。」|次の文。",
        "終わった。）|次の文。",
        "本当か？』|次の文。",
        "「行きます。」|「待って。」|「はい。」",
        "「行きます。」　|彼は立った。",
    ],
    "an unbalanced bracket swallows nothing": [
        "開いた「括弧。|閉じない。|次の文。",
        "閉じた」括弧。|次の文。",
        "（１「あ。|い。|う。",
        "『あ「い。う」え。|お。",
        "「あ（い。」と言う。|次。",
        "「開いた。|次の文。\n\n|別の段落。」",
    ],
    "marks within numbers and names do not split": [
        "割合は３．５％で、前年は2.8％だった。|次。",
        "Yahoo！ニュースを見た。|次。",
        "検索先はhttps://example.jp/?id=1である。|次。",
        "１．はじめに述べる。|次。",
        "Ｊ．スミス氏は語った。|次。",
    ],
    "headings and items are sentences of their own": [
        "事件の経緯\n|◇発端\n|・朝、煙が見えた\n|・消防車が来た\n|１．原因の調査\n|昼には鎮火した。"
    ],
    "english is split at stops only": [
        "The dog ran. |It stopped! |Did it? |Yes.",
        "Mr. Smith met Dr. Jones and Gen. Lee. |They talked.",
        "He moved to the U.S. in 1998. |She stayed.",
        "He lives in the U.S. |The house is big.",
        "The U.S. Army left. |Troops stayed.",
        "It costs $3.50, up 2.5 percent. |Sales rose.",
        "See No. 5 and Fig. 3. |He said no. |She agreed.",
        "On Jan. 5 at 5 p.m. Monday he left. |Nobody saw it.",
        "Some fruit, e.g. apples, i.e. Fuji, sell well. |Others do not.",
        "J. K. Rowling and John F. Kennedy met. |It was fiction.",
        "She has a Ph.D. in physics. |He has none.",
        "Apple Inc. Chief Tim Cook spoke. |Shares of Acme Corp. fell. |It closed.",
        "He works for Acme Inc. |The firm is large.",
        '"Why?" he asked. |"Go!" |She left.',
        "He said: “I go.” |Then he went.",
        "She wrote “Mr.” |Then she went.",
        "They shouted Mr! |Jones came.",
        "It fell (see Sec. 2. It is long.) and broke. |The end.",
        "It broke. |(It was old. It was bad.) |Then it was gone.",
        "Wait... what was that? |Well... |Nothing.",
        "Yes. . . . |Then no.",
        "Was it 1998? |1999 was worse.",
        "iPhone sales fell. |iPhones are old.",
        "Yahoo! is a firm. |It is old.",
        "1. The first item. |2. The second item.",
        "smith et al. showed it. |It holds.",
    ],
    "tokenised english is split at loose stops": [
        "robin told cnn that `` no videos were used . '' |he added more . |it ended .",
        "lt. col. menichini spoke . |then he left .",
        "( cnn ) two heroes survived . |they struggle .",
        "is it true ? |`` yes ! '' |he said so .",
    ],
    "english without any capital is split": [
        "all is lower here. |no capitals. |the end.",
        "wait... and go. |it goes on.",
    ],
    "marks of other scripts end sentences between blanks": [
        "هل نزل المطر؟ |نعم. |لماذا؟! |لا أدري",
        "کیا بارش ہوئی؟ |ہاں۔ |«کیوں؟» |معلوم نہیں۔",
        "बारिश हुई। |हवा चली।। |क्यों? |क्या॥",
        "هو (من؟ لا أدري) جاء. |ثم ذهب",
    ],
    "newspapers write more than full stops": [
        "雨だ｡|風だ｡",
        "彼は｢行く。そう。｣と言った。|次だ。",
        "なぜ？と問う。|彼は答えた。",
        "本当か？|とにかく行こう。",
        "彼は黙った……　|次の日、雨が降った。",
        "夢だった――\n|朝が来た。",
        "その……雨が降った。|以上。",
        "終わった。【山田太郎】",
        "終わった。（関連記事３面）\n|次の文。",
        "終わった。|（１）最初に行く。|（２）次に行く。",
    ],
}
"""Texts with `|` at the boundaries, by what they show."""


@pytest.mark.parametrize("texts", MARKED.values(), ids=MARKED)
def test_that_sentences_end_where_it_is_marked(texts):
    for marked in texts:
        assert split(marked.replace("|", "")) == [part.strip() for part in marked.split("|")]


def test_that_brackets_too_far_apart_do_not_belong_together():
    assert len(split("「" + "長い文である。" * 80 + "」終わり。")) > LONGEST // 7
    assert len(split("「" + "長い文である。" * 20 + "」と言った。")) == 1


WRAPPED = [
    ("東嶺大学と町の教育委員会は二十一日、湖の底\nで古代の木造船を見つけたと発表した。|全長は\n"
     "約十一メートルと推定される。", ""),
    ("朝から雨が降っていたので、\n出かけなかった。", ""),  # a comma joins whatever the width
    ("日本語の文。|次の文。\n\n|Mr. Smith left. |He ran.", " "),  # by English rules
    ("A Title of a Few Words\n|The first sentence of this text is wrapped at some column and\n"
     "goes on here. |The second one contains a word that is hyphen-\nated.", " "),
    ("ذهب إلى السوق\u060c\nثم عاد\u061b\nلماذا\u061f\n|لا أدري", " "),
]  # fmt: skip
"""Wrapped lines with `|` at the boundaries, and what joins lines."""


@in_turn(("marked", "blank"), WRAPPED)
def test_that_wrapped_lines_are_joined_by_a_blank_where_their_script_sets_it(marked, blank):
    joined = marked.replace("-\n", "-").replace("\n", blank)
    assert split(marked.replace("|", "")) == [part.strip() for part in joined.split("|")]


def test_that_paragraphs_begin_after_blank_lines_and_at_indents():
    text = "　一段落目。まだ一段落目。\n　二段落目。\n\n三段落目。\n続き。\n"
    assert [(part.paragraph, part.text) for part in split_sentences(text)] == [
        (1, "一段落目。"),
        (1, "まだ一段落目。"),
        (2, "二段落目。"),
        (3, "三段落目。"),
        (3, "続き。"),
    ]


def test_that_indented_lines_that_follow_each_other_are_one_paragraph():
    text = "The heading\n    It is a quotation that\n    goes on. It ends\nThe rest."
    found = [(part.paragraph, part.text) for part in split_sentences(text, language="en")]
    assert found[:2] == [(1, "The heading"), (2, "It is a quotation that goes on.")]


@in_turn(
    ("text", "language"),
    [
        ("これは日本語です。", "ja"),
        ("TSC-3 のコーパスは NTCIR で作られた", "ja"),
        ("要約", "ja"),
        ("This is English with 東京 in it.", "en"),
        ("", "en"),
        ("123", "en"),
    ],
)
def test_that_the_language_is_told_by_the_share_of_japanese_letters(text, language):
    assert detect_language(text) == language


def test_that_a_language_without_rules_is_a_defect_of_the_caller():
    with pytest.raises(ValueError, match="fr"):
        split_sentences("Bonjour.", "fr")


def test_that_the_rules_have_a_version():
    assert SPLITTER_IDS == {"ja": "ja-2", "en": "en-2"}


_PIECES = st.sampled_from(
    [
        *"。！？．.!?\u061f\u0964「」『』（）()…‥、,・ 　\n\t\u2028\x0cあ漢Aa1'\"”’-",
        "Mr.",
        "U.S.",
        "\n\n",
        "１．",
    ]
)


@given(st.lists(_PIECES, max_size=30).map("".join), st.sampled_from([None, "ja", "en"]))
def test_that_nothing_but_white_space_is_lost(text, language):
    sentences = split_sentences(text, language)
    joined = "".join(sentence.text for sentence in sentences)
    assert "".join(joined.split()) == "".join(text.split())
    assert all("\n" not in sentence.text and sentence.text for sentence in sentences)
    paragraphs = [sentence.paragraph for sentence in sentences]
    assert paragraphs == sorted(paragraphs)


@given(st.lists(_PIECES, max_size=20).map("".join), st.sampled_from(["ja", "en"]))
def test_that_a_found_sentence_lies_at_its_offsets(text, language):
    last = 0
    for sentence in split_sentences(text, language):
        assert last <= sentence.start < sentence.end <= len(text)
        found = "".join(text[sentence.start : sentence.end].split())
        assert found == "".join(sentence.text.split())
        last = sentence.end


@in_turn(("text", "way", "expected"), [
    ("a b\nc d", None, (("a b", "c d"), "lines")),
    ("A b. C d.", None, (("A b.", "C d."), "en-2")),
    ("雨だ。風だ。", None, (("雨だ。", "風だ。"), "ja-2")),
    (["a b", " ", "c"], None, (("a b", "c"), "given")),
    ("<t> a b </t> <t> c </t>", None, (("a b", "c"), "given")),
    ("a b\nc d", "one", (("a b c d",), "one")),
    ("雨。\n風。", "one", (("雨。風。",), "one")),
    (["A b. C", "D e."], "lines", (("A b. C", "D e."), "lines")),
    ("", None, ((), "en-2")),
])  # fmt: skip
def test_that_a_text_becomes_sentences_in_the_same_way_at_every_door(text, way, expected):
    assert split_text(text, way) == expected


@in_turn(("way", "message"), [
    ("line", "It is called one now"), ("split", "It is called en-2 or ja-2 now"),
    ("ja-1", "Use one of given, lines, one, ja-2, en-2"), ("given", "is not in sentences"),
])  # fmt: skip
def test_that_ways_that_do_not_exist_are_refused(way, message):
    with pytest.raises(InputError, match=message):
        split_text("A b.", way)


A, B, C = "犬が走った。", "猫は眠った。", "雨が降り始めた。"


OLD = "The dog ran home and the cat slept on the roof all day."
HALVES = ["The dog ran home", "and the cat slept on the roof"]
RESPLIT = {
    "equal sentences wherever they stand": (
        [(7, A), (2, B), (5, C)], [C, A, B], [5, 7, 2], "7 same 7, 2 same 2, 5 same 5",
    ),
    "width and white space make no difference": (
        [(1, "ＴＳＣ－３の 文。"), (2, "The  dog\tran.")], ["TSC-3の文。", "The dog ran."],
        [1, 2], "1 same 1, 2 same 2",
    ),
    "the first part of a cut one has its number": (
        [(1, A + B), (2, C)], [A, B, C], [1, 3, 2], "1 cut 1 3, 2 same 2",
    ),
    "joined ones have that of the first": (
        [(4, A), (1, B), (2, C)], [A + B, C], [4, 2], "4 joined 4, 1 joined 4, 2 same 2",
    ),
    "a boundary that moved is found on both sides": (
        [(1, "あいうえお"), (2, "かきくけこ")], ["あいう", "えおかきくけこ"], [1, 2],
        "1 cut 1 2, 2 joined 2",
    ),
    "an edited one": ([(1, A), (2, C)], [A, "大雨が降り始めた。"], [1, 2], "1 same 1, 2 edited 2"),
    "the likest of two": (
        [(1, "The old dog ran home.")], ["The old dog.", "The old dog ran home again."], [2, 1],
        "1 edited 1",
    ),
    "rewritten and cut, it is found in both parts": ([(1, OLD)], HALVES, [1, 2], "1 cut 1 2"),
    "what is nowhere is gone, and its number is not given again": (
        [(1, A), (9, C)], [A, "全く別の話である。"], [1, 10], "1 same 1, 9 gone",
    ),
    "one that stands twice": (
        [(1, A), (2, B), (3, A)], [A, B, A, C], [1, 2, 3, 4], "1 same 1, 2 same 2, 3 same 3",
    ),
    "nothing at all": ([], [], [], ""),
    "nothing before": ([], [B], [1], ""),
    "nothing left": ([(3, A)], [], [], "3 gone"),
    "nothing alike": ([(3, A)], [B], [4], "3 gone"),
}  # fmt: skip
"""Old sentences, new texts, their numbers; of each old one its outcome and its places."""


@in_turn(("old", "new", "numbers", "outcomes"), RESPLIT.values())
def test_that_sentences_keep_their_numbers_where_their_texts_went(old, new, numbers, outcomes):
    found = resplit(old, new)
    assert found.sentences == (*zip(numbers, new, strict=True),)
    told = [" ".join(map(str, (n, one.value, *found.found[n]))) for n, one in found.fates.items()]
    assert ", ".join(told) == outcomes
    assert found.gone() == tuple(n for n, one in found.fates.items() if one.value == "gone")
    assert found.to_review() == tuple(n for n, one in found.fates.items() if one.value != "same")


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
