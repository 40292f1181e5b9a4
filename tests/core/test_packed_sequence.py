import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws import tries

from awase.core.packed_sequence import PackedMapping, PackedSequence


@settings(max_examples=tries(40))
@given(st.lists(st.tuples(st.text(max_size=2), st.floats(allow_nan=False))), st.integers(-9, 9))
def test_that_packed_records_are_what_was_put_in(records: list[tuple[str, float]], at: int) -> None:
    packed = PackedSequence(records, at_once=3)
    assert (len(packed), [*packed], packed) == (len(records), records, records)
    assert packed[at:] == tuple(records[at:])
    if -len(records) <= at < len(records):
        assert packed[at] == records[at]
    else:
        with pytest.raises(IndexError):
            packed[at]


def test_that_packed_records_can_grow_and_differ() -> None:
    packed = PackedSequence("abcd", at_once=3)
    before = PackedSequence("abcd", at_once=3)
    packed.append("e")
    assert [*packed] == [*"abcde"]
    assert packed != before
    assert packed != 5
    assert repr(packed) == "PackedSequence(5 records)"


def test_that_all_but_the_last_records_are_where_the_caller_keeps_them() -> None:
    blocks: list[bytes] = []
    packed = PackedSequence("abcde", at_once=2, blocks=blocks)
    assert len(blocks) == 2
    blocks[0], blocks[1] = blocks[1], blocks[0]
    assert [*packed] == [*"cdabe"]


def test_that_packed_records_are_found_by_their_names() -> None:
    packed = PackedMapping[int](at_once=2)
    for at, name in enumerate("abcde"):
        packed.add(name, at)
    assert packed == dict(zip("abcde", range(5), strict=True))
    assert [*packed] == [*"abcde"]
    assert (packed["d"], packed.get("x")) == (3, None)
    packed.add("b", 7)
    assert ([*packed], packed["b"], len(packed)) == ([*"abcde"], 7, 5)
