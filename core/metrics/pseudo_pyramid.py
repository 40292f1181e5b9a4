"""Pseudo-pyramid of every output of a corpus.

An output's units come from its sentences by the same splitter as the source's. Scores are exact
fractions and not clipped: a shortened unit that matches counts whole, so that more of them fit.

Source: Hirao, Kamigaito and Nagata, equations 2 to 8; departures are in `pseudo_pyramid_matching`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple, TypeVar

from awase.core.errors import NOTHING, FieldValue, InputError, Listing, Missing, Problem, Reporter
from awase.core.metrics.entries import (
    ANY_ORACLES,
    FOUND_HERE,
    MERGE,
    PSEUDO_PYRAMID,
    SIM,
    TAU,
    TIES,
)
from awase.core.metrics.kit.extractive import Oracle, OracleEffort, texts_of
from awase.core.metrics.kit.metric import Chosen
from awase.core.metrics.kit.outputs import answers_in, sentences_of, split_of
from awase.core.metrics.kit.signature import (
    ExactMean,
    MeanFacts,
    MetricRequest,
    facts_of_means,
    signature_text,
    with_facts,
)
from awase.core.metrics.kit.supplies import UNDECIDED, StillWanted, Supplies, TopicTasks, parser_of
from awase.core.metrics.oracles import (
    OracleFinder,
    OracleOptions,
    Reference,
    TopicSource,
    check_supplied,
    oracle_options,
)
from awase.core.metrics.pseudo_pyramid_matching import (
    ComparedUnits,
    Likeness,
    Matching,
    Pyramid,
    compared,
    matching_of,
    pyramid_of,
)
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score, ScoreTable
from awase.core.records.source import join_splits
from awase.core.records.topic import References, Topic

MAX_OPTIMA = 100  # equally good oracles of a reference that count under ties=all


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PyramidRequest:
    """The metric with parsed options; compared by identity."""

    oracle: OracleOptions
    counts_ties: bool
    is_exact: bool  # whether only the same tokens match
    threshold: Fraction
    merges: bool  # whether oracle units with equal tokens are one
    spelled: Mapping[str, str]

    @property
    def effort(self) -> OracleEffort:
        """Returns the effort limit of each oracle."""
        return OracleEffort(max_optima=MAX_OPTIMA if self.counts_ties else 1)


def parse_request(request: MetricRequest) -> PyramidRequest:
    """Returns the request with its options read and checked."""
    chosen = Chosen.of_family(request, PSEUDO_PYRAMID)
    return PyramidRequest(
        oracle=oracle_options(chosen),
        counts_ties=chosen[TIES] == "all",
        is_exact=chosen[SIM] == "exact",
        threshold=chosen[TAU],
        merges=chosen[MERGE],
        spelled=chosen.spelled,
    )


METRIC = "pseudo-pyramid"

_NO_PYRAMID = Problem(
    what="no unit of the source within the limit shares anything with a reference, so that there "
    "is nothing to find (Upper = 0).",
    hint="Check the limit, the references and the tokens.",
)


_UNPROVED = Problem(
    what="Oracles of {topics:topic|topics} {topics} are not proved in the time allowed.",
    hint="Allow more time.",
    fields={"missing": Missing.TIME},
)
_UNSETTLED = Problem(
    what="Which of several equally good oracles of {topics:topic|topics} {topics} comes first is "
    "not proved in the time allowed.",
    hint="Allow more time.",
    fields={"missing": Missing.TIME},
)
_MORE = Problem(
    what="{topics:Topic|Topics} {topics} {topics:has|have} more equally good oracles than can be "
    "counted.",
    hint="Choose ties=first, or a larger unit.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One value of one system."""

    topic: str
    length: str | None
    system: str
    value: Fraction | None
    split: str
    unproved: Problem | None = None  # why an unproved oracle leaves it undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained(Value):
    """A value with all that it rests on."""

    pyramid: Pyramid  # the oracle units and their weights
    units: tuple[str, ...]  # texts of the system's units
    matching: Matching


