"""What joining copies does: cases with a name, and laws over random histories of four copies."""

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests import building
from tests.core.team.histories import (
    PEOPLE,
    edited,
    entry_of,
    main_copy,
    merged,
    out,
    plan,
    value,
    with_topic,
)
from tests.in_part import in_turn
from tests.laws import tries
from tests.reporters import Heard

from awase.core.errors import Cancelled, InputError
from awase.core.records.abstract import AlignmentState, GoldEntry
from awase.core.records.corpus import Assignment, reader_of
from awase.core.records.digests import entries_of, entry_digest
from awase.core.records.topic import HumanScore, Topic
from awase.core.team.handing_out import Copy, RankStep, handed_out, is_of, only_work_of
from awase.core.team.merging import MergeOutcome, plan_merge, text_map


def _is_sound(copy: Copy) -> bool:
    """Returns whether the last version of each entry is its value's."""
    present = {key: digest for topic in copy.corpus.topics for key, digest in entries_of(topic)}
    return all(
        copy.ownership.versions_of(key)[-1].digest == digest for key, digest in present.items()
    )


def test_that_a_copy_holds_the_persons_work_and_nobody_elses():
    main = edited(edited(main_copy(), "t1", "A1", 1, 2, "1"), "t1", "A2", 1, 3, "2")
    copy = handed_out(main, "A2")
    assert entry_of(copy, "t1", "A2", 1) == value(1, 3)
    assert "A1" not in str(copy)
    assert copy.ownership.handed_to == "A2"


def test_that_assignments_say_which_topics_a_copy_has():
    main = edited(edited(main_copy(), "t1", "A1", 1, 2, "1"), "t2", "A1", 1, 2, "2")
    work = (Assignment(topic="t2", person="A1"), Assignment(topic="t1", person="A2"))
    main = replace(main, corpus=replace(main.corpus, assignments=work))
    copy = handed_out(main, "A1")
    assert [topic.id for topic in copy.corpus.topics] == ["t2"]
    assert copy.corpus.assignments == work[:1]
    assert {key.topic for key in copy.ownership.versions} == {"t2"}
    with pytest.raises(InputError, match="“A3” has no work"):
        handed_out(main, "A3")
    with pytest.raises(InputError, match=r"“X” is not in this project\. Its people are: A1, A2"):
        handed_out(main, "X")


def test_that_a_blind_copy_has_no_ranks_of_others_second_readings_included():
    main = main_copy()
    (own,) = main.corpus.topics[0].abstracts
    ranked = building.topic("t1", abstracts=[replace(own, sentences=tuple(
        replace(one, rank="B") for one in own.sentences
    ))])  # fmt: skip
    blind = replace(main, corpus=replace(main.corpus, topics=(ranked,), is_blind=True))
    steps = [
        RankStep(row=n, who=who, place=("t1", "a", n), old="C", new="B")
        for n, who in enumerate(("A2#2", "A1#2"), start=1)
    ]
    lead = RankStep(row=3, who="L", place=("t1", "a", 1), old="B", new="A")
    steps += [lead, replace(lead, row=4, old="A", new="B", undoes=3)]
    (abstract,) = handed_out(blind, "A1", steps).corpus.topics[0].abstracts
    assert [one.rank for one in abstract.sentences] == ["C", "B"]


@in_turn("person", ["", " ", "A1 "])
def test_that_a_copy_needs_a_persons_name(person):
    main = main_copy()
    main = replace(main, corpus=replace(main.corpus, persons=()))
    with pytest.raises(InputError, match="handed out to a person"):
        handed_out(main, person)


def test_that_new_and_changed_work_is_taken_again_and_again():
    main = edited(main_copy(), "t1", "A1", 1, 2, "1")
    copy = edited(edited(out(main, "A1", "r"), "t1", "A1", 1, 3, "2"), "t2", "A1", 2, 1, "3")
    found = plan(main, copy)
    assert (found.count(MergeOutcome.NEW), found.count(MergeOutcome.CHANGED)) == (1, 1)
    main = merged(main, copy)
    assert entry_of(main, "t1", "A1", 1) == value(1, 3)
    copy = edited(copy, "t1", "A1", 1, 0, "4")
    main = merged(main, copy)
    assert entry_of(main, "t1", "A1", 1) == value(1, 0)
    assert not plan(main, copy).entries


