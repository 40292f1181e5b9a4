"""Who is to align what: the drawing, checked against counting by hand."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.building import abstract, topic
from tests.in_part import in_turn
from tests.laws import tries

from awase.core.errors import InputError
from awase.core.records.corpus import Corpus
from awase.core.team.assigning import (
    AssignedJob,
    AssignmentRequest,
    assigned,
    begun_by,
    calibration_of,
    handed_over,
    jobs_of,
    unassigned,
    without_person,
)

_PEOPLE = ("A1", "A2", "A3")


def _corpus(n: int, sizes: tuple[int, ...] = (2, 5, 9)) -> Corpus:
    topics = [
        topic(
            f"t{at:03}",
            docs=sizes[at % len(sizes)],
            abstracts=(abstract("a", texts=["one", "two"]),),
        )
        for at in range(n)
    ]
    return Corpus(topics=tuple(topics))


def _readers(corpus: Corpus) -> dict[AssignedJob, set[str]]:
    readers: dict[AssignedJob, set[str]] = {}
    for one in corpus.assignments:
        assert one.abstract is not None
        readers.setdefault(AssignedJob(one.topic, one.abstract), set()).add(one.person)
    return readers


def _pairs(corpus: Corpus) -> Counter[frozenset[str]]:
    return Counter(
        frozenset(pair)
        for people in _readers(corpus).values()
        for pair in combinations(sorted(people), 2)
    )


def test_that_thirty_abstracts_of_three_people_come_to_twelve_jobs_each():
    """The example worked out by hand: 20 % of 30 are read by two."""
    done = assigned(_corpus(30), AssignmentRequest(people=_PEOPLE, overlap=20, readers=2))
    readers = _readers(done)
    assert len(done.assignments) == 36
    assert sum(len(people) == 2 for people in readers.values()) == 6
    assert Counter(one.person for one in done.assignments) == dict.fromkeys(_PEOPLE, 12)
    assert set(_pairs(done).values()) == {2}
    assert not unassigned(done)


def test_that_each_third_by_size_gives_its_share_of_what_several_read():
    done = assigned(_corpus(30), AssignmentRequest(people=_PEOPLE, overlap=20, readers=2))
    shared = [job for job, people in _readers(done).items() if len(people) > 1]
    sizes = Counter(int(job.topic[1:]) % 3 for job in shared)
    assert sizes == {0: 2, 1: 2, 2: 2}


@settings(max_examples=tries(60), deadline=None)
@given(
    n=st.integers(1, 40),
    n_people=st.integers(2, 6),
    overlap=st.integers(0, 100),
    seed=st.integers(0, 9),
)
def test_that_work_is_shared_evenly(n, n_people, overlap, seed):
    people = tuple(f"P{at}" for at in range(n_people))
    request = AssignmentRequest(people=people, overlap=overlap, readers=2, seed=seed)
    corpus = _corpus(n)
    done = assigned(corpus, request)
    readers = _readers(done)
    assert len(readers) == n
    n_shared = sum(len(one) == 2 for one in readers.values())
    assert n_shared == int(n * overlap / 100 + 0.5)
    pairs = _pairs(done)
    counts = [pairs[frozenset(pair)] for pair in combinations(people, 2)]
    assert max(counts) - min(counts) <= 1
    jobs = Counter(one.person for one in done.assignments)
    spread = max(jobs[who] for who in people) - min(jobs[who] for who in people)
    assert spread <= (1 if n - n_shared >= n_people else 2)
    assert assigned(corpus, request) == done
    for who in people:
        assert [one.order for one in done.assignments if one.person == who] == [
            *range(1, jobs[who] + 1)
        ]


def test_that_another_seed_draws_otherwise():
    drawn = {
        frozenset(
            job
            for job, people in _readers(
                assigned(_corpus(30), AssignmentRequest(people=_PEOPLE, overlap=20, seed=seed))
            ).items()
            if len(people) > 1
        )
        for seed in range(5)
    }
    assert len(drawn) > 1


def test_that_people_who_are_new_become_annotators():
    done = assigned(_corpus(3), AssignmentRequest(people=("B", "A")))
    assert [(one.id, one.role) for one in done.persons] == [("B", "annotator"), ("A", "annotator")]


def test_that_what_is_assigned_already_stays_and_counts():
    first = assigned(_corpus(12), AssignmentRequest(people=("A1",), topics=("t000", "t001")))
    done = assigned(first, AssignmentRequest(people=("A1", "A2")))
    assert set(first.assignments) < set(done.assignments)
    assert Counter(one.person for one in done.assignments) == {"A1": 6, "A2": 6}


def test_that_calibration_comes_first_for_everybody_and_leaves_the_rest_closed():
    request = AssignmentRequest(people=_PEOPLE, calibration=2)
    first = assigned(_corpus(10), request)
    assert len(calibration_of(first)) == 2
    assert len(unassigned(first)) == 8
    rest = assigned(first, AssignmentRequest(people=_PEOPLE))
    assert calibration_of(rest)[:2] == calibration_of(first)
    for who in _PEOPLE:
        assert jobs_of(rest, who)[:2] == calibration_of(first)


def test_that_a_later_calibration_goes_before_work_that_stays_in_its_order():
    some = tuple(f"t{at:03}" for at in range(9))
    given = assigned(_corpus(10), AssignmentRequest(people=_PEOPLE, topics=some))
    turned = replace(given, assignments=given.assignments[::-1])
    request = AssignmentRequest(people=_PEOPLE, calibration=2, topics=("t009",))
    for before in (given, turned):
        late = assigned(before, request)
        for who in _PEOPLE:
            assert jobs_of(late, who) == (AssignedJob("t009", "a"), *jobs_of(given, who))


def test_that_only_work_that_was_not_begun_goes_to_others():
    corpus = assigned(_corpus(9), AssignmentRequest(people=_PEOPLE))
    begun, *untouched = jobs_of(corpus, "A3")
    topics = tuple(
        replace(one, abstracts=(abstract("a", {"A3": "?"}, texts=["one", "two"]),))
        if one.id == begun.topic
        else one
        for one in corpus.topics
    )
    after = handed_over(replace(corpus, topics=topics), "A3")
    assert jobs_of(after, "A3") == (begun,)
    assert {job for who in ("A1", "A2") for job in jobs_of(after, who)} >= set(untouched)
    assert Counter(one.person for one in after.assignments) == {"A1": 4, "A2": 4, "A3": 1}
    gone = without_person(after, "A3")
    assert [one.id for one in gone.persons] == ["A1", "A2"]
    assert unassigned(gone) == (begun,)


def test_that_one_sentence_of_which_something_is_said_has_begun_the_abstract():
    rows = {"A1": ["", "s1"], "A2": ["", ""], "A3": ["-", "s1"]}
    assert begun_by(abstract("a", rows)) == {"A1", "A3"}


def test_that_nobody_gets_more_than_the_limit():
    done = assigned(_corpus(6), AssignmentRequest(people=("A1", "A2"), most=3))
    assert Counter(one.person for one in done.assignments) == {"A1": 3, "A2": 3}
    with pytest.raises(InputError, match="too few"):
        assigned(_corpus(7), AssignmentRequest(people=("A1", "A2"), most=3))


@in_turn(
    ("request_", "words"),
    [
        (AssignmentRequest(people=()), "Nobody"),
        (AssignmentRequest(people=("A",), overlap=10, readers=2), "readers"),
        (AssignmentRequest(people=("A", "B"), overlap=101), "overlap"),
        (AssignmentRequest(people=("A",), topics=("no",)), "no topic"),
        (AssignmentRequest(people=("gold",)), "gold"),
    ],
)
def test_that_what_makes_no_sense_is_refused(request_, words):
    with pytest.raises(Exception, match=words):
        assigned(_corpus(3), request_)


def test_that_nothing_left_to_assign_is_said():
    corpus = assigned(_corpus(3), AssignmentRequest(people=("A",)))
    with pytest.raises(InputError, match="Nothing is left"):
        assigned(corpus, AssignmentRequest(people=("A",)))