class _Answer(NamedTuple):
    """An output's units, and the `split` of everything behind its value."""

    length: str | None
    system: str
    split: str
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Group:
    """The outputs of a topic that have the same references."""

    topic: str
    pyramid: Pyramid
    compared: ComparedUnits  # their units with those of the pyramid, in the order of `answers`
    answers: Sequence[_Answer]  # each with its units
    unproved: Problem | None  # why an unproved oracle leaves them undefined

    def values(self) -> Iterator[Value]:
        upper = self.pyramid.upper if self.unproved is None else 0
        for idx, answer in enumerate(self.answers):
            paid = self.pyramid.weight_of(self.compared.paid(idx))
            yield Value(
                topic=self.topic,
                length=answer.length,
                system=answer.system,
                value=paid / upper if upper else None,
                split=answer.split,
                unproved=self.unproved,
            )

    def explained(self) -> Iterator[Explained]:
        """Yields the value of each with all that it rests on."""
        for idx, (value, answer) in enumerate(zip(self.values(), self.answers, strict=True)):
            yield Explained(
                topic=value.topic,
                length=value.length,
                system=value.system,
                value=value.value,
                split=value.split,
                unproved=value.unproved,
                pyramid=self.pyramid,
                units=answer.units,
                matching=matching_of(self.pyramid, self.compared, idx),
            )


AnyValue = TypeVar("AnyValue", bound=Value)

_Telling = Callable[[_Group], Iterable[AnyValue]]


# Topics by the warning that they are listed in.
_Log = defaultdict[str, dict[str, None]]


def _warnings(log: _Log) -> Iterator[Problem]:
    for problem in (_UNPROVED, _UNSETTLED, _MORE):
        if problem.what in log:
            shown = Listing(log[problem.what], most=5, is_counted=True)
            yield replace(problem, fields={**problem.fields, "topics": shown})


def score(
    corpus: Corpus,
    requests: Sequence[MetricRequest],
    reporter: Reporter,
    supplies: Supplies,
) -> ScoreTable:
    """Returns the scores of every output, by topic and as means, with warnings."""
    table = ScoreTable()
    for request in {str(one.spelled): one for one in map(parse_request, requests)}.values():
        log: _Log = defaultdict(dict)
        values = _values(corpus, request, reporter, supplies, log, _Group.values)
        facts = facts_of_means(corpus.topics)
        scores = _scores(values, _signature(corpus, request, supplies), facts)
        table += ScoreTable(scores=tuple(scores), warnings=tuple(_warnings(log)))
    return table


def check_explainable(requests: Sequence[MetricRequest]) -> MetricRequest:
    """Returns the one request for this metric, its options read."""
    if [one.name for one in requests] != [METRIC]:
        raise InputError.of("Only {metric} can be explained.", "Use {metric}.", metric=METRIC)
    parse_request(requests[0])
    return requests[0]


def explain(
    corpus: Corpus,
    request: MetricRequest,
    reporter: Reporter,
    supplies: Supplies,
) -> Iterator[Explained]:
    """Yields explanations of all values by topic; raises as `score`."""
    yield from _values(
        corpus, parse_request(request), reporter, supplies, defaultdict(dict), _Group.explained
    )


def signature(corpus: Corpus, request: MetricRequest, supplies: Supplies = UNDECIDED) -> str:
    """Returns the signature of the values that rest on these supplies, as far as it is known."""
    return _signature(corpus, parse_request(request), supplies)


def _signature(corpus: Corpus, request: PyramidRequest, supplies: Supplies) -> str:
    asked, oracle = request.spelled, request.oracle
    label = supplies.parse_label if oracle.uses_parses else ""  # it takes long of many parses
    known = {
        **oracle.settled_in(corpus, supplies, asked["unit"]),
        "parser": parser_of(asked["parser"], label, are_needed=oracle.uses_parses),
        "oracles": _oracles(request, supplies),
    }
    return signature_text(METRIC, {**asked, **known})


