from tests.building import topic

from awase.core.annotation.formula import (
    AlternativeFault,
    AlternativeWarning,
    alternative_warnings,
    formula,
    label_of,
    running_numbers,
    set_text,
)
from awase.core.records.abstract import Alternative
from awase.core.records.source import SentenceRef

NUMBERS = running_numbers(topic("t", docs={"d": 6, "e": 6}))


def sets(*alternatives):
    refs = {number: ref for ref, number in NUMBERS.items()}
    return [Alternative(tuple(refs[number] for number in members)) for members in alternatives]


def test_that_numbers_run_through_the_documents_and_an_unknown_sentence_is_called_by_its_id():
    assert NUMBERS[SentenceRef("d", 6)] == 6
    assert NUMBERS[SentenceRef("e", 1)] == 7
    assert label_of(SentenceRef("f", 3), NUMBERS) == "f:3"


def test_that_table_1_of_the_tsc_3_paper_reads_as_printed():
    assert spoken([1], [10, 11]) == "s1 ∨ (s10 ∧ s11)"
    assert spoken([3, 5, 6]) == "s3 ∧ s5 ∧ s6"
    assert spoken([1, 2], [3, 4]) == "(s1 ∧ s2) ∨ (s3 ∧ s4)"
    assert (spoken(), set_text(sets([10, 11])[0], NUMBERS)) == ("", "{s10, s11}")


def spoken(*alternatives):
    return formula(sets(*alternatives), NUMBERS).replace("\u00a0", " ")


def warned(*alternatives):
    return [(w.alternative_idx, w.fault.value, w.other_idx)
            for w in alternative_warnings(sets(*alternatives))]  # fmt: skip


def test_that_the_second_of_two_equal_alternatives_is_a_duplicate():
    assert warned([1, 2], [3], [2, 1], [1, 2]) == [(2, "duplicate", 0), (3, "duplicate", 0)]
    assert warned([1], [2, 3], [3, 4]) == []


def test_that_the_larger_of_two_nested_alternatives_is_never_needed():
    assert warned([1, 2], [2]) == [(0, "contains", 1)]
    assert alternative_warnings(sets([2], [1, 2])) == (
        AlternativeWarning(alternative_idx=1, fault=AlternativeFault.CONTAINS, other_idx=0),
    )
