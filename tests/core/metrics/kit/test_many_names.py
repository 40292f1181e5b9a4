"""Millions of names are told apart as a few are."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.laws import tries

from awase.core.errors import InputError
from awase.core.metrics.kit.signature import named
from awase.core.metrics.rouge.family import ManyNames

AWKWARD = [
    "a",
    "a'",
    'a"',
    "a'\"",
    "a\\",
    "a\n",
    "a\0",
    "",
    "雪",
    "\ud800",
    "\ue000",
    "😀",
    "10",
    "1",
]


def taken(portions):
    names = ManyNames()
    for portion in portions:
        names.add(portion)
    return names


@settings(max_examples=tries(60), deadline=None)
@given(
    st.lists(st.text(max_size=4) | st.sampled_from(AWKWARD) | st.just("x" * 500), unique=True),
    st.integers(1, 5),
)
@example(AWKWARD, 3)
@example(["x" * 500, *map(str, range(40))], 7)
def test_that_they_are_named_as_signatures_name_them(names, size):
    found = taken(names[at : at + size] for at in range(0, len(names), size))
    assert len(found) == len(names)
    assert found.named() == named(names)


@pytest.mark.parametrize("others", [[], ["x" * 500]])
def test_that_a_name_that_came_twice_is_told(others):
    with pytest.raises(InputError, match="two items “b'”"):
        taken([["a", "b'"], ["c", *others], ["b'"]]).named()
