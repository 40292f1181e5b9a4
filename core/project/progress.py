"""How far everybody is with their work, for whoever leads it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import numpy as np

from awase.core.annotation.times import LoggedTime
from awase.core.project.assigning import Job, all_jobs, calibration_of, jobs_of, unassigned
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import AlignmentState, SentenceAlignment
from awase.core.records.assist import AssistOrigin
from awase.core.records.corpus import Corpus
from awase.core.records.project import is_shared_out, is_work_of
from awase.core.records.topics_on_demand import annotators_of

_MS_AN_HOUR: Final = 3_600_000
_P90: Final = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonProgress:
    """One person's work.

    Attributes:
        id: Of the person.
        name: What people call them.
        role: One of `ROLES`; None = the corpus does not list them.
        n_jobs: Abstracts to align: those assigned, or all where nobody has assignments.
        n_jobs_done: Those of them in which every sentence is settled.
        n_sentences: Abstract sentences in these abstracts.
        n_settled: Those of them that are settled.
        n_flagged: Those of them that are flagged.
        n_timed: Abstract sentences for which time was logged.
        median_ms: Of the milliseconds of work on each of these; None = no time was logged.
        p90_ms: The 90th percentile of the same.
        an_hour: Abstract sentences worked on in an hour; None = no time was logged.
        due: The earliest date among abstracts that are not done, ISO 8601; None = none has one.
        alpha: Mean agreement with the others; None where it is undefined or was not asked for.
        n_taken: Settled sentences whose suggestion was taken as it was.
        n_decoys: Settled sentences with a suggestion that was wrong on purpose.
        n_decoys_taken: Those of them in which it was taken.
    """

    id: str
    name: str
    role: str | None
    n_jobs: int
    n_jobs_done: int
    n_sentences: int
    n_settled: int
    n_flagged: int
    n_timed: int
    median_ms: float | None
    p90_ms: float | None
    an_hour: float | None
    due: str | None
    alpha: float | None
    n_taken: int = 0
    n_decoys: int = 0
    n_decoys_taken: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """What everybody is to align first, and how far that is.

    Attributes:
        jobs: The abstracts.
        n_left: Person to abstract sentences of them that are not settled.
        n_unassigned: Abstracts of the corpus that are nobody's work yet.
    """

    jobs: tuple[Job, ...]
    n_left: Mapping[str, int]
    n_unassigned: int

    @property
    def is_done(self) -> bool:
        """Whether everybody has settled all of it."""
        return bool(self.jobs) and not any(self.n_left.values())


def progress_of_people(
    corpus: Corpus,
    log: Iterable[LoggedTime],
    alphas: Mapping[str, float | None],
    decoys: Mapping[str, Sequence[bool]] = MappingProxyType({}),
) -> tuple[PersonProgress, ...]:
    """Returns a line for everybody: those of the project, then who aligned something without it.

    Args:
        corpus: The work.
        log: How long edits took.
        alphas: Annotator to the mean agreement with the others.
        decoys: Annotator to whether each decoy was taken.
    """
    abstracts = dict(all_jobs(corpus.topics))
    known = [person.id for person in corpus.persons]
    everybody = tuple(dict.fromkeys((*known, *annotators_of(corpus.topics))))
    spent = _spent(log)
    return tuple(
        replace(
            _line(corpus, who, abstracts, spent.get(who, ()), alphas.get(who)),
            n_decoys=len(decoys.get(who, ())),
            n_decoys_taken=sum(decoys.get(who, ())),
        )
        for who in everybody
    )


def gate_of(corpus: Corpus) -> Gate | None:
    """Returns how far the abstracts are that everybody aligns first; None where there are none."""
    jobs = calibration_of(corpus)
    if not jobs:
        return None
    abstracts = dict(all_jobs(corpus.topics))
    workers = [
        one.id
        for one in corpus.persons
        if any(is_work_of(part, one.id) for part in corpus.assignments)
    ]
    return Gate(
        jobs=jobs,
        n_left={
            who: sum(
                len(abstracts[job].sentences) - _n_settled(abstracts[job], who) for job in jobs
            )
            for who in workers
        },
        n_unassigned=len(unassigned(corpus)),
    )


def _spent(log: Iterable[LoggedTime]) -> dict[str, list[int]]:
    """Returns annotator to the milliseconds of work on each abstract sentence."""
    sums: dict[str, dict[tuple[object, ...], int]] = {}
    for item in log:
        if item.n is not None and item.active_ms > 0:
            place = (item.topic, item.abstract, item.n)
            of_one = sums.setdefault(item.annotator, {})
            of_one[place] = of_one.get(place, 0) + item.active_ms
    return {who: [*of_one.values()] for who, of_one in sums.items()}


def _line(
    corpus: Corpus,
    who: str,
    abstracts: Mapping[Job, Abstract],
    spent: Sequence[int],
    alpha: float | None,
) -> PersonProgress:
    person = next((one for one in corpus.persons if one.id == who), None)
    jobs = jobs_of(corpus, who)
    if not jobs and not is_shared_out(corpus.assignments):
        jobs = tuple(abstracts)
    settled = {job: _n_settled(abstracts[job], who) for job in jobs}
    left = {job for job in jobs if settled[job] < len(abstracts[job].sentences)}
    open_places = {(job.topic, job.abstract) for job in left} | {(job.topic, None) for job in left}
    dates = [
        one.due
        for one in corpus.assignments
        if is_work_of(one, who) and one.due is not None and (one.topic, one.abstract) in open_places
    ]
    return PersonProgress(
        id=who,
        name=(person.name if person else None) or who,
        role=person.role if person else None,
        n_jobs=len(jobs),
        n_jobs_done=len(jobs) - len(left),
        n_sentences=sum(len(abstracts[job].sentences) for job in jobs),
        n_settled=sum(settled.values()),
        n_flagged=sum(_n_flagged(abstracts[job], who) for job in jobs),
        n_timed=len(spent),
        median_ms=float(np.median(spent)) if spent else None,
        p90_ms=float(np.percentile(spent, _P90)) if spent else None,
        an_hour=len(spent) * _MS_AN_HOUR / sum(spent) if spent else None,
        due=min(dates, default=None),
        alpha=alpha,
        n_taken=sum(_n_taken(abstracts[job], who) for job in jobs),
    )


def _n_settled(abstract: Abstract, who: str) -> int:
    return sum(one.state.is_settled for one in _entries(abstract, who))


def _n_taken(abstract: Abstract, who: str) -> int:
    return sum(
        one.state.is_settled and one.assist is AssistOrigin.TAKEN for one in _entries(abstract, who)
    )


def _n_flagged(abstract: Abstract, who: str) -> int:
    return sum(one.state is AlignmentState.FLAGGED for one in _entries(abstract, who))


def _entries(abstract: Abstract, who: str) -> Sequence[SentenceAlignment]:
    own = abstract.alignment_by(who)
    return own.sentences if own else ()
