"""Precision, Coverage and Weighted coverage of every extract, by topic and as means.

A system's score in a topic is the mean over the topic's abstracts of one length class (TSC-3 has
one each), undefined when one of them is. With `annotator=all` it is the mean over all annotators
who aligned all of these abstracts, each with their own h. A system's mean is over the topics in
which the score is defined, and the table says how many.

Source: Hirao, Okumura, Fukushima and Nanba (2004), section 3; equations are in `scorers`.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial, reduce
from math import lcm
from typing import NamedTuple

from awase.core.errors import Problem, Reporter, gc_paused
from awase.core.metrics.extracts.gold import (
    Gold,
    KnownSize,
    Links,
    assisted_links,
    gold_of,
    known_size_of_cover,
    not_proved,
)
from awase.core.metrics.extracts.scorers import (
    EVERYTHING,
    LEFT_OUT,
    MINIMAL_COVER,
    TOO_LONG,
    TOO_SHORT,
    UNDEFINED,
    VALUES,
    PreparedGold,
    Ratio,
    Tsc3Options,
    Tsc3Request,
    WarningLog,
    parse_request,
    undefined_reason,
)
from awase.core.metrics.kit.outputs import (
    REPETITIVE,
    AnnotatorChoice,
    Annotators,
    abstracts_by_length,
    extracts_for,
)
from awase.core.metrics.kit.signature import (
    MeanFacts,
    MetricRequest,
    digest_of_names,
    facts_of_means,
    mean,
)
from awase.core.metrics.kit.supplies import StillWanted, Supplies
from awase.core.records.abstract import Abstract, Alignment
from awase.core.records.corpus import Corpus
from awase.core.records.score import CoverSize, PackedScores, Score, ScoreBlock, ScoreTable
from awase.core.records.topic import Extract, Topic

Aligned = tuple[str, str, tuple[str, ...]]  # topic, abstract, and its annotators


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractColumn:
    """Facts of one request in one topic and length class, common to all systems."""

    request: Tsc3Request
    topic: str
    length: str | None
    names: tuple[Aligned, ...]
    n_no_source: int
    links: Links
    provisional: bool


class ColumnValues(NamedTuple):
    """The values of one request in one topic and length class, by the place of the system."""

    column: ExtractColumn
    above: Sequence[int]
    below: Sequence[int]  # what is below them; the fractions are not reduced, and 0 = undefined
    reasons: Mapping[int, Problem]
    # What each annotator's alignments alone make of it, where there are several.
    by_name: Mapping[int, Mapping[str, Fraction]]


class PlaceValues(NamedTuple):
    """The values of all systems in one topic and length class."""

    systems: tuple[str, ...]
    columns: tuple[ColumnValues, ...]


class TopicValues(NamedTuple):
    """Values of one topic."""

    places: list[PlaceValues]
    sizes: list[CoverSize]
    log: WarningLog


def measured(
    wanted: Sequence[Tsc3Request],
    time_limit_s: float | None,
    topic: Topic,
    still_wanted: StillWanted,
) -> TopicValues:
    """Returns the values of one topic, with a limit for each minimal cover; may run in a worker.

    `still_wanted` is called now and then with the topic's id; raising ends the work.
    """
    still_wanted(topic.id)
    made = TopicValues([], [], WarningLog())
    seek = _Seek(topic.id, still_wanted, time_limit_s)
    made.log.note_unanswering(topic)
    for length, abstracts in abstracts_by_length(topic).items():
        place = _Place(topic, length, tuple(abstracts))
        prepared = _prepared_in_topic(place, wanted, made, seek)
        if prepared:
            made.places.append(_values_in_topic(place, prepared, made.log))
    return made


class _Place(NamedTuple):
    """The abstracts of one length class in a topic."""

    topic: Topic
    length: str | None
    abstracts: tuple[Abstract, ...]


class _Seek(NamedTuple):
    """Search for h in a topic."""

    topic: str
    still_wanted: Callable[[str], None]
    time_limit_s: float | None

    def size(self, gold: Gold) -> KnownSize:
        def tell(size: KnownSize) -> None:
            self.still_wanted(f"{self.topic}: {size}")

        return known_size_of_cover(gold, tell, self.time_limit_s)


Ratios = Sequence[Ratio]  # precision, Coverage and Weighted coverage, as `VALUES` has them


class _Measure:
    """Abstracts that extracts are measured against in one way, whatever the metric."""

    def __init__(self, golds: Sequence[Gold], h: Sequence[int], options: Tsc3Options) -> None:
        self._first = options.first
        self._targets = [
            (gold, size, PreparedGold(gold, options)) for gold, size in zip(golds, h, strict=True)
        ]

    def ratios(self, topic: Topic, extract: Extract, log: WarningLog) -> list[Ratios]:
        """Returns the values of an extract against each abstract."""
        found: list[Ratios] = []
        refs, first = extract.sentences, self._first
        distinct = {*refs}
        is_repetitive = len(distinct) < len(refs)
        for gold, h, yardstick in self._targets:
            if first == EVERYTHING:
                denominator, counted = len(distinct), refs
            else:
                denominator = h if first == MINIMAL_COVER else int(first)
                counted = refs[:denominator]
            if gold.sentences:
                if len(counted) < len(refs) and (
                    not is_repetitive or len({*counted}) < len(distinct)
                ):
                    log.note(TOO_LONG, extract.system, topic.id)
                if first != EVERYTHING and len(refs) < denominator:
                    log.note(TOO_SHORT, extract.system, topic.id)
                if is_repetitive:
                    log.note(REPETITIVE, extract.system, topic.id)
            found.append(yardstick.ratios(counted, denominator))
        return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Side:
    """The abstracts of a place as one alignment each makes them; equal to itself only."""

    names: tuple[str, ...]  # annotator of each abstract; empty = nobody
    golds: tuple[Gold, ...]  # what extracts are measured against, an abstract each
    links: Links
    # h of each, as far as known; 0 where not needed.
    h: tuple[KnownSize, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    """A column with prepared gold."""

    # Without a measure nothing has a value, for the reason in its place.

    column: ExtractColumn
    sides: Sequence[_Side]
    measures: Sequence[_Measure | Problem]


def _prepared_in_topic(
    place: _Place, requests: Sequence[Tsc3Request], made: TopicValues, seek: _Seek
) -> list[_Prepared]:
    """Returns a column a request; empty without extracts of this length class."""
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
        for side in sides:
            for abstract, name, gold in zip(place.abstracts, side.names, side.golds, strict=True):
                made.log.note_annotation(place.topic, abstract, annotators, name, gold)
        made.sizes.extend(_sizes(place, annotators, sides) if needs_h else ())
        prepared.extend(_prepared(place, asking, sides))
    return sorted(prepared, key=lambda one: requests.index(one.column.request))


def _sides_of(
    place: _Place, annotators: Annotators, log: WarningLog
) -> list[tuple[Alignment | None, ...]]:
    """Returns one alignment an abstract, or one set for every annotator who aligned all of them."""
    if annotators.choice is not AnnotatorChoice.ALL:
        return [tuple(annotators.one_of(abstract) for abstract in place.abstracts)]
    names = dict.fromkeys(
        alignment.annotator for abstract in place.abstracts for alignment in abstract.alignments
    )
    found: list[tuple[Alignment | None, ...]] = []
    for name in names:
        alignments = tuple(abstract.alignment_by(name) for abstract in place.abstracts)
        if None in alignments:
            log.note(LEFT_OUT, name, place.topic.id)
        else:
            found.append(alignments)
    return found or [(None,) * len(place.abstracts)]


def _side(
    place: _Place, alignments: Sequence[Alignment | None], seek: _Seek, *, needs_h: bool
) -> _Side:
    golds = tuple(map(gold_of, place.abstracts, alignments))
    nothing = KnownSize(lower=0, upper=0)
    return _Side(
        names=tuple(one.annotator if one else "" for one in alignments),
        golds=golds,
        links=reduce(Links.plus, map(assisted_links, place.abstracts, alignments)),
        h=tuple(seek.size(gold) if needs_h else nothing for gold in golds),
    )


def _sizes(place: _Place, annotators: Annotators, sides: Sequence[_Side]) -> Iterator[CoverSize]:
    for side in sides:
        sizes = [size.h for gold, size in zip(side.golds, side.h, strict=True) if gold.sentences]
        known = [Fraction(size) for size in sizes if size is not None]
        if known and len(known) == len(sizes):
            is_one_of_all = annotators.choice is AnnotatorChoice.ALL
            yield CoverSize(
                topic=place.topic.id,
                length=place.length,
                annotator=side.names[0] if is_one_of_all else annotators.spelled,
                h=mean(known),
            )


def _prepared(
    place: _Place, requests: Iterable[Tsc3Request], sides: Sequence[_Side]
) -> Iterator[_Prepared]:
    """Yields the columns of requests with the same annotators."""
    known: list[tuple[Tsc3Options, list[_Measure | Problem]]] = []  # hashing fractions is slower
    aligned = tuple(
        (place.topic.id, abstract.id, tuple(sorted(filter(None, of_abstract))))
        for abstract, *of_abstract in zip(
            place.abstracts, *(side.names for side in sides), strict=True
        )
    )
    golds = [gold for side in sides for gold in side.golds]
    for request in requests:
        options = request.options
        measures = next((made for of, made in known if of == options), None)
        if measures is None:
            measures = [_measure(place, side, options) for side in sides]
            known.append((options, measures))
        column = ExtractColumn(
            request=request,
            topic=place.topic.id,
            length=place.length,
            names=aligned,
            n_no_source=sum(len(gold.no_source) for gold in golds),
            links=reduce(Links.plus, (side.links for side in sides)),
            provisional=any(gold.provisional for gold in golds),
        )
        yield _Prepared(column=column, sides=sides, measures=measures)


def _measure(place: _Place, side: _Side, options: Tsc3Options) -> _Measure | Problem:
    """Returns the prepared gold, or the reason that its h is not proved."""
    if options.first == MINIMAL_COVER:
        for abstract, size in zip(place.abstracts, side.h, strict=True):
            if size.h is None:
                return not_proved(abstract.id, size)
    return _Measure(side.golds, [size.upper for size in side.h], options)


def _values_in_topic(place: _Place, prepared: Sequence[_Prepared], log: WarningLog) -> PlaceValues:
    measures = dict.fromkeys(
        measure for one in prepared for measure in one.measures if isinstance(measure, _Measure)
    )
    extracts = extracts_for(place.topic, place.length)
    measured: _Measured = {measure: [] for measure in measures}
    for extract in extracts.values():
        for measure, ratios in measured.items():
            ratios.append(measure.ratios(place.topic, extract, log))
    columns = [_column_values(one, len(extracts), measured) for one in prepared]
    return PlaceValues(tuple(extracts), tuple(columns))


_Measured = dict[_Measure, list[list[Ratios]]]  # the values of each system against each abstract


def _column_values(prepared: _Prepared, n_systems: int, measured: _Measured) -> ColumnValues:
    plain = _plain_values(prepared, measured)
    if plain is not None:
        return plain
    above: list[int] = []
    below: list[int] = []
    reasons: dict[int, Problem] = {}
    by_name: dict[int, Mapping[str, Fraction]] = {}
    names = [side.names[0] for side in prepared.sides]
    for system_idx in range(n_systems):
        by_side = _values_by_side(prepared, system_idx, measured)
        if isinstance(by_side, Problem):
            reasons[system_idx] = by_side
            value = UNDEFINED
        else:
            value = _mean_ratio(by_side)
            if len(names) > 1:
                values = [Fraction(*one) for one in by_side]
                by_name[system_idx] = dict(zip(names, values, strict=True))
        above.append(value[0])
        below.append(value[1])
    return ColumnValues(prepared.column, above, below, reasons, by_name)


def _plain_values(prepared: _Prepared, measured: _Measured) -> ColumnValues | None:
    """Returns the values against one alignment of one abstract, None for anything else."""
    # The usual case, without a query for each system.
    (measure, *others) = prepared.measures
    if others or isinstance(measure, Problem) or len(prepared.sides[0].golds) != 1:
        return None
    at = VALUES.index(prepared.column.request.metric)
    above, below = zip(*[of_system[0][at] for of_system in measured[measure]], strict=True)
    return ColumnValues(prepared.column, above, below, {}, {}) if all(below) else None


def _values_by_side(
    prepared: _Prepared, system_idx: int, measured: _Measured
) -> list[Ratio] | Problem:
    """Returns each annotator's mean over the abstracts, or why it is undefined."""
    request = prepared.column.request
    at = VALUES.index(request.metric)
    by_side: list[Ratio] = []
    for side, measure in zip(prepared.sides, prepared.measures, strict=True):
        if isinstance(measure, Problem):
            return measure
        known = [ratios[at] for ratios in measured[measure][system_idx]]
        for gold, (_, below) in zip(side.golds, known, strict=True):
            if not below:
                return undefined_reason(gold, request.metric, request.options)
        by_side.append(_mean_ratio(known))
    return by_side


