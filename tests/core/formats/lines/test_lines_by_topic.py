"""Lines about one topic come together, and no more are held than a portion has letters."""

from collections.abc import Iterator
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws import tries

from awase.core.formats.lines import lines_by_topic
from awase.core.formats.lines.lines_by_topic import Line, LinesByTopic

_MOST = 30


@pytest.fixture(autouse=True, scope="module")
def _short_portions() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines_by_topic, "PORTION_LETTERS", _MOST)
        yield


def _lines(topics: list[str], lengths: list[int]) -> list[Line[str]]:
    pairs = zip(topics, lengths, strict=False)
    return [Line(nth, 2 * nth, of, n, f"{of}{nth}") for nth, (of, n) in enumerate(pairs, 1)]


@settings(max_examples=tries(300), deadline=None)
@given(
    topics=st.lists(st.sampled_from("abcdefgh"), max_size=20),
    lengths=st.lists(st.integers(1, 12), min_size=20, max_size=20),
)
def test_that_every_line_comes_once_with_those_of_its_topic(
    topics: list[str], lengths: list[int]
) -> None:
    lines = _lines(topics, lengths)
    portions = [*LinesByTopic(lambda: iter(lines)).portions()]
    order: list[str] = []
    for some in portions:
        assert some == sorted(some, key=lambda line: line.nth)
        own = [*dict.fromkeys(line.topic for line in some)]
        assert {line for line in lines if line.topic in own} == {*some}
        assert sum(line.n_letters for line in some) <= _MOST or len(own) == 1
        order += own
    assert order == [*dict.fromkeys(topics)]


@pytest.mark.parametrize("n_lines", [1, 2, 3, 5])
def test_that_topics_one_after_the_other_are_read_in_one_turn(n_lines: int) -> None:
    topics = [name for name in "abcdefgh" for _ in range(n_lines)]
    turns = []

    def each() -> Iterator[Line[str]]:
        turns.append(topics)
        return iter(_lines(topics, [9] * len(topics)))

    found = [line.topic for some in LinesByTopic(each).portions() for line in some]
    assert [name for name, _ in groupby(found)] == [*"abcdefgh"]
    assert len(turns) == 1 + 1  # before it, once for what topics there are
