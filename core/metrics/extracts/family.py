"""Precision, Coverage and Weighted Coverage of every extract of a corpus.

A system's score in a topic is the mean over the topic's abstracts of one length class (TSC-3 has
one each), undefined when one of them is. With `annotator=all` it is the mean of what each annotator
who aligned all of these abstracts makes of it, each with the h of their own. A system's mean is
over the topics in which the score is defined, and the table says how many.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
    run = begin(corpus, requests, supplies)
    scores = run.scores_of(corpus.topics, reporter)
    ended = run.ended()
    return replace(ended, scores=(*scores, *ended.scores))


def begin(
    corpus: Corpus, requests: Sequence[MetricRequest], supplies: Supplies = NO_SUPPLIES
) -> "ExtractsRun":
    """Returns what scores the topics of a corpus in portions.

    Raises:
        InputError: An option's value does not exist, or nobody of that name aligned anything.
    """
    wanted = _different(understood(request, corpus.rank_weights) for request in requests)
    for request in wanted:
        request.annotators.check(corpus)
    return ExtractsRun(corpus, wanted, supplies)


class ExtractsRun:
    """Scores topics in portions; see `TopicRun`."""

    def __init__(self, corpus: Corpus, wanted: Sequence[Tsc3Request], supplies: Supplies) -> None:
        """Scores nothing yet."""
        self._corpus = corpus
        self._workers = supplies.workers
        self._measure = partial(_measured, wanted, supplies.time_limit_s)
        self._log = WarningLog()
        self._sizes: list[CoverSize] = []
        self._means = _Means()
        self._names = _Names()

    def scores_of(self, topics: Sequence[Topic], reporter: Reporter) -> list[Score]:
        """Returns the scores by topic of further topics.

        Raises:
            Cancelled: The reporter asked to stop.
        """
        cells: list[_Cell] = []
        for of_topic in self._workers.map(self._measure, topics, reporter):
            self._log.add(of_topic.log)
            self._sizes.extend(of_topic.sizes)
            cells.extend(of_topic.cells)
        self._log.note_systems(topics)
        for cell in cells:
            self._names.add(cell)
            self._means.add(cell)
        return [*_scores_by_topic(cells)]

    def ended(self) -> ScoreTable:
        """Returns the means over all topics that were scored, with warnings and sizes of covers.

        Raises:
            InputError: The alignments are others' than those asked for.
        """
        self._names.check()
        means = tuple(self._means.scores(TopicsOfMeans(self._corpus), self._log))
        return ScoreTable(
            scores=means, warnings=self._log.problems(), cover_sizes=tuple(self._sizes)
        )


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


_Aligned = tuple[str, str, tuple[str, ...]]
"""Topic, abstract, and whose alignments of it count."""


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
    names: tuple["_Aligned", ...]
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
    aligned = _aligned(place, sides)
    for request in requests:
        options = request.options
        if options not in measures:
            measures[options] = [_measure(place, side, options) for side in sides]
        column = _column(request, place, sides, aligned)
        yield _Prepared(column=column, sides=sides, measures=measures[options])


def _aligned(place: _Place, sides: Sequence[_Side]) -> tuple[_Aligned, ...]:
    return tuple(
        (place.topic.id, abstract.id, tuple(sorted(filter(None, of_abstract))))
        for abstract, *of_abstract in zip(
            place.abstracts, *(side.names for side in sides), strict=True
        )
    )


def _column(
    request: Tsc3Request, place: _Place, sides: Sequence[_Side], aligned: tuple[_Aligned, ...]
) -> _Column:
    return _Column(
        request=request,
        topic=place.topic.id,
        length=place.length,
        names=aligned,
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


class _Names:
    """Whom the alignments are asked of, against each topic's and each mean's."""

    def __init__(self) -> None:
        self._by_topic: dict[Tsc3Request, set[frozenset[str]]] = {}
        self._of_means: dict[Tsc3Request, dict[tuple[str | None, str], set[str]]] = {}

    def add(self, cell: _Cell) -> None:
        """Takes note of a value."""
        column = cell.column
        if column.request.annotators.expected is None:
            return
        found = frozenset(name for *_, names in column.names for name in names)
        self._by_topic.setdefault(column.request, set()).add(found)
        of_means = self._of_means.setdefault(column.request, {})
        of_means.setdefault((column.length, cell.system), set()).update(found)

    def check(self) -> None:
        """Does nothing when they are those asked for.

        Raises:
            InputError: They are others'.
        """
        for request, by_topic in self._by_topic.items():
            request.annotators.check_names([*by_topic, *self._of_means[request].values()])


def _signature(
    request: Tsc3Request,
    aligned: Sequence["_Aligned"],
    n_no_source: int,
    facts: Mapping[str, str],
) -> str:
    """Returns the signature of a value that rests on these alignments."""
    whose = {names for *_, names in aligned}
    own = {"no_source": str(n_no_source)}
    if len(whose) > 1 and request.annotators.choice in (Choice.FIRST, Choice.ALL):
        own["whose"] = digest_of_names(aligned)
    names = {name for of_abstract in whose for name in of_abstract}
    return request.signature_of(names, {**own, **facts})


def _scores_by_topic(cells: Iterable[_Cell]) -> Iterator[Score]:
    signatures: dict[int, str] = {}
    for cell in cells:
        column, values = cell.column, cell.by_name.values()
        if id(column) not in signatures:
            signatures[id(column)] = _signature(
                column.request, column.names, column.n_no_source, {}
            )
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


class _Means:
    """The means of all systems, of which no topic's values are held."""

    def __init__(self) -> None:
        self._groups: dict[tuple[str | None, str], dict[Tsc3Request, _MeanSoFar]] = {}
        self._n_topics: dict[str | None, int] = {}
        self._last_topic: dict[str | None, str] = {}

    def add(self, cell: _Cell) -> None:
        """Takes note of a value; those of a topic come together."""
        column = cell.column
        by_request = self._groups.setdefault((column.length, cell.system), {})
        if column.request not in by_request:
            by_request[column.request] = _MeanSoFar(column.request)
        by_request[column.request].add(cell)
        if self._last_topic.get(column.length) != column.topic:
            self._last_topic[column.length] = column.topic
            self._n_topics[column.length] = self._n_topics.get(column.length, 0) + 1

    def scores(self, topics: TopicsOfMeans, log: WarningLog) -> Iterator[Score]:
        """Yields each system's mean, in the order length, system, metric."""
        for (length, system), by_request in self._groups.items():
            for request, of_system in by_request.items():
                mean_score = of_system.score(length, system, topics.facts(length))
                n_topics = self._n_topics[length]
                log.note_mean(system, length, request.metric, mean_score.n_topics, n_topics)
                yield mean_score