def _mean_ratio(values: Sequence[Ratio]) -> Ratio:
    if len(values) == 1:
        return values[0]
    return mean([Fraction(*one) for one in values]).as_integer_ratio()


def _check_annotators(places: Iterable[PlaceValues]) -> None:
    """Raises unless the annotators of each topic or mean are those that are asked for."""
    by_topic: dict[Tsc3Request, set[frozenset[str]]] = defaultdict(set)
    of_means: dict[tuple[Tsc3Request, str | None, str], set[str]] = defaultdict(set)
    for place in places:
        for column, *_ in place.columns:
            if column.request.annotators.expected is None:
                continue
            found = frozenset(name for *_, names in column.names for name in names)
            by_topic[column.request].add(found)
            for system in place.systems:
                of_means[column.request, column.length, system].update(found)
    for request, of_topics in by_topic.items():
        means = [names for (one, *_), names in of_means.items() if one == request]
        request.annotators.check_names([*of_topics, *means])


class PlaceScores(ScoreBlock):
    """Lazy scores by topic."""

    def __init__(self, places: Sequence[PlaceValues]) -> None:
        self._n = sum(len(place.systems) * len(place.columns) for place in places)
        self._has_undefined = any(one.reasons for place in places for one in place.columns)
        self._places = places

    def __len__(self) -> int:
        return self._n

    def __iter__(self) -> Iterator[Score]:
        return self.only(None, None)

    def only(self, system: str | None, metric: str | None) -> Iterator[Score]:
        """Yields scores of a system and a metric; None = any."""
        known: dict[object, str] = {}  # of topics' values, a few are spelled for all topics
        for place in self._places:
            yield from _scores_of(place, system, metric, known)

    def undefined(self) -> Iterator[Score]:
        """Yields the undefined scores."""
        return super().undefined() if self._has_undefined else iter(())


