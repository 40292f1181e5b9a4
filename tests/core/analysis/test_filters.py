"""Sentences are looked at by what they are, and cost a system what its coverage lacks."""

import math
from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from awase.core.analysis.explanation import (
    Cost,
    Costs,
    SentenceFilter,
    SentenceGroups,
    Share,
    best_system,
    filtered,
)
from awase.core.analysis.inspection import InspectedSentence, Inspection, Key
from awase.core.records.abstract import AlignmentState

HALF = Fraction(1, 2)


def sentence(n: int, *, abstract: str = "a", rank: str | None = None, text: str = "It rained.",
             **values: Fraction | int) -> InspectedSentence:  # fmt: skip
    return InspectedSentence(
        key=Key(topic="t", abstract=abstract, n=n),
        length="short",
        text=text,
        rank=rank,
        state=AlignmentState.CONFIRMED,
        sizes=(1,),
        earliest=1,
        values={system: Fraction(value) for system, value in values.items()},
    )


FOUND = Inspection(
    sentences=(
        sentence(1, rank="A", x=1, y=0),
        sentence(2, rank="B", x=HALF, y=1, text="The Sun shone."),
        sentence(3, rank="A", x=0, y=1),
        sentence(4),
    )
)


def numbers(**wanted: object) -> list[int]:
    return [one.key.n for one in filtered(FOUND, SentenceFilter(**wanted)).sentences]  # type: ignore[arg-type]  # by name


def test_that_each_filter_leaves_what_it_names():
    assert numbers() == [1, 2, 3, 4]
    assert numbers(rank="A") == [1, 3]
    assert numbers(system="x", share=Share.MISSED) == [3]
    assert numbers(system="x", share=Share.PART) == [2]
    assert numbers(system="x", share=Share.NOT_FULL) == [2, 3]
    assert numbers(system="y", share=Share.FULL) == [2, 3]
    assert numbers(text="sun") == [2]
    assert (numbers(right="y"), numbers(right="y", system="y")) == ([2, 3], [])
    assert numbers(keys=frozenset({FOUND.sentences[3].key})) == [4]
    assert numbers(state=AlignmentState.FLAGGED) == []
    assert numbers(length="long") == []


def test_that_costs_and_gaps_are_points_of_the_whole_abstract():
    found = Costs(FOUND, "x", "y")
    third = Fraction(100, 3)
    assert [found.at(at).lost for at in range(3)] == [0, third / 2, third]
    assert [found.at(at).gap for at in range(3)] == [-third, third / 2, third]
    assert found.at(3) is None
    assert best_system(FOUND) == "y"
    assert best_system(Inspection()) == ""
    tied = Inspection(sentences=(sentence(1, y=1, x=1), sentence(2, x=0, y=0)))
    assert best_system(tied) == "x"
    alone = Costs(tied, "x", "absent")
    assert [(alone.at(at).lost, alone.at(at).gap) for at in (0, 1)] == [(0, 0), (50, 0)]


SHARES = st.sampled_from([Fraction(0), Fraction(1, 3), HALF, Fraction(1)])
SENTENCES = st.lists(
    st.builds(
        lambda abstract, rank, sizes, earliest, values: replace(
            sentence(1, abstract=abstract, rank=rank),
            sizes=tuple(sizes), earliest=earliest, values=values,
        ),
        st.sampled_from("abc"), st.sampled_from(["A", "B", None]),
        st.lists(st.integers(1, 5), min_size=1, max_size=6), st.integers(1, 14),
        st.dictionaries(st.sampled_from("xyz"), SHARES),
    ),
    max_size=12,
)  # fmt: skip


@given(SENTENCES)
def test_that_the_best_system_is_that_of_the_plain_mean_of_means(sentences):
    def coverage(system: str) -> Fraction:
        own = {one.key.abstract: [] for one in sentences if system in one.values}
        for one in sentences:
            if system in one.values:
                own[one.key.abstract].append(one.values[system])
        return sum((sum(v, Fraction(0)) / len(v) for v in own.values()), Fraction(0)) / len(own)

    systems = sorted({system for one in sentences for system in one.values})
    expected = max(systems, key=coverage, default="")
    assert best_system(Inspection(sentences=tuple(sentences))) == expected


