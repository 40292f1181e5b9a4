"""What decisions do to an abstract, against the study of two annotators, and by hand."""

from dataclasses import replace
from functools import partial

from tests.agreement_corpora import MERGED, TABLE_1, corpus, topic
from tests.building import refs

from awase.core.agreement.adjudication import (
    GOLD_TAKE,
    cases_of,
    gold_edit,
    linked,
    taken,
    union,
    with_near_duplicates,
)
from awase.core.agreement.comparison import decision_effects
from awase.core.agreement.results import effects_of
from awase.core.annotation.actions import topic_after
from awase.core.errors import Silent
from awase.core.metrics.kit.signature import mean
from awase.core.records.abstract import AlignmentState, Alternative, GoldOrigin
from awase.core.records.source import SentenceRef

EXTRACTS = {"lead": [1, 2, 3, 4, 5, 6], "other": [20, 10, 11, 2]}


def made():
    return topic("T", {"A": TABLE_1, "B": MERGED}, extracts=EXTRACTS)


def effects(of):
    case = next(case for case in cases_of(of) if not case.is_unanimous)
    return decision_effects(of, of.abstracts[0], case)


def decided(of, decide):
    for case in cases_of(of):
        if not case.is_unanimous:
            of = topic_after(of, gold_edit(case, decide(case).gold, GOLD_TAKE))
    return of


def test_that_taking_one_annotator_for_all_gives_that_annotators_h_and_coverage():
    for who, other in (("A", "B"), ("B", "A")):
        after = effects(decided(made(), partial(taken, who=who)))
        assert after.gold == after.by_annotator[who]
        assert after.n_open == 0
        (study,) = effects_of(corpus(made()), (who, other), None, Silent())
        assert study.h[0].values[who] == after.gold.h
        assert {system: pair[0] for system, pair in study.coverage.items()} == after.gold.coverage


def test_that_open_sentences_are_left_out_on_every_side():
    before = effects(made())
    assert (before.n_sentences, before.n_open) == (2, 1)
    assert before.gold == before.by_annotator["A"] == before.by_annotator["B"]


def test_that_nothing_decided_has_no_h():
    found = effects(topic("T", {"A": [[(1,)]], "B": [[(2,)]]}, extracts=EXTRACTS))
    assert (found.gold.h, found.gold.coverage, found.n_open) == (None, {}, 1)


def test_that_accepting_more_never_needs_more_sentences():
    joined = effects(decided(made(), union))
    assert joined.gold.h <= min(side.h for side in joined.by_annotator.values())
    assert mean([*joined.gold.coverage.values()]) > 0


def test_that_a_half_made_alternative_does_not_swallow_others():
    case = next(cases_of(topic("T", {"A": [[(1, 2)]], "B": [[(3,)]]})))
    first = linked(case, 0, SentenceRef("d", 1)).gold
    assert (first.origin, first.decided_by) == (GoldOrigin.EDITED, None)
    whole = replace(case, gold=taken(case, "A").gold)
    begun = linked(whole, 1, SentenceRef("d", 1)).gold
    assert begun.entry.alternatives == (Alternative(refs(1, 2)), Alternative(refs(1)))
    emptied = linked(replace(case, gold=first), 0, SentenceRef("d", 1)).gold
    assert (emptied.entry.alternatives, emptied.entry.state) == ((), AlignmentState.TODO)


def test_that_near_duplicates_of_every_alternative_are_added_and_absorbed():
    case = next(cases_of(topic("T", {"A": [[(1, 2)]], "B": [[(3,)]]})))
    case = replace(case, gold=union(case).gold)
    twins = {SentenceRef("d", 3): [SentenceRef("d", 9)], SentenceRef("d", 2): [SentenceRef("d", 3)]}
    found = with_near_duplicates(case, lambda ref: twins.get(ref, []))
    assert {one.as_set for one in found.gold.entry.alternatives} == {
        Alternative(refs(1, 2)).as_set, Alternative(refs(3)).as_set, Alternative(refs(9)).as_set,
    }  # fmt: skip
    assert [outer for outer, _ in found.dropped] == [Alternative(refs(1, 3))]
    assert with_near_duplicates(case, lambda _: []) is None
