"""Lines of extracts that are read some topics at a time are what they are when read at once."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.building import corpus, document, extract, topic
from tests.laws import tries

from awase.core.errors import InputError
from awase.core.formats.importing import FileContent, FilesRead, LongFile, read_files
from awase.core.formats.lines import lines_by_topic
from awase.core.formats.lines.extract_lines import portions
from awase.core.formats.reading.requests import ReadRequest
from awase.core.progress import Silent
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import TopicsOnDemand
from awase.core.text.encoding import text_of

_TOPICS = tuple(
    topic(name, docs=["One.", "Two."], outputs=[extract("known", "s1")]) for name in "abcd"
)
_LINES = st.tuples(
    st.sampled_from(["s", "t", "u", "known", "", "#x"]),
    st.sampled_from(["a", "b", "c", "d", "a", "b", "c", "nowhere"]),
    st.sampled_from(["-", "", "short", "-"]),
    st.sampled_from(
        ["s1", "s2 s1", "s1", "s1", "d:2", "", "s9", "s1  s2", "s1 s1", "s1,s2", "s1\tx"]
    ),
).map("\t".join)


@pytest.fixture(autouse=True, scope="module")
def _short_turns() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines_by_topic, "PORTION_LETTERS", 30)
        yield


def _read(text: str, size: int | None) -> Any:
    data = text.encode()
    cut = [data[begin : begin + (size or 1)] for begin in range(0, len(data), size or 1)]
    file = FileContent(
        source="f",
        data=data if size is None else None,
        long=None if size is None else LongFile(lambda: text_of(cut), lambda: data),
        format_id="extract-lines",
    )
    shelf = None if size is None else {}
    known = corpus(*_TOPICS)
    try:
        return read_files(known, [file], Silent(), 1, {"u": "renamed"}, shelf)
    except InputError as error:
        return error.problems


def _is_same(text: str, size: int) -> None:
    whole, long = _read(text, None), _read(text, size)
    if not isinstance(whole, FilesRead) or not isinstance(long, FilesRead):
        assert long == whole
        return
    assert long.corpus == whole.corpus
    assert (long.warnings, long.added) == (whole.warnings, whole.added)


@settings(max_examples=tries(400), deadline=None)
@given(
    lines=st.lists(_LINES, max_size=9, unique_by=lambda line: line.rpartition("\t")[0]),
    broken=st.sampled_from(["", "", "", "x", "x\ta", "# a remark", "\n \n"]),
    size=st.integers(1, 60),
)
def test_that_lines_make_the_same_extracts_in_whatever_portions(
    lines: list[str], broken: str, size: int
) -> None:
    _is_same("\n".join([*lines[:2], broken, *lines[2:]]), size)
    sound = [line for line in lines if {"known", "nowhere"}.isdisjoint(line.split("\t"))]
    _is_same("\n".join(sorted(sound)), size)


def test_that_each_topic_is_read_once_a_file_wherever_its_lines_stand() -> None:
    asked: list[str] = []

    def read(ids: Sequence[str]) -> Iterator[Topic]:
        asked.extend(ids)
        return (Topic(id=one, documents=(document("d", 3),)) for one in ids)

    ids = [f"t{n:02}" for n in range(20)]
    text = "".join(f"{system}\t{one}\t-\td:1\n" for system in "xyz" for one in ids)
    known = corpus().with_topics(TopicsOnDemand(ids, read, at_once=4))
    found = [*portions(ReadRequest(text="", source="f", corpus=known), lambda: [text])]
    assert asked == ids
    outputs = [one.addition.outputs for one in found]
    assert sorted(f"{output.system}{of}" for some in outputs for of, output in some) == sorted(
        f"{system}{one}" for system in "xyz" for one in ids
    )
    assert max(map(len, outputs)) <= 3 * 4

    asked.clear()
    file = FileContent(
        source="f", data=None, format_id="extract-lines", long=LongFile(lambda: [text], bytes)
    )
    assert read_files(known, [file], Silent(), 1, shelf={}).added.extracts == 3 * 20
    assert asked == ids
