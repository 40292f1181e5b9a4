from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from tests import building

from awase.core.analysis.inspection import Marking, common_spans, resemblances
from awase.core.annotation.candidates import TopicIndex
from awase.core.records.output import TextOutput


def words(text: str, spans) -> list[str]:
    return [text[start:end] for start, end in spans]


FIRST = "Divers found the sunken ferry near Lindholm."
SECOND = "Near Lindholm a sunken ferry was found."


def test_that_words_in_common_are_marked_in_any_order():
    ours, theirs = common_spans(FIRST, SECOND, Marking.WORDS)
    assert words(FIRST, ours) == ["found", "sunken", "ferry", "near", "Lindholm"]
    assert words(SECOND, theirs) == ["Near", "Lindholm", "sunken", "ferry", "found"]


def test_that_runs_are_neighbours_in_both():
    ours, theirs = common_spans(FIRST, SECOND, Marking.RUNS)
    assert words(FIRST, ours) == ["sunken", "ferry", "near", "Lindholm"]
    assert words(SECOND, theirs) == ["Near", "Lindholm", "sunken", "ferry"]


def test_that_a_subsequence_keeps_the_order():
    ours, theirs = common_spans(FIRST, SECOND, Marking.SUBSEQUENCE)
    assert words(FIRST, ours) == words(SECOND, theirs) == ["sunken", "ferry"]


def test_that_japanese_is_marked_without_blanks():
    first, second = "湖底で木造船が発見された。", "木造船を発見したと大学が発表した。"
    ours, _ = common_spans(first, second, Marking.SUBSEQUENCE)
    assert words(first, ours) == ["木造船", "発見"]


@given(st.text("abcd", max_size=7), st.text("abcd", max_size=7))
def test_that_the_subsequence_is_the_longest(first, second):
    def text(letters: str) -> str:
        return " ".join(letter * 3 for letter in letters)

    def is_within(part, whole) -> bool:
        rest = iter(whole)
        return all(letter in rest for letter in part)

    longest = max(
        n
        for n in range(len(first) + 1)
        if any(is_within(part, second) for part in combinations(first, n))
    )
    ours, theirs = common_spans(text(first), text(second), Marking.SUBSEQUENCE)
    assert len(ours) == len(theirs) == longest
    assert words(text(first), ours) == words(text(second), theirs)


def test_that_a_sentence_resembles_sources_and_the_reference():
    topic = building.topic(
        docs=(
            "A ferry sank near Lindholm on Friday.",
            "Football results will follow.",
            "The ferry had left Lindholm late.",
        ),
        abstracts=[building.abstract(texts=("Forty passengers drowned.", "The ferry sank."))],
    )
    output = TextOutput(system="x", sentences=("The ferry sank near Lindholm.", "Nothing else!"))
    first, second = resemblances(topic, topic.abstracts[0], output, TopicIndex(topic))
    assert round(first.sources[0].share, 3) == 1.0
    assert [found.ref.n for found in first.sources] == [1, 3]
    assert first.reference is not None
    assert first.reference.ref == 2
    assert (second.sources, second.reference) == ((), None)
