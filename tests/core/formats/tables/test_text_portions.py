"""JSON lines that are read some topics at a time are what they are when they are read at once."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.building import abstract, corpus, topic
from tests.laws import tries

from awase.core.errors import InputError
from awase.core.formats.importing import FileContent, FilesRead, LongFile, read_files
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
        patch.setattr(text_portions, "PORTION_LETTERS", 120)
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
        return list(map(repr, error.problems))


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


@pytest.mark.parametrize("text", ["", "id,document\na,One.\n", '[{"id": "a", "document": "One."}]'])
def test_that_what_are_no_lines_of_json_is_read_whole(text: str) -> None:
    _is_same(text, 5, {})


def test_that_a_corpus_may_be_empty() -> None:
    read = FileContent(
        source="f", data=None, format_id="text-table",
        long=LongFile(lambda: ['{"document": ', '"One."}'], bytes),
    )  # fmt: skip
    found = read_files(Corpus(), [read], Silent(), 1, shelf={})
    assert [one.id for one in found.corpus.topics] == ["1"]
