from dataclasses import replace

from tests import building
from tests.building import entry
from tests.in_part import in_turn

from awase.core.annotation.applying import (
    AbstractPlace,
    abstract_beside,
    disagreed,
    next_incomplete,
)
from awase.core.records.alignment import Alignment
from awase.core.records.topic import annotators_of


def abstract(id="a", n_sentences=2, **by):
    alignments = tuple(
        Alignment(annotator=who, sentences=tuple(entries)) for who, entries in by.items()
    )
    return replace(building.abstract(id, texts="x" * n_sentences), alignments=alignments)


def topic(id, *abstracts):
    return building.topic(id, docs=4, abstracts=abstracts)


@in_turn(
    ("one", "other", "found"),
    [
        ([entry(1, "s1")], [entry(1, "s2")], {1}),
        ([entry(1, "s1&s2|s3")], [entry(1, "s3|s2&s1")], set()),
        ([entry(1, "s1|s2&s3")], [entry(1, "s1&s4|s1|s2&s3")], set()),
        ([entry(1, "s1")], [], set()),
        ([entry(1, "s1")], [entry(1)], set()),
        ([entry(1, "s1")], [entry(1, "-")], {1}),
        ([entry(1, "-")], [entry(1, "-")], set()),
        ([entry(1, "s1")], [entry(1, "!s1")], set()),
        ([entry(2, "s1")], [entry(2, "s1|s2")], {2}),
    ],
)
def test_that_annotators_disagree_when_their_sets_differ(one, other, found):
    assert disagreed(abstract(A=one, B=other)) == found


def test_that_annotators_are_named_once_in_the_order_they_appear():
    topics = [topic("t", abstract(B=[])), topic("u", abstract(A=[], B=[]))]
    assert annotators_of(topics) == ("B", "A")


@in_turn(
    ("here", "found"),
    [
        (("t", "a", 1), AbstractPlace("t", "a", 2)),
        (("t", "a", 2), AbstractPlace("u", "b", 1)),
        (("u", "b", 1), AbstractPlace("u", "b", 2)),
        (("nowhere", "x", 0), AbstractPlace("t", "a", 2)),
    ],
)
def test_that_the_next_incomplete_sentence_may_be_in_another_topic(here, found):
    topics = [topic("t", abstract("a", A=[entry(1, "s1")])), topic("u", abstract("b"))]
    assert next_incomplete(topics, "A", *here) == found


def test_that_the_sentence_at_hand_is_not_the_next_one():
    topics = [topic("t", abstract("a", A=[entry(1, "s1")]))]
    assert next_incomplete(topics, "A", "t", "a", 2) is None
    assert next_incomplete([], "A", "t", "a", 2) is None


def test_that_the_abstract_beside_is_counted_over_topics_those_without_any_passed_over():
    topics = [
        topic("none"),
        topic("t", abstract("a"), abstract("b")),
        *(topic(f"empty{n}") for n in range(5)),
        topic("u", abstract("a")),
        topic("v", abstract("a"), abstract("b")),
    ]
    places = [(one.id, part.id) for one in topics for part in one.abstracts]
    steps = range(-len(places), len(places) + 1)
    for at, here in enumerate(places):
        for step in steps:
            expected = places[at + step] if 0 <= at + step < len(places) else None
            found = abstract_beside(topics, *here, step)
            assert found == (expected and AbstractPlace(*expected, 0)), (here, step)
    for nowhere in (("gone", "a"), ("u", "b"), ("none", "a")):
        for some in (topics, topics[1:]):
            assert abstract_beside(some, *nowhere, 1) == AbstractPlace("t", "a", 0)
    assert abstract_beside([topic("none")], "none", "a", 1) is None