def test_that_what_was_changed_here_since_is_kept_while_the_copy_stands_still():
    copy = edited(out(main_copy(), "A1", "r"), "t1", "A1", 1, 2, "1")
    main = edited(merged(main_copy(), copy), "t1", "A1", 1, 3, "2")
    assert entry_of(merged(main, copy), "t1", "A1", 1) == value(1, 3)
    back = edited(main, "t1", "A1", 1, 0, "3")  # undone on purpose
    assert entry_of(merged(back, copy), "t1", "A1", 1) == value(1, 0)


def test_that_a_person_on_two_machines_loses_neither_value():
    first = out(main_copy(), "A1", "r")
    second = first  # a copy made by hand has the same replica
    first, second = edited(first, "t1", "A1", 1, 2, "1"), edited(second, "t1", "A1", 1, 3, "2")
    main = merged(main_copy(), first, second)
    assert entry_of(main, "t1", "A1", 1) == value(1, 2)
    assert entry_of(main, "t1", "A1~2", 1) == value(1, 3)
    assert not plan(main, first, second).entries
    second = edited(second, "t1", "A1", 1, 4, "3")
    main = merged(main, second)
    assert entry_of(main, "t1", "A1~2", 1) == value(1, 4)
    first = edited(first, "t1", "A1", 1, 1, "4")
    assert entry_of(merged(main, first), "t1", "A1", 1) == value(1, 1)


def test_that_a_conflict_about_a_second_value_is_kept_as_a_third():
    first = out(main_copy(), "A1", "r")
    second = first
    first, second = edited(first, "t1", "A1", 1, 2, "1"), edited(second, "t1", "A1", 1, 3, "2")
    main = merged(main_copy(), first, second)
    copy = edited(out(main, "A1", "s"), "t1", "A1~2", 1, 4, "3")
    main = merged(edited(main, "t1", "A1~2", 1, 1, "4"), copy)
    names = {one.annotator for one in main.corpus.topics[0].abstracts[0].alignments}
    assert names == {"A1", "A1~2", "A1~3"}
    assert entry_of(main, "t1", "A1~3", 1) == value(1, 4)


def test_that_equal_values_of_two_machines_are_no_conflict_then_nor_later():
    first = out(main_copy(), "A1", "r")
    second = edited(first, "t1", "A1", 1, 2, "2")
    first = edited(first, "t1", "A1", 1, 2, "1")
    main = merged(main_copy(), first, second)
    assert plan(main, second).is_empty
    found = plan(merged(main_copy(), first), second)
    assert (found.entries, found.is_empty) == ((), False)  # it brings its history
    second = edited(second, "t1", "A1", 1, 3, "3")
    found = plan(main, second)
    assert [one.fate for one in found.entries] == [MergeOutcome.CHANGED]


def _with_texts(copy: Copy, texts: dict[int, str]) -> Copy:
    topic = copy.corpus.topics[0]
    document = topic.documents[0]
    sentences = tuple(replace(document.sentences[0], n=n, text=text) for n, text in texts.items())
    bare = replace(topic.abstracts[0], alignments=())
    new = replace(topic, documents=(replace(document, sentences=sentences),), abstracts=(bare,))
    return with_topic(copy, new, "text")


def test_that_links_follow_a_sentence_whose_number_changed_and_what_has_no_place_is_told():
    copy = edited(out(main_copy(), "A1", "r"), "t1", "A1", 1, 4, "1")
    copy = edited(copy, "t1", "A1", 2, 2, "2")
    moved = _with_texts(main_copy(), {7: "s1", 2: "s2, mended", 3: "s3"})
    found = plan(moved, copy)
    entry = entry_of(merged(moved, copy), "t1", "A1", 1)
    assert [str(ref) for ref in entry.refs()] == ["d:7", "d:2", "d:3"]
    assert ["differ" in str(remark) for remark in found.remarks] == [True]
    gone = _with_texts(main_copy(), {2: "s2", 3: "s3"})
    found = plan(gone, copy)
    assert [one.fate for one in found.entries] == [MergeOutcome.LEFT_OUT] * 2
    assert sum("1 alternative of" in str(one) for one in found.remarks) == 2
    assert merged(gone, copy) == gone
    topic = copy.corpus.topics[0]
    linked = replace(topic.abstracts[0], alignments=(building.alignment("A1", "s1|s2; s1"),))
    half = with_topic(copy, replace(topic, abstracts=(linked,)), "4")
    taken = merged(gone, half)
    entry = entry_of(taken, "t1", "A1", 1)
    assert [str(ref) for ref in entry.refs()] == ["d:2"]
    assert entry.state is AlignmentState.INCOMPLETE
    assert _is_sound(taken)
    assert [one.fate for one in plan(taken, half).entries] == [MergeOutcome.LEFT_OUT]


