import math
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import strategies as st
from tests.agreement_corpora import MERGED, MISSING, TABLE_1, corpus, topic
from tests.laws import law

from awase.core.agreement.adjudication import GOLD_TAKE, cases_of, gold_edit, union
from awase.core.agreement.comparison import compare
from awase.core.agreement.results import effects_of
from awase.core.annotation.actions import topic_after
from awase.core.errors import Silent
from awase.core.records.abstract import AlignmentState

A, B = "A", "B"
# The two extracts of the paper's section on coverage.
EXTRACTS = {"first": [10, 11, 5, 17, 60, 61], "second": [1, 10, 11, 3, 5, 60]}


def effects(*topics, length=None):
    (found,) = effects_of(corpus(*topics), (A, B), length, Silent())
    return found


def test_that_h_and_e_are_measured_against_each_gold():
    found = effects(topic("T", {A: TABLE_1, B: MERGED}, extracts=EXTRACTS))
    # {1}, {3, 5, 6}, {1, 30, 60} or {21, 23}; merged: {1, 10, 11}, {3, 5, 6}, {21, 23} or {30, 60}.
    assert [dict(size.values) for size in found.h] == [{A: 6, B: 8}]
    assert (found.mean_abs_h, found.share_equal_h) == (2, 0)
    # Row 1 is covered under A by both; {1, 10, 11} is to 2/3 by the first extract.
    assert found.n_e == 6
    assert found.mean_abs_e == Fraction(1, 3) / 6
    assert found.coverage["first"] == (Fraction(5, 9), Fraction(4, 9))
    assert found.coverage["second"] == (Fraction(7, 9), Fraction(7, 9))
    assert (found.tau_b, found.flipped) == (1, ())


def test_that_only_sentences_that_both_settled_count():
    found = effects(topic("T", {A: TABLE_1, B: [TABLE_1[0], MISSING, TABLE_1[2]]}))
    assert [dict(size.values) for size in found.h] == [{A: 3, B: 3}]


def test_that_decisions_about_sentences_of_other_pairs_do_no_harm():
    made = topic("T", {A: TABLE_1, B: [TABLE_1[0], MISSING, TABLE_1[2]], "C": TABLE_1})
    decided = made
    for case in cases_of(made):  # of the second sentence, which B left open, too
        decided = topic_after(decided, gold_edit(case, union(case).gold, GOLD_TAKE))
    assert [one.entry.n for one in decided.abstracts[0].gold] == [1, 2, 3]
    assert effects(decided) == effects(made)


def test_that_a_sentence_without_a_source_has_no_e():
    found = effects(
        topic("T", {A: [[(1,)], [(2,)]], B: [[], [(2,)]]}, extracts={"s": [2], "t": [1]})
    )
    assert [dict(size.values) for size in found.h] == [{A: 2, B: 1}]
    assert (found.n_e, found.mean_abs_e) == (2, 0)
    assert found.flipped == ()
    nothing = effects(topic("T", {A: [[]], B: [[]]}, extracts={"s": [2], "t": [1]}))
    assert [dict(size.values) for size in nothing.h] == [{A: None, B: None}]
    assert (nothing.mean_abs_h, nothing.mean_abs_e, nothing.tau_b) == (None, None, None)


def test_that_systems_whose_order_turns_round_are_named():
    found = effects(
        topic("T", {A: [[(1,)], [(3,)]], B: [[(2,)], [(3,)]]},
              extracts={"s": [1, 4], "t": [2, 4], "u": [3, 1], "v": [4, 5]})
    )  # fmt: skip
    assert found.flipped == (("s", "t"),)
    # Two pairs in one order; A ties one pair of the six, B two.
    assert found.tau_b == pytest.approx((2 - 1) / math.sqrt(5 * 4))


def test_that_length_classes_weigh_the_same_whatever_number_of_abstracts_they_have():
    whole, none = (topic("T", {A: [[(n,)]], B: [[(n,)]]}, extracts={"s": [1]}) for n in (1, 2))
    abstracts = tuple(
        replace(made.abstracts[0], id=f"{at}", length=length)
        for at, (made, length) in enumerate([(whole, "short"), (none, "short"), (whole, "long")])
    )
    found = effects(replace(whole, abstracts=abstracts))
    assert found.coverage["s"] == (Fraction(3, 4), Fraction(3, 4))


