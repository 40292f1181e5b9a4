"""Who is to align what: the drawing, checked against counting by hand."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.building import abstract, alignment, topic
from tests.in_part import in_turn
from tests.laws import law

from awase.core.errors import InputError
from awase.core.records.corpus import Assignment, Corpus, Person
from awase.core.records.digests import Ownership
from awase.core.team.assigning import (
    AssignedJob,
    AssignmentRequest,
    assigned,
    begun_by,
    calibration_of,
    handed_over,
    jobs_of,
    unassigned,
    with_person,
    without_person,
)
from awase.core.team.handing_out import (
    Copy,
    SecondReadingRequest,
    Work,
    handed_out,
    next_for_each,
    next_free,
    pool_of,
    read_again,
)
from awase.core.team.progress import progress_of_people, work_of

PEOPLE = ("A1", "A2", "A3")


def corpus(n: int, people: tuple[str, ...] = PEOPLE, *, lengths: str = "a") -> Corpus:
    topics = tuple(
        topic(
            f"t{at:02}",
            docs=2 + at % 3,
            abstracts=tuple(abstract(name, texts=["one", "two"]) for name in lengths),
        )
        for at in range(n)
    )
    return Corpus(topics=topics, persons=tuple(Person(id=one) for one in people))


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
    done = assigned(corpus(30, ()), AssignmentRequest(people=PEOPLE, overlap=20, readers=2))
    readers = _readers(done)
    assert len(done.assignments) == 36
    assert sum(len(people) == 2 for people in readers.values()) == 6
    assert Counter(one.person for one in done.assignments) == dict.fromkeys(PEOPLE, 12)
    assert set(_pairs(done).values()) == {2}
    assert not unassigned(done)


def shared_of_30(seed: int = 0) -> frozenset[AssignedJob]:
    """Returns what several read of thirty abstracts."""
    request = AssignmentRequest(people=PEOPLE, overlap=20, readers=2, seed=seed)
    readers = _readers(assigned(corpus(30, ()), request))
    return frozenset(job for job, people in readers.items() if len(people) > 1)


def test_that_each_third_by_size_gives_its_share_of_what_several_read_and_a_seed_draws_it():
    sizes = Counter(int(job.topic[1:]) % 3 for job in shared_of_30())
    assert sizes == {0: 2, 1: 2, 2: 2}
    assert len({shared_of_30(seed) for seed in range(5)}) > 1


@law(
    60,
    n=st.integers(1, 40),
    n_people=st.integers(2, 6),
    overlap=st.integers(0, 100),
    seed=st.integers(0, 9),
)
def test_that_work_is_shared_evenly(n, n_people, overlap, seed):
    people = tuple(f"P{at}" for at in range(n_people))
    request = AssignmentRequest(people=people, overlap=overlap, readers=2, seed=seed)
    found = corpus(n, ())
    done = assigned(found, request)
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
    assert assigned(found, request) == done
    for who in people:
        assert [one.order for one in done.assignments if one.person == who] == [
            *range(1, jobs[who] + 1)
        ]


def test_that_of_people_with_equally_many_jobs_the_one_with_less_to_read_gets_the_next():
    for seed in range(5):
        done = assigned(corpus(3, ()), AssignmentRequest(people=("A1", "A2"), seed=seed))
        largest = (AssignedJob("t02", "a"),)
        assert largest in (jobs_of(done, "A1"), jobs_of(done, "A2"))


def test_that_people_who_are_new_become_annotators():
    done = assigned(corpus(3, ()), AssignmentRequest(people=("B", "A")))
    assert [(one.id, one.role) for one in done.persons] == [("B", "annotator"), ("A", "annotator")]


def test_that_what_is_assigned_already_stays_and_counts():
    first = assigned(corpus(12, ()), AssignmentRequest(people=("A1",), topics=("t00", "t01")))
    rest = tuple(f"t{at:02}" for at in range(2, 12))
    done = assigned(first, AssignmentRequest(people=("A1", "A2"), topics=rest))
    assert set(first.assignments) < set(done.assignments)
    assert Counter(one.person for one in done.assignments) == {"A1": 6, "A2": 6}


def test_that_calibration_comes_first_for_everybody_and_leaves_the_rest_closed():
    request = AssignmentRequest(people=PEOPLE, calibration=2)
    first = assigned(corpus(10, ()), request)
    assert len(calibration_of(first)) == 2
    assert len(unassigned(first)) == 8
    rest = assigned(first, AssignmentRequest(people=PEOPLE))
    assert calibration_of(rest)[:2] == calibration_of(first)
    for who in PEOPLE:
        assert jobs_of(rest, who)[:2] == calibration_of(first)


def test_that_a_later_calibration_goes_before_work_that_stays_in_its_order():
    some = tuple(f"t{at:02}" for at in range(9))
    given = assigned(corpus(10, ()), AssignmentRequest(people=PEOPLE, topics=some))
    turned = replace(given, assignments=given.assignments[::-1])
    request = AssignmentRequest(people=PEOPLE, calibration=2, topics=("t09",))
    for before in (given, turned):
        late = assigned(before, request)
        for who in PEOPLE:
            assert jobs_of(late, who) == (AssignedJob("t09", "a"), *jobs_of(given, who))
    later = assigned(turned, AssignmentRequest(people=("A1",)))
    assert jobs_of(later, "A1") == (*jobs_of(given, "A1"), AssignedJob("t09", "a"))


def test_that_only_work_that_was_not_begun_goes_to_others():
    nine = tuple(f"t{at:02}" for at in range(9))
    found = assigned(corpus(11, ()), AssignmentRequest(people=PEOPLE, topics=nine))
    found = assigned(found, AssignmentRequest(people=("A1",)))
    found = with_person(found, Person(id="L", role="lead"))
    begun, *untouched = jobs_of(found, "A3")
    found = replace(found, assignments=tuple(replace(one, order=2) for one in found.assignments))
    after = handed_over(with_work(found, begun.topic, "A3", "?"), "A3")
    assert 2 not in {one.order for one in after.assignments if one not in found.assignments}
    assert jobs_of(after, "A3") == (begun,)
    assert {*jobs_of(after, "A2")} > {*untouched}
    assert Counter(one.person for one in after.assignments) == {"A1": 5, "A2": 5, "A3": 1}
    gone = without_person(after, "A3")
    assert [one.id for one in gone.persons] == ["A1", "A2", "L"]
    assert unassigned(gone) == (begun,)


def test_that_one_sentence_of_which_something_is_said_has_begun_the_abstract():
    rows = {"A1": ["", "s1"], "A2": ["", ""], "A3": ["-", "s1"]}
    assert begun_by(abstract("a", rows)) == {"A1", "A3"}


def test_that_nobody_gets_more_than_the_limit():
    done = assigned(corpus(6, ()), AssignmentRequest(people=("A1", "A2"), most=3))
    assert Counter(one.person for one in done.assignments) == {"A1": 3, "A2": 3}
    with pytest.raises(InputError, match="too few"):
        assigned(corpus(7, ()), AssignmentRequest(people=("A1", "A2"), most=3))
    again = Assignment(topic="t00", abstract="a", person="A1", round=2)  # is no job of these
    done = assigned(replace(done, assignments=(again,)), AssignmentRequest(people=("A1",), most=6))
    assert len(done.assignments) == 7


@in_turn(
    ("request_", "words"),
    [
        (AssignmentRequest(people=()), "nobody"),
        (AssignmentRequest(people=("A",), overlap=10, readers=2), "readers"),
        (AssignmentRequest(people=("A", "B"), overlap=101), "overlap"),
        (AssignmentRequest(people=("A",), topics=("no",)), "no topic"),
        (AssignmentRequest(people=("gold",)), "gold"),
    ],
)
def test_that_what_makes_no_sense_is_refused(request_, words):
    with pytest.raises(Exception, match=words):
        assigned(corpus(3, ()), request_)


def test_that_nothing_left_to_assign_is_said():
    found = assigned(corpus(3, ()), AssignmentRequest(people=("A",)))
    empty = Corpus(topics=(topic("t", abstracts=(abstract("a", texts=[]),)),))
    for nothing_left in (found, empty):
        with pytest.raises(InputError, match="Nothing is left"):
            assigned(nothing_left, AssignmentRequest(people=("A",)))


def after_taking(found: Corpus, person: str) -> Corpus:
    taken = next_free(pool_of(found), person).taken
    return replace(found, assignments=(*found.assignments, *taken))


def with_work(found: Corpus, topic_id: str, person: str, *rows: str) -> Corpus:
    """Returns the corpus with the person's alignment of the topic's first abstract, confirmed."""

    def worked(one):
        if one.id != topic_id:
            return one
        first, *rest = one.abstracts
        added = replace(first, alignments=(*first.alignments, alignment(person, rows)))
        return replace(one, abstracts=(added, *rest))

    return replace(found, topics=tuple(map(worked, found.topics)))


@given(st.lists(st.sampled_from(PEOPLE), max_size=40), st.integers(1, 8))
def test_that_nobody_takes_what_somebody_has(order, n):
    found = corpus(n, lengths="ab")
    for person in order:
        try:
            taken = next_free(pool_of(found), person).taken
        except InputError:
            assert not unassigned(found)
            continue
        found = replace(found, assignments=(*found.assignments, *taken))
        if taken:
            found = with_work(found, taken[0].topic, person, "s1", "s2")
    readers = Counter((one.topic, one.abstract) for one in found.assignments)
    assert set(readers.values()) <= {1}
    places = [one.order for one in found.assignments if one.person == "A1"]
    assert places == [*range(1, len(places) + 1)]


def test_that_whoever_has_an_untouched_topic_gets_no_other():
    found = after_taking(corpus(3), "A1")
    assert jobs_of(found, "A1") == (AssignedJob("t00", "a"),)
    assert next_free(pool_of(found), "A1") == ("t00", ())
    found = with_work(found, "t00", "A1", "s1")
    assert next_free(pool_of(found), "A1").topic == "t01"


def test_that_what_somebody_else_began_is_not_free():
    found = with_work(corpus(3), "t00", "A2", "s1")
    assert next_free(pool_of(found), "A1").topic == "t01"
    assert next_free(pool_of(found), "A2").topic == "t00"


def test_that_a_topic_comes_with_all_its_free_abstracts():
    found = corpus(2, lengths="abc")
    found = replace(found, assignments=(Assignment(topic="t00", abstract="b", person="A2"),))
    taken = next_free(pool_of(found), "A1", due="2030-01-01").taken
    assert [(one.abstract, one.order, one.due) for one in taken] == [
        ("a", 1, "2030-01-01"), ("c", 2, "2030-01-01"),
    ]  # fmt: skip
    assert next_free(pool_of(found), "A1", due="2030-01-01", most=2).taken == taken


def test_that_the_rest_is_closed_during_calibration_until_the_lead_gives_some_of_it():
    found = assigned(corpus(6), AssignmentRequest(people=PEOPLE, calibration=1))
    calibration = found.assignments[0].topic
    for person in PEOPLE:
        found = with_work(found, calibration, person, "s1", "s2")
    with pytest.raises(InputError, match="not open yet"):
        next_free(pool_of(found), "A1")
    found = next_for_each(found, PEOPLE)
    assert [len(jobs_of(found, one)) for one in PEOPLE] == [2, 2, 2]
    assert len({jobs_of(found, one)[1] for one in PEOPLE}) == 3
    found = with_work(found, jobs_of(found, "A1")[1].topic, "A1", "s1")
    assert next_free(pool_of(found), "A1").taken


@in_turn(
    ("found", "person", "most", "said"),
    [
        (corpus(2, ()), "A1", None, "No people are listed"),
        (corpus(2), "A9", None, "not in this project"),
        (corpus(0), "A1", None, "Nothing is free"),
        (corpus(2, lengths="abc"), "A1", 2, "more than 2"),
    ],
)
def test_that_what_cannot_be_taken_is_refused(found, person, most, said):
    with pytest.raises(InputError, match=said):
        next_free(pool_of(found), person, most=most)


def test_that_to_give_everybody_another_topic_needs_somebody_who_has_begun():
    found = next_for_each(corpus(4), ("A1", "A2"))
    with pytest.raises(InputError, match="is not begun yet"):
        next_for_each(found, ("A1", "A2"))
    with pytest.raises(InputError, match="There is nobody to assign work to"):
        next_for_each(found, ())


# Second readings


def finished(n: int = 10) -> Corpus:
    found = corpus(n)
    for at in range(n):
        found = with_work(found, f"t{at:02}", "A1", "s1", "s2")
    return with_work(found, "t00", "A2", "s1")  # half of it


def test_that_a_share_of_what_is_finished_is_read_again_from_each_third():
    request = SecondReadingRequest(people=("A1",), share=30, seed=7, due="2030-01-01")
    found = read_again(finished(9), request, {})
    assert {(one.person, one.round, one.due) for one in found.assignments} == {
        ("A1", 2, "2030-01-01")
    }
    for seed in range(9):  # or it is chance
        drawn = jobs_of(read_again(finished(9), replace(request, seed=seed), {}), "A1#2")
        assert sorted(int(job.topic[1:]) % 3 for job in drawn) == [0, 1, 2]
    assert read_again(finished(9), request, {}) == found
    (_,) = jobs_of(read_again(finished(9), replace(request, share=1), {}), "A1#2")  # at least one
    assert read_again(finished(9), replace(request, people=("A2", "A1")), {}).assignments == (
        found.assignments
    )


def test_that_only_what_was_done_long_ago_is_read_again():
    worked_at = {Work(f"t{at:02}", "a", "A1"): f"2030-01-{at + 1:02}T" for at in range(10)}
    request = SecondReadingRequest(people=("A1",), share=100, before="2030-01-04T")
    found = read_again(finished(), request, worked_at)
    assert [job.topic for job in jobs_of(found, "A1#2")] == ["t00", "t01", "t02"]
    empty = topic("e", abstracts=(abstract("a", texts=[]),))
    everything = read_again(
        replace(finished(), topics=(*finished().topics, empty)), replace(request, before=None), {}
    )
    assert {job.topic for job in jobs_of(everything, "A1#2")} == {f"t{at:02}" for at in range(10)}
    with pytest.raises(InputError, match="nothing to read again"):
        read_again(found, request, worked_at)
    with pytest.raises(InputError, match="nothing to read again"):
        read_again(finished(), replace(request, people=("A2",)), {})
    with pytest.raises(InputError, match="cannot be read again"):
        read_again(finished(), replace(request, share=101), {})


def test_that_a_second_reading_is_no_work_of_the_first():
    shared = assigned(finished(), AssignmentRequest(people=("A1", "A2")))
    found = read_again(shared, SecondReadingRequest(people=("A1",), share=50), {})
    assert jobs_of(found, "A1") == jobs_of(shared, "A1")
    assert unassigned(found) == unassigned(shared)
    assert len(jobs_of(found, "A1#2")) == 3  # of five, rounded half up
    lines = {one.id: one for one in progress_of_people(found, (), {})}
    assert lines["A1"].n_jobs == 10  # five are assigned, and all ten were finished before
    with pytest.raises(InputError, match="Nothing is left to assign"):
        assigned(found, AssignmentRequest(people=("A1", "A2")))
    going = handed_over(found, "A2")
    assert {one.person for one in going.assignments if one.round == 2} == {"A1"}


def test_that_second_readings_alone_leave_everybody_every_topic():
    found = read_again(finished(), SecondReadingRequest(people=("A1",), share=20), {})
    assert work_of(found.assignments, "A1") is None
    assert {one.id: one.n_jobs for one in progress_of_people(found, (), {})}["A2"] == 10


def test_that_the_file_of_a_second_reading_has_what_was_drawn_and_the_first_has_all():
    found = read_again(finished(), SecondReadingRequest(people=("A1",), share=20), {})
    main = Copy(corpus=found, ownership=Ownership(corpus="c"))
    again = handed_out(main, "A1#2").corpus
    drawn = [job.topic for job in jobs_of(found, "A1#2")]
    assert [one.id for one in again.topics] == sorted(drawn)
    assert [job.topic for job in jobs_of(again, "A1#2")] == drawn
    assert not any(part.alignments for one in again.topics for part in one.abstracts)
    assert len(handed_out(main, "A1").corpus.topics) == 10
