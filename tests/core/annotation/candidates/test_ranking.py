import pytest
from hypothesis import given
from hypothesis import strategies as st

from awase.core.annotation.candidates import DEFAULT_RANKER, RANKERS, Bm25Ranker, best_first

WORDS = ("boat", "oak", "tar", "湖底", "木造船", "23点", "seal", "the", "ー", "。")
TEXTS = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
DOCUMENTS = st.lists(st.lists(TEXTS, max_size=4), max_size=4)

by_any = pytest.mark.parametrize("factory", RANKERS.values(), ids=RANKERS)


def first(factory, texts, query, having=()):
    return best_first(factory([[text] for text in texts]).scores(query, having))[0]


def test_that_the_default_is_in_the_table():
    assert DEFAULT_RANKER in RANKERS


def test_that_equal_scores_keep_the_order_of_the_documents():
    assert best_first([1.0, 2.0, 1.0, 2.0]) == [1, 3, 0, 2]


@by_any
@given(documents=DOCUMENTS, query=TEXTS)
def test_that_there_is_a_score_for_each_sentence_and_none_below_0(factory, documents, query):
    scores = factory(documents).scores(query)
    assert len(scores) == sum(map(len, documents))
    assert all(score >= 0 for score in scores)


@pytest.mark.slow
@by_any
@given(documents=DOCUMENTS, query=TEXTS, data=st.data())
def test_that_what_is_there_never_raises_a_score(factory, documents, query, data):
    ranker = factory(documents)
    n_sentences = sum(map(len, documents))
    having = data.draw(st.sets(st.integers(0, n_sentences - 1))) if n_sentences else set()
    pairs = zip(ranker.scores(query, having), ranker.scores(query), strict=True)
    assert all(after <= before + 1e-9 for after, before in pairs)


@by_any
@given(texts=st.permutations(["oak and tar", "a seal", "木造船は湖底に", "nothing here"]))
def test_that_the_order_of_documents_does_not_change_scores(factory, texts):
    scores = factory([[text] for text in texts]).scores("The seal, the oak, 湖底の木造船")
    again = factory([[text] for text in sorted(texts)]).scores("The seal, the oak, 湖底の木造船")
    by_text = dict(zip(texts, scores, strict=True))
    assert [by_text[text] for text in sorted(texts)] == pytest.approx(again)


@by_any
@pytest.mark.parametrize(
    "text",
    [
        "Tests dated the boat to 681.",
        "東嶺大は湖底で木造船を見つけた。",
        "須恵器の壺は23点だった。",
    ],
)
def test_that_a_sentence_equal_to_the_abstract_sentence_comes_first(factory, text):
    others = ["The seal slept.", "大学の湖", "23人が壺を見た。", "A boat was found."]
    assert first(factory, [*others, text], text) == len(others)


@by_any
def test_that_what_is_lacking_comes_before_what_is_covered(factory):
    texts = ["Yew, tar, boat.", "Boat, tar, yew.", "Oak planks."]
    assert first(factory, texts, "a boat of yew, tar and oak", having=[0]) == 2


@by_any
def test_that_a_figure_counts_more_with_the_same_unit(factory):
    assert first(factory, ["12人が来た", "壺は12点"], "出土品12点") == 1


def test_that_a_neighbour_in_the_same_document_gains_and_one_in_another_does_not():
    documents = [["It was grey.", "A seal slept."], ["It was cold."], ["Oak."]]
    scores = Bm25Ranker(documents).scores("the seal")
    assert scores[0] == pytest.approx(0.1 * scores[1])
    assert scores[2] == scores[3] == 0.0


def test_that_empty_documents_between_others_separate_neighbours():
    scores = Bm25Ranker([["A seal."], [], ["Oak."], []]).scores("seal")
    assert scores[0] > 0
    assert scores[1] == 0


def test_that_a_term_of_every_sentence_counts_less_than_a_rare_one():
    assert first(Bm25Ranker, ["boat sky", "boat sea", "boat rope", "kelp rope"], "boat kelp") == 3
