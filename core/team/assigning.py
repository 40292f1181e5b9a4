"""Random assignment of abstracts to annotators, in even shares, from a seed.

An abstract is a job; some are read by several people, so that agreement can be measured. Those are
drawn from small, middling and large ones alike; every pair of people shares an equal number, and
everybody gets as many jobs, and as much to read, as the rest.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from awase.core.errors import InputError
from awase.core.records.abstract import Abstract, SentenceAlignment
from awase.core.records.corpus import Assignment, Corpus, Person, is_work_of, name_of_reading
from awase.core.records.topic import Topic, ids_of, select_topics

if TYPE_CHECKING:  # not needed without random draws, as by the store and at the window's start
    import numpy as np


LEAD: Final = "lead"
ANNOTATOR: Final = "annotator"


def with_person(corpus: Corpus, person: Person) -> Corpus:
    """Adds the person, or replaces the one with the same id."""
    if "#" in person.id and all(one.id != person.id for one in corpus.persons):
        raise InputError((name_of_reading(person.id),))
    if any(one.id == person.id for one in corpus.persons):
        kept = tuple(person if one.id == person.id else one for one in corpus.persons)
        return replace(corpus, persons=kept)
    return replace(corpus, persons=(*corpus.persons, person))


def without_person(corpus: Corpus, person: str) -> Corpus:
    """Returns the corpus without this person and their assignments; their alignments stay."""
    if all(one.id != person for one in corpus.persons):
        raise InputError.of("“{person}” is not in this project.", person=person)
    return replace(
        corpus,
        persons=tuple(one for one in corpus.persons if one.id != person),
        assignments=tuple(one for one in corpus.assignments if one.person != person),
    )


def may_lead(corpus: Corpus, who: str) -> bool:
    """Returns whether `who` may see everybody's progress: anybody but annotators."""
    return who not in annotators_in(corpus)


def annotators_in(corpus: Corpus) -> tuple[str, ...]:
    """Returns the ids of members with the role of annotator."""
    return tuple(one.id for one in corpus.persons if one.role == ANNOTATOR)


_N_STRATA: Final = 3


class AssignedJob(NamedTuple):
    """An abstract assigned to somebody."""

    topic: str
    abstract: str


Abstracts = Mapping[str, Sequence[str]]  # topic to its abstracts, by their ids


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignmentRequest:
    """How work is to be shared out."""

    # Ids of the assignees; new ones become annotators.
    people: tuple[str, ...]
    topics: tuple[str, ...] = ()  # ids of the topics; empty = all
    length: str | None = None  # length class of the abstracts; None = all
    overlap: float = 0.0  # percentage of the abstracts that several people read, 0 to 100
    readers: int = 2  # how many read each of these, from 2
    # Topics drawn for everybody to read first; then nothing else is assigned yet.
    calibration: int = 0
    most: int | None = None  # the most jobs that anybody may have in the end; None = no limit
    due: str | None = None
    seed: int = 1


def assigned(corpus: Corpus, request: AssignmentRequest) -> Corpus:
    """Returns the corpus with work for the people of `request`."""
    # Existing assignments stay, as their files may be handed out; they count in the shares.
    _check(request)
    jobs, sizes = _open_jobs(corpus, request)
    if not jobs:
        raise InputError.of(
            "Nothing is left to assign.",
            "Every abstract requested is already assigned: remove assignments first.",
        )
    workload = _Workload(request.people, corpus.assignments, sizes, request.most)
    rng = generator_of(request.seed)
    if request.calibration:
        jobs = _of_drawn_topics(jobs, request, rng)
        dealt = [(job, workload.give(job, request.people)) for job in jobs]
    else:
        dealt = _dealt(sorted(jobs, key=sizes.__getitem__), request, workload, rng)
    corpus = with_people(corpus, request.people)
    new = _ordered(corpus, dealt, request)
    return replace(corpus, assignments=new)


def generator_of(seed: int | Sequence[int]) -> "np.random.Generator":
    """Returns a random generator seeded by `seed`."""
    import numpy as np

    return np.random.default_rng(seed)