def _signature_in(column: ExtractColumn, known: dict[object, str]) -> str:
    whose = frozenset(names for *_, names in column.names)
    key = id(column.request), whose, column.n_no_source, column.links  # one object for all topics
    if key in known:
        return known[key]
    found = _signature(column.request, column.names, column.n_no_source, column.links, {})
    if len(whose) < 2:  # else it has each abstract's annotator
        known[key] = found
    return found


def _scores_of(
    place: PlaceValues, only_system: str | None, only_metric: str | None, known: dict[object, str]
) -> Iterator[Score]:
    if only_system is not None and only_system not in place.systems:
        return
    signed = [
        (values, _signature_in(one, known))
        for values in place.columns
        for one in (values.column,)
        if only_metric in (None, one.request.metric)
    ]
    for at, system in enumerate(place.systems):
        if only_system not in (None, system):
            continue
        for (column, above, below, reasons, by_name), signature in signed:
            values = by_name[at].values() if at in by_name else ()
            is_defined = below[at] > 0
            yield Score(
                topic=column.topic,
                length=column.length,
                system=system,
                metric=column.request.metric,
                value=Fraction(above[at], below[at]) if is_defined else None,
                signature=signature,
                provisional=column.provisional,
                reason=reasons.get(at),
                n_topics=1 if is_defined else 0,
                spread=(min(values), max(values)) if values else None,
            )


