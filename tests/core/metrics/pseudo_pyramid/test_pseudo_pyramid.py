"""Pseudo-pyramid: by every possibility, by hand, and end to end."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import strategies as st
from tests import building
from tests.in_part import in_turn
from tests.kernels import needs_kernel, without_kernel
from tests.laws import law
from tests.oracles import pseudo_pyramid as brute

from awase.core.errors import InputError, Silent
from awase.core.metrics.kit.extractive import Unit
from awase.core.metrics.kit.supplies import NO_SUPPLIES
from awase.core.metrics.pseudo_pyramid import check_explainable, explain
from awase.core.metrics.pseudo_pyramid_matching import (
    ComparedUnits,
    Likeness,
    Pyramid,
    PyramidUnit,
    compared,
    matching_of,
    pyramid_of,
    weights_of,
)
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.records.abstract import Limit
from awase.core.records.corpus import Corpus
from awase.core.records.source import SentenceRef
from awase.core.text.numbered_tokens import numbered_tokens

TOKENS = st.lists(st.sampled_from("abc"), min_size=1, max_size=5).map(tuple)
WEIGHTS = st.sampled_from([Fraction(1), Fraction(2), Fraction(3), Fraction(1, 3), Fraction(3, 2)])


def unit(n: int, text: str = "x") -> Unit:
    return Unit(ref=SentenceRef("d", n), start=0, end=len(text), text=text)


def pyramid(tokens: list[tuple[str, ...]], weights: list[Fraction], limit: int = 9) -> Pyramid:
    return Pyramid(
        units=tuple(
            PyramidUnit(unit=unit(n), tokens=of, length=len(of), weight=weight)
            for n, (of, weight) in enumerate(zip(tokens, weights, strict=True), 1)
        ),
        limit=limit,
    )


@law(
    50,
    st.lists(TOKENS, max_size=4),
    st.lists(st.tuples(TOKENS, WEIGHTS), min_size=1, max_size=3),
    st.fractions(Fraction(1, 20), 1, max_denominator=20),
)
def test_that_matching_is_the_best_of_all_assignments(systems, oracles, tau):
    texts, weights = [of for of, _ in oracles], [weight for _, weight in oracles]
    against = pyramid(texts, weights)
    own = [range(len(systems))]
    common = [[brute.lcs(s, o) for o in texts] for s in systems]
    alike = [[brute.is_alike(s, o, tau) for o in texts] for s in systems]
    for found in both(systems, texts, own, Likeness(threshold=tau), against.by_weight):
        assert found.common.tolist() == common
        assert found.alike.tolist() == alike
        matching = matching_of(against, found, 0)
        assert matching.paid == brute.best_matching(alike, weights)
        assert matching.paid == sum(weights[match.oracle_idx] for match in matching.matches)
        assert len({match.system_idx for match in matching.matches}) == len(matching.matches)
        assert len({match.oracle_idx for match in matching.matches}) == len(matching.matches)
        assert len(matching.matches) + len(matching.others) == found.alike.sum()


def both(texts, oracles, systems, likeness, by_weight) -> list[ComparedUnits]:
    """Compares with the kernel, where it is there, and without."""
    numbered = numbered_tokens([*texts, *oracles])
    sides = numbered.part(0, len(texts)), numbered.part(len(texts), len(texts) + len(oracles))
    ways = [compared(*sides, systems, likeness, by_weight)]
    with without_kernel():
        return [*ways, compared(*sides, systems, likeness, by_weight)]


LONG = st.one_of(
    st.lists(st.sampled_from("abcdef"), max_size=9),
    st.lists(st.integers(0, 40).map(str), min_size=60, max_size=140),
).map(tuple)


@pytest.mark.slow
@needs_kernel
@law(
    60,
    texts=st.lists(LONG, min_size=1, max_size=12),
    oracles=st.lists(LONG.filter(bool), max_size=12),
    tau=st.fractions(Fraction(1, 20), 1, max_denominator=20),
    is_exact=st.booleans(),
    data=st.data(),
)
def test_that_the_kernel_and_python_match_alike_in_every_cell(texts, oracles, tau, is_exact, data):
    oracles = [*oracles, *(text for text in texts[:3] if text)]
    own = st.lists(st.integers(0, len(texts) - 1), max_size=9)
    systems = data.draw(st.lists(own, max_size=4))
    order = data.draw(st.permutations(range(len(oracles))))
    likeness = Likeness(threshold=tau, is_exact=is_exact)
    fast, slow = both(texts, oracles, systems, likeness, order)
    assert fast.common.tolist() == slow.common.tolist()
    assert fast.alike.tolist() == slow.alike.tolist()
    assert fast.chosen == slow.chosen
    if is_exact:
        assert fast.alike.tolist() == [[text == one for one in oracles] for text in texts]


def test_that_units_matched_before_make_room_for_a_later_one() -> None:
    # Only by moving the first two on can the third be matched.
    oracles = [("a", "b"), ("b", "c"), ("c", "d")]
    texts = [("a", "b", "c"), ("b", "c", "d"), ("c", "d")]
    for found in both(texts, oracles, [[1, 0, 2]], Likeness(threshold=Fraction(1)), [1, 2, 0]):
        assert sorted(found.paid(0)) == [0, 1, 2]
        assert found.chosen == [[1, 0, 2]]


@law(50, st.lists(st.tuples(WEIGHTS, st.integers(1, 6)), max_size=6), st.integers(0, 20))
def test_that_upper_is_the_best_knapsack(units, limit):
    built = Pyramid(
        units=tuple(
            PyramidUnit(unit=unit(n), tokens=("x",), length=length, weight=weight)
            for n, (weight, length) in enumerate(units, 1)
        ),
        limit=limit,
    )
    weights, lengths = [w for w, _ in units], [length for _, length in units]
    assert built.upper == brute.upper(weights, lengths, limit)


@in_turn(("tau", "n", "common"), [("0.55", 20, 11), ("0.6", 5, 3), ("0.7", 10, 7)])
def test_that_the_threshold_is_exact_where_floats_are_not(tau: str, n: int, common: int) -> None:
    # .55 * 20 is 11.000000000000002 in floating point.
    oracle = tuple(map(str, range(n)))
    texts = [oracle[:common], oracle[: common - 1]]
    for found in both(texts, [oracle], [[0, 1]], Likeness(threshold=Fraction(tau)), [0]):
        assert found.alike.tolist() == [[True], [False]]


def test_that_weights_count_references_and_ties_share_a_vote():
    a, b, c = unit(1), unit(2), unit(3)
    assert weights_of([[(a, b)], [(a,)]]) == {a: 2, b: 1}
    shared = weights_of([[(a, b), (a, c)], [(c,)]])
    assert shared == {a: 1, b: Fraction(1, 2), c: Fraction(3, 2)}


def test_that_merged_units_of_one_reference_count_once():
    a, b, c = unit(1), unit(2), unit(3)
    tokens = {a: ("x",), b: ("x",), c: ("y",)}
    lengths = {a: 1, b: 1, c: 1}
    merged = pyramid_of([[(a, b, c)], [(b,)]], tokens, lengths, 9, merges=True)
    assert [(one.unit, one.weight) for one in merged.units] == [(a, 2), (c, 1)]
    apart = pyramid_of([[(a, b, c)], [(b,)]], tokens, lengths, 9, merges=False)
    assert [one.weight for one in apart.units] == [1, 2, 1]


# The worked example of docs/metrics/pseudo-pyramid.md.
SOURCE = ("the boat sank fast", "nobody on board died", "a storm had come", "the boat sank quickly")
REFERENCES = ("the boat sank fast . nobody on board died", "the boat sank fast . a storm had come")


def worked_example() -> Corpus:
    limit = Limit(unit="words", size=8)
    return building.corpus(
        building.topic(
            docs=SOURCE,
            language="en",
            abstracts=[
                building.abstract(f"r{n}", texts=[text], limit=limit)
                for n, text in enumerate(REFERENCES, 1)
            ],
            outputs=[
                building.extract("both", 1, 3),
                building.extract("twice", 4, 1),
                building.text("short", "boat sank fast", "storm had come", "on board died"),
                building.text("none", "it rained"),
                building.text("empty"),
            ],
        )
    )


def values(*metrics: str) -> dict[str, list[object]]:
    table = score_corpus(worked_example(), requests_of(metrics), Silent())
    found: dict[str, list[object]] = {}
    for score in table.scores:
        if score.topic == "t":
            found.setdefault(score.system, []).append(score.value)
    return found


def test_that_the_worked_example_comes_out() -> None:
    # N = 2, 1, 1; within 8 words 2 + 1 can be had, and three shortened units make more than that.
    assert values("pseudo-pyramid:unit=sentence") == {
        "both": [Fraction(1)],
        "twice": [Fraction(2, 3)],
        "short": [Fraction(4, 3)],
        "none": [Fraction(0)],
        "empty": [Fraction(0)],
    }
    assert values("pseudo-pyramid:unit=sentence,sim=exact")["short"] == [Fraction(0)]
    assert values("pseudo-pyramid:unit=sentence,tau=1")["twice"] == [Fraction(2, 3)]


@in_turn(("asked", "told"), [("rouge-1", "Only pseudo-"), ("pseudo-pyramid:tau=0", "tau=0.6")])
def test_that_another_metric_and_a_wrong_option_are_not_explained(asked, told):
    with pytest.raises(InputError, match=told):
        check_explainable(requests_of([asked]))


def test_that_an_explanation_tells_found_missed_and_paid_once():
    (request,) = requests_of(["pseudo-pyramid:unit=sentence"])
    told = explain(worked_example(), request, Silent(), NO_SUPPLIES)
    twice = {one.system: one for one in told}["twice"]
    assert [one.unit.id for one in twice.pyramid.units] == ["d:1@0-18", "d:2@0-20", "d:3@0-16"]
    (match,) = twice.matching.matches
    assert match.oracle_idx == 0
    assert {match.system_idx, twice.matching.others[0].system_idx} == {0, 1}
    assert len(twice.matching.others) == 1
    assert twice.matching.paid == 2
    assert twice.pyramid.upper == 3


def test_that_a_reference_without_anything_to_share_leaves_the_score_undefined():
    requests = requests_of(["pseudo-pyramid:unit=sentence,limit=2w"])
    table = score_corpus(worked_example(), requests, Silent())
    assert {score.value for score in table.scores} == {None}
    assert all(score.reason is not None for score in table.scores)


def test_that_doubt_about_one_length_leaves_the_other_defined():
    abstracts = [
        building.abstract(one, length=one, texts=[text], limit=Limit(unit="words", size=size))
        for one, text, size in (("long", "storm storm storm", 6), ("short", "w1", 2))
    ]
    outputs = [building.text("x", "storm w1", length=one) for one in ("long", "short")]
    topic = building.topic(
        docs=[f"storm w{n}" for n in range(15)], abstracts=abstracts, outputs=outputs, language="en"
    )
    metric = "pseudo-pyramid:oracle=rouge-1,unit=sentence,ties=all"
    more = building.text("y", "w1", length="long"), replace(outputs[1], split="lines")
    topics = (topic, replace(topic, id="u", outputs=more))
    table = score_corpus(Corpus(topics=topics), requests_of([metric]), Silent())
    assert {(one.length, one.value) for one in table.scores} == {("long", None), ("short", 1)}
    assert "Topics t, u have more" in str(table.warnings[0])
    *undefined, whole = (one for one in table.scores if one.topic is None)
    assert [(one.length, one.system) for one in undefined] == [("long", "x"), ("long", "y")]
    assert "split=given+lines," in whole.signature
