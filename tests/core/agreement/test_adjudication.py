from dataclasses import replace

import pytest
from hypothesis import strategies as st
from tests.agreement_corpora import MERGED, MISSING, TABLE_1, corpus, topic
from tests.laws import law
from tests.oracles import agreement as slow

from awase.core.agreement.adjudication import (
    GOLD_TAKE,
    cases_of,
    confirmed,
    flagged,
    gold_edit,
    intersection,
    linked,
    majority,
    no_source,
    taken,
    toggled,
    union,
    with_cause,
    with_rank,
    with_unanimous,
    worklist_of,
)
from awase.core.annotation.actions import topic_after
from awase.core.errors import Silent
from awase.core.records.abstract import AlignmentState, GoldOrigin
from awase.core.records.corpus import Person
from awase.core.records.source import SentenceRef

A, B, C = "A", "B", "C"
NOW = "2026-01-01T00:00:00Z"


def case(*families):
    names = dict(zip((A, B, C), families, strict=False))
    return next(cases_of(topic("T", {who: [family] for who, family in names.items()})))


def sets(alternatives):
    return {frozenset(ref.n for ref in one.members) for one in alternatives}


def gold_sets(decided):
    return sets(decided.gold.entry.alternatives)


def test_that_the_worst_disagreement_stands_first_and_agreement_not_at_all():
    made = topic("T", {A: [*MERGED, [(1,)], []], B: [*TABLE_1, [(2,)], []]})
    found = worklist_of(corpus(made), "lead", Silent())
    assert [(one.n, round(one.distance, 3)) for one in found.cases] == [(4, 1.0), (1, 0.556)]
    assert (found.n_agreed, found.n_compared) == (3, 5)
    assert [one.n for one in cases_of(made) if one.is_unanimous] == [2, 3, 5]
    begun = topic("U", {A: [[(1,)], MISSING], B: [[(2,)], [(2,)]]})
    both = replace(corpus(made, begun), persons=(Person(id=A),))
    hidden = worklist_of(both, A, Silent())  # what A has not finished
    assert (hidden.cases, hidden.n_hidden) == (found.cases, 1)


def test_that_a_sentence_that_one_has_not_settled_is_no_case():
    (found,) = cases_of(topic("T", {A: [[(1,)], MISSING], B: [[(1,)], [(2,)]]}))
    assert found.n == 1


def test_that_all_alternatives_are_listed_with_their_owners():
    found = case([(1,), (2, 3)], [(3, 2)], [(1,), (1, 9)])
    assert [(sets([one.alternative]), one.owners) for one in found.listed] == [
        ({frozenset({1})}, (A, C)),
        ({frozenset({2, 3})}, (A, B)),
    ]


families = st.lists(
    st.frozensets(st.integers(1, 5), min_size=1, max_size=3), min_size=1, max_size=3, unique=True
)


@law(60, families, families, families)
def test_that_joining_is_that_of_absorbed_families(one, two, three):
    found = case(one, two, three)
    own = [slow.absorbed(family) for family in (one, two, three)]
    assert gold_sets(union(found)) == slow.absorbed(own[0] | own[1] | own[2])
    assert gold_sets(intersection(found)) == own[0] & own[1] & own[2]
    more_than_half = {s for s in own[0] | own[1] | own[2] if sum(s in f for f in own) > 1}
    assert gold_sets(majority(found)) == slow.absorbed(more_than_half)


@law(30, families, families)
def test_that_the_majority_of_two_is_what_both_have(one, two):
    found = case(one, two)
    assert gold_sets(majority(found)) == gold_sets(intersection(found))


def test_that_taking_an_annotator_says_where_each_alternative_is_from():
    found = case([(1,), (2,)], [(1,)])
    decided = taken(found, A)
    assert decided.gold.origin is GoldOrigin.TAKEN
    sources = [(one.annotator, one.alternatives) for one in decided.gold.sources]
    assert sources == [(A, (1, 2)), (B, (1,))]
    assert (decided.gold.decided_by, decided.gold.entry.state) == (None, AlignmentState.INCOMPLETE)


def test_that_what_absorption_drops_is_named():
    decided = union(case([(1,)], [(1, 7), (2,)]))
    ((dropped, inner),) = decided.dropped
    assert (sets([dropped]), sets([inner])) == ({frozenset({1, 7})}, {frozenset({1})})
    assert gold_sets(decided) == {frozenset({1}), frozenset({2})}


def test_that_a_number_puts_an_alternative_in_and_out():
    found = case([(1,)], [(2,)])
    once = toggled(found, 2)
    assert gold_sets(once) == {frozenset({2})}
    again = toggled(replace(found, gold=once.gold), 2)
    assert gold_sets(again) == set()
    assert again.gold.entry.state is AlignmentState.TODO
    assert toggled(found, 3) is None