def handed_over(corpus: Corpus, person: str, *, seed: int = 1) -> Corpus:
    """Returns the corpus with the unstarted work of `person` assigned to the other annotators."""
    begun = set(_begun(corpus))
    abstracts = abstracts_by_topic(corpus.topics)
    firsts = first_readings(corpus.assignments)
    going = [one for one in firsts if one.person == person and one.key not in begun]
    if not going:
        raise InputError.of("“{person}” has no unstarted work.", person=person)
    others = tuple(one.id for one in corpus.persons if one.id != person and one.role == "annotator")
    kept = tuple(one for one in corpus.assignments if one not in going)
    workload = _Workload(others, kept, sizes_of(corpus), None)
    rng = generator_of(seed)
    new: list[Assignment] = []
    for one in going:
        for job in jobs_of_assignment(one, abstracts):
            free = [who for who in others if who not in workload.readers_of(job)]
            if not free:
                raise InputError.of(
                    "Nobody is left to take over “{abstract}” of topic “{topic}”.",
                    "Everybody else has it already: add an annotator.",
                    abstract=job.abstract,
                    topic=job.topic,
                )
            (who,) = workload.give(job, workload.group_for(1, free, rng))
            new.append(replace(one, abstract=job.abstract, person=who, order=None))
    return replace(corpus, assignments=numbered((*kept, *new)))


def calibration_of(corpus: Corpus) -> tuple[AssignedJob, ...]:
    """Returns the abstracts that all annotators with work are to align before anything else."""
    return common_start(corpus.persons, corpus.assignments, abstracts_by_topic(corpus.topics))


def common_start(
    persons: Sequence[Person], assignments: Sequence[Assignment], abstracts: Abstracts
) -> tuple[AssignedJob, ...]:
    """Returns the abstracts that everybody with work aligns first (calibration)."""
    lists = [
        own for person in persons if (own := list(jobs_in_order(assignments, abstracts, person.id)))
    ]
    if len(lists) < 2:
        return ()
    common: list[AssignedJob] = []
    for jobs in zip(*lists, strict=False):
        if len(set(jobs)) > 1:
            break
        common.append(jobs[0])
    return tuple(common)


def jobs_of(corpus: Corpus, person: str) -> tuple[AssignedJob, ...]:
    """Returns the abstracts assigned to `person`, in order; `A1#2` has A1's second round."""
    own = [one for one in corpus.assignments if is_work_of(one, person)]
    return tuple(jobs_in_order(own, abstracts_by_topic(corpus.topics), person))


def check_due(due: str | None, today: str) -> None:
    """Raises `InputError` unless the day is in the future; both are ISO 8601."""
    if due is not None and due < today:
        raise InputError.of("{day} is past.", "Choose a future date.", day=due)


def jobs_in_order(
    assignments: Iterable[Assignment], abstracts: Abstracts, owner: str
) -> Iterator[AssignedJob]:
    """Yields the abstracts assigned to `owner`, in order."""
    for one in _in_order(assignments):
        if is_work_of(one, owner):
            yield from jobs_of_assignment(one, abstracts)


def first_readings(assignments: Iterable[Assignment]) -> list[Assignment]:
    """Returns the assignments of first readings."""
    return [one for one in assignments if one.round == 1]


def unassigned(corpus: Corpus) -> tuple[AssignedJob, ...]:
    """Returns the unassigned abstracts."""
    given = _given(corpus)
    return tuple(job for job, _ in all_jobs(corpus.topics) if job not in given)


def begun_by(abstract: Abstract) -> frozenset[str]:
    """Returns the annotators with a non-empty entry in the abstract."""
    return frozenset(
        own.annotator
        for own in abstract.alignments
        if any(one != SentenceAlignment(n=one.n) for one in own.sentences)
    )


def check_anyone_to_assign(people: Sequence[str]) -> None:
    """Raises `InputError` unless there is somebody to work."""
    if not people:
        raise InputError.of(
            "There is nobody to assign work to.", "Name the people, or add annotators."
        )


def _check(request: AssignmentRequest) -> None:
    check_anyone_to_assign(request.people)
    if not 0 <= request.overlap <= 100:
        raise InputError.of(
            "An overlap of {overlap} % is impossible.",
            "Give a percentage from 0 to 100.",
            overlap=request.overlap,
        )
    if request.overlap and not 2 <= request.readers <= len(set(request.people)):
        raise InputError.of(
            "{readers} {readers:reader|readers} for an abstract, of {n} {n:person|people}.",
            "Choose at least two readers, and at most as many as there are people.",
            readers=request.readers,
            n=len(set(request.people)),
        )


