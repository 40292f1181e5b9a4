"""Precision, Coverage and Weighted coverage of every extract, by topic and as means.

A system's score in a topic is the mean over the topic's abstracts of one length class (TSC-3 has
one each), undefined when one of them is. With `annotator=all` it is the mean over all annotators
who aligned all of these abstracts, each with their own h. A system's mean is over the topics in
which the score is defined, and the table says how many.

Source: Hirao, Okumura, Fukushima and Nanba (2004), section 3; equations are in `scorers`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial, reduce
from math import lcm

from awase.core.cycle_search import gc_paused
from awase.core.errors import Problem
from awase.core.metrics.extracts.cells import Aligned, ExtractColumn, PlaceValues, measured
from awase.core.metrics.extracts.gold import Links
from awase.core.metrics.extracts.requests import Tsc3Request, WarningLog, parse_request
from awase.core.metrics.kit.annotators import AnnotatorChoice
from awase.core.metrics.kit.signature import MetricRequest, TopicsOfMeans, digest_of_names
from awase.core.metrics.kit.supplies import NO_SUPPLIES, Supplies
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.score import CoverSize, PackedScores, Score, ScoreBlock, ScoreTable


class ExpectedAnnotators:
    """Compares requested annotators with those of each topic and mean."""

    def __init__(self) -> None:
        self._by_topic: dict[Tsc3Request, set[frozenset[str]]] = {}
        self._of_means: dict[Tsc3Request, dict[tuple[str | None, str], set[str]]] = {}

    def add(self, place: PlaceValues) -> None:
        """Adds values."""
        for column, *_ in place.columns:
            if column.request.annotators.expected is None:
                continue
            found = frozenset(name for *_, names in column.names for name in names)
            self._by_topic.setdefault(column.request, set()).add(found)
            of_means = self._of_means.setdefault(column.request, {})
            for system in place.systems:
                of_means.setdefault((column.length, system), set()).update(found)

    def check(self) -> None:
        """Raises unless they are the requested ones."""
        for request, by_topic in self._by_topic.items():
            request.annotators.check_names([*by_topic, *self._of_means[request].values()])


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
        signed = _Signatures()
        for place in self._places:
            yield from _scores_of(place, system, metric, signed)

    def undefined(self) -> Iterator[Score]:
        """Yields the undefined scores."""
        return super().undefined() if self._has_undefined else iter(())


class _Signatures:
    """Signatures of topics' values, of which a few are spelled for all topics."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, frozenset[tuple[str, ...]], int, Links], str] = {}

    def of(self, column: ExtractColumn) -> str:
        whose = frozenset(names for *_, names in column.names)
        request = column.request  # one object for all topics
        key = id(request), whose, column.n_no_source, column.links
        if key in self._known:
            return self._known[key]
        found = _signature(request, column.names, column.n_no_source, column.links, {})
        if len(whose) < 2:  # else it has each abstract's annotator
            self._known[key] = found
        return found


