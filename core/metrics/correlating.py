"""Correlation study of a corpus and scores: selection of systems and scores.

Exclusions and merges are reported as warnings.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from enum import StrEnum
from fnmatch import fnmatchcase
from operator import attrgetter
from typing import Final

from awase.core.errors import NOTHING, InputError, Listing, Missing, Problem, Reporter
from awase.core.metrics.kit.outputs import OPTION as ANNOTATOR
from awase.core.metrics.kit.outputs import identical_systems, joined_values, without_names
from awase.core.metrics.kit.signature import (
    FACTS,
    MetricRequest,
    digest_of_names,
    named,
    signature_text,
    with_facts,
)
from awase.core.records.corpus import Corpus
from awase.core.records.score import Score, ScoreTable
from awase.core.records.source import join_splits
from awase.core.records.topic import Extract, HumanScore, Topic
from awase.core.statistics.coefficients import (
    Joining,
    NamedScores,
    aligned,
    join_judgements,
    outliers,
    system_means,
)
from awase.core.statistics.study import (
    CorrelationComparison,
    MetricResult,
    PairTest,
    Study,
    StudyRequest,
    study,
)

# Least share of a system's sentences in the source to count as extractive.
LEAST_SHARE: Final = 0.9


class SystemKind(StrEnum):
    """How a system produces its outputs."""

    EXTRACTIVE = "extractive"
    ABSTRACTIVE = "abstractive"


def system_kinds(corpus: Corpus) -> dict[str, SystemKind]:
    """Returns the kind of every system with an output that can be compared with its source.

    A system is extractive when at least `LEAST_SHARE` of its sentences are in a document of their
    topic, whole or as part of a sentence, ignoring case, blanks and punctuation. Topics without
    documents, and sentences without a letter or digit, are skipped.
    """
    n_copied: dict[str, int] = {}
    n_sentences: dict[str, int] = {}
    for topic in corpus.topics:
        source = [_bare("".join(s.text for s in one.sentences)) for one in topic.documents]
        for system, is_copied in _sentences(topic, [text for text in source if text]):
            n_copied[system] = n_copied.get(system, 0) + is_copied
            n_sentences[system] = n_sentences.get(system, 0) + 1
    return {
        system: SystemKind.EXTRACTIVE
        if n_copied[system] >= LEAST_SHARE * n
        else SystemKind.ABSTRACTIVE
        for system, n in n_sentences.items()
    }


def _sentences(topic: Topic, source: list[str]) -> Iterator[tuple[str, bool]]:
    """Yields the system of each comparable sentence, and whether it is in the source."""
    for output in topic.outputs:
        if isinstance(output, Extract):
            yield from ((output.system, True) for _ in output.sentences)
        elif source:
            for text in map(_bare, output.sentences):
                if text:
                    yield output.system, any(text in document for document in source)


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


_REFERENCE_NAME = re.compile(
    r"(ref|refs|reference|references|human|gold|model)([-_. ]?([a-z]|[0-9]{1,2}|[a-z][.][0-9]))?",
    re.IGNORECASE,
)
_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanSide:
    """Which human scores are meant."""

    measure: str | None = None  # what was judged; None = the corpus's only one
    # Names of judges, with * as wildcard; empty = all.
    annotators: tuple[str, ...] = ()
    joining: Joining = field(default_factory=Joining)
    length: str | None = None  # length class of the metrics' scores; None = the corpus's only one
    # `r`, `p` or `f`: only these of metrics that have components; None = all.
    component: str | None = None
    kind: SystemKind | None = None  # only systems of this kind; None = all
    aliases: Mapping[str, str] = field(default_factory=dict)
    references: tuple[str, ...] = ()  # names that are references, not systems
    kept: tuple[str, ...] = ()


def correlations(
    corpus: Corpus,
    table: ScoreTable,
    side: HumanSide,
    request: StudyRequest,
    reporter: Reporter,
) -> Study:
    """Returns the study of every metric in `table` against the corpus's human scores."""
    human, warnings = human_scores(corpus, side)
    metrics = metric_scores(table, side)
    names = [name for one in (human, *metrics) for name in one.systems]
    _check_known((*request.excluded, *side.kept), names)
    references = reference_names(names, side)
    warnings += [*table.warnings, *_odd_names(references, side)]
    systems = [name for name in names if name not in references]
    others, of_no_kind = _others(corpus, side, systems)
    warnings += of_no_kind
    left_out = tuple(dict.fromkeys((*request.excluded, *references, *others)))
    warnings += _name_warnings(human, metrics, {*left_out})
    warnings += _identical_outputs(corpus, side, {*left_out})
    try:
        found = study(human, metrics, replace(request, excluded=left_out), reporter)
    except InputError as error:
        error.warnings = tuple(warnings)
        raise
    found = _with_reasons(found, table.failed())
    signing = _Signing(human, {one.name: one for one in metrics}, side, request, left_out)
    return replace(
        found,
        request=replace(request, excluded=left_out),
        results=tuple(map(signing.result, found.results)),
        comparisons=signing.comparisons(found.comparisons),
        warnings=(*warnings, *found.warnings),
    )


