"""Pruned ROUGE and pruned BE of every output of a corpus, and their word clusters.

Source: Honda, Hirao and Nagata, "pruned ROUGE and pruned BE": recall over unit types, with
near-synonyms merged.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final

from awase.core.errors import InputError, Listing, Problem, Reporter
from awase.core.language.stored_parses import WordVectors
from awase.core.metrics.entries import DISTANCE, LOOKUP, PRUNE, PRUNED, RATIO, VOCABULARY
from awase.core.metrics.kit.metric import NO_LIMIT, PARSER, TOKENS, VECTORS, Chosen, ParsedRequest
from awase.core.metrics.kit.outputs import EMPTY, ScoringLog, TextLog
from awase.core.metrics.kit.runner import (
    Case,
    Values,
    cases_of,
    check_text,
    checked_parses,
    each_text,
    score_texts,
    single_values_of,
)
from awase.core.metrics.kit.signature import MetricRequest, named
from awase.core.metrics.kit.supplies import FetchedVectors, Supplies, parser_of
from awase.core.metrics.pruned_reading import (
    ClusterRules,
    ElementRules,
    Read,
    Text,
    Unit,
    Vocabulary,
    WordRules,
    element_reading,
    every_spelling,
    ngram_reading,
    recall,
    replaced,
    vocabulary,
    word_rules,
)
from awase.core.metrics.rouge.be import element_options
from awase.core.records.corpus import Corpus
from awase.core.records.score import ScoreTable
from awase.core.records.topic import Topic

_FEW = 0.5

_NOTHING_MERGED = Problem(
    what="{metric} merged no word of {systems}: so few have a vector that their share rounds to "
    "all of them (topics {topics})."
)


class VectorLog(ScoringLog):
    """Collects coverage of word vectors, and vocabularies without merges."""

    def __init__(self) -> None:
        super().__init__((_NOTHING_MERGED,))
        self._words: defaultdict[tuple[str, str], tuple[int, int]]
        self._words = defaultdict(lambda: (0, 0))

    def note_words(self, metric: str, vectors: str, n_words: int, n_with_vector: int) -> None:
        """Records a vocabulary's share of words with vectors."""
        before, before_with = self._words[metric, vectors]
        self._words[metric, vectors] = before + n_words, before_with + n_with_vector

    def problems(self) -> tuple[Problem, ...]:
        """Returns the warnings."""
        few = [
            Problem(
                what="Only {percent} % of the words of {metric} have a vector in “{vectors}”; the "
                "others count as they are.",
                hint="Check that the vectors are of the corpus's language, and of words as "
                "tokens= cuts them.",
                fields={"percent": f"{100 * n / n_words:.0f}", "metric": metric, "vectors": label},
            )
            for (metric, label), (n_words, n) in self._words.items()
            if n < _FEW * n_words
        ]
        return (*few, *super().problems())


PRUNED_BE = "pbe"
_COUNTS, _CLUSTERS = "cnt", "cls"
_NGRAM = re.compile(r"prouge-([1-9])")
_WORDS_OF_ELEMENT = 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrunedRequest(ParsedRequest):
    """A metric of this family with parsed options; compared by identity."""

    counts_types: bool  # whether each unit counts once a text (step 1 of the paper)
    clusters: ClusterRules | None  # merging of words (step 2); None = no merging
    reading: WordRules | ElementRules  # how text becomes units

    @property
    def rests_on_all_systems(self) -> bool:
        """Returns whether the words of all systems are merged together."""
        return self.clusters is not None and self.clusters.of_topic

    def among(self, systems: Iterable[str]) -> "PrunedRequest":
        """Returns the request with the names of pooled systems, where they matter."""
        if not self.rests_on_all_systems:
            return self
        return replace(self, spelled={**self.spelled, "systems": named(systems)})

    @property
    def n_words(self) -> int:
        """Returns how many parts of a unit are words."""
        ngram = _NGRAM.fullmatch(self.metric)
        return int(ngram[1]) if ngram else _WORDS_OF_ELEMENT


def parse_request(request: MetricRequest, supplies: Supplies) -> PrunedRequest:
    """Returns the request with its options read and checked."""
    chosen = Chosen.of_family(request, PRUNED)
    steps = chosen[PRUNE].split("+")
    merges = _CLUSTERS in steps
    is_of_elements = request.name == PRUNED_BE
    reading, own = _elements(chosen, supplies) if is_of_elements else _words(chosen)
    label = supplies.vectors_label(request.name, chosen[VECTORS], are_needed=merges)
    return PrunedRequest(
        metric=request.name,
        counts_types=_COUNTS in steps,
        clusters=ClusterRules(
            ratio=Fraction(chosen[RATIO]),
            distance=chosen[DISTANCE],
            of_topic=chosen[VOCABULARY] == "topic",
        )
        if merges
        else None,
        reading=reading,
        tokens=reading.tokeniser.name if isinstance(reading, WordRules) else "",
        limit=reading.limit if isinstance(reading, WordRules) else NO_LIMIT,
        spelled={**chosen.spelled, **own, VECTORS.name: label},
    )


