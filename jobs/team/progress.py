"""How far everybody is: work, speed, agreement, and what everybody aligns first."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from awase.core.agreement.measures.distances import Distance
from awase.core.agreement.study.report import agreement_of
from awase.core.agreement.study.request import AgreementRequest
from awase.core.agreement.study.results import Agreement, AgreementRow
from awase.core.annotation.times import LoggedTime
from awase.core.assist.effect_study import seen_decoys
from awase.core.errors import InputError, Problem
from awase.core.progress import OneOfSeveral, Reporter
from awase.core.project.progress import Gate, PersonProgress, gate_of, progress_of_people
from awase.core.records.assist import LoggedSuggestion
from awase.core.records.corpus import Corpus
from awase.core.records.topic import select_topics


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectProgress:
    """How far a project is.

    Attributes:
        people: Everybody of the project, then whoever else aligned something.
        gate: What everybody aligns first; None = there is no such thing.
        gate_rows: Agreement on that of each two people, and of everybody together.
        gate_reason: Why `gate_rows` is empty, where there is a gate; otherwise None.
    """

    people: tuple[PersonProgress, ...]
    gate: Gate | None
    gate_rows: tuple[AgreementRow, ...]
    gate_reason: Problem | None


def study_progress(
    corpus: Corpus,
    log: Iterable[LoggedTime],
    reporter: Reporter,
    suggestions: Iterable[LoggedSuggestion] = (),
) -> ProjectProgress:
    """Returns how far everybody is.

    Args:
        corpus: The work.
        log: How long edits took.
        reporter: Told of the topics that are compared, then of those that are counted.
        suggestions: Those that were logged; without them there are no decoys.

    Raises:
        Cancelled: The reporter asked to stop.
    """
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
    request = AgreementRequest(distances=(Distance.ALTERNATIVES,), compares_texts=False)
    try:
        return agreement_of(corpus, request, reporter), None
    except InputError as error:
        return None, error.problems[0]


def _means(agreement: Agreement | None) -> dict[str, float | None]:
    """Returns annotator to the mean alpha with each other one."""
    alphas: dict[str, list[float]] = {}
    for row in agreement.rows if agreement is not None else ():
        if len(row.annotators) == 2 and row.alpha is not None:
            for who in row.annotators:
                alphas.setdefault(who, []).append(row.alpha)
    return {who: sum(values) / len(values) for who, values in alphas.items()}
