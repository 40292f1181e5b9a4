import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.in_part import in_turn

from awase.core.errors import CorpusFormatError
from awase.core.records.parse import (
    EnhancedEdge,
    NodeId,
    ParsedSentence,
    ParsedWord,
    word_in_circle,
)


def words(*heads: int) -> tuple[ParsedWord, ...]:
    return tuple(ParsedWord(form=f"w{n}", head=h, deprel="dep") for n, h in enumerate(heads, 1))


@in_turn(
    ("heads", "message"),
    [
        ((), "no word"),
        ((0, 0), "1, 2 are all roots"),
        ((0, 3, 2), "below itself"),
        ((2, 1), "below itself"),
        ((1,), "below itself"),
        ((0, 3), "not a word"),
        ((0, -1), "not a word"),
    ],
)
def test_that_what_is_no_tree_is_refused(heads, message):
    with pytest.raises(CorpusFormatError, match=message):
        ParsedSentence(words=words(*heads))


def test_that_a_word_has_a_form_and_a_relation():
    with pytest.raises(
        CorpusFormatError, match=r"^Word 1 has no form\.\nWord 1 has no relation\.$"
    ):
        ParsedSentence(words=(ParsedWord(form="", head=0, deprel=""),))


def test_that_an_enhanced_edge_comes_from_a_node_that_is_there():
    edge = EnhancedEdge(NodeId(1, 1), "conj")
    with pytest.raises(CorpusFormatError, match=r"comes from 1\.1"):
        ParsedSentence(words=(ParsedWord(form="a", head=0, deprel="root", enhanced=(edge,)),))


@given(st.lists(st.integers(0, 6), min_size=1, max_size=6))
def test_that_a_circle_is_found_where_a_walk_of_all_words_never_ends(heads):
    heads = [min(head, len(heads)) for head in heads]

    def ends(number):
        for _ in heads:
            number = heads[number - 1] if number else 0
        return number == 0

    found = word_in_circle(heads)
    assert (found is None) == all(map(ends, range(1, len(heads) + 1)))
    assert found is None or not ends(found)


def test_that_dependents_stand_in_order_below_their_heads():
    assert ParsedSentence(words=words(2, 0, 2)).dependents() == [[2], [], [1, 3], []]