def test_that_two_sentences_never_become_one_and_who_keeps_the_number_goes_first():
    def of(texts: dict[int, str]) -> Topic:
        return building.topic(
            docs={}, abstracts=[building.abstract(texts=[*texts.values()], numbers=[*texts])]
        )

    assert text_map(of({1: "b", 2: "a"}), of({2: "b"})).numbers == {"a": {2: 2}}
    assert text_map(of({1: "b", 3: "b"}), of({2: "b"})).numbers == {"a": {1: 2}}
    assert text_map(of({1: "b"}), of({2: "b", 3: "b"})).numbers == {"a": {1: 2}}


def test_that_alignments_stand_in_one_order_whatever_came_first():
    main = main_copy()
    copies = [edited(out(main, who, who), "t1", who, 1, 2, "1") for who in ("A1", "A2", "A3")]
    for order in permutations(copies):
        (abstract,) = merged(main, *order).corpus.topics[0].abstracts
        assert [one.annotator for one in abstract.alignments] == ["A1", "A2", "A3"]


def test_that_human_scores_of_copies_are_taken_once_in_one_order_and_those_of_topics_here():
    first, second = (HumanScore(system=one, measure="m", value=1, topic="t1") for one in "ab")
    lost, whole = replace(first, topic="t2"), replace(first, topic=None)
    copies = [out(main_copy(), "A1", "r"), out(main_copy(), "A2", "s")]
    scored = [
        replace(copy, corpus=replace(copy.corpus, human_scores=scores))
        for copy, scores in zip(copies, ((second, lost), (second, first, whole)), strict=True)
    ]
    main = main_copy()
    main = replace(main, corpus=replace(main.corpus, topics=main.corpus.topics[:1]))
    for order in permutations(scored):
        found = plan(main, *order)
        assert found.corpus.human_scores == (whole, first, second)
        assert (found.n_human_scores, found.is_empty) == (3, False)
    both = tuple(replace(first, annotator=who) for who in ("Anna", "A1"))
    copy = replace(copies[0], corpus=replace(copies[0].corpus, human_scores=both))
    found = plan_merge(main, [("a.awase", copy)], at="", names={"Anna": "A1"})
    assert found.corpus.human_scores == both[1:]
    assert only_work_of(copy.corpus, "Anna").human_scores == both[:1]


def test_that_work_on_what_the_main_file_has_not_is_told_every_time():
    copy = edited(out(main_copy(), "A1", "r"), "t2", "A1", 1, 2, "1")
    main = main_copy()
    main = replace(main, corpus=replace(main.corpus, topics=main.corpus.topics[:1]))
    for _ in range(2):
        found = plan(main, copy)
        assert [one.fate for one in found.entries] == [MergeOutcome.LEFT_OUT]
        assert "no topic “t2”" in str(found.remarks[0])
        main = merged(main, copy)


@in_turn(
    ("change", "message"),
    [
        (lambda own: replace(own, corpus="other"), "is not a copy of this corpus"),
        (lambda own: replace(own, corpus=""), "is not a copy of this corpus"),
        (lambda own: replace(own, handed_to="gone"), "“gone”, who is no longer in this project"),
    ],
)
def test_that_a_file_that_does_not_belong_is_refused(change, message):
    copy = out(main_copy(), "A1", "r")
    with pytest.raises(InputError, match=message):
        plan(main_copy(), replace(copy, ownership=change(copy.ownership)))


def test_that_somebody_who_renamed_herself_is_asked_for_and_then_taken():
    copy = edited(out(main_copy(), "A1", "r"), "t1", "Anna", 1, 2, "1")
    with pytest.raises(InputError, match=r"holds work of “Anna”.*Anna=A1"):
        plan(main_copy(), copy)
    found = plan_merge(main_copy(), [("a.awase", copy)], at="", names={"Anna": "A1"})
    (alignment,) = found.corpus.topics[0].abstracts[0].alignments
    assert (alignment.annotator, alignment.of_sentence(1)) == ("A1", value(1, 2))


def test_that_of_two_names_that_become_one_the_first_keeps_what_both_worked_on():
    copy = edited(out(main_copy(), "A1", "r"), "t1", "A1", 1, 2, "1")
    copy = edited(edited(copy, "t1", "Anna", 1, 3, "2"), "t1", "Anna", 2, 4, "3")
    found = plan_merge(main_copy(), [("a.awase", copy)], at="", names={"Anna": "A1"})
    (alignment,) = found.corpus.topics[0].abstracts[0].alignments
    assert (alignment.annotator, alignment.sentences) == ("A1", (value(1, 2), value(2, 4)))


