"""BLEU and chrF of every output of a corpus, computed by the package `sacrebleu`.

Of a text no more is kept than its score, or what it adds to the counts of its system.
"""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, groupby
from operator import add, attrgetter
from typing import TYPE_CHECKING

from awase.core.metrics.kit.means import TopicsOfMeans
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies.supplies import NO_SUPPLIES, Supplies
from awase.core.metrics.kit.texts.cases import Case, cases_of
from awase.core.metrics.kit.texts.runner import NO_UNIT
from awase.core.metrics.kit.texts.warnings import TextLog
from awase.core.metrics.kit.workers import Workers
from awase.core.metrics.packages.sacrebleu_counts import Counted, counted, score_of
from awase.core.metrics.packages.sacrebleu_requests import SacrebleuRequest, understood
from awase.core.metrics.packages.sacrebleu_texts import TokenisedTexts, check_words
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.identifiers import join_splits
from awase.core.records.score import Score, ScoreTable
from awase.core.records.topic import Topic

if TYPE_CHECKING:  # slow to import, and an extra
    from sacrebleu.metrics.base import Metric as Scorer

_VARIOUS = "var"


def begin(
    corpus: Corpus, requests: Sequence[MetricRequest], supplies: Supplies = NO_SUPPLIES
) -> "SacrebleuRun":
    """Returns what scores the topics of a corpus in portions."""
    return SacrebleuRun([*dict.fromkeys(map(understood, requests))], supplies.workers)


def signature(corpus: Corpus, request: MetricRequest) -> str:
    """Returns the signature that values of the request will carry, without facts."""
    return understood(request, is_checked=False).signature


class SacrebleuRun:
    """Scores topics that come in portions, from 0 to 100 as the package has it.

    With `average=plain` by topic and as means; with `average=corpus` one a system and length class,
    over all its texts together, with no values by topic.
    """

    def __init__(self, requests: Sequence[SacrebleuRequest], workers: Workers) -> None:
        """Scores nothing yet."""
        self._requests = requests
        self._scorers = [one.scorer() for one in requests]
        self._workers = workers
        self._log = TextLog()
        self._tokenised = TokenisedTexts(requests)
        self._topics = TopicsOfMeans()
        self._n_topics: Counter[str | None] = Counter()
        self._splits: defaultdict[tuple[str | None, str], set[str]] = defaultdict(set)
        self._rows: dict[str | None, dict[str, list[_Row]]] = {}

    def scores_of(self, topics: Sequence[Topic], reporter: Reporter) -> tuple[Score, ...]:
        """Returns the scores by topic of further topics."""
        self._topics.add(topics)
        cases = cases_of(topics, self._log)
        for request in self._requests:
            check_words(cases, request)
        self._note(cases)
        by_topic = [[*of_topic] for _, of_topic in groupby(cases, attrgetter("topic"))]
        found = self._workers.map(partial(counted, self._requests), by_topic, reporter)
        each = zip(cases, chain.from_iterable(found), strict=True)
        return tuple(score for case, of_case in each for score in self._scores_of(case, of_case))

    def scored_at_once(self, topics: Sequence[Topic], reporter: Reporter) -> ScoreTable:
        """Returns the scores of the topics, then the means; raises as `scores_of` does."""
        return ScoreTable(scores=self.scores_of(topics, reporter)) + self.ended()

    def ended(self) -> ScoreTable:
        """Returns what systems have over all topics that were scored, and warnings."""
        scores = tuple(self._of_systems())
        warnings = (*self._log.problems(), *self._tokenised.problems())
        return ScoreTable(scores=scores, warnings=warnings)

    def _note(self, cases: Sequence[Case]) -> None:
        self._tokenised.add(cases)
        self._n_topics.update(length for length, _ in {(one.length, one.topic) for one in cases})
        for case in cases:
            if not "".join(case.text).strip():
                self._log.note_empty(case.topic, case.system)

    def _scores_of(self, case: Case, found: Sequence[Counted]) -> Iterator[Score]:
        """Yields what a case scores by itself, and adds it to its system's."""
        systems = self._rows.setdefault(case.length, {})
        self._splits[case.length, case.system].add(case.split)
        if case.system not in systems:
            systems[case.system] = [*map(_Row, self._requests, self._scorers)]
        for row, of_request in zip(systems[case.system], found, strict=True):
            value = row.added(of_request)
            if not row.request.is_of_corpus:
                facts = {"nrefs": str(of_request.n_references), "split": case.split}
                place = (case.topic, case.length, case.system)
                yield _score(row.request, place, value, facts, int(value is not None))

    def _of_systems(self) -> Iterator[Score]:
        """Yields each system's scores, in the order length, system, metric."""
        for length, systems in self._rows.items():
            facts = self._topics.facts(length)
            for system, rows in systems.items():
                for row in rows:
                    request, n = row.request, row.n_texts
                    self._log.note_mean(system, length, request.metric, n, self._n_topics[length])
                    split = join_splits(self._splits[length, system])
                    signed = {"nrefs": row.spelled_references(), "split": split, **facts}
                    yield _score(request, (None, length, system), row.value(), signed, n)


def _score(
    request: SacrebleuRequest,
    place: tuple[str | None, str | None, str],
    value: float | None,
    facts: Mapping[str, str],
    n_topics: int,
) -> Score:
    topic, length, system = place
    return Score(
        topic=topic,
        length=length,
        system=system,
        metric=request.metric,
        value=value,
        signature=request.signature_with(facts),
        reason=NO_UNIT if value is None else None,
        n_topics=n_topics,
    )


@dataclass(slots=True)
class _Row:
    """What a request found in the texts of one system and length class that have references.

    Attributes:
        values: Of each, for a mean.
    """

    request: SacrebleuRequest
    scorer: "Scorer"
    n_texts: int = 0
    values: "array[float]" = field(default_factory=lambda: array("d"))
    sums: Sequence[int] = ()
    numbers: set[int] = field(default_factory=set)

    def added(self, found: Counted) -> float | None:
        """Adds a text, and returns its value; None = it has no reference or no value of its own."""
        if not found.n_references:
            return None
        self.n_texts += 1
        self.numbers.add(found.n_references)
        if self.request.is_of_corpus:
            self.sums = [*map(add, self.sums, found.counts)] if self.sums else found.counts
            return None
        self.values.append(score_of(self.scorer, found.counts))
        return self.values[-1]

    def value(self) -> float | None:
        """Returns what the system has over all these texts; None = there are none."""
        if not self.n_texts:
            return None
        if self.request.is_of_corpus:
            return score_of(self.scorer, self.sums)
        return math.fsum(self.values) / self.n_texts

    def spelled_references(self) -> str:
        """Returns how many references texts have, as the package spells it."""
        if len(self.numbers) > 1:
            return _VARIOUS
        return str(next(iter(self.numbers), 0))
