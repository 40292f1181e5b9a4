from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.building import entry, topic
from tests.in_part import in_turn
from tests.laws import CHARACTERS

from awase.core.annotation.candidates import (
    Bm25Ranker,
    SentenceSimilarity,
    TopicIndex,
    best_first,
    keys_of,
    shared_spans,
    terms_of,
)
from awase.core.records.source import SentenceRef
from awase.core.records.topic import Topic

ENGLISH = (
    "A digger driver cutting peat has uncovered the remains of a large wooden boat.",
    "The weather in March was mild.",
    "Radiocarbon tests showed that the planks are 4,100 years old.",
    "The council of Skarrow wants the boat to stay.",
    "Driver of a digger uncovered the remains of a large wooden boat, cutting peat.",
)
JAPANESE = (
    "米空母艦載機の夜間離着陸訓練が硫黄島で始まった。",
    "地元の町長は記者会見で遺憾の意を表した。",
    "ＮＴＴは１２日、ＩＤＣの買収を発表した。",
)


def index_of(*texts):
    return TopicIndex(topic(docs={f"d{n}": [text] for n, text in enumerate(texts)}))


def ref(number):
    return SentenceRef(f"d{number}", 1)


def marked(text, other):
    return [text[start:end] for start, end in shared_spans(text, other)]


def test_that_the_sentence_with_the_rarest_shared_words_comes_first():
    order = index_of(*ENGLISH).ranked("Tests show the planks to be 4100 years old.")
    assert order[0] == ref(2)
    assert sorted(order) == [ref(number) for number in range(5)]


def test_that_japanese_is_ranked_by_pieces_of_words():
    index = index_of(*JAPANESE)
    assert index.ranked("離着陸訓練への反対")[0] == ref(0)
    assert index.ranked("町長が会見")[0] == ref(1)
    assert index.ranked("NTTがIDCを買収")[0] == ref(2)


@in_turn(("source", "abstract", "found"), [
    ("ＷＨＯは深刻だと述べた。", "WHOが警告した。", ["ＷＨＯ"]),
    ("ＩＴ不況", "IT不安。", ["ＩＴ"]),
    ("who said it", "WHO met who", []),
    ("ﾃﾞｼﾞﾀﾙ化が進む。", "デジタル", ["ﾃﾞｼﾞﾀﾙ"]),
    ("カ\u3099ス爆発があった。", "ガス爆発", ["カ\u3099ス爆発"]),
    ("葛\U000e0100城市で", "葛城市", ["葛\U000e0100城市"]),
    ("Boats were uncovered.", "a boat is uncovering", ["Boats", "uncovered"]),
    ("夜間離着陸訓練の実施", "離着陸訓練", ["離着陸訓練"]),
    ("ＮＴＴは１２日", "nttが12日", ["ＮＴＴ", "１２日"]),
    ("ＮＴＴは１２日", "nttが12人", ["ＮＴＴ", "１２"]),
    ("The boat that was", "the man that was", []),
    ("船を見た", "山を見た", []),
])  # fmt: skip
def test_that_shared_terms_are_marked_where_they_stand(source, abstract, found):
    assert marked(source, abstract) == found


def test_that_linked_sentences_come_first_and_ties_keep_the_order_of_the_documents():
    assert index_of("x y", "z w", "u v").ranked("nothing shared") == (ref(0), ref(1), ref(2))
    index = index_of(*ENGLISH)
    order = index.ranked("The boat", linked=[ref(2), ref(1), ref(2), SentenceRef("?", 1)])
    assert order[:2] == (ref(2), ref(1))
    assert len(order) == len(ENGLISH)


def test_that_what_an_alternative_lacks_comes_first():
    index = index_of("Yew, tar, boat.", "Boat, tar, yew.", "Oak planks here.", "Sky.", "Sea.")
    text = "A boat of yew and tar with oak"
    assert index.ranked(text)[0] == ref(0)
    assert index.ranked(text, having=[ref(1)])[0] == ref(2)


def test_that_candidates_of_an_alternative_are_its_members_then_what_it_lacks():
    index = index_of("Sky.", "Boat, tar, yew.", "Yew, tar, boat.", "Oak planks here.", "Sea.")
    order = index.ranked_for("A boat of yew and tar with oak", entry(1, "d1:1|d4:1"), 0)
    assert order[:2] == (ref(1), ref(3))
    assert sorted(order) == list(index.refs)


def test_that_candidates_of_a_new_alternative_are_all_that_is_linked_then_what_is_like_it():
    index = index_of("Oak.", "A seal sleeps on grey rocks.", "Grey rocks, a seal.", "Oak.", "Sea.")
    order = index.ranked_for("The seal and the oak", entry(1, "d1:1|d4:1&d1:1"), 2)
    assert order[:3] == (ref(1), ref(4), ref(2))


def test_that_an_empty_topic_has_no_candidates():
    index = TopicIndex(Topic(id="t"))
    assert index.ranked("anything") == index.refs == ()
    assert index.ranked_for("anything", entry(1), 0) == ()


def test_that_overlap_is_the_shared_part_and_matches_are_those_of_the_text():
    shares = index_of(*ENGLISH).overlaps("wooden boat")
    assert shares[ref(0)] == pytest.approx(1.0)
    assert shares[ref(1)] == 0.0
    index = index_of(*ENGLISH)
    assert index.overlaps("!")[ref(0)] == 0.0
    assert index.matches(ref(3), "boat") == shared_spans(ENGLISH[3], "boat")


