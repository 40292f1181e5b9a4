from tests.agreement_corpora import topic

from awase.core.agreement.comparison import compare
from awase.core.records.alignment import AlignmentState


def members(alternative):
    return None if alternative is None else {ref.n for ref in alternative.members}


def compared(first, second):
    made = topic("T", {"A": [first], "B": [second]})
    return compare(made, made.abstracts[0], 1, ("A", "B"))


def test_that_alternatives_stand_beside_those_they_match_best():
    found = compared([(5,), (1, 2), (8,)], [(1, 2, 3), (8,), (9, 10)])
    assert [tuple(map(members, pair)) for pair in found.alternatives] == [
        ({8}, {8}),
        ({1, 2}, {1, 2, 3}),
        ({5}, None),
        (None, {9, 10}),
    ]


def test_that_each_source_sentence_says_who_linked_it():
    found = compared([(2,), (1,)], [(1,), (3,), (3, 7)])
    assert [(one.ref.n, one.by_first, one.by_second) for one in found.sources] == [
        (1, True, True),
        (2, True, False),
        (3, False, True),
    ]
    assert found.dropped == (0, 1)


def test_that_no_source_stands_beside_alternatives():
    found = compared([], [(1,)])
    assert found.states == (AlignmentState.NO_SOURCE, AlignmentState.CONFIRMED)
    assert [tuple(map(members, pair)) for pair in found.alternatives] == [(None, {1})]


def test_that_nobody_is_compared_with_somebody_who_aligned_nothing():
    made = topic("T", {"A": [[(1,)]]})
    assert compare(made, made.abstracts[0], 1, ("A", "B")) is None
