"""The tables of what the program itself has."""

from operator import attrgetter

import pytest

from awase.core.packages import table_of


def test_that_two_entries_of_one_name_are_a_defect():
    name = attrgetter("real")
    assert [*table_of(name, 2, 1).items()] == [(2, 2), (1, 1)]
    with pytest.raises(ValueError, match="two are called 1"):
        table_of(name, 1, 2, 1)