@law(40, st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=3), min_size=2, max_size=5))
@pytest.mark.slow
def test_that_tau_b_is_scipys(extracts):
    from scipy import stats

    given_by = {A: [[(1,)], [(2,), (3,)]], B: [[(4,)], [(3, 5)]]}
    systems = {f"s{at}": extract for at, extract in enumerate(extracts)}
    found = effects(topic("T", given_by, extracts=systems))
    first, second = zip(*found.coverage.values(), strict=True)
    if len({*first}) == 1 or len({*second}) == 1:
        assert found.tau_b is None
    else:
        theirs = stats.kendalltau([*map(float, first)], [*map(float, second)]).statistic
        assert found.tau_b == pytest.approx(theirs)


def test_that_only_abstracts_of_the_length_asked_for_count():
    short = topic("S", {A: TABLE_1, B: MERGED}, length="short")
    long = topic("L", {A: TABLE_1, B: MERGED}, length="long")
    open_ = topic("O", {A: TABLE_1, B: [MISSING, MISSING, MISSING]}, length="short")
    found = effects(short, long, open_, length="short")
    assert ([size.topic for size in found.h], found.length) == (["S"], "short")
    assert ",length=short," in found.signature
    assert [size.topic for size in effects(short, long, open_).h] == ["S", "L"]


def test_that_systems_of_one_gold_only_are_not_compared():
    found = effects(topic("T", {A: [[(1,)]], B: [[]]}, extracts={"s": [1], "t": [2]}))
    assert found.coverage == {}


def test_that_the_robot_has_no_effects_but_a_person_of_that_name_has():
    one = topic("T", {A: TABLE_1})
    assert effects_of(corpus(one), (A, "robot"), None, Silent()) == ()
    person = topic("T", {A: TABLE_1, "robot": MERGED})
    (found,) = effects_of(corpus(person), (A, "robot"), None, Silent())
    assert [dict(size.values) for size in found.h] == [{A: 6, "robot": 8}]


def members(alternative):
    return None if alternative is None else {ref.n for ref in alternative.members}


def compared(first, second):
    made = topic("T", {"A": [first], "B": [second]})
    return compare(made, made.abstracts[0], 1, ("A", "B"))


def test_that_alternatives_stand_beside_those_they_match_best():
    found = compared([(5,), (1, 2), (8,)], [(1, 2, 3), (8,), (9, 10)])
    pairs = [tuple(map(members, pair)) for pair in found.alternatives]
    assert pairs == [({8}, {8}), ({1, 2}, {1, 2, 3}), ({5}, None), (None, {9, 10})]


def test_that_each_source_sentence_says_who_linked_it():
    found = compared([(2,), (1,)], [(1,), (3,), (3, 7)])
    sources = [(one.ref.n, one.by_first, one.by_second) for one in found.sources]
    assert sources == [(1, True, True), (2, True, False), (3, False, True)]
    assert found.dropped == (0, 1)


def test_that_no_source_stands_beside_alternatives():
    found = compared([], [(1,)])
    assert found.states == (AlignmentState.NO_SOURCE, AlignmentState.CONFIRMED)
    assert [tuple(map(members, pair)) for pair in found.alternatives] == [(None, {1})]


def test_that_each_note_stands_on_the_side_of_who_wrote_it():
    made = topic("T", {"A": [[(1,)]], "B": [[(2,)]]})
    (own,) = made.abstracts
    noted = [
        replace(one, sentences=(replace(one.sentences[0], note=f"{one.annotator}'s"),))
        for one in own.alignments
    ]
    found = compare(made, replace(own, alignments=tuple(noted)), 1, ("B", "A"))
    assert found.notes == ("B's", "A's")


def test_that_nobody_is_compared_with_somebody_who_aligned_nothing():
    made = topic("T", {"A": [[(1,)]]})
    for pair in (("A", "B"), ("B", "A")):
        assert compare(made, made.abstracts[0], 1, pair) is None
    assert compare(made, made.abstracts[0], 2, ("A", "A")) is None  # there is no second sentence