def _decided(copy: Copy, choice: int, at: str, *, locked: bool = False) -> Copy:
    """Returns the copy after the first sentence of its first topic was decided, or no more is."""
    topic = copy.corpus.topics[0]
    gold = (GoldEntry(entry=value(1, choice), decided_by="lead", locked=locked),) if choice else ()
    (abstract,) = topic.abstracts
    return with_topic(copy, replace(topic, abstracts=(replace(abstract, gold=gold),)), at)


def _decision(copy: Copy) -> tuple[GoldEntry, ...]:
    return copy.corpus.topics[0].abstracts[0].gold


def _cloned(main: Copy) -> Copy:
    """Returns what the lead takes along: a copy of the whole file, which nobody handed out."""
    return replace(main, ownership=replace(main.ownership, replica="r"))


def test_that_a_decision_that_changed_in_the_copy_alone_is_taken_again_and_again():
    main = main_copy()
    copy = _cloned(main)
    for choice, fate in (
        (2, MergeOutcome.NEW),
        (3, MergeOutcome.CHANGED),
        (0, MergeOutcome.CHANGED),
    ):
        copy = _decided(copy, choice, str(choice))
        assert [one.fate for one in plan(main, copy).entries] == [fate]
        main = merged(main, copy)
        assert _decision(main) == _decision(copy)
        assert not plan(main, copy).entries
    assert _is_sound(main)


def test_that_a_decision_that_changed_on_both_sides_stays_and_is_told():
    main = _decided(main_copy(), 2, "1")
    assert not plan(main, _decided(_cloned(main_copy()), 2, "2")).entries  # equal ones
    copy, main = _decided(_cloned(main), 3, "2"), _decided(main, 4, "3")
    found = plan(main, copy)
    assert [one.fate for one in found.entries] == [MergeOutcome.CONFLICT]
    assert "the one here stays" in " ".join(map(str, found.remarks))
    assert _decision(merged(main, copy)) == _decision(main)


def test_that_a_locked_decision_is_not_changed_by_a_copy():
    main = _decided(main_copy(), 2, "1", locked=True)
    copy = _decided(_cloned(main), 3, "2")
    assert [one.fate for one in plan(main, copy).entries] == [MergeOutcome.CONFLICT]
    assert _decision(merged(main, copy)) == _decision(main)


def test_that_a_corpus_without_people_takes_back_whoever_it_was_handed_to():
    main = main_copy()
    main = replace(main, corpus=replace(main.corpus, persons=()))
    copy = edited(out(main, "B", "r"), "t1", "B", 1, 2, "1")
    assert entry_of(merged(main, copy), "t1", "B", 1) == value(1, 2)


def test_that_a_second_reading_is_blind_to_the_first_and_stands_beside_it():
    main = edited(main_copy(), "t1", "A1", 1, 1, "0")
    copy = out(main, "A1#2", "r")
    assert all(not one.alignments for topic in copy.corpus.topics for one in topic.abstracts)
    assert [one.id for one in copy.corpus.persons] == ["A1#2"]
    taken = merged(main, edited(copy, "t1", "A1#2", 1, 2, "1"))
    assert entry_of(taken, "t1", "A1", 1) == entry_of(main, "t1", "A1", 1)
    assert entry_of(taken, "t1", "A1#2", 1) == value(1, 2)
    assert [one.id for one in only_work_of(taken.corpus, "A1#2").persons] == ["A1"]
    with pytest.raises(InputError, match="“Z#2” is not in this project"):
        out(main, "Z#2", "r")


def test_that_only_a_number_makes_a_second_reading():
    assert reader_of("A1#2") == ("A1", 2)
    assert reader_of("A1") == ("A1", 1)
    assert reader_of("C#") == ("C#", 1)
    assert reader_of("#2") == ("#2", 1)


def test_that_second_opinions_are_their_persons():
    assert is_of("A2~2", "A2")
    assert not is_of("A2~x", "A2")
    assert not is_of("A22", "A2")
    assert not is_of(None, "A2")


# Laws

