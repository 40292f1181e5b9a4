"""Progress of everybody's work."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from awase.core.annotation.times import LoggedTime
from awase.core.progress import Reporter, Silent
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import AlignmentState, AssistOrigin, SentenceAlignment
from awase.core.records.corpus import Corpus
from awase.core.records.project import is_shared_out, is_work_of
from awase.core.records.topic import annotators_of, select_topics, with_progress
from awase.core.team.assigning import AssignedJob, all_jobs, calibration_of, jobs_of, unassigned

_MS_AN_HOUR: Final = 3_600_000
_P90: Final = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonProgress:
    """One person's work."""

    id: str
    name: str
    role: str | None  # one of `ROLES`; None = the corpus does not list them
    n_jobs: int
    n_jobs_done: int
    n_sentences: int
    n_settled: int
    n_flagged: int
    n_timed: int
    # Of the milliseconds of work on each of these; None = no time was logged.
    median_ms: float | None
    p90_ms: float | None  # the 90th percentile of the same
    an_hour: float | None  # abstract sentences worked on in an hour; None = no time was logged
    # The earliest date among abstracts that are not done, ISO 8601; None = none has one.
    due: str | None
    # Mean agreement with the others; None if undefined or not requested.
    alpha: float | None
    n_taken: int = 0
    n_decoys: int = 0
    n_decoys_taken: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """The calibration set, and everybody's progress in it."""

    jobs: tuple[AssignedJob, ...]
    n_left: Mapping[str, int]  # person to abstract sentences of them that are not settled
    n_unassigned: int


def progress_of_people(
    corpus: Corpus,
    log: Iterable[LoggedTime],
    alphas: Mapping[str, float | None],
    decoys: Mapping[str, Sequence[bool]] = MappingProxyType({}),
    reporter: Reporter | None = None,
) -> tuple[PersonProgress, ...]:
    """Returns a row for everybody: members of the project, then others with alignments.

    Args:
        decoys: Annotator to whether each decoy was accepted.
    """
    topics = with_progress(corpus.topics, reporter or Silent())
    abstracts = {job: _Counts.of(abstract) for job, abstract in all_jobs(topics)}
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
    """Returns the progress of the calibration set; None without one."""
    jobs = calibration_of(corpus)
    if not jobs:
        return None
    topics = select_topics(corpus.topics, {job.topic for job in jobs})
    abstracts = {job: _Counts.of(abstract) for job, abstract in all_jobs(topics)}
    workers = [
        one.id
        for one in corpus.persons
        if any(is_work_of(part, one.id) for part in corpus.assignments)
    ]
    return Gate(
        jobs=jobs,
        n_left={
            who: sum(abstracts[job].n_sentences - abstracts[job].by(who).n_settled for job in jobs)
            for who in workers
        },
        n_unassigned=len(unassigned(corpus)),
    )


def _spent(log: Iterable[LoggedTime]) -> dict[str, list[int]]:
    """Returns milliseconds of work on each abstract sentence by annotator."""
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
    abstracts: "Mapping[AssignedJob, _Counts]",
    spent: Sequence[int],
    alpha: float | None,
) -> PersonProgress:
    person = next((one for one in corpus.persons if one.id == who), None)
    jobs = jobs_of(corpus, who)
    if not jobs and not is_shared_out(corpus.assignments):
        jobs = tuple(abstracts)
    # Work before assignments counts, too.
    settled = (job for job, counts in abstracts.items() if counts.by(who).n_settled)
    jobs = tuple(dict.fromkeys((*jobs, *settled)))
    own = {job: abstracts[job].by(who) for job in jobs}
    left = {job for job in jobs if own[job].n_settled < abstracts[job].n_sentences}
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
        n_sentences=sum(abstracts[job].n_sentences for job in jobs),
        n_settled=sum(one.n_settled for one in own.values()),
        n_flagged=sum(one.n_flagged for one in own.values()),
        n_timed=len(spent),
        median_ms=float(np.median(spent)) if spent else None,
        p90_ms=float(np.percentile(spent, _P90)) if spent else None,
        an_hour=len(spent) * _MS_AN_HOUR / sum(spent) if spent else None,
        due=min(dates, default=None),
        alpha=alpha,
        n_taken=sum(one.n_taken for one in own.values()),
    )


class _Own(NamedTuple):
    """Counts of sentences that an annotator settled, flagged, and settled as suggested."""

    n_settled: int = 0
    n_flagged: int = 0
    n_taken: int = 0


class _Counts(NamedTuple):
    """Counts of an abstract, which are all that fits into memory of a large corpus."""

    n_sentences: int
    by_annotator: tuple[tuple[str, _Own], ...]

    @classmethod
    def of(cls, abstract: Abstract) -> "_Counts":
        return cls(
            len(abstract.sentences),
            tuple((one.annotator, _own_of(one.sentences)) for one in abstract.alignments),
        )

    def by(self, who: str) -> _Own:
        return next((own for name, own in self.by_annotator if name == who), _Own())


def _own_of(entries: Sequence[SentenceAlignment]) -> _Own:
    settled = [one for one in entries if one.state.is_settled]
    return _Own(
        n_settled=len(settled),
        n_flagged=sum(one.state is AlignmentState.FLAGGED for one in entries),
        n_taken=sum(one.assist is AssistOrigin.TAKEN for one in settled),
    )