class _MeanSoFar:
    """The mean of one system's values of one request."""

    def __init__(self, request: Tsc3Request) -> None:
        self._request = request
        self._total_by_denominator: dict[int, int] = {}
        self._n_defined = 0
        self._n_no_source = 0
        self._is_provisional = False
        self._aligned: list[_Aligned] = []
        self._first_reason: Problem | None = None
        self._has_values = False
        self._by_name: dict[str, Fraction] | None = None

    def add(self, cell: _Cell) -> None:
        column = cell.column
        if not self._has_values:
            self._has_values, self._first_reason = True, cell.reason
        self._n_no_source += column.n_no_source
        self._is_provisional |= column.provisional
        self._aligned += column.names
        if cell.value is None:
            return
        self._n_defined += 1
        totals, value = self._total_by_denominator, cell.value
        totals[value.denominator] = totals.get(value.denominator, 0) + value.numerator
        known = self._by_name
        self._by_name = (
            {**cell.by_name}
            if known is None
            else {name: known[name] + cell.by_name[name] for name in known if name in cell.by_name}
        )

    def score(self, length: str | None, system: str, facts: Mapping[str, str]) -> Score:
        is_defined = self._n_defined > 0
        return Score(
            topic=None,
            length=length,
            system=system,
            metric=self._request.metric,
            value=self._total() / self._n_defined if is_defined else None,
            signature=_signature(self._request, self._aligned, self._n_no_source, facts),
            provisional=self._is_provisional,
            reason=None if is_defined else self._first_reason,
            n_topics=self._n_defined,
            spread=self._spread(),
        )

    def _total(self) -> Fraction:
        """Returns the sum, added up in few steps: fractions are slow."""
        parts = self._total_by_denominator.items()
        return sum((Fraction(total, below) for below, total in parts), Fraction(0))

    def _spread(self) -> tuple[Fraction, Fraction] | None:
        """Returns the lowest and the highest mean of those annotators who are in every topic."""
        means = [total / self._n_defined for total in (self._by_name or {}).values()]
        return (min(means), max(means)) if len(means) > 1 else None