_Places = Sequence[tuple[PlaceValues, int]]  # values, and the system's index in them


def _means(places: Sequence[PlaceValues], all_facts: MeanFacts, log: WarningLog) -> Iterator[Score]:
    """Yields each system's means, in the order length, system, metric."""
    found: dict[tuple[str | None, str], list[tuple[PlaceValues, int]]] = defaultdict(list)
    n_topics: Counter[str | None] = Counter()
    for place in places:
        length = place.columns[0].column.length
        n_topics[length] += 1
        for at, system in enumerate(place.systems):
            found[length, system].append((place, at))
    signed: dict[object, list[tuple[str, bool]]] = {}
    for (length, system), own in found.items():
        key = length, *(id(place) for place, _ in own)
        if key not in signed:  # as a rule all systems are in all topics
            facts = all_facts[length]
            columns = zip(*([one.column for one in place.columns] for place, _ in own), strict=True)
            signed[key] = [_signature_of_mean(of_request, facts) for of_request in columns]
        for column_idx, (signature, provisional) in enumerate(signed[key]):
            score = _mean(system, own, column_idx, signature, provisional)
            log.note_mean(system, length, score.metric, score.n_topics, n_topics[length])
            yield score


def _signature_of_mean(
    columns: Sequence[ExtractColumn], facts: Mapping[str, str]
) -> tuple[str, bool]:
    """Returns the signature of a mean over topics, and whether it is provisional."""
    names = [name for one in columns for name in one.names]
    n_no_source = sum(one.n_no_source for one in columns)
    links = reduce(Links.plus, (one.links for one in columns), Links())
    signature = _signature(columns[0].request, names, n_no_source, links, facts)
    return signature, any(one.provisional for one in columns)


