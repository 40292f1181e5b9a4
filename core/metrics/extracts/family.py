"""Precision, Coverage and Weighted Coverage of every extract of a corpus.

A system's score in a topic is the mean over the topic's abstracts of one length class (TSC-3 has
one each), undefined when one of them is. With `annotator=all` it is the mean of what each annotator
who aligned all of these abstracts makes of it, each with the h of their own. A system's mean is
over the topics in which the score is defined, and the table says how many.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from awase.core.errors import Problem
from awase.core.metrics.extracts.gold import Gold, gold_of
from awase.core.metrics.extracts.minimal_cover import (
    KnownSize,
    known_size_of_cover,
    not_proved,
)
from awase.core.metrics.extracts.requests import Tsc3Request, understood
from awase.core.metrics.extracts.scorers import (
    MINIMAL_COVER,
    PreparedGold,
    Tsc3Options,
    Tsc3Values,
    counted_part,
    undefined_reason,
)
from awase.core.metrics.extracts.warnings import WarningLog
from awase.core.metrics.kit.annotators import Annotators, Choice
from awase.core.metrics.kit.means import TopicsOfMeans
from awase.core.metrics.kit.outputs import abstracts_by_length, extracts_for
from awase.core.metrics.kit.rational import mean
from awase.core.metrics.kit.signature import MetricRequest, digest_of_names
from awase.core.metrics.kit.supplies.supplies import NO_SUPPLIES, Supplies
from awase.core.metrics.kit.workers import StillWanted
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
        InputError: An option's value does not exist, nobody of that name aligned anything, or the
            alignments are others' than those asked for.
        Cancelled: The reporter asked to stop.
    """
    wanted = _different(understood(request, corpus.rank_weights) for request in requests)
    for request in wanted:
        request.annotators.check(corpus)
    log = WarningLog()
    sizes: list[CoverSize] = []
    cells: list[_Cell] = []
    measure = partial(_measured, wanted, supplies.time_limit_s)
    for of_topic in supplies.workers.map(measure, corpus.topics, reporter):
        log.add(of_topic.log)
        sizes.extend(of_topic.sizes)
        cells.extend(of_topic.cells)
    _check_names(cells)
    log.note_systems_without_extracts(corpus)
    scores = _scores_by_topic(cells)
    means = _means(cells, TopicsOfMeans(corpus), log)
    return ScoreTable(scores=(*scores, *means), warnings=log.problems(), cover_sizes=tuple(sizes))


def signature(corpus: Corpus, request: MetricRequest) -> str:
    """Returns the signature that values of the request will carry, without facts about the data.

    Raises:
        InputError: An option's value does not exist, or nobody of that name aligned anything.
    """
    wanted = understood(request, corpus.rank_weights)
    wanted.annotators.check(corpus)
    return wanted.signature


def _different(requests: Iterable[Tsc3Request]) -> list[Tsc3Request]:
    """Returns the requests, one of those that are only written differently."""
    return [*{request.signature: request for request in requests}.values()]


class _OfTopic(NamedTuple):
    """What came of one topic."""

    cells: list["_Cell"]
    sizes: list[CoverSize]
    log: WarningLog


def _measured(
    wanted: Sequence[Tsc3Request],
    time_limit_s: float | None,
    topic: Topic,
    still_wanted: StillWanted,
) -> _OfTopic:
    still_wanted(topic.id)
    made = _OfTopic([], [], WarningLog())
    seek = _Seek(topic.id, still_wanted, time_limit_s)
    made.log.note_unanswering(topic)
    for length, abstracts in abstracts_by_length(topic).items():
        place = _Place(topic, length, tuple(abstracts))
        prepared = _prepared_in_topic(place, wanted, made, seek)
        made.cells.extend(_cells_in_topic(place, prepared, made.log))
    return made


class _Place(NamedTuple):
    """The abstracts of one length class in a topic."""

    topic: Topic
    length: str | None
    abstracts: tuple[Abstract, ...]


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
            (gold, size, PreparedGold(gold, options)) for gold, size in zip(golds, h, strict=True)
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Side:
    """The abstracts of a place as one alignment each makes them; equal to itself only.

    Attributes:
        names: Whose alignment it is of each abstract; empty = nobody's.
        golds: What extracts are measured against, an abstract each.
        h: What is known of the size of the minimal cover of each; 0 where it is not needed.
    """

    names: tuple[str, ...]
    golds: tuple[Gold, ...]
    h: tuple[KnownSize, ...]

    @property
    def n_no_source(self) -> int:
        """Returns how many sentences of the abstracts are left out."""
        return sum(len(gold.no_source) for gold in self.golds)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """What is told of one request in one topic and length class, the same for every system.

    Attributes:
        request: What is asked for.
        topic: Id of the topic.
        length: Length class.
        names: Topic, abstract, and whose alignments of it count.
        n_no_source: How many sentences are left out, by everybody whose alignments count.
        provisional: Whether the annotation is unfinished.
    """

    request: Tsc3Request
    topic: str
    length: str | None
    names: tuple[tuple[str, str, tuple[str, ...]], ...]
    n_no_source: int
    provisional: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    """A column with what extracts are measured against.

    Without a measure nothing has a value, for the reason that stands in its place.
    """

    column: _Column
    sides: Sequence[_Side]
    measures: Sequence[_Measure | Problem]


