"""Lines and values of files of records: read in pieces and by the quicker reader, told alike."""

import json

import pytest
from tests.in_part import in_turn

from awase.core.formats.reading import records
from awase.core.formats.reading.records import NOT_JSON, filled_lines, json_value

TEXT = "\ufeffone\r\n\n \u3000\ntwo\n\nthree\x0bfour\n\n\nfive"


@pytest.mark.parametrize("n_letters", [1, 2, 5, 9, 1000])
def test_that_pieces_of_any_size_give_the_same_lines(monkeypatch, n_letters):
    monkeypatch.setattr(records, "LETTERS_AT_ONCE", n_letters)
    assert [*filled_lines(TEXT)] == [(1, "one"), (4, "two"), (6, "three\x0bfour"), (9, "five")]


@in_turn("text", [
    '{"a": 18446744073709551616}', '{"a": -0}', '{"a": 1e400}', '{"a": [1.0, "b"]}',
    '{"a": "\\ud800"}', '{"a": NaN}', '{"a": {"b": 36893488147419103232}}',
    '{"a": "x", "b": ["y", null], "a": true}', '[36893488147419103232]', '"x"', "{}", "7",
])  # fmt: skip
def test_that_values_are_what_the_standard_library_reads(text):
    assert repr(json_value(text)) == repr(json.loads(text))


@in_turn("text", ['{"a": "\t"}', '{"a" "b"}', '{"a": "b"} c', "\ufeff{}", "", "[" * 5000])
def test_that_what_is_no_json_is_none(text):
    assert json_value(text) is NOT_JSON
