"""Pseudo-pyramid of every output of a corpus, extracts and texts alike.

An output's units come from its sentences by the same splitter as the source's. Scores are exact
fractions and not clipped: a shortened unit that matches counts whole, so that more of them fit.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial

from awase.core.errors import InputError, Missing, Problem
from awase.core.metrics.kit.means import TopicsOfMeans
from awase.core.metrics.kit.outputs import answers_in, sentences_of
from awase.core.metrics.kit.rational import mean
from awase.core.metrics.kit.signature import MetricRequest, with_facts
from awase.core.metrics.kit.supplies.supplies import NO_SUPPLIES, UNDECIDED, Supplies
from awase.core.metrics.kit.workers import StillWanted
from awase.core.metrics.oracles.finding import (
    OracleFinder,
    Reference,
    TopicSource,
    check_supplied,
)
from awase.core.metrics.pseudo_pyramid.entry import ANY_ORACLES, FOUND_HERE
from awase.core.metrics.pseudo_pyramid.matching import (
    Matching,
    Pyramid,
    Tokens,
    are_alike,
    common_lengths,
    matched,
    pyramid_of,
)
from awase.core.metrics.pseudo_pyramid.requests import PyramidRequest, understood
from awase.core.oracles.extractive import Effort, Oracle
from awase.core.oracles.units import texts_of
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.output import References
from awase.core.records.score import Score, ScoreTable
from awase.core.records.topic import Topic
from awase.core.text.tokens.languages import cut_of, settled

METRIC = "pseudo-pyramid"

_NO_PYRAMID = Problem(
    what="no unit of the source within the limit shares anything with a reference, so that there "
    "is nothing to find (Upper = 0).",
    hint="Check the limit, the references and the tokens.",
)


_UNPROVED = Problem(
    what="Oracles of topics {topics} are not proved in the time allowed.",
    hint="Allow more time, or find the oracles before and score with them.",
)
_UNSETTLED = Problem(
    what="Of several equally good oracles of topics {topics} one was taken that may not be the "
    "first.",
    hint="To settle that, find them beforehand with more time.",
    fields={"missing": Missing.SETTLED_ORACLES},
)
_MORE = Problem(
    what="Topics {topics} have more equally good oracles than were counted.",
    hint="Choose ties=first, or a larger unit.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """One value of one system, with all that it rests on.

    Attributes:
        topic: Id of the topic.
        length: Length class.
        system: Name of the system.
        pyramid: The oracle units and their weights.
        units: Texts of the system's units.
        matching: Which of them were matched with what.
        value: None = undefined.
        unproved: Why there is no value when an oracle is not proved.
    """

    topic: str
    length: str | None
    system: str
    pyramid: Pyramid
    units: tuple[str, ...]
    matching: Matching
    value: Fraction | None
    unproved: Problem | None = None


@dataclass(slots=True)
class _Log:
    unproved: dict[str, None] = field(default_factory=dict)
    unsettled: dict[str, None] = field(default_factory=dict)
    uncounted: dict[str, None] = field(default_factory=dict)

    def note(self, topic: Topic, oracle: Oracle, request: PyramidRequest) -> None:
        if not oracle.is_proved:
            self.unproved[topic.id] = None
        elif request.counts_ties and not oracle.are_all:
            self.uncounted[topic.id] = None
        elif not request.counts_ties and not oracle.is_settled:
            self.unsettled[topic.id] = None

    def add(self, other: "_Log") -> None:
        self.unproved |= other.unproved
        self.unsettled |= other.unsettled
        self.uncounted |= other.uncounted

    def problems(self) -> Iterator[Problem]:
        told = ((self.unproved, _UNPROVED), (self.unsettled, _UNSETTLED), (self.uncounted, _MORE))
        for topics, problem in told:
            if topics:
                yield replace(problem, fields={**problem.fields, "topics": _some(list(topics))})


def _some(names: Sequence[str], n_shown: int = 5) -> str:
    more = f", … ({len(names)})" if len(names) > n_shown else ""
    return ", ".join(names[:n_shown]) + more


def score(
    corpus: Corpus,
    requests: Sequence[MetricRequest],
    reporter: Reporter,
    supplies: Supplies = NO_SUPPLIES,
) -> ScoreTable:
    """Returns the scores of every output, by topic and as means, with warnings.

    Raises:
        InputError: An option's value does not exist, or parses or EDUs are missing.
        Cancelled: The reporter asked to stop.
    """
    scores: list[Score] = []
    warnings: list[Problem] = []
    for request in {str(one.spelled): one for one in map(understood, requests)}.values():
        log = _Log()
        explained = [*_explained(corpus, request, reporter, supplies, log)]
        signature_ = _signature(corpus, request, supplies)
        scores.extend(_scores(explained, signature_, TopicsOfMeans(corpus)))
        warnings.extend(log.problems())
    return ScoreTable(
        scores=tuple(sorted(scores, key=lambda one: one.topic is None)), warnings=tuple(warnings)
    )


def check_explainable(requests: Sequence[MetricRequest]) -> MetricRequest:
    """Returns the one request for this metric, its options read.

    Raises:
        InputError: It is another metric, or has wrong options.
    """
    if [one.name for one in requests] != [METRIC]:
        raise InputError.of("Only {metric} can be explained.", "Use {metric}.", metric=METRIC)
    understood(requests[0])
    return requests[0]


def explain(
    corpus: Corpus,
    request: MetricRequest,
    reporter: Reporter,
    supplies: Supplies = NO_SUPPLIES,
) -> list[Explained]:
    """Returns what every value rests on, topic by topic; raises as `score` does."""
    return [*_explained(corpus, understood(request), reporter, supplies, _Log())]


def signature(corpus: Corpus, request: MetricRequest) -> str:
    """Returns the signature that values of the request will carry, as far as it is known.

    Raises:
        InputError: An option's value does not exist.
    """
    return _signature(corpus, understood(request), UNDECIDED)


def signature_with(corpus: Corpus, request: MetricRequest, supplies: Supplies) -> str:
    """Returns the signature of the values that rest on these supplies.

    Raises:
        InputError: An option's value does not exist, or other parses are asked for.
    """
    return _signature(corpus, understood(request), supplies)


def _signature(corpus: Corpus, request: PyramidRequest, supplies: Supplies) -> str:
    unit = request.spelled["unit"]
    if request.oracle.unit == "edu-file" and supplies.edus is not None:
        unit = supplies.edus.id
    tokens = settled(corpus, request.oracle.tokens)
    return request.signature(tokens, unit, supplies.parse_label, _oracles(request, supplies))


def _oracles(request: PyramidRequest, supplies: Supplies) -> str:
    """Returns how the signature names the oracles.

    Raises:
        InputError: Others are asked for.
    """
    asked = request.spelled["oracles"]
    if supplies is UNDECIDED or asked == FOUND_HERE:
        return asked
    label = supplies.oracles_label or FOUND_HERE
    if asked not in (ANY_ORACLES, label):
        raise InputError.of(
            "{metric} asks for the oracles {asked}; those given are {label}.",
            "Give that file of oracles, or leave oracles out.",
            metric=METRIC,
            asked=asked,
            label=label,
        )
    return label


def _explained(
    corpus: Corpus, request: PyramidRequest, reporter: Reporter, supplies: Supplies, log: _Log
) -> Iterator[Explained]:
    if request.spelled["oracles"] == FOUND_HERE:
        supplies = replace(supplies, oracles={})
    effort = replace(request.effort, time_limit_s=supplies.time_limit_s)
    check_supplied(request.oracle, supplies)  # before work begins in other processes
    tasks = [*zip(corpus.topics, supplies.shares(corpus.topics), strict=True)]
    explain_one = partial(_explained_in, request, effort)
    for explained, of_topic in supplies.workers.map(explain_one, tasks, reporter):
        log.add(of_topic)
        yield from explained


def _explained_in(
    request: PyramidRequest,
    effort: Effort,
    task: tuple[Topic, Supplies],
    still_wanted: StillWanted,
) -> tuple[list[Explained], _Log]:
    topic, supplies = task
    log = _Log()
    still_wanted(topic.id)
    scorer = _TopicScorer(
        topic,
        request,
        OracleFinder(request.oracle, supplies, effort),
        log,
        partial(still_wanted, topic.id),
    )
    return [*scorer.all()], log


class _TopicScorer:
    """One topic: its pyramids, and all systems' units compared with them at once."""

    def __init__(
        self,
        topic: Topic,
        request: PyramidRequest,
        finder: OracleFinder,
        log: _Log,
        still_wanted: Callable[[], None],
    ) -> None:
        self._topic = topic
        self._request = request
        self._source = TopicSource(topic, finder)
        self._log = log
        self._still_wanted = still_wanted
        self._split, _ = cut_of(self._source.tokeniser)
        self._tokens: dict[str, Tokens] = {}
        self._unproved: Problem | None = None

    def all(self) -> Iterator[Explained]:
        text_by_ref = {ref: sentence.text for ref, sentence in self._topic.sentences()}
        groups: dict[object, list[tuple[str | None, str, tuple[str, ...]]]] = {}
        references: dict[object, tuple[Reference, ...]] = {}
        for output, length, texts in answers_in(self._topic):
            is_own = output.references is not None
            key: object = texts if is_own else length
            if key not in references:
                references[key] = self._references(length, texts, is_own=is_own)
            sentences = sentences_of(output, text_by_ref)
            units = tuple(texts_of(sentences, self._source.splitter, self._source.language))
            groups.setdefault(key, []).append((length, output.system, units))
        for group, answers in groups.items():
            self._unproved = None
            yield from self._of_group(self._pyramid(references[group]), answers)

    def _references(
        self, length: str | None, texts: References, *, is_own: bool
    ) -> tuple[Reference, ...]:
        if is_own:
            return tuple(Reference(sentences=text) for text in texts)
        return tuple(
            Reference.of(abstract)
            for abstract in self._topic.abstracts
            if abstract.length == length
        )

    def _pyramid(self, references: Sequence[Reference]) -> Pyramid:
        """Returns the pyramid; L is the largest of the references' limits."""
        source = self._source
        oracles = []
        limits = []
        for reference in references:
            oracle = source.oracle_for(reference, lambda _value, _upper: self._still_wanted())
            self._log.note(self._topic, oracle, self._request)
            if not oracle.is_proved:
                self._unproved = _not_proved(reference, oracle)
            oracles.append(oracle.optima if self._request.counts_ties else (oracle.units,))
            limit = source.limit_for(reference)
            if limit is not None:
                limits.append(limit)
        unit = limits[0].unit if limits else "words"
        in_oracles = {one for of in oracles for optimum in of for one in optimum}
        units = [one for one in source.units if one in in_oracles]
        return pyramid_of(
            oracles,
            {one: self._tokens_of(one.text) for one in units},
            {one: source.length([one.text], unit) for one in units},
            max((limit.size for limit in limits if limit.unit == unit), default=0),
            merges=self._request.merges,
        )

    def _of_group(
        self, pyramid: Pyramid, outputs: Sequence[tuple[str | None, str, tuple[str, ...]]]
    ) -> Iterator[Explained]:
        rows = {text: row for row, text in enumerate(
            dict.fromkeys(text for _, _, units in outputs for text in units)
        )}  # fmt: skip
        oracle_tokens = [one.tokens for one in pyramid.units]
        common = common_lengths([self._tokens_of(text) for text in rows], oracle_tokens)
        common = common.reshape(len(rows), len(oracle_tokens))
        lengths = [len(tokens) for tokens in oracle_tokens]
        alike = are_alike(common, lengths, self._request.threshold)
        if self._request.is_exact:
            for text, row in rows.items():
                tokens = self._tokens_of(text)
                alike[row] = [tokens == one for one in oracle_tokens]
        upper = pyramid.upper if self._unproved is None else 0
        for length, system, units in outputs:
            own = [rows[text] for text in units]
            matching = matched(pyramid, common[own], alike[own])
            yield Explained(
                topic=self._topic.id,
                length=length,
                system=system,
                pyramid=pyramid,
                units=units,
                matching=matching,
                value=matching.paid / upper if upper else None,
                unproved=self._unproved,
            )

    def _tokens_of(self, text: str) -> Tokens:
        tokens = self._tokens.get(text)
        if tokens is None:
            tokens = self._tokens[text] = tuple(self._split(text))
        return tokens


