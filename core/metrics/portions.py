"""Scores topics that are read as they are needed: each once, for all metrics that can, in portions.

What is kept of a topic are its scores, packed, and what the means and warnings need.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Protocol

from awase.core.cycle_search import without_cycle_search
from awase.core.metrics.kit.outputs import IdenticalSystems
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies.supplies import Supplies
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.score import PackedScores, Score, ScoreTable
from awase.core.records.topic import Topic
from awase.core.records.topics_on_demand import portions_of


class TopicRun(Protocol):
    """Scores topics in portions; what a family's `begin(corpus, requests, supplies)` returns."""

    def scores_of(self, topics: Sequence[Topic], reporter: Reporter) -> Sequence[Score]:
        """Returns the scores by topic of further topics.

        Raises:
            InputError: They cannot be scored as asked.
            Cancelled: The reporter asked to stop.
        """
        ...

    def scored_at_once(self, topics: Sequence[Topic], reporter: Reporter) -> ScoreTable:
        """Returns the scores by topic of all topics, then what `ended` returns."""
        ...

    def ended(self) -> ScoreTable:
        """Returns the means over all topics that were scored, warnings, and sizes of covers."""
        ...


Begin = Callable[[Corpus, Sequence[MetricRequest], Supplies], TopicRun]


def begin_of(family: str) -> Begin | None:
    """Returns what begins to score in portions; None = the family wants all topics at once."""
    module: ModuleType = import_module(family)
    begin: Begin | None = getattr(module, "begin", None)
    return begin


def scored_in_portions(
    corpus: Corpus,
    runs: Mapping[str, TopicRun],
    reporter: Reporter,
    twins: IdenticalSystems,
) -> dict[str, ScoreTable]:
    """Returns what each run makes of the corpus, in one passage through its topics.

    Args:
        corpus: With topics of which there may be more than memory holds.
        runs: Just begun.
        reporter: Told of each portion.
        twins: Told of all topics.

    Raises:
        InputError: As the runs do.
        Cancelled: The reporter asked to stop.
    """
    packed = {name: PackedScores() for name in runs}
    n_done, n_topics = 0, len(corpus.topics)
    for portion in portions_of(corpus.topics):
        with without_cycle_search():
            for idx, (name, run) in enumerate(runs.items()):
                within = _Within(reporter, n_done, len(portion), n_topics, (idx, len(runs)))
                packed[name] += PackedScores.of(run.scores_of(portion, within))
            twins.add(portion)
        n_done += len(portion)
        reporter.advance(n_done, n_topics, portion[-1].id)
    return {name: ScoreTable(scores=packed[name]) + run.ended() for name, run in runs.items()}


class _Within:
    """A reporter of one run over one portion of the topics."""

    def __init__(
        self, reporter: Reporter, n_before: int, n_here: int, n_all: int, run: tuple[int, int]
    ) -> None:
        self._reporter = reporter
        self._n_before = n_before
        self._n_here = n_here
        self._n_all = n_all
        self._run = run

    def advance(self, done: int, total: int, what: str = "") -> None:
        run_idx, n_runs = self._run
        part = (run_idx + done / max(total, 1)) / n_runs
        self._reporter.advance(self._n_before + int(part * self._n_here), self._n_all, what)
