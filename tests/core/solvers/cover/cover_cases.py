"""Cover problems shared by the tests."""

import random

from hypothesis import strategies as st

from awase.core.solvers.cover import CoverProblem


def problem(*needs: list[set[int]], forbidden: frozenset[int] = frozenset()) -> CoverProblem:
    return CoverProblem(
        needs=tuple(tuple(frozenset(a) for a in need) for need in needs), forbidden=forbidden
    )


TABLE_1 = problem([{1}, {10, 11}], [{3, 5, 6}], [{21, 23}, {1, 30, 60}])
"""Table 1 of Hirao et al. (2004); h = 6 with two minimal covers."""

MISPRINTED = problem([{1}, {10, 11}], [{3, 5, 6}], [{20, 21, 23}, {1, 30, 60}])
"""The same by the constraints printed under it (s20)."""

alternatives = st.frozensets(st.integers(0, 8), min_size=1, max_size=4)
needs = st.lists(alternatives, min_size=1, max_size=5).map(tuple)
problems = st.builds(
    lambda some, forbidden: CoverProblem(needs=tuple(some), forbidden=forbidden),
    st.lists(needs, max_size=7),
    st.one_of(st.just(frozenset()), st.frozensets(st.integers(0, 8), max_size=2)),
)
"""Up to 7 needs of 5 alternatives of 4 items out of 9, sometimes with forbidden items."""


def small_random(rng: random.Random) -> CoverProblem:
    """Returns a connected, unforced instance more often than hypothesis does."""
    n_items = rng.randint(4, 10)
    largest = rng.randint(2, 4)
    return CoverProblem(
        needs=tuple(
            tuple(
                frozenset(rng.sample(range(n_items), rng.randint(1, largest)))
                for _ in range(rng.randint(0 if rng.random() < 0.02 else 1, 5))
            )
            for _ in range(rng.randint(0, 9))
        ),
        forbidden=frozenset(rng.sample(range(n_items), rng.choice((0, 0, 0, 0, 1, 2)))),
    )
