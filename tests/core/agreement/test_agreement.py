"""Agreement of whole corpora: worked figures, chance, what is left out and why."""

import math
from dataclasses import replace

import pytest
from hypothesis import strategies as st
from tests.agreement_corpora import MERGED, MISSING, TABLE_1, corpus, topic
from tests.core.agreement.test_distances import SLOW
from tests.laws import law
from tests.oracles import agreement as slow
from tests.reporters import Heard

from awase.core.agreement.distances import OF_FAMILIES, Kind, SetDistance, alignment_of
from awase.core.agreement.report import agreement_of
from awase.core.agreement.results import AgreementRequest
from awase.core.errors import Cancelled, InputError, Silent
from awase.core.metrics.kit.signature import named
from awase.core.records.abstract import Alignment, GoldEntry, GoldOrigin

A, B, C = "A", "B", "C"


def agree(*topics, **options):
    request = AgreementRequest(**{"compares_texts": False, **options})
    return agreement_of(corpus(*topics), request, Silent())


def row(found, distance, annotators=(A, B)):
    return found.row(annotators, distance)


def rounded(found, distance, annotators=(A, B)):
    return round(row(found, distance, annotators).alpha, 3)


def test_that_joining_the_alternatives_of_table_1_lowers_all_levels_but_the_support():
    found = agree(topic("T", {A: TABLE_1, B: MERGED}))
    assert [rounded(found, distance) for distance in OF_FAMILIES] == [0.768, 0.639, 1.0, 0.615]
    assert [one.kind for one in found.sentences] == [
        Kind.GROUPED_OTHERWISE, Kind.IDENTICAL, Kind.IDENTICAL,
    ]  # fmt: skip
    links = row(found, SetDistance.LINKS)
    assert (links.f1, links.alpha) == (1, 1)


families = st.lists(
    st.frozensets(st.integers(1, 5), min_size=1, max_size=3), max_size=3, unique=True
)
columns = st.lists(st.none() | families, min_size=2, max_size=4)


@law(60, st.lists(st.tuples(columns, columns, columns), min_size=1, max_size=3))
def test_that_every_alpha_is_that_of_the_definition(drawn):
    topics, items = [], []
    for at, annotations in enumerate(drawn):
        n = min(map(len, annotations))
        given_by = dict(zip((A, B, C), (one[:n] for one in annotations), strict=True))
        topics.append(topic(f"T{at}", given_by))
        items.append([*zip(*given_by.values(), strict=True)])
    found = agree(*topics)
    for distance, function in SLOW.items():
        expected = slow.alpha(items, function)
        own = row(found, distance, (A, B, C)).alpha
        assert own == (None if expected is None else pytest.approx(float(expected), abs=1e-9))
        pair = slow.alpha([[item[:2] for item in one] for one in items], function)
        own = row(found, distance).alpha
        assert own == (None if pair is None else pytest.approx(float(pair), abs=1e-9))


@law(40, st.lists(st.tuples(columns, columns), min_size=1, max_size=3))
def test_that_links_agree_as_cohens_kappa_and_f1_of_all_cells(drawn):
    n_sources, topics, cells = 6, [], []
    texts = [f"Source {n}." for n in range(n_sources)]
    for at, annotations in enumerate(drawn):
        first, second = zip(*zip(*annotations, strict=False), strict=True)
        topics.append(topic(f"T{at}", {A: first, B: second}, texts=texts))
        for pair in zip(first, second, strict=True):
            if MISSING not in pair:
                linked = [frozenset().union(*slow.absorbed(family)) for family in pair]
                cells += [tuple(n in one for one in linked) for n in range(1, n_sources + 1)]
    links = row(agree(*topics), SetDistance.LINKS)
    expected = slow.cohen_kappa(*zip(*cells, strict=True)) if cells else None
    assert links.alpha == (None if expected is None else pytest.approx(float(expected), abs=1e-9))
    n_both, n_any = sum(map(all, cells)), sum(map(sum, cells))
    assert links.f1 == (pytest.approx(2 * n_both / n_any) if n_any else None)


ranks_given = st.lists(st.sampled_from("ABC") | st.none(), min_size=5, max_size=5)


