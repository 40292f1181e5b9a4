from hypothesis import given
from hypothesis import strategies as st
from tests.in_part import in_turn
from tests.oracles import agreement as slow

from awase.core.agreement.distances import Kind, is_explained, kind_of
from awase.core.solvers.masks import absorbed

families = st.lists(st.frozensets(st.integers(0, 4), min_size=1, max_size=3), max_size=3)


def raw(family):
    return frozenset(sum(1 << item for item in set(members)) for members in family)


def kind(first, second):
    one, other = raw(first), raw(second)
    return kind_of(absorbed(one), absorbed(other), is_same_as_given=one == other)


@in_turn(
    ("first", "second", "expected"),
    [
        ([], [], Kind.BOTH_NO_SOURCE),
        ([], [{1}], Kind.ONE_NO_SOURCE),
        ([{1}, {2, 3}], [{3, 2}, {1}], Kind.IDENTICAL),
        ([{1}, {2, 3}], [{3, 2}, {1}, {1, 4}], Kind.SAME_AFTER_ABSORPTION),
        ([{1}, {2, 3}], [{1}], Kind.MISSED_ALTERNATIVE),
        ([{1, 5}, {1}], [{1}, {2}], Kind.MISSED_ALTERNATIVE),
        ([{1}, {2}], [{1, 2}], Kind.GROUPED_OTHERWISE),
        ([{1, 2}, {3, 4}], [{1, 3}, {2, 4}], Kind.GROUPED_OTHERWISE),
        ([{1}], [{1, 2}], Kind.IMPLIES),
        ([{1, 2}, {3}], [{1}, {3}], Kind.IMPLIES),
        ([{1, 2}], [{2, 3}], Kind.OVERLAPPING),
        ([{1}], [{2}], Kind.DISJOINT),
    ],
)
def test_that_each_kind_is_told(first, second, expected):
    assert kind(first, second) is expected
    assert kind(second, first) is expected


@given(families, families)
def test_that_kinds_of_agreement_are_those_of_equivalent_families(first, second):
    is_same = slow.absorbed(first) == slow.absorbed(second)
    assert kind(first, second).is_agreement == is_same


@given(families, families)
def test_that_implication_is_that_of_the_truth_table(first, second):
    if kind(first, second) is Kind.IMPLIES:
        worlds = slow.subsets(range(5))
        one = [slow.holds(first, world) for world in worlds]
        other = [slow.holds(second, world) for world in worlds]
        below = all(a <= b for a, b in zip(one, other, strict=True))
        above = all(a >= b for a, b in zip(one, other, strict=True))
        assert below != above


def test_that_near_duplicates_explain_a_difference():
    def of(item):
        return {7: 1, 8: 2}.get(item, item)

    assert is_explained(raw([{1}, {2, 3}]), raw([{7}, {8, 3}]), of)
    assert is_explained(raw([{1}, {7}]), raw([{1}]), of)
    assert not is_explained(raw([{1}]), raw([{3}]), of)
