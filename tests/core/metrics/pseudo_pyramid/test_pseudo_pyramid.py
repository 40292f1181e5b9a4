"""Pseudo-pyramid: by every possibility, by hand, and end to end."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws import tries
from tests.oracles import pseudo_pyramid as brute

from awase.core.errors import InputError
from awase.core.metrics.pseudo_pyramid.family import explain
from awase.core.metrics.pseudo_pyramid.matching import (
    Pyramid,
    PyramidUnit,
    are_alike,
    common_lengths,
    knapsack,
    matched,
    pyramid_of,
    weights_of,
)
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.oracles.units import Unit
from awase.core.progress import Silent
from awase.core.records.abstract import Abstract, AbstractSentence, Limit
from awase.core.records.corpus import Corpus
from awase.core.records.identifiers import SentenceRef
from awase.core.records.output import Extract, TextOutput
from awase.core.records.source import Document, SourceSentence
from awase.core.records.topic import Topic

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


@settings(deadline=None, max_examples=tries(50))
@given(
    st.lists(TOKENS, max_size=4),
    st.lists(st.tuples(TOKENS, WEIGHTS), min_size=1, max_size=3),
    st.fractions(Fraction(1, 20), 1, max_denominator=20),
)
def test_that_matching_is_the_best_of_all_assignments(
    systems: list[tuple[str, ...]],
    oracles: list[tuple[tuple[str, ...], Fraction]],
    tau: Fraction,
) -> None:
    texts, weights = [of for of, _ in oracles], [weight for _, weight in oracles]
    common = common_lengths(systems, texts).reshape(len(systems), len(texts))
    assert common.tolist() == [[brute.lcs(s, o) for o in texts] for s in systems]
    alike = are_alike(common, [*map(len, texts)], tau)
    assert alike.tolist() == [[brute.is_alike(s, o, tau) for o in texts] for s in systems]
    found = matched(pyramid(texts, weights), common, alike)
    assert found.paid == brute.best_matching(alike.tolist(), weights)
    assert len({match.system_idx for match in found.matches}) == len(found.matches)
    assert len({match.oracle_idx for match in found.matches}) == len(found.matches)
    assert len(found.matches) + len(found.others) == alike.sum()


@settings(deadline=None, max_examples=tries(50))
@given(st.lists(st.tuples(WEIGHTS, st.integers(1, 6)), max_size=6), st.integers(0, 20))
def test_that_upper_is_the_best_knapsack(units: list[tuple[Fraction, int]], limit: int) -> None:
    built = Pyramid(
        units=tuple(
            PyramidUnit(unit=unit(n), tokens=("x",), length=length, weight=weight)
            for n, (weight, length) in enumerate(units, 1)
        ),
        limit=limit,
    )
    weights, lengths = [w for w, _ in units], [length for _, length in units]
    assert built.upper == brute.upper(weights, lengths, limit)


def test_that_a_unit_counts_once_in_a_knapsack() -> None:
    assert knapsack([3, 1], [2, 2], 3) == 3
    assert knapsack([3], [2], 6) == 3


@pytest.mark.parametrize(("tau", "n", "common"), [("0.55", 20, 11), ("0.6", 5, 3), ("0.7", 10, 7)])
def test_that_the_threshold_is_exact_where_floats_are_not(tau: str, n: int, common: int) -> None:
    # .55 * 20 is 11.000000000000002 in floating point.
    alike = are_alike(np.array([[common], [common - 1]], np.int32), [n], Fraction(tau))
    assert alike.tolist() == [[True], [False]]


def test_that_weights_count_references_and_ties_share_a_vote() -> None:
    a, b, c = unit(1), unit(2), unit(3)
    assert weights_of([[(a, b)], [(a,)]]) == {a: 2, b: 1}
    shared = weights_of([[(a, b), (a, c)], [(c,)]])
    assert shared == {a: 1, b: Fraction(1, 2), c: Fraction(3, 2)}


def test_that_merged_units_of_one_reference_count_once() -> None:
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
    return Corpus(
        topics=(
            Topic(
                id="t",
                language="en",
                documents=(
                    Document(
                        id="d",
                        sentences=tuple(
                            SourceSentence(n=n, text=text) for n, text in enumerate(SOURCE, 1)
                        ),
                    ),
                ),
                abstracts=tuple(
                    Abstract(
                        id=f"r{n}",
                        sentences=(AbstractSentence(n=1, text=text),),
                        limit=Limit(unit="words", size=8),
                    )
                    for n, text in enumerate(REFERENCES, 1)
                ),
                outputs=(
                    Extract(system="both", sentences=(SentenceRef("d", 1), SentenceRef("d", 3))),
                    Extract(system="twice", sentences=(SentenceRef("d", 4), SentenceRef("d", 1))),
                    TextOutput(
                        system="short",
                        sentences=("boat sank fast", "storm had come", "on board died"),
                    ),
                    TextOutput(system="none", sentences=("it rained",)),
                    TextOutput(system="empty", sentences=()),
                ),
            ),
        )
    )  # fmt: skip


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


def test_that_an_explanation_tells_found_missed_and_paid_once() -> None:
    (request,) = requests_of(["pseudo-pyramid:unit=sentence"])
    twice = next(
        one for one in explain(worked_example(), request, Silent()) if one.system == "twice"
    )
    assert [one.unit.id for one in twice.pyramid.units] == ["d:1@0-18", "d:2@0-20", "d:3@0-16"]
    (match,) = twice.matching.matches
    assert match.oracle_idx == 0
    assert {match.system_idx, twice.matching.others[0].system_idx} == {0, 1}
    assert len(twice.matching.others) == 1
    assert twice.matching.paid == 2
    assert twice.pyramid.upper == 3


def test_that_a_reference_without_anything_to_share_leaves_the_score_undefined() -> None:
    table = score_corpus(
        worked_example(), requests_of(["pseudo-pyramid:unit=sentence,limit=2w"]), Silent()
    )
    assert {score.value for score in table.scores} == {None}
    assert all(score.reason is not None for score in table.scores)


def test_that_signatures_name_every_option_and_can_be_asked_for_again() -> None:
    table = score_corpus(worked_example(), requests_of(["pseudo-pyramid"]), Silent())
    (signature,) = {score.signature for score in table.scores if score.topic}
    for option in ("oracle=rouge-2", "unit=edu-1", "limit=reference", "tokens=unicode-1",
                   "ties=first", "sim=lcs", "tau=0.6", "merge=no", "oracles=found"):  # fmt: skip
        assert option in signature
    again = score_corpus(worked_example(), requests_of([signature]), Silent())
    assert [score.value for score in again.scores] == [score.value for score in table.scores]


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ("tau=0", "tau=0.6"),
        ("tau=1.1", "tau=0.6"),
        ("limit=0w", "100w"),
        ("limit=5s", "unit=sentence"),
        ("oracle=rouge-3", "oracle=be"),
        ("oracle=be", "Parse them"),
        ("unit=edu-parse", "Parse them"),
        ("unit=edu-file", "needs a file of EDUs"),
        ("sim=cosine", "sim=exact"),
    ],
)
def test_that_what_cannot_be_is_refused_with_a_hint(options: str, hint: str) -> None:
    with pytest.raises(InputError, match=hint):
        values(f"pseudo-pyramid:{options}")
