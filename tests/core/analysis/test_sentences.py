from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests import building
from tests.building import abstract, extract, refs, topic
from tests.in_part import in_turn

from awase.core.analysis.explanation import SentenceGroups, explain
from awase.core.analysis.inspection import (
    Marking,
    Spending,
    common_spans,
    inspect_topic,
    joined,
    resemblances,
)
from awase.core.annotation.candidates import TopicIndex
from awase.core.metrics.extracts.gold import KnownSize, gold_of, size_of_minimal_cover
from awase.core.metrics.extracts.scorers import Tsc3Options, score_extract
from awase.core.records.abstract import AlignmentState
from awase.core.records.topic import TextOutput, Topic

N_SOURCE = 12


def topic_of(
    alternatives: dict[int, list[tuple[int, ...]]], extracts: dict[str, tuple[int, ...]]
) -> Topic:
    """A topic of twelve source sentences; an abstract sentence for each key."""
    rows = ["|".join("&".join(map(str, members)) for members in sets)
            for sets in alternatives.values()]  # fmt: skip
    own = abstract("a", {"1": rows}, ranks="A" * len(rows), numbers=[*alternatives])
    outputs = [extract(system, *chosen) for system, chosen in extracts.items()]
    return topic(docs=N_SOURCE, abstracts=[own], outputs=outputs)


TABLE_1 = {1: [(1,), (10, 11)], 2: [(3, 5, 6)], 3: [(8, 9), (2, 4, 7)]}


def test_that_each_sentence_has_the_e_of_each_system():
    found = inspect_topic(
        topic_of(TABLE_1, {"x": (1, 3, 8, 12), "y": (10, 3)}), "first", Tsc3Options()
    )
    values = [dict(sentence.values) for sentence in found.sentences]
    assert values == [
        {"x": Fraction(1), "y": Fraction(1, 2)},
        {"x": Fraction(1, 3), "y": Fraction(1, 3)},
        {"x": Fraction(1, 2), "y": Fraction(0)},
    ]
    assert [s.mean for s in found.sentences] == [Fraction(3, 4), Fraction(1, 3), Fraction(1, 4)]
    assert [s.spread for s in found.sentences] == [Fraction(1, 2), Fraction(0), Fraction(1, 2)]
    assert [s.sizes for s in found.sentences] == [(1, 2), (3,), (2, 3)]
    assert [s.earliest for s in found.sentences] == [1, 3, 2]
    assert found.h == {("t", "a"): 6}


def test_that_places_are_useful_redundant_irrelevant_repeated_or_unused():
    # 10 belongs to an alternative that {1} makes needless, 12 to none, 3 stands twice.
    found = inspect_topic(topic_of(TABLE_1, {"x": (1, 10, 3, 3, 12)}), "first", Tsc3Options())
    assert found.spending["x"] == Spending(
        n_extracts=1, n_asked=6, n_useful=2, n_redundant=1, n_irrelevant=1, n_repeated=1, n_unused=1
    )
    assert found.spending["x"].share(2) == Fraction(1, 3)


def test_that_what_nobody_can_cover_is_not_measured():
    found = inspect_topic(topic_of({1: [], 2: [(1,)]}, {"x": (1,)}), "first", Tsc3Options())
    first, second = found.sentences
    assert (first.values, first.mean, first.spread, first.sizes) == ({}, None, None, ())
    assert second.values == {"x": 1}
    # Nor is a topic without alignment.
    topic = topic_of({1: [(1,)]}, {"x": (1,)})
    bare = replace(topic, abstracts=(replace(topic.abstracts[0], alignments=()),))
    found = inspect_topic(bare, "first", Tsc3Options())
    assert [sentence.state for sentence in found.sentences] == [AlignmentState.TODO]
    assert found.spending["x"].n_asked == 0
    assert found.spending["x"].share(0) is None


def test_that_several_topics_add_up():
    part = inspect_topic(topic_of(TABLE_1, {"x": (1, 12)}), "first", Tsc3Options())
    other = inspect_topic(topic_of(TABLE_1, {"y": (1,)}), "first", Tsc3Options())
    both = joined([part, part, other])
    assert both.systems == ("x", "y")
    assert both.spending["x"].n_irrelevant == 2
    assert len(both.sentences) == 9


@given(
    st.dictionaries(
        st.integers(1, 4),
        st.lists(
            st.lists(st.integers(1, N_SOURCE), min_size=1, max_size=3, unique=True).map(tuple),
            min_size=1,
            max_size=3,
            unique_by=frozenset,
        ),
        min_size=1,
    ),
    st.lists(st.integers(1, N_SOURCE), max_size=8).map(tuple),
    st.sampled_from(["h", "all", 3]),
)
def test_that_every_place_is_spent_on_something_and_the_mean_is_coverage(
    alternatives, extract, first
):
    topic = topic_of(dict(sorted(alternatives.items())), {"x": extract})
    options = Tsc3Options(first=first)
    found = inspect_topic(topic, "first", options)
    spent = found.spending["x"]
    parts = (spent.n_useful, spent.n_redundant, spent.n_irrelevant, spent.n_repeated)
    assert spent.parts == (*parts, spent.n_unused)
    assert min(spent.parts) >= 0
    assert sum(spent.parts) == spent.n_asked
    gold = gold_of(topic.abstracts[0], topic.abstracts[0].alignments[0])
    h = size_of_minimal_cover(gold)
    values = score_extract(gold, topic.outputs[0].sentences, h, options).values
    counted = [sentence.values["x"] for sentence in found.sentences]
    assert sum(counted) / len(counted) == values.coverage
    if spent.n_asked:
        assert Fraction(spent.n_useful + spent.n_redundant, spent.n_asked) == values.precision


