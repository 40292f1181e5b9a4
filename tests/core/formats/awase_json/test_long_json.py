"""A long JSON object is what it would be if it were read at once, and so are its faults."""

import json
from collections.abc import Callable
from functools import partial

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.laws import tries

from awase.core.errors import CorpusFormatError, Problem
from awase.core.formats.awase_json.long_json import LongObject
from awase.core.formats.reading.json_fields import load

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(width=32) | st.text(max_size=5),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=3), some),
    max_leaves=8,
)
_INDENTS = st.sampled_from([None, 1])


def _read(text: str, size: int) -> tuple[object, list[Problem]]:
    """Returns what `load` does, of an object without keys that stand twice."""
    found = LongObject(text[at : at + size] for at in range(0, len(text), size))
    value: dict[str, object] = {}
    oddities: list[Problem] = []
    for key in found.each_key():
        if found.is_list():
            items = value[key] = []
            for item, _ in found.items():
                oddities += found.decoder.oddities_in(item, f"{key}[{len(items)}]")
                items.append(item)
        else:
            value[key] = found.value()
            oddities += found.decoder.oddities_in(value[key], key)
    return value, oddities


@settings(max_examples=tries(200), deadline=None)
@given(
    value=st.dictionaries(
        st.text(st.characters(codec="utf-8", exclude_characters="."), min_size=1, max_size=3),
        _VALUES,
        max_size=4,
    ),
    indent=_INDENTS,
    size=st.integers(1, 40),
)
def test_that_pieces_of_an_object_make_the_object(
    value: dict[str, object], indent: int | None, size: int
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    assert repr(_read(text, size)) == repr(load(text))


@settings(max_examples=tries(300), deadline=None)
@given(
    value=st.dictionaries(st.text("ab", min_size=1), _VALUES, min_size=1, max_size=3),
    indent=_INDENTS,
    at=st.integers(0, 200),
    n_lost=st.integers(0, 3),
    put=st.text('{}[],:"\\ 1a\n', max_size=2),
    size=st.integers(1, 200),
)
@example(value={"a": 1}, indent=None, at=7, n_lost=0, put=",", size=2)
def test_that_faults_are_told_as_if_all_had_been_read_at_once(
    value: dict[str, object], indent: int | None, at: int, n_lost: int, put: str, size: int
) -> None:
    text = json.dumps(value, indent=indent)
    at %= len(text)
    text = f"{text[:at] or '{'}{put}{text[at + n_lost :]}"
    if not text.startswith("{"):
        return
    assert _fault(lambda: _read(text, size)) == _fault(lambda: load(text))


def test_that_numbers_and_depths_beyond_reading_are_told_with_their_lines() -> None:
    for text in ('{"a": 1,\n"b": ' + "9" * 5000 + "}", '{"a": ' + "[" * 200_000):
        assert _fault(partial(_read, text, 1000)) == _fault(partial(load, text)) != ()


def _fault(read: Callable[[], object]) -> tuple[Problem, ...]:
    try:
        read()
    except CorpusFormatError as error:
        return tuple(error.problems)
    return ()