class _Cell(NamedTuple):
    """One value of one system; None = undefined, with the reason."""

    column: _Column
    system: str
    value: Fraction | None
    reason: Problem | None
    by_name: Mapping[str, Fraction]
    """What each annotator's alignments alone make of it, where there are several annotators."""


def _prepared_in_topic(
    place: _Place, requests: Sequence[Tsc3Request], made: _OfTopic, seek: _Seek
) -> list[_Prepared]:
    """Returns a column a request; none when no extract is of this length class."""
    if not extracts_for(place.topic, place.length):
        return []
    by_choice: dict[str, list[Tsc3Request]] = {}
    for request in requests:
        by_choice.setdefault(request.annotator, []).append(request)
    prepared: list[_Prepared] = []
    for asking in by_choice.values():
        annotators = asking[0].annotators
        needs_h = any(request.options.first == MINIMAL_COVER for request in asking)
        sides = [
            _side(place, alignments, seek, needs_h=needs_h)
            for alignments in _sides_of(place, annotators, made.log)
        ]
        _note(place, annotators, sides, made.log)
        made.sizes.extend(_sizes(place, annotators, sides) if needs_h else ())
        prepared.extend(_prepared(place, asking, sides))
    return sorted(prepared, key=lambda one: requests.index(one.column.request))


def _sides_of(
    place: _Place, annotators: Annotators, log: WarningLog
) -> list[tuple[Alignment | None, ...]]:
    """Returns one alignment an abstract, once, or once for everybody who aligned all of them."""
    if annotators.choice is not Choice.ALL:
        return [tuple(annotators.one_of(abstract) for abstract in place.abstracts)]
    names = dict.fromkeys(
        alignment.annotator for abstract in place.abstracts for alignment in abstract.alignments
    )
    found: list[tuple[Alignment | None, ...]] = []
    for name in names:
        alignments = tuple(abstract.alignment_by(name) for abstract in place.abstracts)
        if None in alignments:
            log.note_left_out(place.topic, name)
        else:
            found.append(alignments)
    return found or [(None,) * len(place.abstracts)]


def _side(
    place: _Place,
    alignments: Sequence[Alignment | None],
    seek: _Seek,
    *,
    needs_h: bool,
) -> _Side:
    golds = tuple(map(gold_of, place.abstracts, alignments))
    nothing = KnownSize(lower=0, upper=0)
    return _Side(
        names=tuple(one.annotator if one else "" for one in alignments),
        golds=golds,
        h=tuple(seek.size(gold) if needs_h else nothing for gold in golds),
    )


def _note(place: _Place, annotators: Annotators, sides: Iterable[_Side], log: WarningLog) -> None:
    for side in sides:
        for abstract, name, gold in zip(place.abstracts, side.names, side.golds, strict=True):
            log.note_annotation(place.topic, abstract, annotators, name, gold)


def _sizes(place: _Place, annotators: Annotators, sides: Sequence[_Side]) -> Iterator[CoverSize]:
    for side in sides:
        sizes = [size.h for gold, size in zip(side.golds, side.h, strict=True) if gold.sentences]
        known = [Fraction(size) for size in sizes if size is not None]
        if known and len(known) == len(sizes):
            is_one_of_all = annotators.choice is Choice.ALL
            yield CoverSize(
                topic=place.topic.id,
                length=place.length,
                annotator=side.names[0] if is_one_of_all else annotators.spelled,
                h=mean(known),
            )


def _prepared(
    place: _Place, requests: Iterable[Tsc3Request], sides: Sequence[_Side]
) -> Iterator[_Prepared]:
    """Yields the columns of requests that choose the same annotators."""
    measures: dict[Tsc3Options, list[_Measure | Problem]] = {}
    for request in requests:
        options = request.options
        if options not in measures:
            measures[options] = [_measure(place, side, options) for side in sides]
        column = _column(request, place, sides)
        yield _Prepared(column=column, sides=sides, measures=measures[options])


def _column(request: Tsc3Request, place: _Place, sides: Sequence[_Side]) -> _Column:
    names = [
        (place.topic.id, abstract.id, tuple(sorted(filter(None, of_abstract))))
        for abstract, *of_abstract in zip(
            place.abstracts, *(side.names for side in sides), strict=True
        )
    ]
    return _Column(
        request=request,
        topic=place.topic.id,
        length=place.length,
        names=tuple(names),
        n_no_source=sum(side.n_no_source for side in sides),
        provisional=any(gold.provisional for side in sides for gold in side.golds),
    )


def _measure(place: _Place, side: _Side, options: Tsc3Options) -> _Measure | Problem:
    """Returns what extracts are measured against, or that its h is not proved."""
    if options.first == MINIMAL_COVER:
        for abstract, size in zip(place.abstracts, side.h, strict=True):
            if size.h is None:
                return not_proved(abstract.id, size)
    return _Measure(side.golds, [size.upper for size in side.h], options)


