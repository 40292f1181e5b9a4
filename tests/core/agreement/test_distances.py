"""The worked figures of the definitions, by hand and by brute force, and the laws."""

import random
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.in_part import in_part, in_turn
from tests.laws import law
from tests.oracles import agreement as slow

from awase.core.agreement.distances import (
    OF_FAMILIES,
    FamilyComparer,
    SetDistance,
    assigned,
    count_of,
    matching,
)
from awase.core.solvers.cover import absorbed

SLOW = {
    SetDistance.ALTERNATIVES: slow.alternatives_distance,
    SetDistance.FUNCTION: lambda f, g: slow.function_distance(slow.absorbed(f), slow.absorbed(g)),
    SetDistance.SUPPORT: slow.support_distance,
    SetDistance.EQUAL: slow.equal_distance,
}

families = st.lists(st.frozensets(st.integers(0, 6), min_size=1, max_size=4), max_size=5)


def masks(family):
    return absorbed(sum(1 << item for item in set(members)) for members in family)


def distance(kind, first, second):
    return FamilyComparer().distance(kind, masks(first), masks(second))


F = [{1}, {10, 11}]
WORKED = [
    # F against G: alternatives, function, MASI of all sentences.
    (F, [{1}], ".333", "1/5", ".778"),
    (F, [{10, 11}], ".333", "3/5", ".556"),
    (F, [{1, 10, 11}], ".556", "4/5", "0"),
    (F, [{1}, {10, 11, 12}], ".167", "1/10", ".5"),
    (F, [{1, 2}, {10, 11}], ".25", "3/10", ".5"),
    (F, [{1}, {10}, {11}], ".4", "2/7", "0"),
    (F, [{2}, {20, 21}], "1", "6/11", "1"),
    (F, [], "1", "1", "1"),
    ([{1}, {2}], [{1, 2}], ".667", "2/3", "0"),
    ([{1, 2}, {3, 4}], [{1, 3}, {2, 4}], ".667", "4/9", "0"),
    # Row 3 of Table 1 of the TSC-3 paper, as its text and as its table have it.
    ([{20, 21, 23}, {1, 30, 60}], [{21, 23}, {1, 30, 60}], ".167", "7/22", ".444"),
    # Unrelated single sentences.
    ([{1}], [{2}], "1", "2/3", "1"),
    ([], [], "0", "0", "0"),
]


@in_turn(("first", "second", "alternatives", "function", "support"), WORKED)
def test_that_the_worked_figures_are_reproduced(first, second, alternatives, function, support):
    digits = len(alternatives.partition(".")[2])
    assert round(distance(SetDistance.ALTERNATIVES, first, second), digits) == float(alternatives)
    assert distance(SetDistance.FUNCTION, first, second) == float(Fraction(function))
    digits = len(support.partition(".")[2])
    assert round(distance(SetDistance.SUPPORT, first, second), digits) == float(support)
    assert distance(SetDistance.EQUAL, first, second) == float(alternatives != "0")


def test_that_the_best_matching_is_found_where_the_greedy_one_is_wrong():
    assert distance(
        SetDistance.ALTERNATIVES, [{1, 2}, {1, 3}], [{1, 2, 3}, {1, 3}]
    ) == pytest.approx(1 / 3)
    # Greedily {1, 2, 3} goes with {1, 2, 3, 4, 5} (3/5) and nothing is left for {4, 5, 6}.
    first, second = [{1, 2, 3}, {4, 5, 6}], [{1, 2, 3, 4, 5}, {1, 2, 7}]
    expected = 1 - (Fraction(1, 2) + Fraction(2, 6)) / 2
    assert expected == slow.alternatives_distance(first, second)
    assert distance(SetDistance.ALTERNATIVES, first, second) == pytest.approx(float(expected))


@law(200, st.sampled_from(OF_FAMILIES), families, families)
def test_that_distances_are_those_of_brute_force(kind, first, second):
    expected = float(SLOW[kind](first, second))
    assert distance(kind, first, second) == pytest.approx(expected, abs=1e-9)


def test_that_unrelated_families_are_as_far_apart_by_groups_as_one_by_one():
    listed = [masks([{i, i + 1}, {i + 2}] if i % 2 else [{i}]) for i in range(0, 30, 3)] + [
        masks([])
    ]
    comparer = FamilyComparer()
    found = comparer.distances(SetDistance.FUNCTION, listed, ())
    for i, one in enumerate(listed):
        for j, other in enumerate(listed[:i]):
            expected = comparer.distance(SetDistance.FUNCTION, one, other)
            assert found.between[found.group[i], found.group[j]] == pytest.approx(expected)


def test_that_a_distance_of_functions_that_takes_too_many_states_is_undefined():
    comparer = FamilyComparer(most_states=20)
    grid = [{i, i + 1} for i in range(40)] + [{i, i + 8} for i in range(40)]
    found = comparer.distance(SetDistance.FUNCTION, masks(grid), masks([{1}]))
    assert found != found  # NaN
    assert comparer.distance(SetDistance.ALTERNATIVES, masks(grid), masks([{1}])) > 0


def test_that_a_matching_names_the_alternatives_that_go_together():
    pairs, weight = matching((0b1, 0b1100, 0b10000), (0b0100, 0b1))
    assert pairs == ((0, 1), (1, 0))
    assert weight == 1.5


def test_that_an_assignment_has_the_greatest_sum_of_all():
    rng = random.Random(5)
    for _ in range(60):
        n_rows, n_columns = sorted((rng.randint(2, 5), rng.randint(2, 5)))
        weights = [[rng.randint(0, 9) for _ in range(n_columns)] for _ in range(n_rows)]
        best = max(
            sum(weights[row][column] for row, column in enumerate(columns))
            for columns in permutations(range(n_columns), n_rows)
        )
        for way in (weights, [*zip(*weights, strict=True)]):
            assert sum(way[row][column] for row, column in assigned(way)) == best


NUMBERS = {
    "few": (0.0, 0.5, 1.0),
    "jaccards": tuple(float(Fraction(above, below)) for below in range(1, 8) for above in range(8)),
    "any": (),
}


@pytest.mark.slow
@pytest.mark.parametrize("numbers", in_part(NUMBERS, first=2))
def test_that_assignments_are_those_of_scipy(numbers):
    from scipy.optimize import linear_sum_assignment

    rng = random.Random(numbers)
    for _ in range(600):
        n_rows, n_columns = rng.randint(1, 9), rng.randint(1, 9)
        known = NUMBERS[numbers]
        weights = [
            [rng.choice(known) if known else rng.uniform(-1, 1) for _ in range(n_columns)]
            for _ in range(n_rows)
        ]
        rows, columns = linear_sum_assignment(weights, maximize=True)
        assert assigned(weights) == [*zip(rows.tolist(), columns.tolist(), strict=True)]


# Counts of what families let through

masked = st.lists(st.integers(1, 127), max_size=6)


def sets(family):
    return [frozenset(i for i in range(8) if mask >> i & 1) for mask in family]


@given(masked)
def test_that_absorption_keeps_the_members_that_contain_no_other(family):
    assert {*sets(absorbed(family))} == slow.absorbed(sets(family))


@given(masked)
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
