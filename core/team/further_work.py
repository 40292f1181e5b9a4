"""Claiming the next free topic, and second readings."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from awase.core.errors import InputError, Listing
from awase.core.records.abstract import Abstract
from awase.core.records.corpus import Assignment, Corpus, Person
from awase.core.team.assigning import (
    Abstracts,
    AssignedJob,
    all_jobs,
    begun_by,
    common_start,
    drawn_from_thirds,
    first_reading_jobs,
    generator_of,
    jobs_in_order,
    jobs_of,
    numbered,
    sizes_of,
    with_people,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The jobs and their assignees: all that claiming work needs of a corpus."""

    # Abstract to the annotators with entries, in the order of the corpus, without empty abstracts.
    begun: Mapping[AssignedJob, Collection[str]]
    persons: tuple[Person, ...]
    assignments: tuple[Assignment, ...]


class Next(NamedTuple):
    """The topic that somebody is to align next."""

    topic: str
    # What became the person's; empty when it was theirs already, and not begun.
    taken: tuple[Assignment, ...]


def pool_of(corpus: Corpus) -> Pool:
    """Returns the work in a corpus."""
    begun = {job: begun_by(part) for job, part in all_jobs(corpus.topics) if part.sentences}
    return Pool(begun=begun, persons=corpus.persons, assignments=corpus.assignments)


def next_free(
    pool: Pool, person: str, *, most: int | None = None, due: str | None = None, opens: bool = False
) -> Next:
    """Returns the next free topic for `person`, or the one that they have and have not begun.

    An abstract is free when nobody else is assigned to it or has entries. While everybody's work is
    the calibration set (`calibration_of`), the rest is closed to annotators.

    Args:
        most: The most abstracts that the person may have; None = no limit.
        opens: Whether the caller may open the rest.
    """
    _check_person(pool, person)
    abstracts = _abstracts(pool)
    own = [*jobs_in_order(pool.assignments, abstracts, person)]
    waiting = next(_not_begun(pool, person, own), None)
    if waiting is not None:
        return Next(waiting, ())
    if not opens:
        _check_open(pool, abstracts)
    jobs = _first_free(pool, person, abstracts)
    if not jobs:
        raise InputError.of(
            "Nothing is free: every abstract is somebody's.",
            "Whoever leads the project can add topics, or hand work over.",
        )
    if most is not None and len(own) + len(jobs) > most:
        raise InputError.of(
            "“{person}” has {n} {n:abstract|abstracts}; with the next topic it would be more than "
            "{most}.",
            "Allow more, or finish and leave the rest to others.",
            person=person,
            n=len(own),
            most=most,
        )
    new = [Assignment(topic=job.topic, abstract=job.abstract, person=person, due=due)
           for job in jobs]  # fmt: skip
    return Next(jobs[0].topic, numbered((*pool.assignments, *new))[-len(new) :])


def next_for_each(
    corpus: Corpus, people: Sequence[str], *, most: int | None = None, due: str | None = None
) -> Corpus:
    """Returns the corpus with the next free topic for each of these people, opening the rest."""
    # People with an unstarted topic get nothing more.
    if not people:
        raise InputError.of("Nobody is there to work.", "Name the people, or add annotators.")
    found = with_people(corpus, people)
    pool = pool_of(found)
    before = pool.assignments
    for person in dict.fromkeys(people):
        taken = next_free(pool, person, most=most, due=due, opens=True).taken
        pool = replace(pool, assignments=(*pool.assignments, *taken))
    if pool.assignments == before:
        raise InputError.of(
            "Everybody has a topic that was not begun.", "Wait until somebody begins theirs."
        )
    return replace(found, assignments=pool.assignments)


def _check_person(pool: Pool, person: str) -> None:
    known = [one.id for one in pool.persons]
    if not known:
        raise InputError.of(
            "Nobody is named in this corpus, so that every topic is everybody's.",
            "Name the people first.",
        )
    if person not in known:
        raise InputError.of(
            "“{person}” is not of this project.",
            "Its people are: {known}.",
            person=person,
            known=Listing(known),
        )


def _check_open(pool: Pool, abstracts: Abstracts) -> None:
    start = {*common_start(pool.persons, pool.assignments, abstracts)}
    given = first_reading_jobs(pool.assignments, abstracts)
    if start and given == start:
        raise InputError.of(
            "Everybody aligns the same abstracts first; the rest is not open yet.",
            "Whoever leads the project opens it.",
        )