def _oracles(request: PyramidRequest, supplies: Supplies) -> str:
    """Returns the signature's label of the oracles."""
    asked = request.spelled["oracles"]
    if supplies is UNDECIDED or asked == FOUND_HERE:
        return asked
    label = supplies.oracles_label or FOUND_HERE
    if asked not in (ANY_ORACLES, label):
        raise InputError.of(
            "{metric} requires the oracles {asked}; those given are {label}.",
            "Give that file of oracles, or leave oracles out.",
            metric=METRIC,
            asked=asked,
            label=label,
        )
    return label


def _values(
    corpus: Corpus,
    request: PyramidRequest,
    reporter: Reporter,
    supplies: Supplies,
    log: _Log,
    telling: _Telling[AnyValue],
) -> Iterator[AnyValue]:
    if request.spelled["oracles"] == FOUND_HERE:
        supplies = replace(supplies, oracles={})
    effort = replace(request.effort, time_limit_s=supplies.time_limit_s)
    check_supplied(request.oracle, supplies)  # before work begins in other processes
    tasks = TopicTasks(corpus.topics, supplies)
    score_one = partial(_values_in, request, effort, telling)
    for values, of_topic in supplies.workers.map(score_one, tasks, reporter):
        for what, topics in of_topic.items():
            log[what] |= topics
        yield from values


def _values_in(
    request: PyramidRequest,
    effort: OracleEffort,
    telling: _Telling[AnyValue],
    task: tuple[Topic, Supplies],
    still_wanted: StillWanted,
) -> tuple[list[AnyValue], _Log]:
    topic, supplies = task
    log: _Log = defaultdict(dict)
    still_wanted(topic.id)
    scorer = _TopicScorer(
        topic,
        request,
        TopicSource(topic, OracleFinder(request.oracle, supplies, effort)),
        log,
        partial(still_wanted, topic.id),
    )
    return [value for group in scorer.groups() for value in telling(group)], log


@dataclass(slots=True)
class _TopicScorer:
    """One topic: its pyramids, and all systems' units matched together."""

    topic: Topic
    request: PyramidRequest
    source: TopicSource
    log: _Log
    still_wanted: Callable[[], None]
    unproved: Problem | None = None

    def groups(self) -> Iterator[_Group]:
        text_by_ref = self.source.text_by_ref
        groups: dict[object, list[_Answer]] = {}
        of_documents = {one.id: one.split for one in self.topic.documents}
        references: dict[object, tuple[Reference, ...]] = {}
        for output, length, texts, of_references in answers_in(self.topic):
            is_own = output.references is not None
            key: object = texts if is_own else length
            if key not in references:
                references[key] = self._references(length, texts, is_own=is_own)
            sentences = sentences_of(output, text_by_ref)
            units = tuple(texts_of(sentences, self.source.splitter, self.source.language))
            own = split_of(output, of_references, of_documents)
            split = join_splits((own, *of_documents.values()))
            groups.setdefault(key, []).append(_Answer(length, output.system, split, units))
        for group, answers in groups.items():
            self.unproved = None
            yield self._group(self._pyramid(references[group]), answers)

    def _references(
        self, length: str | None, texts: References, *, is_own: bool
    ) -> tuple[Reference, ...]:
        if is_own:
            return tuple(Reference(sentences=text) for text in texts)
        return tuple(
            Reference.of(abstract) for abstract in self.topic.abstracts if abstract.length == length
        )

    def _pyramid(self, references: Sequence[Reference]) -> Pyramid:
        """Returns the pyramid; L is the largest of the references' limits."""
        source = self.source
        oracles = []
        limits = []
        for reference in references:
            oracle = source.oracle_for(reference, lambda _value, _upper: self.still_wanted())
            doubt = _doubt(reference, oracle, self.request)
            if doubt is not None:
                warning, reason = doubt
                self.log[warning.what][self.topic.id] = None
                self.unproved = self.unproved or reason
            oracles.append(oracle.optima if self.request.counts_ties else (oracle.units,))
            limit = source.limit_for(reference)
            if limit is not None:
                limits.append(limit)
        unit = limits[0].unit if limits else "words"
        chosen = {one for of in oracles for optimum in of for one in optimum}
        in_oracles = sorted(map(source.place_of, chosen))
        lengths = source.lengths(unit)
        units = [source.units[place] for place in in_oracles]
        return pyramid_of(
            oracles,
            {one: source.tokens_of(one.text) for one in units},
            {one: lengths[place] for one, place in zip(units, in_oracles, strict=True)},
            max((limit.size for limit in limits if limit.unit == unit), default=0),
            merges=self.request.merges,
        )

    def _group(self, pyramid: Pyramid, answers: Sequence[_Answer]) -> _Group:
        rows: dict[str, int] = {}
        systems = [[rows.setdefault(text, len(rows)) for text in one.units] for one in answers]
        request, n_rows = self.request, len(rows)
        numbered = self.source.numbered([*rows, *(one.unit.text for one in pyramid.units)])
        found = compared(
            numbered.part(0, n_rows),
            numbered.part(n_rows, n_rows + len(pyramid.units)),
            systems,
            Likeness(threshold=request.threshold, is_exact=request.is_exact),
            pyramid.by_weight,
        )
        return _Group(
            topic=self.topic.id,
            pyramid=pyramid,
            compared=found,
            answers=answers,
            unproved=self.unproved,
        )


