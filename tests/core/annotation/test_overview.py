import pytest
from tests import building

from awase.core.annotation.overview import (
    AbstractPlace,
    annotators_of,
    disagreed,
    next_incomplete,
)
from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.alignment import (
    Alignment,
    AlignmentState,
    Alternative,
    SentenceAlignment,
)
from awase.core.records.identifiers import SentenceRef

DONE, TODO, NONE = AlignmentState.CONFIRMED, AlignmentState.TODO, AlignmentState.NO_SOURCE


def entry(n, *sets, state=DONE):
    alternatives = tuple(Alternative(tuple(SentenceRef("d", m) for m in s)) for s in sets)
    return SentenceAlignment(n=n, state=state, alternatives=alternatives)


def abstract(id="a", n_sentences=2, **by):
    return Abstract(
        id=id,
        sentences=tuple(AbstractSentence(n=n + 1, text="x") for n in range(n_sentences)),
        alignments=tuple(
            Alignment(annotator=who, sentences=tuple(entries)) for who, entries in by.items()
        ),
    )


def topic(id, *abstracts):
    return building.topic(id, docs=4, abstracts=abstracts)


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ([entry(1, [1])], [entry(1, [2])], {1}),
        ([entry(1, [1, 2], [3])], [entry(1, [3], [2, 1])], set()),
        ([entry(1, [1], [2, 3])], [entry(1, [1, 4], [1], [2, 3])], set()),
        ([entry(1, [1])], [], set()),
        ([entry(1, [1])], [entry(1, state=TODO)], set()),
        ([entry(1, [1])], [entry(1, state=NONE)], {1}),
        ([entry(1, state=NONE)], [entry(1, state=NONE)], set()),
        ([entry(1, [1])], [entry(1, [1], state=AlignmentState.FLAGGED)], set()),
        ([entry(2, [1])], [entry(2, [1], [2])], {2}),
    ],
)
def test_that_annotators_disagree_when_their_sets_differ(one, other, found) -> None:
    assert disagreed(abstract(A=one, B=other)) == found


def test_that_annotators_are_named_once_in_the_order_they_appear() -> None:
    topics = [topic("t", abstract(B=[])), topic("u", abstract(A=[], B=[]))]
    assert annotators_of(topics) == ("B", "A")


@pytest.mark.parametrize(
    ("here", "found"),
    [
        (("t", "a", 1), AbstractPlace("t", "a", 2)),
        (("t", "a", 2), AbstractPlace("u", "b", 1)),
        (("u", "b", 1), AbstractPlace("u", "b", 2)),
        (("nowhere", "x", 0), AbstractPlace("t", "a", 2)),
    ],
)
def test_that_the_next_incomplete_sentence_may_be_in_another_topic(here, found) -> None:
    topics = [topic("t", abstract("a", A=[entry(1, [1])])), topic("u", abstract("b"))]
    assert next_incomplete(topics, "A", *here) == found


def test_that_the_sentence_at_hand_is_not_the_next_one() -> None:
    topics = [topic("t", abstract("a", A=[entry(1, [1])]))]
    assert next_incomplete(topics, "A", "t", "a", 2) is None
    assert next_incomplete([], "A", "t", "a", 2) is None
