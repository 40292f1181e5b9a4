"""Agreement on some of the sentences against the others, as two corpora would have it."""

import random
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.agreement_corpora import corpus, topic
from tests.in_part import in_turn
from tests.oracles import agreement as slow

from awase.core.agreement import comparison
from awase.core.agreement.comparison import WeekOfAgreement, drifts_of
from awase.core.agreement.distances import Kind, SetDistance, is_explained, kind_of
from awase.core.agreement.report import agreement_of
from awase.core.agreement.results import AgreementRequest, SentenceAgreement
from awase.core.agreement.rows import agreement_in_parts
from awase.core.errors import Silent
from awase.core.metrics.significance import Resampling
from awase.core.records.digests import EntryKey, EntryVersion
from awase.core.solvers.cover import absorbed

ROWS = [[(n,)] for n in range(1, 25)]
REQUEST = AgreementRequest(
    distances=(SetDistance.ALTERNATIVES,), compares_texts=False,
    resampling=Resampling(n_resamples=200, seed=3),
)  # fmt: skip


def drawn(share_inside: float, share_outside: float, seed: int = 4):
    rng = random.Random(seed)
    shares = [share_inside if n % 2 else share_outside for n in range(1, len(ROWS) + 1)]
    return corpus(
        *(
            topic(f"T{at}", {
                "A": ROWS,
                "B": [
                    [(rng.randint(1, 60),)] if rng.random() < share else row
                    for row, share in zip(ROWS, shares, strict=True)
                ],
            })
            for at in range(12)
        )
    )  # fmt: skip


def odd(one):
    return frozenset((a.id, s.n) for a in one.abstracts for s in a.sentences if s.n % 2)


def only(whole, is_odd: bool):
    def kept(alignment):
        entries = tuple(one for one in alignment.sentences if one.n % 2 == is_odd)
        return replace(alignment, sentences=entries)

    def part(one):
        abstracts = (replace(a, alignments=tuple(map(kept, a.alignments))) for a in one.abstracts)
        return replace(one, abstracts=tuple(abstracts))

    return replace(whole, topics=tuple(map(part, whole.topics)))


def test_that_each_part_has_the_alpha_of_a_corpus_that_has_nothing_else():
    whole = drawn(0.6, 0.1)
    found = agreement_in_parts(whole, odd, REQUEST, Silent())
    alone = [agreement_of(only(whole, is_odd), REQUEST, Silent()).rows[0] for is_odd in (0, 1)]
    assert found.alphas == pytest.approx([row.alpha for row in alone], abs=1e-12)
    low, high = found.interval.low, found.interval.high
    assert 0 < low < found.alphas[0] - found.alphas[1] < high
    none = agreement_in_parts(drawn(0.3, 0.3, seed=6), odd, REQUEST, Silent()).interval
    assert none.low < 0 < none.high


def test_that_one_annotator_alone_and_one_part_alone_are_compared_with_nothing():
    alone = corpus(topic("T", {"A": ROWS}))
    assert agreement_in_parts(alone, odd, REQUEST, Silent()) is None
    found = agreement_in_parts(drawn(0.3, 0.3), lambda _: frozenset(), REQUEST, Silent())
    assert (found.alphas, found.interval) == ((None, None), None)


def sentence(n, distance):
    return SentenceAgreement(
        topic="T", abstract="a", n=n, annotators=("A", "B"), kind=Kind.IDENTICAL,
        distances={SetDistance.ALTERNATIVES: distance},
    )  # fmt: skip


def versions(**days):
    """Reads when entries of topic T got their values: `A1="2026-11-02"` is A's of sentence 1."""
    found = {
        EntryKey("T", "a", name[0], int(name[1:])): (
            EntryVersion(revision=1, digest="x", at="2020-01-01T00:00:00.000+00:00"),
            EntryVersion(revision=2, digest="y", at=f"{day}T12:00:00.000+00:00" if day else ""),
        )
        for name, day in days.items()
    }

    def read(topics):
        assert topics == ["T"]
        return found

    return read