def _not_proved(reference: Reference, oracle: Oracle) -> Problem:
    return Problem(
        what="the oracle of reference “{reference}” is not proved in the time allowed: the best "
        "known shares {value}, and at most {upper} can be shared.",
        hint="Allow more time.",
        fields={
            "reference": reference.name or "–",
            "value": oracle.value,
            "upper": oracle.upper,
        },
    )


def _scores(
    explained: Sequence[Explained], signature: str, topics: TopicsOfMeans
) -> Iterator[Score]:
    def made(of: Sequence[Explained], topic: str | None) -> Score:
        defined = [one.value for one in of if one.value is not None]
        length = of[0].length
        return Score(
            topic=topic,
            length=length,
            system=of[0].system,
            metric=METRIC,
            value=mean(defined) if defined else None,
            signature=with_facts(signature, topics.facts(length)) if topic is None else signature,
            reason=None if defined else of[0].unproved or _NO_PYRAMID,
            n_topics=len(defined),
        )

    rows: dict[tuple[str | None, str], list[Explained]] = {}
    for one in explained:
        rows.setdefault((one.length, one.system), []).append(one)
        yield made([one], one.topic)
    lengths = list(dict.fromkeys(length for length, _ in rows))
    for _, of in sorted(rows.items(), key=lambda row: lengths.index(row[0][0])):
        yield made(of, None)
