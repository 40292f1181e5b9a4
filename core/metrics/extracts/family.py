"""Precision, Coverage and Weighted Coverage of every extract of a corpus.

A system's score in a topic is the mean over the topic's abstracts of one length class (TSC-3 has
one each), undefined when one of them is. With `annotator=all` it is the mean of what each annotator
who aligned all of these abstracts makes of it, each with the h of their own. A system's mean is
over the topics in which the score is defined, and the table says how many.

Source: Hirao, Okumura, Fukushima and Nanba (2004), section 3; equations stand in `scorers`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from awase.core.metrics.extracts.cells import Cell, measured
from awase.core.metrics.extracts.expected_annotators import ExpectedAnnotators
from awase.core.metrics.extracts.means import SystemMeans, scores_by_topic
from awase.core.metrics.extracts.requests import Tsc3Request, understood
from awase.core.metrics.extracts.warnings import WarningLog
from awase.core.metrics.kit.means import TopicsOfMeans
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies.supplies import NO_SUPPLIES, Supplies
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.score import CoverSize, Score, ScoreTable
from awase.core.records.topic import Topic


def score(
    corpus: Corpus,
    requests: Sequence[MetricRequest],
    reporter: Reporter,
    supplies: Supplies = NO_SUPPLIES,
) -> ScoreTable:
    """Returns the scores of every extract, by topic and as means, with warnings.

    Raises:
        InputError: An option's value does not exist, nobody of that name aligned anything, or the
            alignments are others' than those asked for.
        Cancelled: The reporter asked to stop.
    """
    run = begin(corpus, requests, supplies)
    scores = run.scores_of(corpus.topics, reporter)
    ended = run.ended()
    return replace(ended, scores=(*scores, *ended.scores))


def begin(
    corpus: Corpus, requests: Sequence[MetricRequest], supplies: Supplies = NO_SUPPLIES
) -> "ExtractsRun":
    """Returns what scores the topics of a corpus in portions.

    Raises:
        InputError: An option's value does not exist, or nobody of that name aligned anything.
    """
    wanted = _different(understood(request, corpus.rank_weights) for request in requests)
    for request in wanted:
        request.annotators.check(corpus)
    return ExtractsRun(corpus, wanted, supplies)


class ExtractsRun:
    """Scores topics in portions; see `TopicRun`."""

    def __init__(self, corpus: Corpus, wanted: Sequence[Tsc3Request], supplies: Supplies) -> None:
        """Scores nothing yet."""
        self._corpus = corpus
        self._workers = supplies.workers
        self._measure = partial(measured, wanted, supplies.time_limit_s)
        self._log = WarningLog()
        self._sizes: list[CoverSize] = []
        self._means = SystemMeans()
        self._names = ExpectedAnnotators()

    def scores_of(self, topics: Sequence[Topic], reporter: Reporter) -> list[Score]:
        """Returns the scores by topic of further topics.

        Raises:
            Cancelled: The reporter asked to stop.
        """
        cells: list[Cell] = []
        for of_topic in self._workers.map(self._measure, topics, reporter):
            self._log.add(of_topic.log)
            self._sizes.extend(of_topic.sizes)
            cells.extend(of_topic.cells)
        self._log.note_systems(topics)
        for cell in cells:
            self._names.add(cell)
            self._means.add(cell)
        return [*scores_by_topic(cells)]

    def ended(self) -> ScoreTable:
        """Returns the means over all topics that were scored, with warnings and sizes of covers.

        Raises:
            InputError: The alignments are others' than those asked for.
        """
        self._names.check()
        means = tuple(self._means.scores(TopicsOfMeans(self._corpus), self._log))
        return ScoreTable(
            scores=means, warnings=self._log.problems(), cover_sizes=tuple(self._sizes)
        )


def signature(corpus: Corpus, request: MetricRequest) -> str:
    """Returns the signature that values of the request will carry, without facts about the data.

    Raises:
        InputError: An option's value does not exist, or nobody of that name aligned anything.
    """
    wanted = understood(request, corpus.rank_weights)
    wanted.annotators.check(corpus)
    return wanted.signature


def _different(requests: Iterable[Tsc3Request]) -> list[Tsc3Request]:
    """Returns the requests, one of those that are only written differently."""
    return [*{request.signature: request for request in requests}.values()]