def _with_reasons(found: Study, failed: Sequence[Score]) -> Study:
    reasons = {_request_text(score.signature): score.reason for score in failed}
    why = {one.metric: reasons.get(one.signature) for one in found.results}
    results = (
        replace(one, estimates=tuple(replace(each, reason=reason) for each in one.estimates))
        if (reason := why[one.metric])
        else one
        for one in found.results
    )
    comparisons = (
        replace(one, reason=why[one.first] or why[one.second] or one.reason)
        for one in found.comparisons
    )
    return replace(found, results=tuple(results), comparisons=tuple(comparisons))


@dataclass(frozen=True, slots=True)
class _Signing:
    """Adds facts besides the metrics to every value's signature."""

    human: NamedScores
    metrics: Mapping[str, NamedScores]
    side: HumanSide
    request: StudyRequest
    left_out: tuple[str, ...]

    def result(self, one: MetricResult) -> MetricResult:
        facts = self._facts((one.metric,))
        resampling = self._resampling() if self.request.has_bootstrap else {"resample": "none"}
        return replace(
            one,
            estimates=tuple(
                replace(
                    estimate,
                    signature=self._text("correlation", estimate.coefficient, facts, resampling),
                )
                for estimate in one.estimates
            ),
        )

    def comparisons(
        self, compared: Sequence[CorrelationComparison]
    ) -> tuple[CorrelationComparison, ...]:
        test = self.request.test
        drawn = self._resampling() if test is PairTest.PERMUTATION else {"resample": "none"}
        n_by_coefficient = Counter(one.coefficient for one in compared)
        return tuple(
            replace(
                one,
                signature=self._text(
                    "correlation-test", one.coefficient, self._facts((one.first, one.second)),
                    {"test": str(test), **drawn, "holm": str(n_by_coefficient[one.coefficient])},
                ),
            )
            for one in compared
        )  # fmt: skip

    def _text(
        self, name: str, coefficient: str, facts: Mapping[str, str], more: Mapping[str, str]
    ) -> str:
        level = {"level": self.request.level.value, "coefficient": str(coefficient)}
        return signature_text(name, {**level, **facts, **more})

    def _facts(self, metrics: Sequence[str]) -> dict[str, str]:
        """Returns facts about human scores, systems and topics."""
        scores = (self.human, *(self.metrics[name] for name in metrics))
        both = aligned(scores, self.left_out)
        used = (
            (system, topic, value) for (system, topic), value in self.human.values.items()
            if system in both.systems and topic in (None, *both.topics)
        )  # fmt: skip
        return {
            "human": f"{self.human.name}@{digest_of_names(used)}",
            "annotators": "+".join(self.side.annotators) or "all",
            "join": str(self.side.joining),
            "systems": named(both.systems),
            "topics": named(filter(None, both.topics)),
        }

    def _resampling(self) -> dict[str, str]:
        request = self.request
        return {
            "resample": request.unit.value, "n": str(request.n_resamples),
            "seed": str(request.seed), "confidence": f"{request.confidence:g}",
        }  # fmt: skip


