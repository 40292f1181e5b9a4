"""A corpus that is read some topics at a time is the one that is read at once, faults and all."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws import tries
from tests.strategies import corpora
from tests.written import as_json

from awase.core.errors import InputError
from awase.core.formats.awase_json import portions
from awase.core.formats.importing import FileContent, FilesRead, LongFile, read_files
from awase.core.formats.reading.requests import WriteRequest
from awase.core.progress import Silent
from awase.core.records.corpus import Corpus
from awase.core.records.edits.ownership import EntryVersion, Ownership, entries_of
from awase.core.records.parts.corpus_counts import CorpusCounts
from awase.core.text.encoding import is_surely_utf8, text_of

_write = as_json
_WRONG = st.sampled_from(
    ['"x"', "1", "null", "[]", "{}", "NaN", '{"a": 1, "a": 2}', "[1, {}]", '"\\ufffd"', ""]
)
_PLACES = (", ", ": ", "[", "{", '"')


@pytest.fixture(autouse=True, scope="module")
def _a_topic_at_a_time() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(portions, "PORTION_LETTERS", 1)
        yield


def _read(corpus: Corpus, texts: list[str], size: int | None) -> Any:
    """Returns what files hold, or what is wrong in them; in pieces, or whole where size is None."""
    file = partial(FileContent, format_id="awase-json")

    def content(at: int, text: str) -> FileContent:
        data, source = text.encode(), f"{at}.json"
        if size is None:
            return file(data=data, source=source)
        cut = [data[begin : begin + size] for begin in range(0, len(data), size)]
        assert is_surely_utf8(cut)
        return file(data=None, source=source, long=LongFile(lambda: text_of(cut), lambda: data))

    files = [content(at, text) for at, text in enumerate(texts)]
    shelf = None if size is None else {}
    try:
        return read_files(corpus, files, Silent(), len(files), shelf=shelf)
    except InputError as error:
        # Places among the topics that there are so far depend on what did not fit before.
        return sorted(re.sub(r"topics\[\d+]", "topics[]", repr(one)) for one in error.problems)


def _is_same(whole: Any, in_pieces: Any, corpus: Corpus) -> None:
    if not isinstance(whole, FilesRead) or not isinstance(in_pieces, FilesRead):
        assert in_pieces == whole
        return
    assert in_pieces.corpus == whole.corpus == in_pieces.joined_to(corpus)
    assert in_pieces.warnings == whole.warnings
    assert in_pieces.added == whole.added
    assert whole.added == CorpusCounts.of(whole.corpus) - CorpusCounts.of(corpus)
    assert in_pieces.addition == replace(
        whole.addition, topics=(), rank_weights=in_pieces.addition.rank_weights
    )
    assert in_pieces.shelf is not None
    known = {topic.id: topic for topic in corpus.topics}
    changed = {one.id for one in whole.corpus.topics if one != known.get(one.id)}
    assert changed <= set(in_pieces.shelf)


@settings(max_examples=tries(60), deadline=None)
@given(known=corpora(), read=st.lists(corpora(), min_size=1, max_size=2), size=st.integers(1, 900))
def test_that_files_in_portions_join_a_corpus_as_whole_ones_do(
    known: Corpus, read: list[Corpus], size: int
) -> None:
    texts = [_write(WriteRequest(corpus=one, ownership=_known_of(one))) for one in read]
    for corpus in (known, Corpus()):
        _is_same(_read(corpus, texts, None), _read(corpus, texts, size), corpus)


def _known_of(corpus: Corpus) -> Ownership:
    version = (EntryVersion(revision=1, digest="d"),)
    entries = {key: version for topic in corpus.topics for key, _ in entries_of(topic)}
    return Ownership(corpus="c", replica="r", versions=entries)


@pytest.mark.parametrize("size", [None, 7, 1_000_000])
def test_that_an_entry_whose_versions_stand_twice_is_refused(size: int | None) -> None:
    entry = {"topic": "t", "abstract": "a", "n": 2, "versions": []}
    others = [{**entry, "annotator": "1"}, {**entry, "n": 1}, {**entry, "topic": "u"}]
    value = {"awase": 1, "topics": [], "sync": {"corpus": "c", "entries": [entry, *others]}}
    assert isinstance(_read(Corpus(), [json.dumps(value)], size), FilesRead)
    value["sync"] = {"corpus": "c", "entries": [entry, *others, {**entry, "annotator": None}]}
    (told,) = _read(Corpus(), [json.dumps(value)], size)
    assert "sync.entries[4]" in told
    assert "stand twice" in told


@settings(max_examples=tries(300), deadline=None)
@given(
    read=corpora(),
    before=st.sampled_from(_PLACES),
    nth=st.integers(0, 60),
    put=_WRONG,
    is_instead=st.booleans(),
    moves=st.booleans(),
    size=st.integers(1, 900),
)
def test_that_faults_are_the_same_however_a_file_is_read(
    read: Corpus, before: str, nth: int, put: str, is_instead: bool, moves: bool, size: int
) -> None:
    value = json.loads(_write(WriteRequest(corpus=read, ownership=_known_of(read))))
    if moves:  # topics first, and all of them twice
        value = {"topics": [*value["topics"], *value["topics"][:1]], **value}
        value["name"] = "\ufffd"
    text = json.dumps(value, ensure_ascii=False)
    parts = text.split(before)
    at = 1 + nth % (len(parts) - 1) if len(parts) > 1 else 0
    head, tail = before.join(parts[:at]), before.join(parts[at:])
    text = f"{head}{before}{put}{tail[len(tail) // 3 if is_instead else 0 :]}"
    _is_same(_read(Corpus(), [text], None), _read(Corpus(), [text], size), Corpus())