def _doubt(
    reference: Reference, oracle: Oracle, request: PyramidRequest
) -> tuple[Problem, Problem] | None:
    """Returns a warning of topics, and why no value may rest on a machine-dependent oracle."""
    fields: dict[str, FieldValue] = {
        "reference": reference.name or NOTHING,
        "missing": Missing.TIME,
    }
    if not oracle.is_proved:
        return _UNPROVED, Problem(
            what="the oracle of reference “{reference}” is not proved in the time allowed: the "
            "best known shares {value}, and at most {upper} can be shared.",
            hint="Allow more time.",
            fields=fields | {"value": oracle.value, "upper": oracle.upper},
        )
    if request.counts_ties and not oracle.are_all:
        return _MORE, Problem(
            what="reference “{reference}” has more than {most} equally good oracles, or they were "
            "not all found in the time allowed.",
            hint="Choose ties=first, a larger unit, or allow more time.",
            fields=fields | {"most": MAX_OPTIMA},
        )
    if not request.counts_ties and not oracle.is_settled:
        return _UNSETTLED, Problem(
            what="which of several equally good oracles of reference “{reference}” comes first is "
            "not proved in the time allowed.",
            hint="Allow more time.",
            fields=fields,
        )
    return None


def _scores(values: Iterable[Value], signature: str, all_facts: MeanFacts) -> Iterator[Score]:
    """Yields the scores of the values, then each system's mean."""
    first: dict[tuple[str | None, str], Value] = {}
    splits: defaultdict[tuple[str | None, str], set[str]] = defaultdict(set)
    means: dict[tuple[str | None, str], ExactMean] = {}
    for one in values:
        row = one.length, one.system
        first.setdefault(row, one)
        mean = means.setdefault(row, ExactMean())
        if one.value is not None:
            mean.add(one.value)
        splits[row].add(one.split)
        signed = with_facts(signature, {"split": one.split})
        yield _score(one, one.topic, one.value, int(one.value is not None), signed)
    lengths = list(dict.fromkeys(length for length, _ in first))
    for row, one in sorted(first.items(), key=lambda row: lengths.index(row[0][0])):
        split = {"split": join_splits(splits[row])}
        signed = with_facts(signature, {**split, **all_facts[one.length]})
        yield _score(one, None, means[row].value(), means[row].n, signed)


def _score(
    of: Value, topic: str | None, value: Fraction | None, n_topics: int, signature: str
) -> Score:
    return Score(
        topic=topic,
        length=of.length,
        system=of.system,
        metric=METRIC,
        value=value,
        signature=signature,
        reason=(of.unproved or _NO_PYRAMID) if value is None else None,
        n_topics=n_topics,
    )