@law(40, st.lists(st.tuples(columns, columns, ranks_given, ranks_given), min_size=1, max_size=4))
def test_that_what_is_told_of_a_topic_is_what_is_told_of_it_alone(drawn):
    topics = []
    for at, (first, second, *ranks) in enumerate(drawn):
        n = min(len(first), len(second))
        given_ranks = {who: own[:n] for who, own in zip((A, B), ranks, strict=True)}
        topics.append(topic(f"T{at}", {A: first[:n], B: second[:n]}, ranks=given_ranks))
    alone = [agree(one) for one in topics]
    for found in agree(*topics).rows:
        own = [one.row(found.annotators, found.distance) for one in alone]
        assert [one.topic for one in found.by_topic] == [
            one.id for one, row in zip(topics, own, strict=True) if row.n_items
        ]
        if (
            found.distance is not SetDistance.RANK
        ):  # how far ranks are apart, all topics say together
            facts = [(one.n_items, one.observed, one.expected, one.alpha) for one in own]
            assert [
                (one.n_items, one.observed, one.expected, one.alpha) for one in found.by_topic
            ] == [fact for fact in facts if fact[0]]


def test_that_unsettled_sentences_are_left_out_and_counted():
    found = agree(topic("T", {A: [[(1,)], [(2,)], [(3,)]], B: [[(1,)], MISSING, [(4,)]]}))
    assert (row(found, SetDistance.EQUAL).n_items, found.n_sentences) == (2, 3)
    assert [str(one) for one in found.warnings] == [
        "1 of 3 abstract sentences is left out for B: 1 to do, 0 incomplete, 0 flagged."
    ]


def test_that_no_source_is_an_opinion():
    found = agree(topic("T", {A: [[], [], [(1,)]], B: [[], [(2,)], [(1,)]]}))
    assert [one.kind for one in found.sentences] == [
        Kind.BOTH_NO_SOURCE, Kind.ONE_NO_SOURCE, Kind.IDENTICAL,
    ]  # fmt: skip
    assert [one.distances[SetDistance.ALTERNATIVES] for one in found.sentences] == [0, 1, 0]
    items = [["no", "no"], ["no", "yes"], ["yes", "yes"]]
    expected = slow.alpha([items], lambda a, b: int(a != b))
    assert row(found, SetDistance.STATE).alpha == pytest.approx(float(expected))


def reason(found, distance, annotators=(A, B)):
    one = row(found, distance, annotators)
    assert one.alpha is None
    return str(one.reason)


def test_that_nothing_in_common_is_undefined_and_no_full_agreement():
    found = agree(topic("T", {A: [[(1,)], MISSING], B: [MISSING, [(1,)]]}))
    for distance in SetDistance:
        assert reason(found, distance).startswith("No common item")


def test_that_no_variation_is_undefined_and_says_what_was_observed():
    found = agree(topic("T", {A: [[(1,)], [(1,)]], B: [[(1,)], [(1,)]]}))
    for distance in (*OF_FAMILIES, SetDistance.STATE):
        assert "observed agreement 1.000" in reason(found, distance)
    found = agree(topic("T", {A: [[], []], B: [[], []]}))
    assert "observed agreement 1.000" in reason(found, SetDistance.LINKS)


def test_that_entangled_alternatives_leave_only_the_function_undefined():
    grid = [(at, at + 1) for at in range(1, 60)] + [(at, at + 9) for at in range(1, 50)]
    found = agree(topic("T", {A: [grid, [(1,)]], B: [[(2,)], [(1,)]]}), most_states=10)
    assert reason(found, SetDistance.FUNCTION).startswith("Some alternatives are too entangled")
    assert [one.distances[SetDistance.FUNCTION] for one in found.sentences] == [None, 0]
    assert found.pairs[0].bias is None
    assert row(found, SetDistance.ALTERNATIVES).alpha is not None


def test_that_kappa_has_no_row_for_three():
    found = agree(topic("T", {who: [[(1,)], [(2,)]] for who in (A, B, C)}))
    assert "compares two annotators, not 3" in reason(found, SetDistance.LINKS, (A, B, C))


