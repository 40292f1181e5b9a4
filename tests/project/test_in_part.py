"""What the tests' own loop promises."""

import inspect

import pytest
from tests.in_part import in_turn


def test_that_each_case_is_tried_and_the_one_that_fails_is_named():
    tried = []

    @in_turn("n, word", [(1, "a"), pytest.param(2, "b", id="two"), (3, "c")])
    def check(n, word, folder):
        tried.append((n, word, folder))
        assert n < 2

    assert [*inspect.signature(check).parameters] == ["folder"]
    with pytest.raises(AssertionError) as told:
        check(folder="f")
    assert told.value.__notes__ == ["in the case (2, 'b')"]
    assert tried == [(1, "a", "f"), (2, "b", "f")]


def test_that_trying_nothing_is_a_mistake():
    with pytest.raises(AssertionError, match="nothing is tried"):
        in_turn("n", [])
