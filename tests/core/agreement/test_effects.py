from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agreement_corpora import MERGED, MISSING, TABLE_1, corpus, topic
from tests.laws import tries

from awase.core.agreement.adjudication import GOLD_TAKE, cases_of, gold_edit, union
from awase.core.agreement.results import effects_of
from awase.core.annotation.applying import topic_after
from awase.core.progress import Silent

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
              extracts={"s": [1, 4], "t": [2, 4], "u": [3, 1]})
    )  # fmt: skip
    assert found.flipped == (("s", "t"),)


@settings(deadline=None, max_examples=tries(40))
@given(st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=3), min_size=2, max_size=5))
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
    long = topic("L", {A: TABLE_1, B: [MISSING, MISSING, MISSING]}, length="long")
    assert [size.topic for size in effects(short, long, length="short").h] == ["S"]
    assert [size.topic for size in effects(short, long).h] == ["S"]


def test_that_systems_of_one_gold_only_are_not_compared():
    found = effects(topic("T", {A: [[(1,)]], B: [[]]}, extracts={"s": [1], "t": [2]}))
    assert found.coverage == {}


def test_that_the_robot_has_no_effects_but_a_person_of_that_name_has():
    one = topic("T", {A: TABLE_1})
    assert effects_of(corpus(one), (A, "robot"), None, Silent()) == ()
    person = topic("T", {A: TABLE_1, "robot": MERGED})
    (found,) = effects_of(corpus(person), (A, "robot"), None, Silent())
    assert [dict(size.values) for size in found.h] == [{A: 6, "robot": 8}]