def _cells_in_topic(
    place: _Place, prepared: Sequence[_Prepared], log: WarningLog
) -> Iterator[_Cell]:
    measures = dict.fromkeys(
        measure for one in prepared for measure in one.measures if isinstance(measure, _Measure)
    )
    for system, extract in extracts_for(place.topic, place.length).items():
        measured = {m: m.values(place.topic, extract, log) for m in measures}
        for one in prepared:
            yield _cell(one, system, measured)


def _cell(
    prepared: _Prepared, system: str, measured: Mapping[_Measure, Sequence[Tsc3Values]]
) -> _Cell:
    """Returns the mean over the annotators; undefined when one of their values is."""
    column = prepared.column
    by_side: list[Fraction] = []
    for side, measure in zip(prepared.sides, prepared.measures, strict=True):
        if isinstance(measure, Problem):
            return _Cell(column, system, None, measure, {})
        value, reason = _value(column.request, side.golds, measured[measure])
        if value is None:
            return _Cell(column, system, None, reason, {})
        by_side.append(value)
    names = [side.names[0] for side in prepared.sides]
    by_name = dict(zip(names, by_side, strict=True)) if len(names) > 1 else {}
    return _Cell(column, system, mean(by_side), None, by_name)


def _value(
    request: Tsc3Request, golds: Sequence[Gold], values: Sequence[Tsc3Values]
) -> tuple[Fraction, None] | tuple[None, Problem]:
    """Returns the mean over the abstracts, or why there is none."""
    known = []
    for gold, of_abstract in zip(golds, values, strict=True):
        value = request.value_of(of_abstract)
        if value is None:
            return None, undefined_reason(gold, request.metric, request.options)
        known.append(value)
    return mean(known), None


def _check_names(cells: Iterable[_Cell]) -> None:
    """Checks whom the alignments are asked of against each topic's and each mean's."""
    names: dict[Tsc3Request, dict[object, set[str]]] = {}
    for column, system, *_ in cells:
        found = {name for *_, names_ in column.names for name in names_}
        of_request = names.setdefault(column.request, {})
        of_request.setdefault(id(column), found)
        of_request.setdefault((column.length, system), set()).update(found)
    for request, groups in names.items():
        request.annotators.check_names(groups.values())


def _signature(columns: Sequence[_Column], facts: Mapping[str, str]) -> str:
    """Returns the signature of a value that rests on these columns of one request."""
    aligned = [one for column in columns for one in column.names]
    whose = {names for *_, names in aligned}
    own = {"no_source": str(sum(column.n_no_source for column in columns))}
    if len(whose) > 1 and columns[0].request.annotators.choice in (Choice.FIRST, Choice.ALL):
        own["whose"] = digest_of_names(aligned)
    names = {name for of_abstract in whose for name in of_abstract}
    return columns[0].request.signature_of(names, {**own, **facts})


def _scores_by_topic(cells: Iterable[_Cell]) -> Iterator[Score]:
    signatures: dict[int, str] = {}
    for cell in cells:
        column, values = cell.column, cell.by_name.values()
        if id(column) not in signatures:
            signatures[id(column)] = _signature([column], {})
        yield Score(
            topic=column.topic,
            length=column.length,
            system=cell.system,
            metric=column.request.metric,
            value=cell.value,
            signature=signatures[id(column)],
            provisional=column.provisional,
            reason=cell.reason,
            n_topics=0 if cell.value is None else 1,
            spread=(min(values), max(values)) if values else None,
        )


def _means(cells: Iterable[_Cell], topics: TopicsOfMeans, log: WarningLog) -> Iterator[Score]:
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
            mean_score = _mean(length, system, request, of_system, topics.facts(length))
            n_topics = len(topics_by_length[length])
            log.note_mean(system, length, request.metric, mean_score.n_topics, n_topics)
            yield mean_score


def _mean(
    length: str | None,
    system: str,
    request: Tsc3Request,
    cells: Sequence[_Cell],
    facts: Mapping[str, str],
) -> Score:
    defined = [cell.value for cell in cells if cell.value is not None]
    return Score(
        topic=None,
        length=length,
        system=system,
        metric=request.metric,
        value=mean(defined) if defined else None,
        signature=_signature([cell.column for cell in cells], facts),
        provisional=any(cell.column.provisional for cell in cells),
        reason=None if defined else cells[0].reason,
        n_topics=len(defined),
        spread=_spread([cell for cell in cells if cell.value is not None]),
    )


def _spread(cells: Sequence[_Cell]) -> tuple[Fraction, Fraction] | None:
    """Returns the lowest and the highest mean of those annotators who are in every topic."""
    shared = set[str].intersection(*({*cell.by_name} for cell in cells)) if cells else set[str]()
    means = [mean([cell.by_name[name] for cell in cells]) for name in shared]
    return (min(means), max(means)) if len(means) > 1 else None
