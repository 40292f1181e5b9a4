"""Precision, Coverage and Weighted coverage of every extract of a corpus.

A system's score in a topic is the mean over the topic's abstracts of one length class (TSC-3 has
one each), undefined when one of them is. With `annotator=all` it is the mean of what each annotator
who aligned all of these abstracts makes of it, each with the h of their own. A system's mean is
over the topics in which the score is defined, and the table says how many.

Source: Hirao, Okumura, Fukushima and Nanba (2004), section 3; equations stand in `scorers`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from awase.core.cycle_search import gc_paused
from awase.core.metrics.extracts.cells import PlaceValues, measured
from awase.core.metrics.extracts.expected_annotators import ExpectedAnnotators
from awase.core.metrics.extracts.means import PlaceScores, SystemMeans
from awase.core.metrics.extracts.requests import Tsc3Request, understood
from awase.core.metrics.extracts.warnings import WarningLog
from awase.core.metrics.kit.means import TopicsOfMeans
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies.supplies import NO_SUPPLIES, Supplies
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.score import CoverSize, PackedScores, ScoreTable
from awase.core.records.topic import Topic


def begin(
    corpus: Corpus, requests: Sequence[MetricRequest], supplies: Supplies = NO_SUPPLIES
) -> "ExtractsRun":
    """Returns what scores the topics of a corpus in portions."""
    wanted = _different(understood(request, corpus.rank_weights) for request in requests)
    for request in wanted:
        request.annotators.check(corpus)
    return ExtractsRun(wanted, supplies)


class ExtractsRun:
    """Scores topics; see `TopicRun`."""

    def __init__(self, wanted: Sequence[Tsc3Request], supplies: Supplies) -> None:
        """Scores nothing yet."""
        self._topics = TopicsOfMeans()
        self._workers = supplies.workers
        self._measure = partial(measured, wanted, supplies.time_limit_s)
        self._log = WarningLog()
        self._sizes: list[CoverSize] = []
        self._means = SystemMeans()
        self._names = ExpectedAnnotators()

    def scored_at_once(self, topics: Sequence[Topic], reporter: Reporter) -> ScoreTable:
        """Returns the scores of the topics, unpacked, then the means."""
        places = PlaceScores(self._values_of(topics, reporter))
        ended = self.ended()
        return replace(ended, scores=PackedScores([places], ended.scores))

    def _values_of(self, topics: Sequence[Topic], reporter: Reporter) -> list[PlaceValues]:
        places: list[PlaceValues] = []
        with gc_paused():
            for of_topic in self._workers.map(self._measure, topics, reporter):
                self._log.add(of_topic.log)
                self._sizes.extend(of_topic.sizes)
                places.extend(of_topic.places)
        self._log.note_systems(topics)
        self._topics.add(topics)
        for place in places:
            self._names.add(place)
            self._means.add(place)
        return places

    def ended(self) -> ScoreTable:
        """Returns the means over all topics that were scored, with warnings and sizes of covers."""
        self._names.check()
        means = tuple(self._means.scores(self._topics, self._log))
        return ScoreTable(
            scores=means, warnings=self._log.problems(), cover_sizes=tuple(self._sizes)
        )


def signature(corpus: Corpus, request: MetricRequest) -> str:
    """Returns the signature that values of the request will carry, without facts about the data."""
    wanted = understood(request, corpus.rank_weights)
    wanted.annotators.check(corpus)
    return wanted.signature


def _different(requests: Iterable[Tsc3Request]) -> list[Tsc3Request]:
    """Returns the requests, one of those that are only written differently."""
    return [*{request.signature: request for request in requests}.values()]