@given(SENTENCES)
def test_that_buckets_hold_the_plain_means_of_their_sentences(sentences):
    measured = [one for one in sentences if one.values]
    groups = SentenceGroups(sentences, "xyz")
    features = (
        (groups.by_rank(), lambda one: one.rank),
        (groups.by_alternatives(), lambda one: min(4, len(one.sizes))),
        (groups.by_size(), lambda one: min(3, *one.sizes)),
        (groups.by_place(), lambda one: max(n for n in (1, 2, 4, 11) if n <= one.earliest)),
    )
    for of_feature, feature in features:
        assert sum(bucket.n for bucket in of_feature) == len(measured)
        for bucket in of_feature:
            own = [one for one in measured if feature(one) == bucket.lowest]
            assert bucket.n == len(own)
            for system in "xyz":
                values = [one.values[system] for one in own if system in one.values]
                mean = sum(values, Fraction(0)) / len(values) if values else None
                assert bucket.means[system] == mean
            everything = [value for one in own for value in one.values.values()]
            assert bucket.mean == sum(everything, Fraction(0)) / len(everything)


@given(SENTENCES)
def test_that_mean_and_spread_are_those_of_the_systems(sentences):
    for one in sentences:
        values = [*one.values.values()]
        mean = sum(values, Fraction(0)) / len(values) if values else None
        assert (one.mean, one.spread) == (mean, max(values) - min(values) if values else None)


@given(SENTENCES, st.sampled_from("xyz"), st.sampled_from("xyz"), st.data())
def test_that_what_is_filtered_and_lost_is_what_one_sentence_after_the_other_says(
    sentences, system, best, data
):
    wanted = SentenceFilter(
        system=system,
        share=data.draw(st.sampled_from(Share)),
        right=data.draw(st.sampled_from(["", best])),
        rank=data.draw(st.sampled_from([None, "A"])),
        text=data.draw(st.sampled_from(["", "RAIN", "sun"])),
    )

    def holds(one: InspectedSentence) -> bool:
        value = one.values.get(system)
        is_right = value is not None and value < 1 and one.values.get(best) == 1
        return (
            (not wanted.right or is_right)
            and wanted.share.holds(value)
            and wanted.rank in (None, one.rank)
            and wanted.text.casefold() in one.text.casefold()
        )

    found = Inspection(sentences=tuple(sentences))
    left = filtered(found, wanted)
    assert [*left.sentences] == [*filter(holds, sentences)]
    lost = Costs(left, system, best)
    for at, one in enumerate(left.sentences):
        counted = [s for s in sentences if s.key.abstract == one.key.abstract and s.values]
        if system not in one.values:
            assert lost.at(at) is None
            assert math.isnan(lost.lost[at])
            assert math.isnan(lost.gap[at])
            continue
        own = one.values[system]
        point = Fraction(100, len(counted))
        expected = Cost(lost=(1 - own) * point, gap=(one.values.get(best, own) - own) * point)
        assert lost.at(at) == expected
        assert (lost.lost[at], lost.gap[at]) == (float(expected.lost), float(expected.gap))


def test_that_a_rank_that_nothing_has_is_not_that_of_what_has_none():
    found = Inspection(sentences=(sentence(1, abstract="a", rank=None),))
    assert filtered(found, SentenceFilter(rank="A")).sentences == ()


def test_that_means_of_large_denominators_do_not_keep_costs_from_being_found():
    primes = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61)
    one = replace(sentence(1, abstract="a"), values={f"s{n}": Fraction(1, n) for n in primes})
    assert one.mean is not None
    assert one.mean.denominator > 2**63
    lost = Costs(Inspection(sentences=(one,)), "s2", "s3")
    assert (lost.lost[0], lost.gap[0]) == (50, float(Fraction(-100, 6)))