def _mean(
    system: str, places: _Places, column_idx: int, signature: str, provisional: bool
) -> Score:
    values = [(place.columns[column_idx], at) for place, at in places]
    defined = [(one, at) for one, at in values if one.below[at]]
    totals: Counter[int] = Counter()  # by denominator: few operations on fractions
    for one, at in defined:
        totals[one.below[at]] += one.above[at]
    common = lcm(*totals)
    total = sum(above * (common // below) for below, above in totals.items())
    by_name = [one.by_name.get(at, {}) for one, at in defined]
    in_all = set(by_name[0]).intersection(*by_name) if by_name else ()
    of_names = [
        sum((of_topic[name] for of_topic in by_name), Fraction(0)) / len(defined) for name in in_all
    ]
    column = values[0][0].column
    return Score(
        topic=None,
        length=column.length,
        system=system,
        metric=column.request.metric,
        value=Fraction(total, common * len(defined)) if defined else None,
        signature=signature,
        provisional=provisional,
        reason=None if defined else values[0][0].reasons[values[0][1]],
        n_topics=len(defined),
        spread=(min(of_names), max(of_names)) if len(of_names) > 1 else None,
    )


def _signature(
    request: Tsc3Request,
    aligned: Sequence[Aligned],
    n_no_source: int,
    links: Links,
    facts: Mapping[str, str],
) -> str:
    """Returns the signature of a value from these alignments."""
    whose = {names for *_, names in aligned}
    own = {"no_source": str(n_no_source), **links.facts}
    if len(whose) > 1 and request.annotators.choice in (AnnotatorChoice.FIRST, AnnotatorChoice.ALL):
        own["whose"] = digest_of_names(aligned)
    names = {name for of_abstract in whose for name in of_abstract}
    return request.signature_of(names, {**own, **facts})


def score(
    corpus: Corpus,
    requests: Sequence[MetricRequest],
    reporter: Reporter,
    supplies: Supplies,
) -> ScoreTable:
    """Returns the scores of the topics, unpacked, then the means, warnings and sizes of covers."""
    parsed = [parse_request(request, corpus.rank_weights) for request in requests]
    wanted = [*{one.signature: one for one in parsed}.values()]  # without equivalent spellings
    for request in wanted:
        request.annotators.check(corpus)
    log, sizes, places = WarningLog(), list[CoverSize](), list[PlaceValues]()
    measure = partial(measured, wanted, supplies.time_limit_s)
    with gc_paused():
        for of_topic in supplies.workers.map(measure, corpus.topics, reporter):
            log.add(of_topic.log)
            sizes.extend(of_topic.sizes)
            places.extend(of_topic.places)
    log.note_systems(corpus.topics)
    _check_annotators(places)
    means = tuple(_means(places, facts_of_means(corpus.topics), log))
    return ScoreTable(
        scores=PackedScores([PlaceScores(places)], means),
        warnings=log.problems(),
        cover_sizes=tuple(sizes),
    )


def signature(corpus: Corpus, request: MetricRequest) -> str:
    """Returns the signature that values of the request will carry, without facts about the data."""
    wanted = parse_request(request, corpus.rank_weights)
    wanted.annotators.check(corpus)
    return wanted.signature