EDIT = st.tuples(
    st.just("edit"),
    st.integers(0, 3),
    st.sampled_from(["t1", "t2"]),
    st.sampled_from([1, 2]),
    st.integers(0, 4),
)
MERGE = st.tuples(st.just("merge"), st.integers(1, 3))
HAND_OUT = st.tuples(st.just("hand out"), st.integers(1, 3), st.sampled_from(PEOPLE))
CLONE = st.tuples(st.just("clone"), st.integers(1, 3), st.integers(1, 3))
TEXT = st.tuples(st.just("text"), st.sampled_from([4, 5, 6]))
STEPS = st.lists(EDIT | EDIT | EDIT | MERGE | HAND_OUT | CLONE | TEXT, max_size=24)


def _check_laws(main: Copy, copies: dict[int, Copy], number: int) -> Copy:
    copy = copies[number]
    owner = copy.ownership.handed_to or ""
    after = merged(main, copy)
    assert _is_sound(after)
    assert not plan(after, copy).entries  # twice is once
    assert merged(after, copy).corpus == after.corpus
    for topic, new in zip(main.corpus.topics, after.corpus.topics, strict=True):
        old_entries, new_entries = dict(entries_of(topic)), dict(entries_of(new))
        for key in {**old_entries, **new_entries}:
            if not is_of(key.annotator, owner):
                assert old_entries.get(key) == new_entries.get(key)
        assert replace(topic, abstracts=()) == replace(new, abstracts=())
    _check_nothing_lost(after, copy, owner)
    for other in copies.values():
        if other.ownership.handed_to != owner:
            both = merged(merged(main, copy), other).corpus
            assert both == merged(merged(main, other), copy).corpus
            assert both == merged(main, copy, other).corpus
    fresh = out(after, owner, "fresh")
    assert not plan(after, fresh).entries  # no work, no change
    return after


def _check_nothing_lost(main: Copy, copy: Copy, owner: str) -> None:
    """Each value of the copy is in the main file, or one that followed it, or it is told."""
    for topic in copy.corpus.topics:
        for key, digest in entries_of(topic):
            names = [owner, *(f"{owner}~{k}" for k in range(2, 9))]
            there = {entry_digest(entry_of(main, key.topic, name, key.n)) for name in names}
            known = {version.digest for version in main.ownership.versions_of(key)}
            assert digest in there | known


def _play(steps: list[tuple]) -> int:
    main = main_copy()
    copies = {k: out(main, PEOPLE[k % 3], f"r{k}") for k in (1, 2, 3)}
    n_merges = 0
    for at, (what, *more) in enumerate(steps):
        moment = f"{at:03}"
        if what == "edit":
            number, topic, n, choice = more
            if number == 0:
                main = edited(main, topic, PEOPLE[choice % 3], n, choice, moment)
            else:
                who = copies[number].ownership.handed_to
                copies[number] = edited(copies[number], topic, who, n, choice, moment)
        elif what == "merge":
            main = _check_laws(main, copies, more[0])
            n_merges += 1
        elif what == "hand out":
            copies[more[0]] = out(main, more[1], f"r{more[0]}-{moment}")
        elif what == "clone":
            copies[more[0]] = copies[more[1]]
        else:
            main = _mended(main, more[0], moment)
    for number in copies:
        main = _check_laws(main, copies, number)
    return n_merges


def _mended(main: Copy, number: int, at: str) -> Copy:
    """Returns the main file with a further sentence, and another text for the last one."""
    topic = main.corpus.topics[0]
    document = topic.documents[0]
    if any(sentence.n == number for sentence in document.sentences):
        return main
    last = replace(document.sentences[-1], text=f"mended {at}")
    new = replace(last, n=number, text=f"new {number}")
    sentences = (*document.sentences[:-1], last, new)
    documents = (replace(document, sentences=sentences),)
    return with_topic(main, replace(topic, documents=documents), at)


@settings(max_examples=tries(120), deadline=None, suppress_health_check=list(HealthCheck))
@given(STEPS)
def test_that_the_laws_of_joining_hold_in_any_history(steps):
    _play(steps)


@pytest.mark.slow
@settings(max_examples=10_000, deadline=None, suppress_health_check=list(HealthCheck))
@given(STEPS)
def test_that_the_laws_of_joining_hold_in_ten_thousand_histories(steps):
    _play(steps)


def test_that_planning_tells_each_topic_of_each_copy_and_can_be_stopped():
    heard = Heard(calls=3)
    copy = out(main_copy(), "A1", "r")
    named = [("a.awase", copy), ("b.awase", copy)]
    with pytest.raises(Cancelled):
        plan_merge(main_copy(), named, at="", names={}, reporter=heard)
    assert heard.calls == [(0, 2, "t1"), (1, 2, "t2")] * 2