def _words(chosen: Chosen) -> tuple[WordRules, dict[str, str]]:
    rules = word_rules(chosen)
    return rules, {TOKENS.name: rules.tokeniser.id}


def _elements(chosen: Chosen, supplies: Supplies) -> tuple[ElementRules, dict[str, str]]:
    rules = ElementRules(
        elements=element_options(chosen),
        tries_lemmas=chosen[LOOKUP] == "lemma",
    )
    return rules, {PARSER.name: parser_of(chosen[PARSER], supplies.parse_label)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A corpus with readers of its texts and clusters of its words."""

    cases: Sequence[Case]
    _vectors: WordVectors | None
    _parses: Mapping[str, str]
    _reads: dict[object, Read] = field(default_factory=dict)
    _fetched: dict[object, WordVectors] = field(default_factory=dict)
    _vocabularies: dict[tuple[object, ...], Vocabulary] = field(default_factory=dict)

    def read(self, request: PrunedRequest) -> Read:
        """Returns the request's reader of units."""
        rules = request.reading
        key = (rules, request.n_words)
        if key not in self._reads:
            self._reads[key] = (
                element_reading(rules, self._parses)
                if isinstance(rules, ElementRules)
                else ngram_reading(rules, request.n_words)
            )
        return self._reads[key]

    def vocabulary(self, request: PrunedRequest, case_idx: int) -> Vocabulary | None:
        """Returns the words of a case, clustered; None when the request merges none."""
        rules, case = request.clusters, self.cases[case_idx]
        if rules is None or self._vectors is None:
            return None
        # The words are the same for n-grams of every size.
        reading, read = request.reading, self.read(request)
        if reading not in self._fetched:
            spelled = every_spelling(map(read, each_text(self.cases)))
            self._fetched[reading] = FetchedVectors(self._vectors, spelled)
        place: object = (case.topic, case.length) if rules.of_topic else case_idx
        key = place, reading, rules
        if key not in self._vocabularies:
            # Cases come in order: later ones hardly need what is of an earlier case alone.
            for old in [one for one in self._vocabularies if isinstance(one[0], int)]:
                if old[0] != place:
                    del self._vocabularies[old]
            readings = [*map(read, each_text(self.together(request, case_idx)))]
            self._vocabularies[key] = vocabulary(readings, self._fetched[reading], rules)
        return self._vocabularies[key]

    def together(self, request: PrunedRequest, case_idx: int) -> list[Case]:
        """Returns the cases whose words are merged with those of a case."""
        case = self.cases[case_idx]
        if not request.rests_on_all_systems:
            return [case]
        return [o for o in self.cases if (o.topic, o.length) == (case.topic, case.length)]


def systems_scored(topics: Sequence[Topic]) -> set[str]:
    """Returns the systems of which any output is compared."""
    log = TextLog()
    return {case.system for topic in topics for case in cases_of((topic,), log)}


def prepared(
    cases: Sequence[Case],
    requests: Sequence[PrunedRequest],
    supplies: Supplies,
    log: TextLog,
    topics: Sequence[Topic],
) -> Prepared:
    """Returns some cases of a corpus, ready to be counted."""
    check_text(cases, [one for one in requests if one.tokens], log)
    parses: Mapping[str, str] = {}
    for request in requests:
        if isinstance(request.reading, ElementRules):
            parses = checked_parses(request.metric, cases, supplies, topics)
    return Prepared(cases=cases, _vectors=supplies.vectors, _parses=parses)


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedWords:
    """Words that count as one."""

    words: tuple[str, ...]  # all of them, in code point order
    in_references: tuple[str, ...]
    in_outputs: tuple[str, ...]
    distance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterReport:
    """The clusters of one vocabulary."""

    topic: str
    length: str | None
    system: str | None  # None = all systems together
    n_words: int
    n_with_vector: int
    n_merges: int
    merged: tuple[MergedWords, ...]  # clusters of more than one word, the closest first
    signature: str


MERGING: Final = tuple(metric.name for metric in PRUNED)  # the metrics that merge words


def check_merging(requests: Sequence[MetricRequest], text: str) -> MetricRequest:
    """Returns the one request for a metric that merges words."""
    if len(requests) != 1 or requests[0].name not in MERGING:
        raise InputError.of(
            "{metric} merges no words.",
            "Choose one of {known}.",
            metric=text,
            known=Listing(MERGING),
        )
    return requests[0]


def cluster_reports(
    corpus: Corpus, request: MetricRequest, supplies: Supplies, reporter: Reporter
) -> Iterator[ClusterReport]:
    """Yields a metric's clusters by system, or by topic if it merges so."""
    asked = parse_request(request, supplies)
    if asked.clusters is None:
        raise InputError.of(
            "{metric} with prune={prune} merges no words.",
            "Choose prune=cls or prune=cnt+cls.",
            metric=asked.metric,
            prune=asked.spelled["prune"],
        )
    of_all = asked.among(systems_scored(corpus.topics))
    log = TextLog()
    n_topics = len(corpus.topics)
    ready = prepared(cases_of(corpus.topics, log), [asked], supplies, log, corpus.topics)
    for case_idx, report in _reports(ready, of_all):
        reporter.advance(case_idx * n_topics // len(ready.cases), n_topics, report.topic)
        yield report


def _reports(ready: Prepared, asked: PrunedRequest) -> Iterator[tuple[int, ClusterReport]]:
    """Yields the clusters with the index of the case."""
    seen: set[object] = set()
    for case_idx, case in enumerate(ready.cases):
        place = (case.topic, case.length)
        if not asked.rests_on_all_systems or place not in seen:
            yield case_idx, _report(ready, asked, case_idx)
        seen.add(place)


def _report(ready: Prepared, asked: PrunedRequest, case_idx: int) -> ClusterReport:
    found = ready.vocabulary(asked, case_idx)
    if found is None:
        raise ValueError("the request merges no words")

    def words_of(texts: Sequence[Text]) -> set[str]:
        return {word for text in texts for word in ready.read(asked)(text).surfaces}

    alike = ready.together(asked, case_idx)
    in_references = words_of([text for one in alike for text in one.references])
    in_outputs = words_of([one.text for one in alike])
    case, clustering = ready.cases[case_idx], found.clustering
    return ClusterReport(
        topic=case.topic,
        length=case.length,
        system=None if asked.rests_on_all_systems else case.system,
        n_words=found.n_words,
        n_with_vector=clustering.n_words,
        n_merges=clustering.n_merges,
        merged=tuple(
            MergedWords(
                words=cluster.words,
                in_references=tuple(w for w in cluster.words if w in in_references),
                in_outputs=tuple(w for w in cluster.words if w in in_outputs),
                distance=cluster.distance,
            )
            for cluster in clustering.merged
        ),
        signature=asked.signature,
    )


def score(
    corpus: Corpus, requests: Sequence[MetricRequest], reporter: Reporter, supplies: Supplies
) -> ScoreTable:
    """Returns the scores of all topics, and their means."""
    vector_log = VectorLog()
    asked = [parse_request(request, supplies) for request in requests]
    if any(request.rests_on_all_systems for request in asked):
        systems = systems_scored(corpus.topics)
        asked = [request.among(systems) for request in asked]

    def find(
        cases: Sequence[Case], wanted: Sequence[PrunedRequest], log: TextLog
    ) -> Mapping[PrunedRequest, Values]:
        ready = prepared(cases, wanted, supplies, log, corpus.topics)
        found: dict[PrunedRequest, list[float | None]] = {request: [] for request in wanted}
        for case_idx, case in enumerate(cases):
            reporter.advance(case_idx, len(cases), case.topic)
            for request in wanted:
                found[request].append(_value(ready, request, case_idx, log, vector_log))
        reporter.advance(len(cases), len(cases))
        return {request: single_values_of(values) for request, values in found.items()}

    return score_texts(corpus, asked, find, components=(), more_warnings=vector_log.problems)


def _value(
    ready: Prepared, request: PrunedRequest, case_idx: int, log: TextLog, vector_log: VectorLog
) -> float | None:
    """Returns the score of a case; None = no units in the references."""
    case, read = ready.cases[case_idx], ready.read(request)
    references: list[Sequence[Unit]] = [read(text).units for text in case.references]
    summary: Sequence[Unit] = read(case.text).units
    if not any(references):
        return None
    if not summary:
        log.note(EMPTY, case.system, case.topic)
    found = ready.vocabulary(request, case_idx)
    if found is not None:
        clustering = found.clustering
        vector_log.note_words(
            request.metric, request.spelled["vectors"], found.n_words, clustering.n_words
        )
        if not clustering.n_merges:
            vector_log.note(_NOTHING_MERGED, case.system, case.topic, metric=request.metric)
        summary = replaced(summary, request.n_words, clustering.representative_of)
        references = [
            replaced(units, request.n_words, clustering.representative_of) for units in references
        ]
    value = recall(references, summary, by_type=request.counts_types)
    return None if value is None else float(value)
