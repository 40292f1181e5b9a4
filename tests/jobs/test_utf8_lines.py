"""Lines of a file that is read in pieces are those of the file that is read at once."""

from io import BytesIO

import pytest
from hypothesis import example
from hypothesis import strategies as st
from tests.in_part import in_turn
from tests.laws import law

from awase.core.errors import CorpusFormatError
from awase.core.text.encoding import decode
from awase.jobs.supplies import parsing as module
from awase.jobs.supplies.parsing import utf8_lines


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BYTES_AT_ONCE", 4)


def at_once(data: bytes) -> list[str] | list[tuple[str, int | None]]:
    try:
        return decode(data, "utf-8").text.split("\n")
    except CorpusFormatError as error:
        return [(problem.what, problem.line) for problem in error.problems]


def in_pieces(data: bytes) -> list[str] | list[tuple[str, int | None]]:
    lines = []
    try:
        lines += utf8_lines(BytesIO(data))
    except CorpusFormatError as error:
        return [(problem.what, problem.line) for problem in error.problems]
    return lines if data and not data.endswith((b"\n", b"\r")) else [*lines, ""]


@law(200, st.lists(st.sampled_from(["a", "あ", "\n", "\r\n", "\r", "\ufeff", "\0", "\x85"])))
@example([*"\n\n\n\n", "\ufeff"])
def test_that_lines_and_refusals_are_those_of_the_file_at_once(pieces):
    data = "".join(pieces).encode()
    if {"\0", "\ufeff"} <= {*pieces}:
        return  # whichever of the two is met first is told
    assert in_pieces(data) == at_once(data)


@in_turn("data", [b"ab\ncd\nef\xff\n", b"\xff", b"a\n\xe3\x81"])
def test_that_a_byte_that_is_no_text_is_told_with_its_place_in_the_file(data):
    with pytest.raises(CorpusFormatError) as told:
        decode(data, "utf-8")
    with pytest.raises(CorpusFormatError) as found:
        [*utf8_lines(BytesIO(data))]
    assert found.value.problems == told.value.problems
