"""Rows as SQLite's own driver is given them."""

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awase.storage.querying import insert_values, rows_of

_CELLS = st.none() | st.integers(-2, 2) | st.sampled_from(["", "a"])


@pytest.mark.slow
@given(st.lists(st.tuples(_CELLS, _CELLS, _CELLS), min_size=1), st.sampled_from([1, 70]))
def test_that_rows_are_stored_whole_whichever_columns_are_empty(rows, n_times):
    rows = rows * n_times
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a, b, c)")
        insert_values(connection, "t", dict(zip("abc", zip(*rows, strict=True), strict=True)))
        assert rows_of(connection, "SELECT a, b, c FROM t ORDER BY id") == rows


def test_that_a_value_that_has_to_be_there_is_missed():
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE t (a, b, c NOT NULL)")
        with pytest.raises(sqlite3.IntegrityError):
            insert_values(connection, "t", {"a": [1], "b": [2], "c": [None]})
