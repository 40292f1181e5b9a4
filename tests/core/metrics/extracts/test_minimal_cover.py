"""h of an abstract, in the words of the corpus."""

import pytest
from hypothesis import given, settings
from tests.building import refs
from tests.core.metrics.small_tables import TABLE_1, golds, table
from tests.laws import tries
from tests.oracles import tsc3 as oracle

from awase.core.metrics.extracts.gold import (
    CoverReport,
    cover_problem,
    cover_report,
    gold_of,
    size_of_minimal_cover,
)
from awase.core.records.abstract import Abstract, AbstractSentence
from awase.core.records.alignment import Alignment, Alternative, SentenceAlignment
from awase.core.records.identifiers import SentenceRef
from awase.core.solvers.cover_solving import minimal_cover

law = settings(max_examples=tries(50), deadline=None)
ORDER = {ref: position for position, ref in enumerate(refs(*range(1, 71)))}


def report_of(*rows: str) -> CoverReport:
    gold = table(*rows)
    return cover_report(gold, minimal_cover(cover_problem(gold)), ORDER)


def test_that_h_of_table_1_is_6_with_two_minimal_covers():
    # Hirao et al. (2004), section 3.1, name {1, 3, 5, 6, 30, 60} alone; by Table 1 itself
    # {1, 3, 5, 6, 21, 23} is another, as the printed s20 is not in the table.
    report = report_of(*TABLE_1)
    assert (report.h, report.lower, report.upper, report.is_optimal) == (6, 6, 6, True)
    assert (report.n_covers, report.is_count_exact) == (2, True)
    assert report.sentences in (refs(1, 3, 5, 6, 30, 60), refs(1, 3, 5, 6, 21, 23))
    assert report.in_every == refs(1, 3, 5, 6)
    assert report.in_none == refs(10, 11)
    assert report.conflict == ()


def test_that_sentences_without_alternatives_are_named_and_not_asked_for():
    report = report_of("A: 1", "A:", "A: 2")
    assert (report.h, report.skipped) == (2, (2,))


def test_that_an_abstract_of_which_nothing_counts_has_an_empty_cover():
    assert size_of_minimal_cover(table("A:")) == 0


@law
@given(golds())
def test_that_h_is_the_least_size_of_all_sufficient_sets(gold):
    sentences = [
        oracle.Counting(rank=s.rank, sets=[set(alternative) for alternative in s.alternatives])
        for s in gold.sentences
    ]
    assert size_of_minimal_cover(gold) == oracle.h(sentences)


def test_that_documents_can_be_left_out_until_a_sentence_cannot_be_covered():
    abstract = Abstract(id="a", sentences=tuple(AbstractSentence(n=n, text="") for n in (1, 7)))
    d1, d2, e1 = SentenceRef("d", 1), SentenceRef("d", 2), SentenceRef("e", 1)
    alignment = Alignment(
        annotator="x",
        sentences=(
            SentenceAlignment(n=1, alternatives=(Alternative((d1,)), Alternative((e1,)))),
            SentenceAlignment(n=7, alternatives=(Alternative((d1, d2)),)),
        ),
    )
    gold = gold_of(abstract, alignment)
    order = {d1: 0, d2: 1, e1: 2}
    without_e = cover_report(gold, minimal_cover(cover_problem(gold, ["e"])), order)
    assert (without_e.h, without_e.sentences) == (2, (d1, d2))
    without_d = cover_report(gold, minimal_cover(cover_problem(gold, ["d"])), order)
    assert (without_d.h, without_d.conflict, without_d.sentences) == (None, (7,), ())
    assert not without_d.is_optimal


@pytest.mark.parametrize("rows", [TABLE_1, ("A: 1 2 | 3 4", "A: 1 3 | 2 5", "A: 4 5 | 2 3 6")])
def test_that_bounds_hold_while_h_is_not_proved(rows):
    gold = table(*rows)
    report = cover_report(gold, minimal_cover(cover_problem(gold), effort=0), ORDER)
    assert report.lower <= size_of_minimal_cover(gold) <= report.upper
    assert len(report.sentences) == report.upper