@given(st.text(CHARACTERS, max_size=60), st.text(CHARACTERS, max_size=60))
def test_that_spans_lie_in_the_text_in_order_and_apart(text, other):
    spans = shared_spans(text, other)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(left[1] < right[0] for left, right in pairwise(spans))


@given(st.text(CHARACTERS, max_size=60))
def test_that_terms_lie_in_the_text(text):
    assert all(0 <= term.start < term.end <= len(text) for term in terms_of(text))


@in_turn(
    ("first", "second"),
    [("boats", "boat"), ("carried", "carry"), ("uncovered", "uncovering"), ("tests", "test"),
     ("1,234", "1234"), ("driver's", "driver"), ("planes", "plane")],
)  # fmt: skip
def test_that_forms_of_a_word_are_one_term(first, second):
    assert [t.key for t in terms_of(first)] == [t.key for t in terms_of(second)]


def test_that_reworded_sentences_are_near_duplicates():
    index = index_of(*ENGLISH)
    assert index.near_duplicates(ref(0)) == (ref(4),)
    assert index.near_duplicates(ref(4)) == (ref(0),)
    assert index.near_duplicates(ref(3)) == ()
    by_letters = ("Planters carried sealing.", "Planets carrier ceiling sealant.")
    others = ("The mayor spoke of schools.", "It rained.", "The oak was cut.")
    assert index_of(*by_letters, *others).near_duplicates(ref(0)) == ()
    assert index_of("Oak planks.", "Oak planks.").near_duplicates(ref(0)) == ()  # two words
    assert index.near_duplicates(SentenceRef("?", 1)) == ()


def test_that_japanese_near_duplicates_share_their_wording_and_not_names_alone():
    index = index_of(
        "東嶺大学は二十一日、篠羽湖の湖底で古代の木造船を見つけたと発表した。",
        "篠羽湖で古代の木造船を見つけたと、東嶺大学が二十一日に発表した。",  # likeness 0.5
        "東嶺大学は篠羽湖の木造船を来月引き揚げ、町の資料館に運ぶ計画を立てている。",
        "雨が降ったため、この日の作業は取りやめになった。",
        "町長は計画を認めるべきだと述べた。",
        "町長は計画も認めずに述べなくなったらしい。",  # the same words with other endings
    )
    assert index.near_duplicates(ref(0)) == (ref(1),)
    assert index.near_duplicates(ref(1)) == (ref(0),)
    assert index.near_duplicates(ref(2)) == index.near_duplicates(ref(4)) == ()


WORDS = ("boat", "oak", "tar", "湖底", "木造船", "23点", "seal", "the", "ー", "。")
TEXTS = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
DOCUMENTS = st.lists(st.lists(TEXTS, max_size=4), max_size=4)


def first(texts, query, having=()):
    return best_first(Bm25Ranker([[text] for text in texts]).scores(query, having))[0]


@given(documents=DOCUMENTS, query=TEXTS)
def test_that_there_is_a_score_for_each_sentence_and_none_below_0(documents, query):
    scores = Bm25Ranker(documents).scores(query)
    assert len(scores) == sum(map(len, documents))
    assert all(score >= 0 for score in scores)


@given(documents=DOCUMENTS, query=TEXTS, data=st.data())
def test_that_what_is_there_never_raises_a_score(documents, query, data):
    ranker = Bm25Ranker(documents)
    n_sentences = sum(map(len, documents))
    having = data.draw(st.sets(st.integers(0, n_sentences - 1))) if n_sentences else set()
    pairs = zip(ranker.scores(query, having), ranker.scores(query), strict=True)
    assert all(after <= before + 1e-9 for after, before in pairs)


@given(texts=st.permutations(["oak and tar", "a seal", "木造船は湖底に", "nothing here"]))
def test_that_the_order_of_documents_does_not_change_scores(texts):
    scores = Bm25Ranker([[text] for text in texts]).scores("The seal, the oak, 湖底の木造船")
    again = Bm25Ranker([[text] for text in sorted(texts)]).scores("The seal, the oak, 湖底の木造船")
    by_text = dict(zip(texts, scores, strict=True))
    assert [by_text[text] for text in sorted(texts)] == pytest.approx(again)


OTHERS = ("The seal slept.", "大学の湖", "23人が壺を見た。", "A boat was found.")


@in_turn(("others", "best", "abstract"), [
    *((OTHERS, text, text) for text in (  # equal to the abstract sentence
        "Tests dated the boat to 681.",
        "東嶺大は湖底で木造船を見つけた。",
        "須恵器の壺は23点だった。",
    )),
    (["12人が来た"], "壺は12点", "出土品12点"),  # a figure with the same unit
    (["boat sky", "boat sea", "boat rope"], "kelp rope", "boat kelp"),  # not what all have
])  # fmt: skip
def test_that_what_says_the_same_comes_first(others, best, abstract):
    assert first([*others, best], abstract) == len(others)


def test_that_a_neighbour_in_the_same_document_gains_and_one_in_another_does_not():
    documents = [["It was grey.", "A seal slept."], ["It was cold."], ["Oak."]]
    scores = Bm25Ranker(documents).scores("the seal")
    assert scores[0] == pytest.approx(0.1 * scores[1])
    assert scores[2] == scores[3] == 0.0


def test_that_empty_documents_between_others_separate_neighbours():
    scores = Bm25Ranker([["A seal."], [], ["Oak."], []]).scores("seal")
    assert scores[0] > 0
    assert scores[1] == 0


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