def _others(
    corpus: Corpus, side: HumanSide, names: Iterable[str]
) -> tuple[list[str], list[Problem]]:
    """Returns the systems of other or unknown kinds, and a warning about the latter."""
    if side.kind is None:
        return [], []
    kinds = {side.aliases.get(name, name): kind for name, kind in system_kinds(corpus).items()}
    others = [name for name in dict.fromkeys(names) if kinds.get(name) is not side.kind]
    unknown = [name for name in others if name not in kinds]
    problem = Problem(
        what="{names}: left out, as the corpus has no output of theirs with its source, so it is "
        "unknown whether they are extractive."
        if side.kind is SystemKind.EXTRACTIVE
        else "{names}: left out, as the corpus has no output of theirs with its source, so it is "
        "unknown whether they are abstractive.",
        fields={"names": _shown(unknown)},
    )
    return others, [problem] if unknown else []


def measures_of(corpus: Corpus) -> tuple[str, ...]:
    """Returns the measures with human scores, in the order of appearance."""
    return tuple(dict.fromkeys(score.measure for score in corpus.human_scores))


def human_scores(corpus: Corpus, side: HumanSide) -> tuple[NamedScores, list[Problem]]:
    """Returns the selected human scores, one a system and topic, with warnings."""
    measure = _measure(corpus, side.measure)
    scores = _by_annotators(
        [score for score in corpus.human_scores if score.measure == measure], side.annotators
    )
    warnings: list[Problem] = []
    is_of_topic = [score.topic is not None for score in scores]
    if any(is_of_topic) and not all(is_of_topic):
        n_wholes = is_of_topic.count(False)
        scores = [score for score in scores if score.topic is not None]
        what = (
            "{n} {n:score of a whole system is|scores of whole systems are} left out beside those "
            "by topic."
        )
        warnings.append(Problem(what=what, fields={"n": n_wholes}))
    values, more_warnings = join_judgements(_renamed(scores, side.aliases), side.joining)
    n_annotators = len({score.annotator for score in scores})
    signature = f"{measure}:annotators={n_annotators},join={side.joining}"
    human = NamedScores(name=measure, values=values, signature=signature)
    return human, [*warnings, *more_warnings]


def _by_annotators(scores: Sequence[HumanScore], wanted: Sequence[str]) -> list[HumanScore]:
    if not wanted:
        return [*scores]
    known = {score.annotator or "" for score in scores}
    for pattern in wanted:
        if not any(fnmatchcase(one, pattern) for one in known):
            raise InputError.of(
                "Nobody called “{name}” gave scores of this measure.",
                "There are {known}.",
                name=pattern,
                known=Listing(sorted(one for one in known if one)) or NOTHING,
            )
    return [
        score for score in scores
        if any(fnmatchcase(score.annotator or "", pattern) for pattern in wanted)
    ]  # fmt: skip


def _measure(corpus: Corpus, measure: str | None) -> str:
    known = measures_of(corpus)
    if not known:
        raise InputError.of(
            "The corpus has no human scores.",
            "Import a table with the columns topic, system, measure and value.",
            missing=Missing.HUMAN_SCORES,
        )
    if measure is None and len(known) == 1:
        return known[0]
    if measure not in known:
        close = get_close_matches(measure or "", known, n=1)
        raise InputError.of(
            "The corpus has no human measure “{measure}”."
            if measure
            else "The corpus has several human measures.",
            "Did you mean “{close}”?" if close else "Choose one of {known}.",
            measure=measure or "",
            close=close[0] if close else "",
            known=Listing(known),
        )
    return measure


def _renamed(scores: Sequence[HumanScore], aliases: Mapping[str, str]) -> list[HumanScore]:
    if not aliases:
        return list(scores)
    renamed = [replace(one, system=aliases.get(one.system, one.system)) for one in scores]
    seen: dict[tuple[str | None, str, str, str | None], str] = {}
    for old, new in zip(scores, renamed, strict=True):
        first = seen.setdefault(new.key, old.system)
        if first != old.system:
            raise _collision(first, old.system, new.system)
    return renamed