def _abstracts(pool: Pool) -> Abstracts:
    found: dict[str, list[str]] = {}
    for job in pool.begun:
        found.setdefault(job.topic, []).append(job.abstract)
    return found


def _not_begun(pool: Pool, person: str, own: Sequence[AssignedJob]) -> Iterator[str]:
    """Yields the person's topics without entries."""
    begun = {job.topic for job in own if person in pool.begun[job]}
    for topic in dict.fromkeys(job.topic for job in own):
        if topic not in begun:
            yield topic


def _first_free(pool: Pool, person: str, abstracts: Abstracts) -> list[AssignedJob]:
    """Returns the free abstracts of the first topic that has any."""
    given = first_reading_jobs(pool.assignments, abstracts)
    for topic, ids in abstracts.items():
        jobs = [AssignedJob(topic, one) for one in ids]
        free = [job for job in jobs if job not in given and not {*pool.begun[job]} - {person}]
        if free:
            return free
    return []


SECOND: Final = 2
# Days between two readings, after which people have forgotten the first.
USUAL_DAYS: Final = 14


class Work(NamedTuple):
    """One person's alignment of an abstract."""

    topic: str
    abstract: str
    annotator: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondReadingRequest:
    """Settings of second readings."""

    # Ids of the readers; new ones become annotators.
    people: tuple[str, ...]
    # Percentage of what each has finished, above 0, to 100; at least one abstract.
    share: float = 20.0
    # Only what was finished before this moment, ISO 8601 in UTC; None = whenever.
    before: str | None = None
    due: str | None = None
    seed: int = 1


def read_again(
    corpus: Corpus, request: SecondReadingRequest, worked_at: Mapping[Work, str]
) -> Corpus:
    """Returns the corpus with second readings assigned: round 2, aligned as `A1#2`.

    Each person's are drawn, independently of the others', from what the person has finished and
    does not read again yet: from small, middling and large abstracts alike.

    Args:
        worked_at: Last change of each alignment, ISO 8601 in UTC; a missing one counts as long ago.
    """
    if not request.people:
        raise InputError.of("Nobody is there to work.", "Name the people, or add annotators.")
    if not 0 < request.share <= 100:
        raise InputError.of(
            "{share} % cannot be read again.", "Give a percentage up to 100.", share=request.share
        )
    sizes = sizes_of(corpus)
    finished = {
        job: frozenset(one for one in request.people if _is_finished(abstract, one))
        for job, abstract in all_jobs(corpus.topics)
    }
    new: list[Assignment] = []
    for person in dict.fromkeys(request.people):
        ready = sorted(_ready(corpus, finished, request, worked_at, person), key=sizes.__getitem__)
        drawn = _drawn(ready, request, person)
        new += [
            Assignment(
                topic=job.topic, abstract=job.abstract, person=person, round=SECOND, due=request.due
            )
            for job in sizes
            if job in drawn
        ]
    if not new:
        raise InputError.of(
            "There is nothing to read again: nobody has finished an abstract long enough ago.",
            "Wait, or allow fewer days in between.",
        )
    corpus = with_people(corpus, request.people)
    return replace(corpus, assignments=numbered((*corpus.assignments, *new)))


def _drawn(
    ready: list[AssignedJob], request: SecondReadingRequest, person: str
) -> frozenset[AssignedJob]:
    if not ready:
        return frozenset()
    rng = generator_of([request.seed, *person.encode()])
    share = max(request.share, 100 / len(ready))
    return drawn_from_thirds(ready, share, rng)


def _ready(
    corpus: Corpus,
    finished: Mapping[AssignedJob, Collection[str]],
    request: SecondReadingRequest,
    worked_at: Mapping[Work, str],
    person: str,
) -> Iterator[AssignedJob]:
    drawn = {*jobs_of(corpus, f"{person}#{SECOND}")}
    for job in jobs_of(corpus, person) or tuple(finished):
        at = worked_at.get(Work(*job, person), "")
        is_old = request.before is None or at < request.before
        if job not in drawn and is_old and person in finished[job]:
            yield job


def _is_finished(abstract: Abstract, person: str) -> bool:
    own = abstract.alignment_by(person)
    settled = {one.n for one in own.sentences if one.state.is_settled} if own else set()
    return bool(settled) and settled >= {one.n for one in abstract.sentences}
