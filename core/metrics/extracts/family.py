"""Precision, Coverage and Weighted Coverage of every extract of a corpus.

A system's score in a topic is the mean over the topic's abstracts of one length class (TSC-3 has
one each), undefined when one of them is. Its mean is over the topics in which the score is defined,
and the table says how many.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from awase.core.errors import InputError, Problem
from awase.core.metrics.extracts.gold import Gold, gold_of
from awase.core.metrics.extracts.minimal_cover import (
    KnownSize,
    known_size_of_cover,
    not_proved,
)
from awase.core.metrics.extracts.requests import Tsc3Request, understood
from awase.core.metrics.extracts.scorers import (
    MINIMAL_COVER,
    Tsc3Options,
    Tsc3Values,
    Yardstick,
    counted_part,
    undefined_reason,
)
from awase.core.metrics.extracts.warnings import WarningLog
from awase.core.metrics.kit.outputs import abstracts_by_length, extracts_for
from awase.core.metrics.kit.rational import mean
from awase.core.metrics.kit.signature import MetricRequest, signature_text
from awase.core.metrics.kit.supplies import NO_SUPPLIES, Supplies
from awase.core.metrics.registry import FIRST_ANNOTATOR
from awase.core.progress import Reporter
from awase.core.records.abstract import Abstract
from awase.core.records.alignment import Alignment
from awase.core.records.corpus import Corpus
from awase.core.records.output import Extract
from awase.core.records.score import CoverSize, Score, ScoreTable
from awase.core.records.topic import Topic


def score(
    corpus: Corpus,
    requests: Sequence[MetricRequest],
    reporter: Reporter,
    supplies: Supplies = NO_SUPPLIES,
) -> ScoreTable:
    """Returns the scores of every extract, by topic and as means, with warnings.

    Raises:
        InputError: An option's value does not exist, or nobody of that name aligned anything.
        Cancelled: The reporter asked to stop.
    """
    wanted = _different(understood(request, corpus.rank_weights) for request in requests)
    _check_annotators(corpus, wanted)
    log = WarningLog()
    sizes: list[CoverSize] = []
    cells: list[_Cell] = []
    for topic_idx, topic in enumerate(corpus.topics):
        still_wanted = partial(reporter.advance, topic_idx, len(corpus.topics))
        still_wanted(topic.id)
        seek = _Seek(topic.id, still_wanted, supplies.time_limit_s)
        log.note_unanswering(topic)
        for length, abstracts in abstracts_by_length(topic).items():
            columns = [*_columns_in_topic(topic, length, abstracts, wanted, log, sizes, seek)]
            cells.extend(_cells_in_topic(topic, length, columns, log))
    log.note_systems_without_extracts(corpus)
    scores = [_score_of_cell(cell) for cell in cells]
    means = _means(cells, log)
    return ScoreTable(scores=(*scores, *means), warnings=log.problems(), cover_sizes=tuple(sizes))


def signature(corpus: Corpus, request: MetricRequest) -> str:
    """Returns the signature that values of the request will carry, without facts about the data.

    Raises:
        InputError: An option's value does not exist, or nobody of that name aligned anything.
    """
    wanted = understood(request, corpus.rank_weights)
    _check_annotators(corpus, [wanted])
    return signature_text(wanted.metric, wanted.spelled)


def _different(requests: Iterable[Tsc3Request]) -> list[Tsc3Request]:
    """Returns the requests, one of those that are only written differently."""
    return [*{request.signature(0): request for request in requests}.values()]


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
                "Use annotator=first or one of {known}." if known else "Align its abstracts first.",
                annotator=request.annotator,
                known=", ".join(known),
            )


def alignment_for(abstract: Abstract, annotator: str) -> Alignment | None:
    """Returns the alignment that the option `annotator` means, None when there is none."""
    if annotator == FIRST_ANNOTATOR:
        return abstract.alignments[0] if abstract.alignments else None
    return abstract.alignment_by(annotator)


class _Seek(NamedTuple):
    """How h is looked for in a topic."""

    topic: str
    still_wanted: Callable[[str], None]
    time_limit_s: float | None

    def size(self, gold: Gold) -> KnownSize:
        def tell(size: KnownSize) -> None:
            self.still_wanted(f"{self.topic}: {size}")

        return known_size_of_cover(gold, tell, self.time_limit_s)


class _Measure:
    """Abstracts that extracts are measured against in one way, whatever the metric."""

    def __init__(self, golds: Sequence[Gold], h: Sequence[int], options: Tsc3Options) -> None:
        self._options = options
        self._targets = [
            (gold, size, Yardstick(gold, options)) for gold, size in zip(golds, h, strict=True)
        ]

    def values(self, topic: Topic, extract: Extract, log: WarningLog) -> list[Tsc3Values]:
        """Returns the values of an extract against each abstract."""
        values = []
        for gold, h, yardstick in self._targets:
            part = counted_part(extract.sentences, h, self._options)
            if gold.sentences:
                log.note_extract(topic, extract, part)
            values.append(yardstick.values(part))
        return values


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """One request in one topic and length class: what is the same for every system.

    Without a measure nothing has a value, for the reason that stands in its place.
    """

    request: Tsc3Request
    measure: _Measure | Problem
    topic: str
    length: str | None
    golds: Sequence[Gold]
    n_no_source: int
    provisional: bool
    signature: str


class _Cell(NamedTuple):
    """One value of one system; None = undefined, with the reason."""

    column: _Column
    system: str
    value: Fraction | None
    reason: Problem | None


def _columns_in_topic(
    topic: Topic,
    length: str | None,
    abstracts: Sequence[Abstract],
    requests: Sequence[Tsc3Request],
    log: WarningLog,
    sizes: list[CoverSize],
    seek: _Seek,
) -> list[_Column]:
    """Returns a column a request; none when no extract is of this length class."""
    if not extracts_for(topic, length):
        return []
    columns = [
        column
        for annotator in dict.fromkeys(request.annotator for request in requests)
        for column in _columns(topic, length, abstracts, annotator, requests, log, sizes, seek)
    ]
    return sorted(columns, key=lambda column: requests.index(column.request))


def _cells_in_topic(
    topic: Topic, length: str | None, columns: Sequence[_Column], log: WarningLog
) -> Iterator[_Cell]:
    measures = dict.fromkeys(c.measure for c in columns if isinstance(c.measure, _Measure))
    for system, extract in extracts_for(topic, length).items():
        measured = {measure: measure.values(topic, extract, log) for measure in measures}
        for column in columns:
            if isinstance(column.measure, Problem):
                yield _Cell(column, system, None, column.measure)
                continue
            value, reason = _value(column, measured[column.measure])
            yield _Cell(column, system, value, reason)


def _columns(
    topic: Topic,
    length: str | None,
    abstracts: Sequence[Abstract],
    annotator: str,
    requests: Sequence[Tsc3Request],
    log: WarningLog,
    sizes: list[CoverSize],
    seek: _Seek,
) -> Iterator[_Column]:
    """Yields the columns of the requests that name `annotator`."""
    golds = [gold_of(abstract, alignment_for(abstract, annotator)) for abstract in abstracts]
    for abstract, gold in zip(abstracts, golds, strict=True):
        log.note_annotation(topic, abstract, annotator, gold)
    asking = [request for request in requests if request.annotator == annotator]
    needs_h = any(request.options.first == MINIMAL_COVER for request in asking)
    found = [seek.size(gold) if needs_h else KnownSize(lower=0, upper=0) for gold in golds]
    h = [size.upper for size in found]
    unproved = next(
        (not_proved(a.id, s) for a, s in zip(abstracts, found, strict=True) if s.h is None), None
    )
    known = [Fraction(size) for gold, size in zip(golds, h, strict=True) if gold.sentences]
    if needs_h and known and unproved is None:
        size = CoverSize(topic=topic.id, length=length, annotator=annotator, h=mean(known))
        sizes.append(size)
    measures: dict[Tsc3Options, _Measure | Problem] = {}
    n_no_source = sum(len(gold.no_source) for gold in golds)
    for request in asking:
        if request.options not in measures:
            measures[request.options] = (
                unproved
                if unproved is not None and request.options.first == MINIMAL_COVER
                else _Measure(golds, h, request.options)
            )
        yield _Column(
            request=request,
            measure=measures[request.options],
            topic=topic.id,
            length=length,
            golds=golds,
            n_no_source=n_no_source,
            provisional=any(gold.provisional for gold in golds),
            signature=request.signature(n_no_source),
        )


def _value(
    column: _Column, measured: Sequence[Tsc3Values]
) -> tuple[Fraction, None] | tuple[None, Problem]:
    """Returns the mean over the abstracts, or why there is none."""
    request = column.request
    values = []
    for gold, of_abstract in zip(column.golds, measured, strict=True):
        value = request.value_of(of_abstract)
        if value is None:
            return None, undefined_reason(gold, request.metric, request.options)
        values.append(value)
    return mean(values), None


def _score_of_cell(cell: _Cell) -> Score:
    column = cell.column
    return Score(
        topic=column.topic,
        length=column.length,
        system=cell.system,
        metric=column.request.metric,
        value=cell.value,
        signature=column.signature,
        provisional=column.provisional,
        reason=cell.reason,
        n_topics=0 if cell.value is None else 1,
    )


def _means(cells: Iterable[_Cell], log: WarningLog) -> Iterator[Score]:
    """Yields each system's mean, in the order length, system, metric."""
    groups: dict[tuple[str | None, str], dict[Tsc3Request, list[_Cell]]] = {}
    topics_by_length: dict[str | None, set[str]] = {}
    for cell in cells:
        column = cell.column
        by_request = groups.setdefault((column.length, cell.system), {})
        by_request.setdefault(column.request, []).append(cell)
        topics_by_length.setdefault(column.length, set()).add(column.topic)
    for (length, system), by_request in groups.items():
        for request, of_system in by_request.items():
            mean_score = _mean(length, system, request, of_system)
            n_topics = len(topics_by_length[length])
            log.note_mean(system, length, request.metric, mean_score.n_topics, n_topics)
            yield mean_score


def _mean(length: str | None, system: str, request: Tsc3Request, cells: Sequence[_Cell]) -> Score:
    defined = [cell.value for cell in cells if cell.value is not None]
    return Score(
        topic=None,
        length=length,
        system=system,
        metric=request.metric,
        value=mean(defined) if defined else None,
        signature=request.signature(sum(cell.column.n_no_source for cell in cells)),
        provisional=any(cell.column.provisional for cell in cells),
        reason=None if defined else cells[0].reason,
        n_topics=len(defined),
    )