def _collision(first: str, second: str, system: str) -> InputError:
    return InputError.of(
        "“{first}” and “{second}” would both be system “{system}”, and both have scores.",
        "Fix the aliases: one name for one system.",
        first=first, second=second, system=system,
    )  # fmt: skip


def metric_scores(table: ScoreTable, side: HumanSide) -> list[NamedScores]:
    """Returns every metric's defined scores by system and topic, means only without topics."""
    scores = _of_length(table.scores, side.length)
    grouped: dict[tuple[str, str], list[Score]] = {}
    for score in scores:
        grouped.setdefault((score.metric, _request_text(score.signature)), []).append(score)
    if side.component is not None:
        grouped = {
            key: group for key, group in grouped.items()
            if _component(key[0]) in (None, side.component)
        }  # fmt: skip
    if not grouped:
        raise InputError.of(
            "There are no scores of a metric to correlate.",
            "Name metrics that have scores, and a component (r, p, f) that they have.",
        )
    titles = _titles([*grouped])
    return [
        NamedScores(
            name=title, values=_values(group, side.aliases), signature=_signature(signature, group)
        )
        for (title, (_, signature), group) in zip(titles, grouped, grouped.values(), strict=True)
    ]


def _of_length(scores: Sequence[Score], length: str | None) -> list[Score]:
    lengths = [*dict.fromkeys(score.length for score in scores)]
    if length is None and len(lengths) > 1:
        raise InputError.of(
            "There are scores for several lengths ({known}), and human scores have none.",
            "Choose a length.",
            known=Listing(name or NOTHING for name in lengths),
        )
    if length is not None and length not in lengths:
        raise InputError.of(
            "There are no scores for the length “{length}”.",
            "Choose one of {known}.",
            length=length,
            known=Listing(name or NOTHING for name in lengths) or NOTHING,
        )
    return [score for score in scores if length is None or score.length == length]


def _component(metric: str) -> str | None:
    ending = re.search(r"[._](r|p|f|recall|precision|f1)$", metric)
    return ending[1][0] if ending else None


def _request_text(signature: str) -> str:
    """Returns the signature without facts about the data."""
    try:
        request = MetricRequest.parse(signature)
    except InputError:
        return signature
    options = [
        f"{name}={without_names(value) if name == ANNOTATOR else value}"
        for name, value in request.options
        if name not in FACTS
    ]
    return f"{request.name}:{','.join(options)}" if options else request.name


def _signature(request: str, scores: Sequence[Score]) -> str:
    """Returns the request with resolved annotators and splits."""
    options = [
        option
        for signature in dict.fromkeys(score.signature for score in scores)
        for option in _options_in(signature)
    ]
    whose = dict.fromkeys(value for name, value in options if name == ANNOTATOR)
    if whose:
        joined = joined_values(whose)
        request = request.replace(f"{ANNOTATOR}={without_names(joined)}", f"{ANNOTATOR}={joined}")
    splits = {value for name, value in options if name == "split"}
    return with_facts(request, {"split": join_splits(splits)}) if splits else request


def _options_in(signature: str) -> tuple[tuple[str, str], ...]:
    try:
        return MetricRequest.parse(signature).options
    except InputError:
        return ()


def _titles(keys: Sequence[tuple[str, str]]) -> list[str]:
    """Returns the metrics' names, with distinguishing options."""
    titles = []
    for metric, signature in keys:
        options = signature.partition(":")[2].split(",")
        others = [own.partition(":")[2].split(",") for name, own in keys if name == metric]
        differing = [one for one in options if any(one not in other for other in others)]
        titles.append(f"{metric}:{','.join(differing)}" if differing else metric)
    return titles


def _values(
    scores: Sequence[Score], aliases: Mapping[str, str]
) -> dict[tuple[str, str | None], float]:
    has_topics = any(score.topic is not None for score in scores)
    values: dict[tuple[str, str | None], float] = {}
    origin: dict[tuple[str, str | None], str] = {}
    for score in scores:
        if score.value is None or (score.topic is None and has_topics):
            continue
        system = aliases.get(score.system, score.system)
        key = system, score.topic
        if origin.setdefault(key, score.system) != score.system:
            raise _collision(origin[key], score.system, system)
        values[key] = float(score.value)
    return values


