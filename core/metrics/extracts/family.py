"""Precision, Coverage and Weighted coverage of every extract, by topic and as means.

A system's score in a topic is the mean over the topic's abstracts of one length class (TSC-3 has
one each), undefined when one of them is. With `annotator=all` it is the mean over all annotators
who aligned all of these abstracts, each with their own h. A system's mean is over the topics in
which the score is defined, and the table says how many.

Source: Hirao, Okumura, Fukushima and Nanba (2004), section 3; equations are in `scorers`.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial, reduce
from math import lcm

from awase.core.errors import Reporter, gc_paused
from awase.core.metrics.extracts.cells import Aligned, ExtractColumn, PlaceValues, measured
from awase.core.metrics.extracts.gold import Links
from awase.core.metrics.extracts.requests import Tsc3Request, WarningLog, parse_request
from awase.core.metrics.kit.outputs import AnnotatorChoice
from awase.core.metrics.kit.signature import (
    MeanFacts,
    MetricRequest,
    digest_of_names,
    facts_of_means,
)
from awase.core.metrics.kit.supplies import NO_SUPPLIES, Supplies
from awase.core.records.corpus import Corpus
from awase.core.records.score import CoverSize, PackedScores, Score, ScoreBlock, ScoreTable


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
    place: PlaceValues,
    only_system: str | None,
    only_metric: str | None,
    known: dict[object, str],
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
    supplies: Supplies = NO_SUPPLIES,
) -> ScoreTable:
    """Returns the scores of the topics, unpacked, then the means, warnings and sizes of covers."""
    wanted = _different(parse_request(request, corpus.rank_weights) for request in requests)
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


def _different(requests: Iterable[Tsc3Request]) -> list[Tsc3Request]:
    """Returns the requests without equivalent spellings."""
    return [*{request.signature: request for request in requests}.values()]
