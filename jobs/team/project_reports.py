"""Project reports: progress, agreement, second readings, times."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import Final

from awase.core.agreement.distances import SetDistance
from awase.core.agreement.report import agreement_of
from awase.core.agreement.results import (
    Agreement,
    AgreementRequest,
    AgreementRow,
    AgreementStudy,
    effects_of,
)
from awase.core.annotation.suggestion import seen_decoys
from awase.core.errors import InputError, OneOfSeveral, Problem, Reporter
from awase.core.metrics.kit.supplies import ALONE, Workers
from awase.core.records.abstract import LoggedSuggestion
from awase.core.records.corpus import Corpus
from awase.core.records.topic import Topic, annotators_of, select_topics
from awase.core.reports.grid import Field
from awase.core.team.handing_out import SecondReadingRequest, Work, read_again
from awase.core.team.progress import (
    Gate,
    LoggedTime,
    PersonProgress,
    TimesBy,
    TimeSpent,
    gate_of,
    progress_of_people,
    times,
    total_of,
)
from awase.jobs.subset import check_known


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectProgress:
    """How far a project is."""

    people: tuple[PersonProgress, ...]
    gate: Gate | None  # what everybody aligns first; None = there is no such thing
    # Agreement on that of each two people, and of everybody together.
    gate_rows: tuple[AgreementRow, ...]
    gate_reason: Problem | None  # why `gate_rows` is empty, where there is a gate; otherwise None


def study_progress(
    corpus: Corpus,
    log: Iterable[LoggedTime],
    reporter: Reporter,
    suggestions: Iterable[LoggedSuggestion] = (),
) -> ProjectProgress:
    """Returns everybody's progress; decoys need logged `suggestions`."""
    comparing, counting = (OneOfSeveral(reporter, idx, 2) for idx in range(2))
    agreement, _ = _agreement(corpus, comparing)
    decoys: dict[str, list[bool]] = {}
    for one in seen_decoys(corpus, suggestions):
        decoys.setdefault(one.annotator, []).append(one.is_taken)
    gate = gate_of(corpus)
    of_gate, reason = (None, None) if gate is None else _of_gate(corpus, gate, comparing)
    return ProjectProgress(
        people=progress_of_people(corpus, log, _means(agreement), decoys, counting),
        gate=gate,
        gate_rows=of_gate.rows if of_gate else (),
        gate_reason=reason,
    )


def _of_gate(
    corpus: Corpus, gate: Gate, reporter: Reporter
) -> tuple[Agreement | None, Problem | None]:
    jobs = set(gate.jobs)
    topics = (
        replace(topic, abstracts=tuple(a for a in topic.abstracts if (topic.id, a.id) in jobs))
        for topic in select_topics(corpus.topics, {job.topic for job in jobs})
    )
    kept = tuple(topic for topic in topics if topic.abstracts)
    return _agreement(replace(corpus, topics=kept, human_scores=(), assignments=()), reporter)


def _agreement(corpus: Corpus, reporter: Reporter) -> tuple[Agreement | None, Problem | None]:
    request = AgreementRequest(distances=(SetDistance.ALTERNATIVES,), compares_texts=False)
    try:
        return agreement_of(corpus, request, reporter), None
    except InputError as error:
        return None, error.problems[0]


def _means(agreement: Agreement | None) -> dict[str, float | None]:
    """Returns each annotator's mean alpha with the others."""
    alphas: dict[str, list[float]] = {}
    for row in agreement.rows if agreement is not None else ():
        if len(row.annotators) == 2 and row.alpha is not None:
            for who in row.annotators:
                alphas.setdefault(who, []).append(row.alpha)
    return {who: sum(values) / len(values) for who, values in alphas.items()}


def study_agreement(
    corpus: Corpus, request: AgreementRequest, reporter: Reporter, workers: Workers = ALONE
) -> AgreementStudy:
    """Returns agreement and effects; workers compute the effects, which may need hard covers."""
    agreement = agreement_of(corpus, request, reporter)
    effects = effects_of(corpus, agreement.annotators, request.length, reporter, workers)
    return AgreementStudy(request=request, agreement=agreement, effects=effects)


def second_readings(
    people: Sequence[str],
    worked_at: Mapping[Work, str],
    *,
    share: float,
    days: int,
    due: str | None = None,
    seed: int = 1,
) -> Callable[[Corpus], Corpus]:
    """Returns a function for `CorpusStore.change` that assigns second readings.

    `share` is the percentage of what each has finished, above 0, to 100.
    """
    before = datetime.now(UTC) - timedelta(days=days)
    request = SecondReadingRequest(
        people=tuple(people),
        share=share,
        before=before.isoformat(timespec="milliseconds") if days else None,
        due=due,
        seed=seed,
    )
    return partial(read_again, request=request, worked_at=worked_at)


# What a line is about, by attributes of `TimeSpent`.
_NAMES: Final = {
    TimesBy.SENTENCE: ("topic", "abstract", "n", "annotator"),
    TimesBy.TOPIC: ("topic",),
    TimesBy.ANNOTATOR: ("annotator",),
}


def time_fields(
    by: TimesBy, clock: Callable[[float | None], str]
) -> tuple[list[Field[TimeSpent]], list[Field[TimeSpent]]]:
    """Returns what a line is about, and what it counts: in seconds, for people as on a clock."""

    def counted(name: str) -> Field[TimeSpent]:
        return Field(name, name, attrgetter(f"n_{name}"), is_number=True)

    def timed(name: str, title: str, attribute: str) -> Field[TimeSpent]:
        ms = attrgetter(attribute)
        return Field(
            name, title, lambda one: _seconds(ms(one)), lambda one: clock(ms(one)), is_number=True
        )

    figures = [
        counted("edits"),
        timed("seconds", "time", "active_ms"),
        counted("sentences"),
        timed("seconds_per_sentence", "per sentence", "mean_ms"),
    ]
    if by is TimesBy.SENTENCE:
        figures[2:] = [replace(one, title=None) for one in figures[2:]]
    return [Field(name, name, is_number=name == "n") for name in _NAMES[by]], figures


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeReport:
    """Working times of annotators."""

    by: TimesBy
    lines: Sequence[TimeSpent]
    total: TimeSpent


def report_times(
    topics: Sequence[Topic],
    log: Sequence[LoggedTime],
    by: TimesBy,
    reporter: Reporter,
    *,
    annotator: str | None = None,
) -> TimeReport:
    """Returns the times, of one annotator or all."""
    if annotator is not None:
        people = chain(annotators_of(topics), (line.annotator for line in log))
        check_known("annotator", (annotator,), [*dict.fromkeys(people)])
    return TimeReport(
        by=by,
        lines=times(topics, log, by, reporter, annotator=annotator),
        total=total_of(log, annotator=annotator),
    )


def _seconds(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else round(milliseconds / 1000, 3)