def reference_names(names: Iterable[str], side: HumanSide) -> tuple[str, ...]:
    """Returns the names that are references, declared or recognised."""
    return tuple(
        name
        for name in dict.fromkeys(names)
        if name in side.references or (_REFERENCE_NAME.fullmatch(name) and name not in side.kept)
    )


def _odd_names(references: Sequence[str], side: HumanSide) -> list[Problem]:
    looking = [name for name in references if name not in side.references]
    warnings = []
    if looking:
        warnings.append(
            Problem(
                what="{names}: left out as references, by their names; references are never "
                "systems.",
                hint="If they are systems, declare them as such.",
                fields={"names": Listing(looking)},
            )
        )
    absent = [name for name in side.references if name not in references]
    if absent:
        what = "No score belongs to {names}, given as a reference."
        warnings.append(Problem(what=what, fields={"names": Listing(absent)}))
    return warnings


def _check_known(asked: Sequence[str], names: Sequence[str]) -> None:
    unknown = [name for name in asked if name not in names]
    if unknown:
        close = get_close_matches(unknown[0], names, n=1)
        raise InputError.of(
            "There is no system “{name}”.",
            "Did you mean “{close}”?" if close else "There are: {known}.",
            name=unknown[0],
            close=close[0] if close else "",
            known=Listing(dict.fromkeys(names)),
        )


def _name_warnings(
    human: NamedScores, metrics: Sequence[NamedScores], left_out: Set[str]
) -> list[Problem]:
    """Returns warnings about names on one side only, or equal but for case and punctuation."""
    scored = {name for one in metrics for name in one.systems} - left_out
    people = set(human.systems) - left_out
    hint = "Map names that differ with a file of aliases."
    warnings = []
    if people - scored:
        what = (
            "{n} {n:system has human scores only and is|systems have human scores only and are} "
            "left out: {names}."
        )
        warnings.append(_of_one_side(what, hint, people - scored))
    if scored - people:
        what = (
            "{n} {n:system has no human scores and is|systems have no human scores and are} left "
            "out: {names}."
        )
        warnings.append(_of_one_side(what, hint, scored - people))
    alike: dict[str, set[str]] = {}
    for name in scored | people:
        alike.setdefault(re.sub(r"[\W_]+", "", name).casefold(), set()).add(name)
    warnings += [
        Problem(
            what="{names} look like one system under several names.",
            hint="If so, map them to one name with a file of aliases.",
            fields={"names": Listing(sorted(names))},
        )
        for names in alike.values()
        if len(names) > 1
    ]
    return warnings


def _of_one_side(what: str, hint: str, names: set[str]) -> Problem:
    fields: dict[str, str | int] = {"n": len(names), "names": _shown(sorted(names))}
    return Problem(what=what, hint=hint, fields=fields)


def _identical_outputs(corpus: Corpus, side: HumanSide, left_out: Set[str]) -> list[Problem]:
    """Returns a warning about systems with identical outputs in every topic."""
    groups = identical_systems(corpus.topics, attrgetter("length", "__class__", "sentences"))
    in_study = ([one for one in group if side.aliases.get(one, one) not in left_out]
                for group in groups)  # fmt: skip
    return [
        Problem(
            what="{names} gave the same outputs in every topic: one system under several names?",
            hint="Exclude all but one, or they count several times.",
            fields={"names": Listing(names)},
        )
        for names in in_study
        if len(names) > 1
    ]


def suggested_outliers(
    corpus: Corpus, side: HumanSide, left_out: Iterable[str]
) -> dict[str, float]:
    """Returns systems with outlying human scores: |x - median| / (1.4826 MAD) over 2.5."""
    human, _ = human_scores(corpus, side)
    both = aligned((human,), left_out)
    if not both.systems:
        return {}
    means = system_means(both.matrices[0])
    return outliers(dict(zip(both.systems, map(float, means), strict=True)))


def _shown(names: Sequence[str]) -> str:
    return Listing(names, most=_SHOWN)
