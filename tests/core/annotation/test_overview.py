from hypothesis import given
from hypothesis import strategies as st
from tests import building
from tests.building import ref
from tests.in_part import in_turn

from awase.core.annotation.actions import (
    AbstractPlace,
    abstract_beside,
    disagreed,
    next_incomplete,
    same_opinion,
)
from awase.core.annotation.candidates import shared_spans
from awase.core.annotation.evidence import RemarkKind, keys_of_all, member_remarks, uncovered_words
from awase.core.records.topic import annotators_of


def abstract(id="a", **by):
    return building.abstract(id, by, texts=("x", "x"))


def topic(id, *abstracts):
    return building.topic(id, docs=4, abstracts=abstracts)


@in_turn(
    ("one", "other", "found"),
    [
        ("s1", "s2", {1}),
        ("s1&s2|s3", "s3|s2&s1", set()),
        ("s1|s2&s3", "s1&s4|s1|s2&s3", set()),
        ("s1", (), set()),
        ("s1", "", set()),
        ("s1", "-", {1}),
        ("-", "-", set()),
        ("s1", "!s1", set()),
        (";s1", ";s1|s2", {2}),
    ],
)
def test_that_annotators_disagree_when_their_sets_differ(one, other, found):
    assert disagreed(abstract(A=one, B=other)) == found


def test_that_two_entries_are_the_same_opinion_or_not_where_both_have_one():
    for one, other, is_same in (
        ("s1|s2&s3", "s3&s2|s1", True), ("s1", "s2", False), ("s1", "", None), ("", "s1", None),
        ("-", "-", True), ("-", "s1", False),
    ):  # fmt: skip
        assert same_opinion(building.entry(1, one), building.entry(1, other)) is is_same


def test_that_annotators_are_named_once_in_the_order_they_appear():
    topics = [topic("t", abstract(B="")), topic("u", abstract(A="", B=""))]
    assert annotators_of(topics) == ("B", "A")


@in_turn(
    ("here", "found"),
    [
        (("t", "a", 1), AbstractPlace("t", "a", 2)),
        (("t", "a", 2), AbstractPlace("u", "b", 1)),
        (("u", "b", 1), AbstractPlace("u", "b", 2)),
        (("nowhere", "x", 0), AbstractPlace("t", "a", 2)),
    ],
)
def test_that_the_next_incomplete_sentence_may_be_in_another_topic(here, found):
    topics = [topic("t", abstract("a", A="s1")), topic("u", abstract("b"))]
    assert next_incomplete(topics, "A", *here) == found


def test_that_the_sentence_at_hand_is_not_the_next_one():
    topics = [topic("t", abstract("a", A="s1"))]
    assert next_incomplete(topics, "A", "t", "a", 2) is None
    both = [topic("t", abstract("a", A="s1;-")), topic("u", abstract("b"))]
    assert next_incomplete(both, "A", "t", "a", 1) == AbstractPlace("u", "b", 1)
    assert next_incomplete([], "A", "t", "a", 2) is None


def test_that_the_abstract_beside_is_counted_over_topics_those_without_any_passed_over():
    topics = [
        topic("none"),
        topic("t", abstract("a"), abstract("b")),
        *(topic(f"empty{n}") for n in range(5)),
        topic("u", abstract("a")),
        topic("v", abstract("a"), abstract("b")),
    ]
    places = [(one.id, part.id) for one in topics for part in one.abstracts]
    steps = range(-len(places), len(places) + 1)
    for at, here in enumerate(places):
        for step in steps:
            expected = places[at + step] if 0 <= at + step < len(places) else None
            found = abstract_beside(topics, *here, step)
            assert found == (expected and AbstractPlace(*expected, 0)), (here, step)
    for nowhere in (("gone", "a"), ("u", "b"), ("none", "a")):
        for some in (topics, topics[1:]):
            assert abstract_beside(some, *nowhere, 1) == AbstractPlace("t", "a", 0)
    assert abstract_beside([topic("none")], "none", "a", 1) is None


WORDS = ("storm", "killed", "harbour", "ferry", "sank", "mayor", "spoke")
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


def words_of(text: str, members: list[str], elsewhere: list[str] = ()) -> list[tuple[str, bool]]:
    found = uncovered_words(text, members, keys_of_all(elsewhere))
    return [(text[one.start : one.end], one.is_elsewhere) for one in found]


def test_that_words_of_no_member_are_told_with_whether_the_topic_has_them():
    text = "The storm killed 7 people in the harbour."
    assert words_of(text, ["A storm came."], ["The harbours were closed."]) == [
        ("killed", False), ("7", False), ("people", False), ("harbour", True),
    ]  # fmt: skip
    assert words_of("夜間離着", [], ["夜間"]) == [("夜間離着", True)]
    # Neither inflection nor width matters.
    assert words_of("Killings: 12 ferries", ["The ferry was killing １２ people"]) == []


def test_that_a_lone_letter_or_digit_is_marked_and_a_lone_kanji_is_not():
    assert shared_spans("Plan B has 7 parts of 同 stone", "B: 7 同") == ((5, 6), (11, 12))


def test_that_a_run_of_kanji_is_covered_where_one_of_its_pairs_is():
    found = words_of("夜間離着陸訓練所を中止した。", ["離着陸を行う"], ["中止の練所"])
    assert found == [("夜間", False), ("訓練所", True), ("中止", True)]


@given(texts, st.lists(texts, max_size=3))
def test_that_exactly_the_words_of_no_member_are_uncovered(text, members):
    held = set(" ".join(members).split())
    assert [word for word, _ in words_of(text, members)] == [
        word for word in text.split() if word not in held
    ]


@given(texts, st.lists(texts, min_size=1, max_size=4))
def test_that_a_member_that_adds_nothing_can_go_and_one_that_may_do_alone_suffices(text, members):
    refs = [ref(n) for n in range(1, len(members) + 1)]
    text_by_ref = dict(zip(refs, members, strict=True))
    remarks = member_remarks(text, refs, text_by_ref)
    everything = words_of(text, members)
    needless = [one.ref for one in remarks if one.kind is RemarkKind.ADDS_NOTHING]
    alone = [one.ref for one in remarks if one.kind is RemarkKind.ALONE_MAY_DO]
    assert words_of(text, [t for r, t in text_by_ref.items() if r not in needless]) == everything
    for one in alone:
        assert words_of(text, [text_by_ref[one]]) == everything
    if not alone:
        assert len(needless) < len(refs)


@in_turn(
    ("members", "told"),
    [
        (["The storm killed many.", "The ferry sank."], []),
        (["The storm sank a ferry.", "A ferry."], [(RemarkKind.ALONE_MAY_DO, 1)]),
        (["The storm.", "The ferry sank.", "A storm in May"], [(RemarkKind.ADDS_NOTHING, 3)]),
        (["The storm sank the ferry."], []),
    ],
)
def test_which_members_are_remarked_on(members, told):
    refs = [ref(n) for n in range(1, len(members) + 1)]
    remarks = member_remarks(
        "The storm sank the ferry.", refs, dict(zip(refs, members, strict=True))
    )
    assert [(one.kind, one.ref.n) for one in remarks] == told
