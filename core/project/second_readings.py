"""Second readings: what people align once more, to see how far they agree with themselves."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from awase.core.errors import InputError
from awase.core.project.assigning import (
    Job,
    all_jobs,
    drawn_from_thirds,
    generator_of,
    jobs_of,
    numbered,
    sizes_of,
    with_people,
)
from awase.core.records.abstract import Abstract
from awase.core.records.corpus import Corpus
from awase.core.records.project import Assignment

SECOND: Final = 2
USUAL_DAYS: Final = 14
"""Days between the two readings, after which people no longer know what they did."""


class Work(NamedTuple):
    """One person's alignment of an abstract.

    Attributes:
        topic: Id of the topic.
        abstract: Id of the abstract.
        annotator: Whose it is.
    """

    topic: str
    abstract: str
    annotator: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondReadingRequest:
    """What is to be read again.

    Attributes:
        people: Ids of those who read again; who is not of the project yet becomes an annotator.
        share: Percentage of what each has finished, above 0, to 100; at least one abstract.
        before: Only what was finished before this moment, ISO 8601 in UTC; None = whenever.
        due: When it is to be done, ISO 8601; None = no date.
        seed: Of the drawing.
    """

    people: tuple[str, ...]
    share: float = 20.0
    before: str | None = None
    due: str | None = None
    seed: int = 1


def read_again(
    corpus: Corpus, request: SecondReadingRequest, worked_at: Mapping[Work, str]
) -> Corpus:
    """Returns the corpus with second readings assigned: work of round 2, that of `A1#2`.

    For each person abstracts are drawn from those that the person has finished and does not read
    again yet: from small, middling and large ones alike. What was drawn for one person has no
    bearing on what is drawn for another.

    Args:
        corpus: The work.
        request: What is to be read again.
        worked_at: When each alignment was last changed, ISO 8601 in UTC; what is missing counts as
            long ago.

    Raises:
        InputError: Nobody is named, the share makes no sense, or nothing can be read again.
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


def _drawn(ready: list[Job], request: SecondReadingRequest, person: str) -> frozenset[Job]:
    if not ready:
        return frozenset()
    rng = generator_of([request.seed, *person.encode()])
    share = max(request.share, 100 / len(ready))
    return drawn_from_thirds(ready, share, rng)


def _ready(
    corpus: Corpus,
    finished: Mapping[Job, Collection[str]],
    request: SecondReadingRequest,
    worked_at: Mapping[Work, str],
    person: str,
) -> Iterator[Job]:
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
