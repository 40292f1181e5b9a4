"""JSON that is stored: the same whichever way it was made."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.laws import CHARACTERS

from awase.core.records.json_values import (
    dumps,
    loads,
    text_dumps,
    texts_dumps_of_all,
    texts_of_all,
)
from awase.core.records.source import id_problems, is_usable_id

_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters()),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(CHARACTERS), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.lists(st.text(st.characters()), max_size=5) | _ANYTHING)
def test_that_compact_json_is_as_the_encoder_has_it(value):
    assert dumps(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _read(reader, text):
    try:
        return reader(text)
    except (ValueError, TypeError) as error:
        return str(error)


@given(_ANYTHING.map(dumps), st.text(st.sampled_from(' [],"1'), max_size=3), st.booleans())
def test_that_json_is_read_or_refused_as_by_the_decoder(text, more, is_before):
    text = more + text if is_before else text + more
    assert _read(loads, text) == _read(json.loads, text)
    assert _read(loads, b" [1]") == [1]
    assert _read(loads, None) == _read(json.loads, None)


@given(st.text(st.sampled_from("a \n\x7f\ud800\u2028"), max_size=3))
def test_that_an_id_is_usable_when_nothing_is_wrong_with_it(value):
    assert is_usable_id(value) == (not [*id_problems(value, "id")])


@given(_ANYTHING)
def test_that_a_value_without_fractions_is_written_alike_in_both_ways(value):
    assert text_dumps(value) == dumps(value).encode("utf-8", "surrogatepass")


@pytest.mark.slow
def test_that_every_character_is_written_alike_in_both_ways():
    """One by one, and those that are no characters alone, too: names of files have such."""
    texts = [*map(chr, range(0x110000))]
    whole = [text for text in texts if not "\ud800" <= text <= "\udfff"]
    assert text_dumps(whole) == dumps(whole).encode()
    for text in ("\ud800", "\udfff", "a\udc80b"):
        assert text_dumps([text]) == dumps([text]).encode("utf-8", "surrogatepass")


@given(st.lists(st.lists(st.text(st.characters()), max_size=3)))
def test_that_lists_of_texts_are_written_together_as_each_alone(lists):
    assert texts_dumps_of_all(lists) == [*map(dumps, lists)]


@given(st.lists((st.lists(st.text(st.characters())) | _ANYTHING).map(dumps)))
@example([dumps(["a"]), dumps([(1 << 70) + 1])])  # of which orjson would make a float
@example(["[1e400]"])
@example([" [] ", "{}"])
@example(["["])
def test_that_texts_read_together_are_those_read_one_by_one(texts):
    assert _read(texts_of_all, texts) == _read(lambda many: [*map(json.loads, many)], texts)