def test_that_buckets_part_the_sentences():
    topic = topic_of(TABLE_1, {"x": (1, 3, 8, 12), "y": (10, 3)})
    found = inspect_topic(topic, "first", Tsc3Options())
    groups = SentenceGroups(found.sentences, found.systems)
    for of_feature, parts in (
        (groups.by_alternatives(), [(1, 1, 1), (2, 2, 2)]),
        (groups.by_size(), [(1, 1, 1), (2, 2, 1), (3, None, 1)]),
        (groups.by_place(), [(1, 1, 1), (2, 3, 2)]),
    ):
        assert [(b.lowest, b.highest, b.n) for b in of_feature] == parts
    assert [(b.lowest, b.n) for b in groups.by_rank()] == [("A", 3)]
    assert SentenceGroups((), ("x",)).by_rank() == ()


def test_that_a_system_without_extract_has_no_mean_in_a_bucket():
    found = inspect_topic(topic_of(TABLE_1, {"x": (1,)}), "first", Tsc3Options())
    (bucket,) = SentenceGroups(found.sentences, ("x", "absent")).by_rank()
    assert bucket.means["absent"] is None


def test_that_extracts_are_not_looked_at_where_h_is_not_proved(monkeypatch):
    monkeypatch.setattr(
        "awase.core.analysis.inspection.known_size_of_cover", lambda *_: KnownSize(lower=4, upper=6)
    )
    topic = topic_of(TABLE_1, {"x": (1,)})
    found = inspect_topic(topic, "first", Tsc3Options())
    assert [sentence.values for sentence in found.sentences] == [{}, {}, {}]
    assert found.h == found.spending == {}
    (problem,) = joined([found]).problems
    assert "is not proved in the time allowed: 4 ≤ h ≤ 6" in str(problem)
    whole = inspect_topic(topic, "first", Tsc3Options(first="all"))
    assert whole.problems == ()
    assert whole.sentences[0].values == {"x": 1}


TEXTS = (
    "A ferry with forty passengers sank near the harbour of Lindholm.",
    "Divers searched the wreck until midnight.",
    "The ferry with forty passengers aboard sank off Lindholm harbour.",
    "Football results will follow.",
    "The captain was questioned by the police.",
)


def explained(*chosen: int, index: Any = None):
    sentences = ("A ferry sank near Lindholm harbour; divers searched it.", "It was sad.")
    own = abstract("a", "1&2|5; -", texts=sentences)
    about = topic(docs=TEXTS, language="en", abstracts=[own], outputs=[extract("x", *chosen)])

    def of(n: int, system: str = "x"):
        return explain(
            about, own, n, system, annotator="first", h=3, options=Tsc3Options(),
            index=index or TopicIndex(about),
        )  # fmt: skip

    return of


def numbers(seen) -> list[int]:
    return [sentence.ref.n for sentence in seen]


def test_that_what_is_there_and_what_is_missing_are_told_apart():
    found = explained(4, 2)(1)
    assert found.value == Fraction(1, 2)
    assert (numbers(found.extracted), numbers(found.missing)) == ([2], [1])
    assert numbers(found.irrelevant) == [4]
    assert found.others == (1,)
    assert (found.n_counted, found.asked) == (2, 3)
    assert found.extracted[0].place == 2
    assert found.missing[0].place == 0


def test_that_an_unlinked_twin_is_pointed_out():
    found = explained(3, 4)(1)
    assert found.value == 0
    assert numbers(found.unlinked) == [3]
    start, end = found.unlinked[0].matches[0]
    assert TEXTS[2][start:end].lower() in ("ferry", "sank")
    found = SimpleNamespace(
        near_duplicates=lambda ref: refs(3),
        overlaps=lambda text: dict(zip(refs(1, 3, 4, 5), (0.9, 0.5, 0.8, 0.1), strict=True)),
    )
    assert numbers(explained(1, 4, 3, index=found)(1).unlinked) == [3, 4]
    whole = explained(5, 3)(1)
    assert (whole.value, whole.unlinked) == (1, ())  # nothing is missing


def test_that_a_member_of_a_needless_alternative_is_redundant_and_what_counts_not_is_nothing():
    of = explained(5, 1)
    assert (numbers(of(1).extracted), numbers(of(1).redundant)) == ([5], [1])
    assert of(2) is of(1, "absent") is None


def words(text: str, spans) -> list[str]:
    return [text[start:end] for start, end in spans]


FIRST = "Divers found the sunken ferry near Lindholm."
SECOND = "Near Lindholm a sunken ferry was found."


@in_turn(("first", "second", "marking", "ours", "theirs"), [
    (FIRST, SECOND, Marking.WORDS, "found sunken ferry near Lindholm",
     "Near Lindholm sunken ferry found"),
    (FIRST, SECOND, Marking.RUNS, "sunken ferry near Lindholm", "Near Lindholm sunken ferry"),
    (FIRST, SECOND, Marking.SUBSEQUENCE, "sunken ferry", "sunken ferry"),
    ("湖底で木造船が発見された。", "木造船を発見したと大学が発表した。", Marking.SUBSEQUENCE,
     "木造船 発見", "木造船 発見"),
])  # fmt: skip
def test_that_words_runs_and_subsequences_in_common_are_marked(
    first, second, marking, ours, theirs
):
    one, other = common_spans(first, second, marking)
    assert (words(first, one), words(second, other)) == (ours.split(), theirs.split())


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
