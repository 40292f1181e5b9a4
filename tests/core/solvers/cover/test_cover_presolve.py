from hypothesis import given, settings
from tests.core.solvers.cover.cover_cases import TABLE_1, problem, problems

from awase.core.solvers.cover import bounds_of, mask_need, presolve, without_implied
from awase.core.solvers.masks import items_of, mask_of, minimal_masks


def presolved(one):
    return presolve([mask_need(need, mask_of(one.forbidden)) for need in one.needs])


def test_that_masks_and_items_are_the_same_thing():
    assert items_of(mask_of([64, 3, 0])) == [0, 3, 64]
    assert mask_of([]) == 0


def test_that_alternatives_that_hold_another_are_dropped():
    assert minimal_masks([0b111, 0b011, 0b100, 0b011]) == (0b011, 0b100)


def test_that_forced_items_are_taken_out_and_satisfied_needs_dropped():
    left = presolved(TABLE_1)
    assert items_of(left.forced) == [3, 5, 6]
    assert left.origin.keys() == {need for component in left.components for need in component}
    assert sorted(left.origin.values()) == [0, 2]


def test_that_needs_without_common_items_are_separate_components():
    left = presolved(problem([{1}, {2}], [{2}, {3}], [{4}, {5}], [{5, 6}, {7}]))
    assert sorted(map(len, left.components)) == [2, 2]


def test_that_an_implied_need_is_dropped_and_may_split_a_component():
    left = presolved(problem([{1, 5}, {2, 6}], [{1}, {2}, {5}, {6}, {9}], [{9}, {10}]))
    (component,) = left.components
    assert len(component) == 3
    assert sorted(map(len, without_implied(component))) == [1, 1]


@given(one=problems)
@settings(deadline=None)
def test_that_components_share_no_item(one):
    left = presolved(one)
    seen = left.forced
    for component in left.components:
        items = 0
        for need in component:
            for mask in need:
                assert mask
                items |= mask
        assert not items & seen
        seen |= items


def test_that_needs_that_ask_for_nothing_new_leave_their_items_to_the_later_ones():
    component = tuple(sorted([(0b001, 0b010), (0b011, 0b100), (0b1000, 0b0100)]))
    bounds = bounds_of(component)
    assert bounds.lower <= bounds.cover.bit_count()
    assert bounds.union == 0b1111
