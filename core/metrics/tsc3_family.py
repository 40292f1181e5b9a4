"""Precision, Coverage and Weighted Coverage of every extract of a corpus.

A system's score in a topic is the mean over the topic's abstracts of one length class (TSC-3 has one
each); its mean is over the topics in which the score is defined, and the table says how many.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from awase.core.errors import InputError, Problem
from awase.core.metrics.gold import Gold, gold_of
from awase.core.metrics.minimal_cover import size_of_minimal_cover
from awase.core.metrics.outputs import abstracts_by_length, extracts_for
from awase.core.metrics.rational import mean
from awase.core.metrics.registry import FIRST_ANNOTATOR
from awase.core.metrics.signature import MetricRequest
from awase.core.metrics.tsc3 import (
    Tsc3Options,
    Tsc3Values,
    counted_part,
    tsc3_values,
    undefined_reason,
)
from awase.core.metrics.tsc3_requests import Tsc3Request, understood
from awase.core.metrics.tsc3_warnings import WarningLog
from awase.core.progress import Reporter
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import Alignment
from awase.core.records.corpus import Corpus
from awase.core.records.output import Extract
from awase.core.records.score import Score, ScoreTable
from awase.core.records.topic import Topic


def score(corpus: Corpus, requests: Sequence[MetricRequest], reporter: Reporter) -> ScoreTable:
    """Returns the scores of every extract, by topic and as means, with warnings.

    Raises:
        InputError: An option's value does not exist, or nobody of that name aligned anything.
        Cancelled: The reporter asked to stop.
    """
    wanted = [understood(request, corpus.rank_weights) for request in requests]
    _check_annotators(corpus, wanted)
    log = WarningLog()
    rows: list[_Row] = []
    for topic_idx, topic in enumerate(corpus.topics):
        reporter.advance(topic_idx, len(corpus.topics), topic.id)
        rows.extend(_topic_rows(topic, wanted, log))
    log.note_systems_without_extracts(corpus)
    scores = [_score_in_topic(row) for row in rows]
    means = _means(rows, log)
    return ScoreTable(scores=(*scores, *means), warnings=log.problems())


def _check_annotators(corpus: Corpus, requests: Iterable[Tsc3Request]) -> None:
    known = dict.fromkeys(
        alignment.annotator
        for topic in corpus.topics
        for abstract in topic.abstracts
        for alignment in abstract.alignments
    )
    for request in requests:
        if request.annotator != FIRST_ANNOTATOR and request.annotator not in known:
            raise InputError.of(
                "Nobody called “{annotator}” aligned anything in this corpus.",
                "Use annotator=first or one of {known}.",
                annotator=request.annotator,
                known=", ".join(known) or "none",
            )


def alignment_for(abstract: Abstract, annotator: str) -> Alignment | None:
    """Returns the alignment that the option `annotator` means, None when there is none."""
    if annotator == FIRST_ANNOTATOR:
        return abstract.alignments[0] if abstract.alignments else None
    return abstract.alignment_by(annotator)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reference:
    """An abstract in one annotator's eyes."""

    gold: Gold
    h: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """One metric of one system in one topic."""

    topic: Topic
    length: str | None
    system: str
    request: Tsc3Request
    value: Fraction | None
    reason: Problem | None
    provisional: bool
    n_no_source: int


def _topic_rows(topic: Topic, requests: Sequence[Tsc3Request], log: WarningLog) -> Iterator[_Row]:
    log.note_unanswered(topic)
    annotators = dict.fromkeys(request.annotator for request in requests)
    for length, abstracts in abstracts_by_length(topic).items():
        extracts = extracts_for(topic, length)
        if not extracts:
            continue
        references = {
            annotator: [_reference(topic, abstract, annotator, log) for abstract in abstracts]
            for annotator in annotators
        }
        for extract in extracts.values():
            values = _ValuesOfExtract(topic, extract, references, log)
            for request in requests:
                yield _row(topic, length, request, references[request.annotator], values)


def _reference(topic: Topic, abstract: Abstract, annotator: str, log: WarningLog) -> _Reference:
    gold = gold_of(abstract, alignment_for(abstract, annotator))
    log.note_annotation(topic, abstract, annotator, gold)
    return _Reference(gold=gold, h=size_of_minimal_cover(gold))


class _ValuesOfExtract:
    """The values of one extract, computed once for all metrics with the same options."""

    def __init__(
        self,
        topic: Topic,
        extract: Extract,
        references: dict[str, list[_Reference]],
        log: WarningLog,
    ) -> None:
        self.extract = extract
        self._topic = topic
        self._references = references
        self._log = log
        self._known: dict[tuple[str, Tsc3Options], list[Tsc3Values]] = {}

    def wanted_by(self, request: Tsc3Request) -> list[Tsc3Values]:
        """Returns the values against each abstract."""
        key = (request.annotator, request.options)
        if key not in self._known:
            self._known[key] = [
                self._against(reference, request.options)
                for reference in self._references[request.annotator]
            ]
        return self._known[key]

    def _against(self, reference: _Reference, options: Tsc3Options) -> Tsc3Values:
        part = counted_part(self.extract.sentences, reference.h, options)
        if reference.gold.sentences:
            self._log.note_extract(self._topic, self.extract, part)
        return tsc3_values(reference.gold, part, options)


def _row(
    topic: Topic,
    length: str | None,
    request: Tsc3Request,
    references: Sequence[_Reference],
    values: _ValuesOfExtract,
) -> _Row:
    defined: list[Fraction] = []
    reason: Problem | None = None
    for reference, of_reference in zip(references, values.wanted_by(request), strict=True):
        value = request.value_of(of_reference)
        if value is None:
            reason = undefined_reason(reference.gold, request.metric, request.options)
        else:
            defined.append(value)
    return _Row(
        topic=topic,
        length=length,
        system=values.extract.system,
        request=request,
        value=None if reason else mean(defined),
        reason=reason,
        provisional=any(reference.gold.provisional for reference in references),
        n_no_source=sum(len(reference.gold.no_source) for reference in references),
    )


def _score_in_topic(row: _Row) -> Score:
    return Score(
        topic=row.topic.id,
        length=row.length,
        system=row.system,
        metric=row.request.metric,
        value=row.value,
        signature=row.request.signature(row.n_no_source),
        provisional=row.provisional,
        reason=row.reason,
    )


def _means(rows: Sequence[_Row], log: WarningLog) -> Iterator[Score]:
    """Yields each system's mean, in the order length, system, metric."""
    groups: dict[tuple[str | None, str], dict[int, list[_Row]]] = {}
    for row in rows:
        by_request = groups.setdefault((row.length, row.system), {})
        by_request.setdefault(id(row.request), []).append(row)
    topics_by_length: dict[str | None, set[str]] = {}
    for row in rows:
        topics_by_length.setdefault(row.length, set()).add(row.topic.id)
    for (length, _), by_request in groups.items():
        for of_system in by_request.values():
            yield _mean(of_system, len(topics_by_length[length]), log)


def _mean(rows: Sequence[_Row], n_topics: int, log: WarningLog) -> Score:
    defined = [row.value for row in rows if row.value is not None]
    first = rows[0]
    log.note_mean(first.system, first.length, first.request.metric, len(defined), n_topics)
    return Score(
        topic=None,
        length=first.length,
        system=first.system,
        metric=first.request.metric,
        value=mean(defined) if defined else None,
        signature=first.request.signature(sum(row.n_no_source for row in rows)),
        provisional=any(row.provisional for row in rows),
        reason=None if defined else first.reason,
        n_topics=len(defined),
    )