def test_that_few_topics_have_no_interval_and_say_so():
    def some(n):
        return [
            topic(f"T{at}", {A: [[(1,)], [(2,)]], B: [[(1,)], [(2 + at % 2,)]]}) for at in range(n)
        ]

    only = {"distances": (SetDistance.ALTERNATIVES,)}
    seven, eight = (row(agree(*some(n), **only), SetDistance.ALTERNATIVES) for n in (7, 8))
    assert seven.interval is None
    assert "too few topics (7)" in str(seven.reason)
    assert eight.reason is None
    assert eight.interval.low < eight.alpha < eight.interval.high
    empty = [topic(f"E{at}", {A: [[(1,)]], B: [MISSING]}) for at in range(9)]
    # Topics without anything in common are not resampled.
    among = row(agree(*empty, *some(8), **only), SetDistance.ALTERNATIVES)
    assert (among.interval, among.n_topics) == (eight.interval, 8)


def test_that_the_signature_names_all_that_decides():
    found = agree(topic("T", {A: TABLE_1, "B+C,": MERGED}, length="short"), length="short")
    name, _, options = found.rows[0].signature.partition(":")
    assert name == "agreement"
    assert options.rpartition(",version=")[0] == (
        "distance=alternatives,expected=topic,absorb=yes,annotators=A+B%252BC%2C,length=short,"
        f"states=settled,items=3,topics={named(['T'])},resample=topics,n=9999,seed=1,confidence=0.95"
    )


def test_that_only_the_length_and_the_level_asked_for_are_compared():
    short = topic("S", {A: [[(1,)], [(2,)]], B: [[(1,)], [(3,)]]}, length="short")
    long = topic("L", {A: [[(1,)]], B: [[(1,)]]}, length="long")
    assert row(agree(short, long), SetDistance.EQUAL).n_items == 3
    found = agree(short, long, length="short", distances=(SetDistance.EQUAL,))
    assert row(found, SetDistance.EQUAL).n_items == 2
    assert row(found, SetDistance.FUNCTION) is None


def test_that_ranks_are_compared_as_ordered_values_of_those_who_rank():
    import krippendorff

    ranks = {A: ["A", "B", "C", "A", "B", "C"], B: ["A", "B", "B", "A", "C", None]}
    sentences = [[(n,)] for n in range(1, 7)]
    some = [*sentences[:5], MISSING]
    found = agree(topic("T", {A: sentences, B: some, C: sentences}, ranks=ranks))
    data = [["ABC".index(rank) if rank else math.nan for rank in ranks[who]] for who in (A, B)]
    theirs = krippendorff.alpha(data, level_of_measurement="ordinal")
    assert row(found, SetDistance.RANK).alpha == pytest.approx(theirs, abs=1e-9)
    assert reason(found, SetDistance.RANK, (A, C)).startswith("No common item")
    assert found.pairs[0].ranks == {
        ("A", "A"): 2, ("B", "B"): 1, ("C", "B"): 1, ("B", "C"): 1,
    }  # fmt: skip


def test_that_who_ranks_some_sentences_leaves_the_others_at_the_abstracts_rank():
    sentences = [[(1,)], [(2,)]]
    ranks = {A: ["B", None], B: ["B", "B"]}
    found = agree(topic("T", {A: sentences, B: sentences}, ranks=ranks))
    assert found.pairs[0].ranks == {("B", "B"): 1, ("A", "B"): 1}


def test_that_the_bias_tells_who_accepts_more():
    (pair,) = agree(topic("T", {A: [[(1,), (2,)], [(1,)]], B: [[(1,)], [(1, 2)]]})).pairs
    assert pair.bias == pytest.approx(((3 / 4 - 1 / 2) + (1 / 2 - 1 / 4)) / 2)


def test_that_the_robot_is_compared_with_each_annotator():
    found = agree(
        topic("T", {A: [[(1,)], [(2,)], [(3,)]], B: [[(1,)], [(9,)], [(3,), (8,)]]}),
        compares_texts=True,
    )
    robots = row(found, SetDistance.EQUAL).robot
    assert robots == {A: 1.0, B: pytest.approx(float(slow.alpha([[
        ([{1}], [{1}]), ([{9}], [{2}]), ([{3}, {8}], [{3}]),
    ]], slow.equal_distance)))}  # fmt: skip
    asked = agree(*(one for one in [topic("T", {A: [[(1,)], [(2,)], [(3,)]]})]),
                  annotators=(A, "robot"))  # fmt: skip
    assert row(asked, SetDistance.ALTERNATIVES, (A, "robot")).alpha == 1


