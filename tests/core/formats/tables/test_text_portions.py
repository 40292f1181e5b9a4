"""Lines and rows that are read some topics at a time are what they are when read at once."""

import csv
import json
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.building import abstract, corpus, topic
from tests.laws import tries

from awase.core.errors import InputError
from awase.core.formats.importing import FileContent, FilesRead, LongFile, read_files
from awase.core.formats.lines import lines_by_topic
from awase.core.formats.reading.requests import ReadRequest
from awase.core.formats.tables import text_portions
from awase.core.progress import Silent
from awase.core.records.corpus import Corpus
from awase.core.text.encoding import text_of

_KNOWN = corpus(topic("a", docs=["One."]), topic("z", abstracts=[abstract("ref", texts=["R."])]))
_TEXTS = st.sampled_from(["One. Two.", "Three.", ["One.", "Two."], "", " ", None, 7, ["x", 7]])
_ITEMS = st.fixed_dictionaries(
    {},
    optional={
        "id": st.sampled_from(["a", "b", "c", "", 4, "\0", "z"]),
        "document": _TEXTS,
        "reference": _TEXTS,
        "prediction": _TEXTS,
        "system": st.sampled_from(["s", "t", ""]),
        "other": st.just(1),
    },
)


@pytest.fixture(autouse=True, scope="module")
def _short_turns() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines_by_topic, "PORTION_LETTERS", 120)
        yield


def _read(text: str, size: int | None, columns: dict[str, str]) -> Any:
    data = text.encode()
    long = None
    if size is not None:
        cut = [data[begin : begin + size] for begin in range(0, len(data), size)]
        long = LongFile(lambda: text_of(cut), lambda: data)
    file = FileContent(
        source="f.jsonl",
        data=data if long is None else None,
        long=long,
        format_id="text-table",
        columns=columns,
    )
    shelf = None if long is None else {}
    try:
        return read_files(_KNOWN, [file], Silent(), 1, {"s": "renamed"}, shelf)
    except InputError as error:
        return error.problems


def _is_same(text: str, size: int, columns: dict[str, str]) -> None:
    whole, long = _read(text, None, columns), _read(text, size, columns)
    if not isinstance(whole, FilesRead) or not isinstance(long, FilesRead):
        assert long == whole
        return
    assert long.corpus == whole.corpus == long.joined_to(_KNOWN)
    assert (long.warnings, long.added) == (whole.warnings, whole.added)


@settings(max_examples=tries(300), deadline=None)
@given(
    items=st.lists(_ITEMS, min_size=1, max_size=9),
    broken=st.sampled_from(["", "", "", "{", "[]", "7", "x"]),
    columns=st.sampled_from([{}, {}, {"document": "other"}, {"id": "system"}]),
    size=st.integers(1, 90),
    end=st.sampled_from(["", "\n", "\r\n\n"]),
)
def test_that_lines_make_the_same_topics_in_whatever_portions(
    items: list[dict[str, Any]], broken: str, columns: dict[str, str], size: int, end: str
) -> None:
    lines = [json.dumps(one) for one in items]
    _is_same("\n".join([*lines, *([broken] if broken else [])]) + end, size, columns)


_HEADS = ["id", "document", "reference", "prediction", "system", "other"]
_CELLS = st.sampled_from(["a", "b", "One. Two.", "", " ", 'A "b", c.', "On\ntwo", "x\ty;z", "雪。"])


@settings(max_examples=tries(300), deadline=None)
@given(
    heading=st.lists(st.sampled_from(_HEADS), min_size=1, max_size=6),
    rows=st.lists(st.lists(_CELLS, max_size=6), max_size=9),
    mark=st.sampled_from([",", ";", "\t"]),
    broken=st.sampled_from(["", "", "", '"', 'a"b', "," * (1 << 14)]),
    size=st.integers(1, 90),
    end=st.sampled_from(["\n", "\r\n", "\n\n"]),
)
def test_that_rows_make_the_same_topics_in_whatever_portions(
    heading: list[str], rows: list[list[str]], mark: str, broken: str, size: int, end: str
) -> None:
    table = StringIO()
    csv.writer(table, delimiter=mark, lineterminator=end).writerows([heading, *rows])
    _is_same(table.getvalue() + broken, size, {})


def test_that_a_row_is_told_by_the_line_that_it_ends_in() -> None:
    text = 'id,document,prediction,system\na,"On\ne.",P.,s\n\na,,P.,s\n'
    for size in (None, 3):
        (problem,) = _read(text, size, {})
        assert (problem.line, problem.fields["first"]) == (5, 3)


def test_that_topics_far_apart_are_read_in_turns_of_some() -> None:
    lines = [
        json.dumps({"id": f"t{n}", "document": f"Document {n}.", "system": of, "prediction": "P."})
        for of in ("one", "two")
        for n in range(20)
    ]
    text, turns = "\n".join(lines), []

    def pieces() -> list[str]:
        turns.append(text)
        return [text]

    found = text_portions.portions(ReadRequest(text="", source="f"), pieces)
    assert found is not None
    sizes = [len(one.addition.topics) for one in found]
    assert sum(sizes) == 20
    assert max(sizes) < 4
    assert len(turns) >= 20 / 4
    _is_same(text, 50, {})


@pytest.mark.parametrize(
    "text", ["", '[{"id": "a", "document": "One."}]', '{"id": "a",\n"document": "One."}']
)
def test_that_what_are_no_lines_of_json_is_read_whole(text: str) -> None:
    _is_same(text, 5, {})


def test_that_a_corpus_may_be_empty() -> None:
    read = FileContent(
        source="f", data=None, format_id="text-table",
        long=LongFile(lambda: ['{"document": ', '"One."}'], bytes),
    )  # fmt: skip
    found = read_files(Corpus(), [read], Silent(), 1, shelf={})
    assert [one.id for one in found.corpus.topics] == ["1"]
