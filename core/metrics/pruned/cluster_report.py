"""Which words pruned ROUGE or pruned BE takes for one, and where they stand."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from awase.core.errors import InputError, Listing
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies.supplies import Supplies
from awase.core.metrics.kit.texts.cases import Case, cases_of
from awase.core.metrics.kit.texts.warnings import TextLog
from awase.core.metrics.pruned.entry import METRICS
from awase.core.metrics.pruned.preparing import Prepared, prepared, systems_scored
from awase.core.metrics.pruned.readings import Text
from awase.core.metrics.pruned.requests import PrunedRequest, understood
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedWords:
    """Words that count as one.

    Attributes:
        words: All of them, in code point order.
    """

    words: tuple[str, ...]
    in_references: tuple[str, ...]
    in_outputs: tuple[str, ...]
    distance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterReport:
    """The clusters of one vocabulary.

    Attributes:
        system: Whose output; None = those of all systems together.
        merged: Clusters of more than one word, the closest first.
    """

    topic: str
    length: str | None
    system: str | None
    n_words: int
    n_with_vector: int
    n_merges: int
    merged: tuple[MergedWords, ...]
    signature: str


MERGING: Final = tuple(metric.name for metric in METRICS)
"""The metrics that merge words."""


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
    """Yields what a metric merges: for each system, or for each topic when it says so."""
    asked = understood(request, supplies)
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
    """Yields what is merged, with the number of the case."""
    seen: set[object] = set()
    of_topic = asked.clusters is not None and asked.clusters.of_topic
    for case_idx, case in enumerate(ready.cases):
        place = (case.topic, case.length)
        if of_topic and place in seen:
            continue
        seen.add(place)
        alike = [o for o in ready.cases if (o.topic, o.length) == place] if of_topic else [case]
        yield case_idx, _report(ready, asked, case_idx, alike, None if of_topic else case.system)


def _report(
    ready: Prepared,
    asked: PrunedRequest,
    case_idx: int,
    alike: Sequence[Case],
    system: str | None,
) -> ClusterReport:
    vocabulary = ready.vocabulary(asked, case_idx)
    if vocabulary is None:
        raise ValueError("the request merges no words")

    def words_of(texts: Sequence[Text]) -> set[str]:
        return {word for text in texts for word in ready.read(asked)(text).surfaces}

    in_references = words_of([text for one in alike for text in one.references])
    in_outputs = words_of([one.text for one in alike])
    case, clustering = ready.cases[case_idx], vocabulary.clustering
    return ClusterReport(
        topic=case.topic,
        length=case.length,
        system=system,
        n_words=vocabulary.n_words,
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