def test_that_differences_by_near_duplicates_are_counted():
    texts = [
        "The government resigned on Monday after the long strike of miners.",
        "The government resigned on Monday after the long strike of the miners.",
        "Nothing else happened in the capital, newspapers wrote.",
    ]
    found = agree(
        topic("T", {A: [[(1,)], [(1,)], [(1,)]], B: [[(2,)], [(3,)], [(1,)]]}, texts=texts),
        compares_texts=True,
    )
    assert (found.pairs[0].n_near_duplicates, found.pairs[0].n_different) == (1, 2)


def test_that_the_work_can_be_stopped():
    topics = [topic(f"T{at}", {A: TABLE_1, B: MERGED}) for at in range(3)]
    with pytest.raises(Cancelled):
        agreement_of(corpus(*topics), AgreementRequest(), Heard(at=1))


def test_that_the_gold_is_compared_as_what_was_decided():
    made = topic("T", {A: [[(1,)], [(2,)], [(3,)]], B: [[(1,)], [(2,)], [(4,)]]})
    (abstract,) = made.abstracts
    entries = abstract.alignments[1].sentences[:2]
    gold = tuple(GoldEntry(entry=entry, origin=GoldOrigin.TAKEN) for entry in entries)
    decided = replace(made, abstracts=(replace(abstract, gold=gold),))
    found = agree(decided, annotators=(A, "gold"))
    assert (row(found, SetDistance.EQUAL, (A, "gold")).n_items, len(found.sentences)) == (2, 2)
    assert row(agree(decided), SetDistance.EQUAL).gold == {A: 1.0, B: 1.0}
    assert row(agree(made), SetDistance.EQUAL).gold == {}
    with pytest.raises(InputError, match="Nobody called “gold”"):
        agree(made, annotators=(A, "gold"))
    undecided = topic("U", {A: [[(1,)]], B: [[(1,)]]})
    assert len(agree(decided, undecided, annotators=(A, "gold")).sentences) == 2
    called = replace(decided.abstracts[0], alignments=(Alignment(annotator="gold", sentences=()),))
    assert alignment_of(called, "gold") is called.alignments[0]


def test_that_a_topic_without_source_sentences_has_no_robot():
    made = topic("T", {A: [[], []], B: [[], []]})
    bare = replace(made, documents=())
    found = agree(bare, compares_texts=True)
    assert row(found, SetDistance.EQUAL).robot == {A: None, B: None}


@pytest.mark.slow
def test_that_resamples_without_variation_are_left_out_and_counted():
    same = [topic(f"T{at}", {A: [[(1,)]] * 2, B: [[(1,)]] * 2}) for at in range(60)]
    one = topic("X", {A: [[(1,)], [(2,)]], B: [[(1,)], [(3,)]]})
    # One topic of 61 varies, and 37 % of resamples lack it.
    found = row(agree(*same, one), SetDistance.EQUAL)
    assert found.interval is not None
    assert found.interval.n_undefined > 3_000


def test_that_families_too_entangled_together_are_undefined_though_each_is_not():
    rows = [(6 * r + c, 6 * r + c + 1) for r in range(6) for c in range(1, 6)]
    columns = [(6 * r + c, 6 * r + c + 6) for r in range(5) for c in range(1, 7)]
    found = agree(topic("T", {A: [rows, [(1,)]], B: [columns, [(1,)]]}), most_states=100)
    assert reason(found, SetDistance.FUNCTION).startswith("Some alternatives are too entangled")
    assert found.pairs[0].bias is not None


def test_that_a_person_who_is_called_robot_is_a_person():
    made = topic("T", {A: [[(1,)], [(2,)]], "robot": [[(9,)], [(2,)]]})
    found = agree(made, compares_texts=True)
    one = row(found, SetDistance.EQUAL, (A, "robot"))
    assert one.robot == {}
    assert [one.kind for one in found.sentences] == [Kind.DISJOINT, Kind.IDENTICAL]