def test_that_a_sentence_is_of_the_week_in_which_the_second_one_settled_it():
    found = drifts_of(
        [sentence(1, 0.5), sentence(2, 0.0), sentence(3, 0.25)],
        versions(
            A1="2026-11-02", B1="2026-11-15",  # a Sunday
            A2="2026-11-10", B2="2026-11-09",  # a Monday
            A3="2026-11-16", B3="2026-11-03",
        ),
    )  # fmt: skip
    weeks = (
        WeekOfAgreement(begins=date(2026, 11, 9), n_items=2, mean_distance=0.25, n_same=1),
        WeekOfAgreement(begins=date(2026, 11, 16), n_items=1, mean_distance=0.25, n_same=0),
    )
    assert found == {None: weeks, ("A", "B"): weeks}


def test_that_versions_are_read_a_few_topics_at_a_time(monkeypatch):
    monkeypatch.setattr(comparison, "SENTENCES_AT_ONCE", 4)
    sentences = [replace(sentence(1, 0.5), topic=f"t{n // 3}") for n in range(9)]
    asked = []

    def read(topics):
        asked.append(topics)
        at = EntryVersion(revision=1, digest="x", at="2026-11-02T12:00:00.000+00:00")
        return {EntryKey(topic, "a", who, 1): (at,) for topic in topics for who in "AB"}

    (week,) = drifts_of(sentences, read)[None]
    assert week.n_items == 9
    assert asked == [["t0", "t1"], ["t1", "t2"], ["t2"]]


def test_that_what_has_no_time_or_no_distance_is_left_out():
    times = versions(A1="2026-11-02", B1="", A2="2026-11-02", B2="2026-11-02", A3="2026-11-02")
    assert drifts_of([sentence(1, 0.5), sentence(2, None), sentence(3, 0.1)], times) == {None: ()}


families = st.lists(st.frozensets(st.integers(0, 4), min_size=1, max_size=3), max_size=3)


def raw(family):
    return frozenset(sum(1 << item for item in set(members)) for members in family)


def kind(first, second):
    one, other = raw(first), raw(second)
    return kind_of(absorbed(one), absorbed(other), is_same_as_given=one == other)


@in_turn(
    ("first", "second", "expected"),
    [
        ([], [], Kind.BOTH_NO_SOURCE),
        ([], [{1}], Kind.ONE_NO_SOURCE),
        ([{1}, {2, 3}], [{3, 2}, {1}], Kind.IDENTICAL),
        ([{1}, {2, 3}], [{3, 2}, {1}, {1, 4}], Kind.SAME_AFTER_ABSORPTION),
        ([{1}, {2, 3}], [{1}], Kind.MISSED_ALTERNATIVE),
        ([{1, 5}, {1}], [{1}, {2}], Kind.MISSED_ALTERNATIVE),
        ([{1}, {2}], [{1, 2}], Kind.GROUPED_OTHERWISE),
        ([{1, 2}, {3, 4}], [{1, 3}, {2, 4}], Kind.GROUPED_OTHERWISE),
        ([{1}], [{1, 2}], Kind.IMPLIES),
        ([{1, 2}, {3}], [{1}, {3}], Kind.IMPLIES),
        ([{1, 2}], [{2, 3}], Kind.OVERLAPPING),
        ([{1}], [{2}], Kind.DISJOINT),
    ],
)
def test_that_each_kind_is_told(first, second, expected):
    assert kind(first, second) is expected
    assert kind(second, first) is expected


@given(families, families)
def test_that_kinds_of_agreement_are_those_of_equivalent_families(first, second):
    is_same = slow.absorbed(first) == slow.absorbed(second)
    assert kind(first, second).is_agreement == is_same


@given(families, families)
def test_that_implication_is_that_of_the_truth_table(first, second):
    if kind(first, second) is Kind.IMPLIES:
        worlds = slow.subsets(range(5))
        one = [slow.holds(first, world) for world in worlds]
        other = [slow.holds(second, world) for world in worlds]
        below = all(a <= b for a, b in zip(one, other, strict=True))
        above = all(a >= b for a, b in zip(one, other, strict=True))
        assert below != above


def test_that_near_duplicates_explain_a_difference():
    def of(item):
        return {7: 1, 8: 2}.get(item, item)

    assert is_explained(raw([{1}, {2, 3}]), raw([{7}, {8, 3}]), of)
    assert is_explained(raw([{1}, {7}]), raw([{1}]), of)
    assert not is_explained(raw([{1}]), raw([{3}]), of)
