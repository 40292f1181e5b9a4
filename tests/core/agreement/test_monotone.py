import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import agreement as slow

from awase.core.agreement.distances import count_of
from awase.core.solvers.cover import absorbed

masks = st.integers(1, 127)
families = st.lists(masks, max_size=6)


def sets(family):
    return [frozenset(i for i in range(8) if mask >> i & 1) for mask in family]


@given(families)
def test_that_absorption_keeps_the_members_that_contain_no_other(family):
    assert {*sets(absorbed(family))} == slow.absorbed(sets(family))


@given(families)
def test_that_absorbed_families_are_equal_exactly_when_the_functions_are(family):
    worlds = slow.subsets(range(7))
    again = absorbed([*family, *(mask | 1 for mask in family)])
    same = all(
        slow.holds(sets(again), world) == slow.holds(sets(family), world) for world in worlds
    )
    assert same
    assert absorbed(family) == again


@given(families)
def test_that_the_count_is_that_of_the_truth_table(family):
    found = count_of(absorbed(family))
    kept = slow.absorbed(sets(family))
    assert found.share == float(slow.probability(kept))
    assert found.n_elements == len(frozenset().union(*kept))


def test_that_a_chain_of_90_overlapping_pairs_is_counted_exactly() -> None:
    # Subsets of a path without two neighbours: Fibonacci numbers.
    none, previous = 2, 1
    for _ in range(90):
        none, previous = none + previous, none
    found = count_of(absorbed(3 << i for i in range(90)))
    assert found is not None
    assert (found.n_elements, found.n_sets) == (91, (1 << 91) - none)


def grid(side):
    """The edges of a square grid: entangled in two dimensions."""
    right = [1 << at | 2 << at for at in range(side * side) if (at + 1) % side]
    return absorbed([*right, *(1 << at | 1 << at + side for at in range(side * (side - 1)))])


def test_that_counting_gives_up_beyond_its_states():
    assert count_of(grid(8), most_states=50) is None
    # Subsets of a 4 x 4 grid without neighbours: 1,234 (OEIS A006506).
    assert count_of(grid(4)) == (2**16 - 1_234, 16)


@pytest.mark.slow
def test_that_counting_asks_whether_it_is_still_wanted():
    asked = []
    count_of(grid(12), most_states=2_500, still_wanted=lambda: asked.append(1))
    assert len(asked) == 2