class _Workload:
    """Everybody's load while work is assigned."""

    def __init__(
        self,
        people: Sequence[str],
        assignments: Iterable[Assignment],
        sizes: Mapping[AssignedJob, int],
        most: int | None,
    ) -> None:
        self._people, self._sizes, self._most = tuple(people), sizes, most
        self._n_jobs = dict.fromkeys(people, 0)
        self._load = dict.fromkeys(people, 0)
        self._shared: dict[frozenset[str], int] = {}
        self._readers: dict[AssignedJob, tuple[str, ...]] = {}
        by_topic: dict[str, list[AssignedJob]] = {}
        for job in sizes:
            by_topic.setdefault(job.topic, []).append(job)
        for one in first_readings(assignments):
            for job in by_topic.get(one.topic, ()):
                if one.abstract in (None, job.abstract):
                    self.give(job, (one.person,))

    def readers_of(self, job: AssignedJob) -> tuple[str, ...]:
        return self._readers.get(job, ())

    def give(self, job: AssignedJob, people: Sequence[str]) -> tuple[str, ...]:
        for who in people:
            for other in self.readers_of(job):
                pair = frozenset((who, other))
                self._shared[pair] = self._shared.get(pair, 0) + 1
            self._readers[job] = (*self.readers_of(job), who)
            self._n_jobs[who] = self._n_jobs.get(who, 0) + 1
            self._load[who] = self._load.get(who, 0) + self._sizes[job]
        return tuple(people)

    def group_for(
        self, n: int, people: Sequence[str], rng: "np.random.Generator"
    ) -> tuple[str, ...]:
        """Returns the `n` people who share least with each other, then those with least work."""
        drawn = [people[at] for at in rng.permutation(len(people))]
        free = [who for who in drawn if self._most is None or self._n_jobs[who] < self._most]
        if len(free) < n:
            raise InputError.of(
                "{n} {n:person is|people are} too few: nobody may have more than {most} "
                "{most:job|jobs}.",
                "Allow more jobs, add people, or assign fewer topics.",
                n=len(self._people),
                most=self._most or 0,
            )
        if n == 1:
            return (min(free, key=lambda who: (self._n_jobs[who], self._load[who])),)
        return min((self._grown(who, n, free) for who in free), key=self._cost)

    def _grown(self, first: str, n: int, free: Sequence[str]) -> tuple[str, ...]:
        group: tuple[str, ...] = (first,)
        while len(group) < n:
            others = (who for who in free if who not in group)
            group = min(((*group, who) for who in others), key=self._cost)
        return group

    def _cost(self, group: tuple[str, ...]) -> tuple[int, int, int, int]:
        shared = [
            self._shared.get(frozenset((who, other)), 0)
            for at, who in enumerate(group)
            for other in group[:at]
        ]
        return (
            sum(shared),
            max(shared),
            sum(self._n_jobs[who] for who in group),
            sum(self._load[who] for who in group),
        )


def _dealt(
    ordered: Sequence[AssignedJob],
    request: AssignmentRequest,
    workload: _Workload,
    rng: "np.random.Generator",
) -> list[tuple[AssignedJob, tuple[str, ...]]]:
    several = drawn_from_thirds(ordered, request.overlap, rng) if request.overlap else frozenset()
    dealt = []
    # Jobs of several readers first: those of one reader even out what is left unequal.
    for wanted, n in ((True, request.readers), (False, 1)):
        for job in reversed(ordered):
            if (job in several) is wanted:
                group = workload.group_for(n, request.people, rng)
                dealt.append((job, workload.give(job, group)))
    return dealt