def test_that_no_source_is_decided_and_taken_back():
    found = case([(1,)], [])
    assert taken(found, B).gold.entry.state is AlignmentState.NO_SOURCE
    decided = no_source(found)
    assert decided.gold.entry.state is AlignmentState.NO_SOURCE
    settled = confirmed(replace(found, gold=decided.gold), "lead", NOW).gold
    assert (settled.decided_by, settled.entry.state) == ("lead", AlignmentState.NO_SOURCE)
    again = no_source(replace(found, gold=decided.gold))
    assert again.gold.entry.state is AlignmentState.TODO


def test_that_only_a_filled_decision_can_be_confirmed():
    found = case([(1,)], [(2,)])
    assert confirmed(found, "lead", NOW) is None
    assert confirmed(replace(found, gold=intersection(found).gold), "lead", NOW) is None
    decided = confirmed(replace(found, gold=union(found).gold), "lead", NOW).gold
    assert (decided.decided_by, decided.at) == ("lead", NOW)
    assert decided.entry.state is AlignmentState.CONFIRMED
    assert not replace(found, gold=decided).is_open


def test_that_a_decision_is_outdated_when_an_annotator_changes_their_mind():
    found = case([(1,)], [(2,)])
    decided = confirmed(replace(found, gold=union(found).gold), "lead", NOW).gold
    later = replace(case([(1,)], [(3,)]), gold=decided)
    assert later.is_outdated
    assert later.is_open
    assert not replace(found, gold=decided).is_outdated
    assert not replace(found, gold=decided, entries={A: found.entries[A]}).is_outdated


def test_that_flags_causes_and_ranks_change_nothing_else():
    found = case([(1,)], [(2,)])
    known = replace(found, gold=confirmed(replace(found, gold=union(found).gold), A, NOW).gold)
    assert (flagged(known).decided_by, flagged(known).at) == (None, None)
    assert flagged(known).entry.state is AlignmentState.FLAGGED
    assert flagged(replace(known, gold=flagged(known))).entry.state is AlignmentState.INCOMPLETE
    assert with_cause(known, "oversight") == replace(known.gold, cause="oversight")
    assert with_rank(known, "C").entry == replace(known.gold.entry, rank="C")
    assert with_cause(found, "oversight").entry.alternatives == ()
    ranked = replace(known, gold=with_rank(replace(known, gold=with_cause(known, "x")), "C"))
    assert (union(ranked).gold.cause, union(ranked).gold.entry.rank) == ("x", "C")
    more = linked(known, 0, SentenceRef("d", 5)).gold
    assert sets(more.entry.alternatives) == {frozenset({1, 5}), frozenset({2})}
    assert [one.alternatives for one in more.sources] == [(), (2,)]
    assert (more.decided_by, more.at) == (None, None)


def test_that_a_locked_decision_is_not_changed():
    found = case([(1,)], [(2,)])
    locked = replace(found, gold=replace(union(found).gold, locked=True))
    assert gold_edit(locked, taken(found, A).gold, GOLD_TAKE) is None
    assert gold_edit(found, taken(found, A).gold, GOLD_TAKE).old is None


def test_that_an_edit_makes_the_gold_and_its_inverse_takes_it_back():
    made = topic("T", {A: [[(1,)]], B: [[(2,)]]})
    (found,) = cases_of(made)
    edit = gold_edit(found, union(found).gold, GOLD_TAKE)
    after = topic_after(made, edit)
    assert after.abstracts[0].gold == (edit.new,)
    assert topic_after(after, edit.inverse()) == made


def test_that_all_unanimous_ones_are_taken_in_one_act():
    made = corpus(
        topic("T", {A: [*TABLE_1, []], B: [*MERGED, []]}),
        topic("U", {A: TABLE_1, B: [[*TABLE_1[0], (1, 9)], *TABLE_1[1:]]}),
    )
    assert worklist_of(made, "lead", Silent()).n_agreed == 6
    after = with_unanimous(made, "lead", NOW)
    assert [[one.n for one in t.abstracts[0].gold] for t in after.topics] == [[2, 3, 4], [1, 2, 3]]
    gold = [one for t in after.topics for one in t.abstracts[0].gold]
    assert {one.origin for one in gold} == {GoldOrigin.UNANIMOUS}
    assert gold[2].entry.state is AlignmentState.NO_SOURCE
    assert sets(gold[3].entry.alternatives) == {frozenset({1}), frozenset({10, 11})}
    assert worklist_of(after, "lead", Silent()).n_agreed == 0
    assert with_unanimous(after, "lead", NOW) == after


@pytest.mark.parametrize("ranks", [("B", "B"), ("B", "C")])
def test_that_a_rank_is_taken_where_all_gave_the_same(ranks):
    made = corpus(topic("T", {A: [[(1,)]], B: [[(1,)]]}, ranks={A: [ranks[0]], B: [ranks[1]]}))
    (gold,) = with_unanimous(made, "lead", NOW).topics[0].abstracts[0].gold
    assert gold.entry.rank == ("B" if ranks[0] == ranks[1] else None)
