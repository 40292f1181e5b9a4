from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.building import abstract, extract, topic

from awase.core.analysis.explanation import SentenceGroups
from awase.core.analysis.inspection import Spending, inspect_topic, joined
from awase.core.metrics.extracts.gold import KnownSize, gold_of, size_of_minimal_cover
from awase.core.metrics.extracts.scorers import Tsc3Options, score_extract
from awase.core.records.alignment import AlignmentState
from awase.core.records.topic import Topic

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


def test_that_a_topic_without_alignment_has_sentences_and_no_values():
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


@pytest.mark.slow
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
    parts = (
        spent.n_useful,
        spent.n_redundant,
        spent.n_irrelevant,
        spent.n_repeated,
        spent.n_unused,
    )
    assert min(parts) >= 0
    assert sum(parts) == spent.n_asked
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
    alternatives = SentenceGroups(found.sentences, found.systems).by_alternatives()
    assert [(b.lowest, b.highest, b.n) for b in alternatives] == [(1, 1, 1), (2, 2, 2)]
    assert alternatives[1].means == {"x": Fraction(3, 4), "y": Fraction(1, 4)}
    assert alternatives[1].mean == Fraction(1, 2)
    sizes = SentenceGroups(found.sentences, found.systems).by_size()
    assert [(b.lowest, b.highest, b.n) for b in sizes] == [(1, 1, 1), (2, 2, 1), (3, None, 1)]
    places = SentenceGroups(found.sentences, found.systems).by_place()
    assert [(b.lowest, b.highest, b.n) for b in places] == [(1, 1, 1), (2, 3, 2)]
    ranks = SentenceGroups(found.sentences, found.systems).by_rank()
    assert [(b.lowest, b.n) for b in ranks] == [("A", 3)]
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