def drawn_from_thirds(
    ordered: Sequence[AssignedJob], overlap: float, rng: "np.random.Generator"
) -> frozenset[AssignedJob]:
    """Returns as many of the jobs, ordered by size, with as many of each third as is its share."""
    n_wanted = int(len(ordered) * overlap / 100 + 0.5)
    bounds = [len(ordered) * part // _N_STRATA for part in range(_N_STRATA + 1)]
    strata = [ordered[low:high] for low, high in pairwise(bounds)]
    shares = [n_wanted * len(stratum) / len(ordered) for stratum in strata]
    counts = [int(share) for share in shares]
    drawn = rng.permutation(_N_STRATA)
    rests = sorted(drawn.tolist(), key=lambda at: counts[at] - shares[at])
    for at in rests[: n_wanted - sum(counts)]:
        counts[at] += 1
    chosen: list[AssignedJob] = []
    for stratum, n in zip(strata, counts, strict=True):
        chosen += [stratum[at] for at in rng.permutation(len(stratum))[:n]]
    return frozenset(chosen)


def _of_drawn_topics(
    jobs: Sequence[AssignedJob], request: AssignmentRequest, rng: "np.random.Generator"
) -> list[AssignedJob]:
    topics = [*dict.fromkeys(job.topic for job in jobs)]
    drawn = {topics[at] for at in rng.permutation(len(topics))[: request.calibration]}
    return [job for job in jobs if job.topic in drawn]


def _open_jobs(
    corpus: Corpus, request: AssignmentRequest
) -> tuple[list[AssignedJob], dict[AssignedJob, int]]:
    """Returns the open jobs, and the sizes of them and of all other work considered."""
    known = frozenset(ids_of(corpus.topics))
    unknown = [one for one in request.topics if one not in known]
    if unknown:
        raise InputError.of("The corpus has no topic “{topic}”.", topic=unknown[0])
    given, wanted = _given(corpus), frozenset(request.topics or known)
    jobs: list[AssignedJob] = []
    sizes: dict[AssignedJob, int] = {}
    for topic in select_topics(corpus.topics, wanted | {one.topic for one in corpus.assignments}):
        sizes |= _sizes_in(topic)
        if topic.id in wanted:
            jobs += [
                job
                for job, abstract in all_jobs((topic,))
                if job not in given
                and request.length in (None, abstract.length)
                and abstract.sentences
            ]
    return jobs, sizes


def _ordered(
    corpus: Corpus, dealt: Sequence[tuple[AssignedJob, tuple[str, ...]]], request: AssignmentRequest
) -> tuple[Assignment, ...]:
    place = {job: at for at, (job, _) in enumerate(all_jobs(corpus.topics))}
    new = [
        Assignment(topic=job.topic, abstract=job.abstract, person=who, due=request.due)
        for job, people in sorted(dealt, key=lambda one: place[one[0]])
        for who in people
    ]
    if request.calibration:
        return numbered(
            (*new, *(replace(one, order=None) for one in _in_order(corpus.assignments)))
        )
    return numbered((*corpus.assignments, *new))


def _in_order(assignments: Iterable[Assignment]) -> list[Assignment]:
    return sorted(assignments, key=lambda one: (one.order is None, one.order or 0))


def numbered(assignments: Iterable[Assignment]) -> tuple[Assignment, ...]:
    """Numbers assignments without an order behind the person's others."""
    found = [*assignments]
    last: dict[str, int] = {}
    for one in found:
        last[one.person] = max(last.get(one.person, 0), one.order or 0)
    numbered = []
    for one in found:
        if one.order is None:
            last[one.person] += 1
        numbered.append(one if one.order else replace(one, order=last[one.person]))
    return tuple(numbered)


def jobs_of_assignment(assignment: Assignment, abstracts: Abstracts) -> Iterator[AssignedJob]:
    """Yields the abstracts that an assignment is about; `abstracts` as for `jobs_in_order`."""
    for abstract in abstracts.get(assignment.topic, ()):
        if assignment.abstract in (None, abstract):
            yield AssignedJob(assignment.topic, abstract)


def abstracts_by_topic(topics: Sequence[Topic]) -> Abstracts:
    """Returns topic to its abstracts, by their ids."""
    return {topic.id: tuple(part.id for part in topic.abstracts) for topic in topics}


def _given(corpus: Corpus) -> frozenset[AssignedJob]:
    return first_reading_jobs(corpus.assignments, abstracts_by_topic(corpus.topics))


def first_reading_jobs(
    assignments: Iterable[Assignment], abstracts: Abstracts
) -> frozenset[AssignedJob]:
    """Returns the abstracts assigned for a first reading."""
    return frozenset(
        job for one in first_readings(assignments) for job in jobs_of_assignment(one, abstracts)
    )


def _begun(corpus: Corpus) -> Iterator[tuple[str, str | None, str, int]]:
    of_topic: dict[str, list[Assignment]] = {}
    for one in corpus.assignments:
        of_topic.setdefault(one.topic, []).append(one)
    for topic in select_topics(corpus.topics, of_topic):
        for one in of_topic[topic.id]:
            parts = (part for part in topic.abstracts if one.abstract in (None, part.id))
            if any(one.person in begun_by(part) for part in parts):
                yield one.key


def all_jobs(topics: Iterable[Topic]) -> Iterator[tuple[AssignedJob, Abstract]]:
    """Yields every abstract as a job, in the order of the corpus."""
    for topic in topics:
        for abstract in topic.abstracts:
            yield AssignedJob(topic.id, abstract.id), abstract


def sizes_of(corpus: Corpus) -> dict[AssignedJob, int]:
    """Returns each job's size: abstract sentences times source sentences."""
    sizes: dict[AssignedJob, int] = {}
    for topic in corpus.topics:
        sizes |= _sizes_in(topic)
    return sizes


def _sizes_in(topic: Topic) -> dict[AssignedJob, int]:
    n_sources = sum(len(document.sentences) for document in topic.documents)
    return {job: len(abstract.sentences) * n_sources for job, abstract in all_jobs((topic,))}


def with_people(corpus: Corpus, people: Collection[str]) -> Corpus:
    """Returns the corpus with these people, new ones as annotators."""
    known = {person.id for person in corpus.persons}
    for who in dict.fromkeys(people):
        corpus = corpus if who in known else with_person(corpus, Person(id=who))
    return corpus