def _scores_of(
    place: PlaceValues, only_system: str | None, only_metric: str | None, signed_by: _Signatures
) -> Iterator[Score]:
    if only_system is not None and only_system not in place.systems:
        return
    signed = [
        (values, signed_by.of(one))
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


class SystemMeans:
    """The means of all systems, streaming."""

    def __init__(self) -> None:
        self._by_length: dict[str | None, _MeansOfLength] = {}
        self._groups: dict[tuple[str | None, str], _MeansOfLength] = {}

    def add(self, place: PlaceValues) -> None:
        """Adds the values of a topic and length class."""
        length = place.columns[0].column.length
        of_length = self._by_length.setdefault(length, _MeansOfLength())
        for system in place.systems:
            self._groups[length, system] = of_length
        of_length.add(place)

    def scores(self, topics: TopicsOfMeans, log: WarningLog) -> Iterator[Score]:
        """Yields each system's mean, in the order length, system, metric."""
        for (length, system), of_length in self._groups.items():
            for score in of_length.scores(length, system, topics.facts(length)):
                log.note_mean(system, length, score.metric, score.n_topics, of_length.n_topics)
                yield score


class _MeansOfLength:
    """The means of all systems in one length class."""

    def __init__(self) -> None:
        self.n_topics = 0
        self._columns: list[_ColumnsOfMean] = []
        self._by_system: dict[str, tuple[list[int], list[_Mean]]] = {}
        self._told: dict[tuple[int, ...], list[tuple[str, bool]]] = {}

    def add(self, place: PlaceValues) -> None:
        columns = place.columns
        if not self._columns:
            self._columns = [_ColumnsOfMean(one.column.request) for one in columns]
        for known, one in zip(self._columns, columns, strict=True):
            known.add(one.column)
        for at, system in enumerate(place.systems):
            if system not in self._by_system:
                self._by_system[system] = [], [_Mean() for _ in columns]
            places, means = self._by_system[system]
            places.append(self.n_topics)
            for mean, one in zip(means, columns, strict=True):
                if one.below[at]:
                    mean.add(one.above[at], one.below[at], one.by_name.get(at, {}))
                elif mean.first_reason is None:
                    mean.first_reason = one.reasons[at]
        self.n_topics += 1

    def scores(self, length: str | None, system: str, facts: Mapping[str, str]) -> Iterator[Score]:
        """Yields a system's mean of each request."""
        places, means = self._by_system[system]
        key = tuple(places)
        if key not in self._told:  # as a rule all systems are in all topics
            self._told[key] = [one.signature_of_mean(places, facts) for one in self._columns]
        told = self._told[key]
        for mean, column, (signature, provisional) in zip(means, self._columns, told, strict=True):
            yield Score(
                topic=None,
                length=length,
                system=system,
                metric=column.request.metric,
                value=mean.value(),
                signature=signature,
                provisional=provisional,
                reason=None if mean.n_defined else mean.first_reason,
                n_topics=mean.n_defined,
                spread=mean.spread(),
            )


class _ColumnsOfMean:
    """Facts of one request over the topics of a length class."""

    def __init__(self, request: Tsc3Request) -> None:
        self.request = request
        self._names: list[tuple[Aligned, ...]] = []
        self._n_no_source: list[int] = []
        self._links: list[Links] = []
        self._provisional: list[bool] = []

    def add(self, column: ExtractColumn) -> None:
        self._names.append(column.names)
        self._n_no_source.append(column.n_no_source)
        self._links.append(column.links)
        self._provisional.append(column.provisional)

    def signature_of_mean(
        self, places: Sequence[int], facts: Mapping[str, str]
    ) -> tuple[str, bool]:
        """Returns the signature of a mean over these topics, and whether it is provisional."""
        names = [name for place in places for name in self._names[place]]
        n_no_source = sum(self._n_no_source[place] for place in places)
        links = reduce(Links.plus, (self._links[place] for place in places), Links())
        signature = _signature(self.request, names, n_no_source, links, facts)
        return signature, any(self._provisional[place] for place in places)


class _Mean:
    """The mean of one system's values of one request."""

    def __init__(self) -> None:
        self.n_defined = 0
        self.first_reason: Problem | None = None
        self._total_by_denominator: dict[int, int] = {}
        self._by_name: dict[str, Fraction] = {}

    def add(self, above: int, below: int, by_name: Mapping[str, Fraction]) -> None:
        totals = self._total_by_denominator
        totals[below] = totals.get(below, 0) + above
        if not self.n_defined:
            self._by_name = {**by_name}
        elif self._by_name:
            known = self._by_name
            self._by_name = {name: known[name] + by_name[name] for name in known if name in by_name}
        self.n_defined += 1

    def value(self) -> Fraction | None:
        """The mean, with few operations on fractions."""
        if not self.n_defined:
            return None
        common = lcm(*self._total_by_denominator)
        total = sum(
            above * (common // below) for below, above in self._total_by_denominator.items()
        )
        return Fraction(total, common * self.n_defined)

    def spread(self) -> tuple[Fraction, Fraction] | None:
        """Returns the lowest and the highest mean over annotators with all topics."""
        means = [total / self.n_defined for total in self._by_name.values()]
        return (min(means), max(means)) if len(means) > 1 else None


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
    of_systems, names = SystemMeans(), ExpectedAnnotators()
    for place in places:
        names.add(place)
        of_systems.add(place)
    names.check()
    means = tuple(of_systems.scores(TopicsOfMeans(corpus.topics), log))
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
