"""Handing out: the copy with one person's work and nobody else's; the next free topic."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

from awase.core.annotation.suggestion import own_view
from awase.core.errors import InputError, Listing
from awase.core.records.abstract import Abstract
from awase.core.records.corpus import (
    Assignment,
    Corpus,
    Person,
    is_shared_out,
    is_work_of,
    reader_of,
)
from awase.core.records.digests import Ownership
from awase.core.records.topic import Topic, annotators_of, ids_of, map_topics, select_topics
from awase.core.team.assigning import (
    Abstracts,
    AssignedJob,
    all_jobs,
    begun_by,
    check_anyone_to_assign,
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

RankPlace = tuple[str, str, int]  # topic, abstract, and number of the abstract sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class RankStep:
    """An edit of a rank, its undoing or redoing, as the log has it."""

    row: int
    who: str
    place: RankPlace
    old: str | None = None
    new: str | None = None
    # The row of the undone edit; None = an edit or a redo.
    undoes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A corpus with its ids and versions as a copy."""

    corpus: Corpus
    ownership: Ownership


def is_of(owner: str | None, person: str) -> bool:
    """Returns whether `owner` is the person or a second copy of theirs (`A2~2`)."""
    name, _, number = (owner or "").partition("~")
    return owner == person or (name == person and number.isdigit())


def handed_out(main: Copy, person: str, ranks: Iterable[RankStep] = ()) -> Copy:
    """Returns the copy for `person`: their topics, their alignments, the guidelines.

    For a second reading (`A1#2`) the topics of that round, if assigned, without the first reading.
    Without assignments every topic. Others' alignments, the gold and human scores are excluded, and
    in a blind project systems' outputs and other annotators' ranks (`ranks` of the log), too.
    """
    corpus = main.corpus
    known = {one.id for one in corpus.persons}
    reader = person if person in known else reader_of(person)[0]
    topics = map_topics(
        topics_for(corpus, person), partial(own_view, annotator=person, is_of=is_of)
    )
    if corpus.is_blind:
        others = {one.id for one in corpus.persons if one.role == "annotator"} - {reader}
        topics = map_topics(topics, partial(_blinded, _ranks_without(others, ranks)))
    ids = {*ids_of(topics)}
    own = replace(
        corpus,
        topics=topics,
        human_scores=(),
        persons=tuple(replace(one, id=person) for one in corpus.persons if one.id == reader),
        assignments=tuple(
            replace(part, person=person) for part in _work_of(corpus, person) if part.topic in ids
        ),
    )
    versions = {
        key: known
        for key, known in main.ownership.versions.items()
        if key.topic in ids and is_of(key.annotator, person)
    }
    return Copy(
        corpus=own,
        ownership=Ownership(corpus=main.ownership.corpus, handed_to=person, versions=versions),
    )


def topics_for(corpus: Corpus, person: str) -> tuple[Topic, ...]:
    """Returns the topics assigned to `person`, unchanged."""
    _check_person(corpus, person)
    return _topics_of(corpus, person)


def _check_person(corpus: Corpus, person: str) -> None:
    known = [one.id for one in corpus.persons]
    if known and person not in known and reader_of(person)[0] not in known:
        raise _not_of_this_project(person, known)
    if not person or person != person.strip():
        raise InputError.of("A file is handed out to a person.", "Name one.")


def _topics_of(corpus: Corpus, person: str) -> tuple[Topic, ...]:
    mine = {part.topic for part in _work_of(corpus, person)}
    if mine:
        return select_topics(corpus.topics, mine)
    if is_shared_out(corpus.assignments):
        raise InputError.of(
            "“{person}” has no work in this project.", "Assign topics first.", person=person
        )
    return corpus.topics


def _work_of(corpus: Corpus, person: str) -> tuple[Assignment, ...]:
    asked = tuple(part for part in corpus.assignments if is_work_of(part, person))
    reader, number = reader_of(person)
    if asked or number == 1:
        return asked
    # Nothing in particular is to be read again: all of it is.
    return tuple(part for part in corpus.assignments if is_work_of(part, reader))


def _blinded(ranks: Mapping[RankPlace, str | None], topic: Topic) -> Topic:
    abstracts = []
    for abstract in topic.abstracts:
        places = [(topic.id, abstract.id, one.n) for one in abstract.sentences]
        sentences = tuple(
            replace(one, rank=ranks.get(place, one.rank))
            for place, one in zip(places, abstract.sentences, strict=True)
        )
        abstracts.append(replace(abstract, sentences=sentences))
    return replace(topic, abstracts=tuple(abstracts), outputs=())


def _ranks_without(others: set[str], steps: Iterable[RankStep]) -> dict[RankPlace, str | None]:
    """Returns the ranks as they were before `others` ranked."""
    seen: dict[RankPlace, str | None] = {}
    before: dict[int, str | None] = {}
    ranked: set[RankPlace] = set()
    for step in steps:
        rank = seen.setdefault(step.place, step.old)
        before[step.row] = rank
        if reader_of(step.who)[0] in others:
            ranked.add(step.place)
        elif step.undoes is None:
            seen[step.place] = step.new
        else:
            seen[step.place] = before.get(step.undoes, rank)
    return {place: seen[place] for place in ranked}


def only_work_of(corpus: Corpus, annotator: str) -> Corpus:
    """Returns the corpus with one annotator's work only, without the gold."""
    known = [
        *(one.id for one in corpus.persons),
        *annotators_of(corpus.topics),
        *(score.annotator for score in corpus.human_scores if score.annotator is not None),
    ]
    if annotator not in known:
        raise InputError.of(
            "Nobody called “{annotator}” is in this corpus.",
            "Those who are: {known}.",
            annotator=annotator,
            known=Listing(dict.fromkeys(known)),
        )
    reader = reader_of(annotator)[0]
    return replace(
        corpus,
        topics=map_topics(corpus.topics, partial(own_view, annotator=annotator)),
        human_scores=tuple(one for one in corpus.human_scores if one.annotator == annotator),
        persons=tuple(one for one in corpus.persons if one.id in (annotator, reader)),
        assignments=tuple(one for one in corpus.assignments if is_work_of(one, annotator)),
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
    the calibration set (`calibration_of`), the rest is closed to annotators unless the caller opens
    it. `most` limits the person's abstracts.
    """
    _check_worker(pool, person)
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
            "Nothing is free: every abstract is assigned.",
            "The project lead can add topics or hand work over.",
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
    check_anyone_to_assign(people)
    found = with_people(corpus, people)
    pool = pool_of(found)
    before = pool.assignments
    for person in dict.fromkeys(people):
        taken = next_free(pool, person, most=most, due=due, opens=True).taken
        pool = replace(pool, assignments=(*pool.assignments, *taken))
    if pool.assignments == before:
        raise InputError.of(
            "Everybody has a topic that is not begun yet.", "Wait until somebody begins theirs."
        )
    return replace(found, assignments=pool.assignments)


def _check_worker(pool: Pool, person: str) -> None:
    known = [one.id for one in pool.persons]
    if not known:
        raise InputError.of(
            "No people are listed in this corpus, so every topic is open to everybody.",
            "Name the people first.",
        )
    if person not in known:
        raise _not_of_this_project(person, known)


def _not_of_this_project(person: str, known: Sequence[str]) -> InputError:
    return InputError.of(
        "“{person}” is not in this project.",
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
            "The project lead opens it.",
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
    does not read again yet: from small, middling and large abstracts alike. A missing `worked_at`,
    in UTC, counts as long ago.
    """
    check_anyone_to_assign(request.people)
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
