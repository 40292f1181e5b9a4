"""What the Correlations page shows, computed on another thread."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from awase.core.metrics.kit.signature import MetricRequest
from awase.core.metrics.kit.supplies import NO_SUPPLIES, Supplies
from awase.core.metrics.registry import requests_of, score_corpus
from awase.core.metrics.tables.correlating import HumanSide, correlations, suggested_outliers
from awase.core.metrics.tables.system_kinds import SystemKind
from awase.core.progress import Reporter
from awase.core.records.corpus import Corpus
from awase.core.records.score import ScoreTable
from awase.core.statistics.correlation.judgements import Joining
from awase.core.statistics.correlation.levels import Level
from awase.core.statistics.correlation.study import PairTest, Study, StudyRequest

N_RESAMPLES = 9999

Supplying = Callable[[Corpus, Sequence[MetricRequest]], Supplies]
"""Returns what metrics need besides the corpus."""


def _without_supplies(_corpus: Corpus, _requests: Sequence[MetricRequest]) -> Supplies:
    return NO_SUPPLIES


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyOptions:
    """What the user chose.

    Attributes:
        metrics: As the command line spells them, separated by blanks.
        measure: Human measure.
        length: Length class; None = the corpus's only one.
        joining: How several annotators' judgements become one.
        component: `r`, `p`, `f`, or None for all.
        level: What is correlated.
        kind: Only systems of this kind; None = all.
        excluded: Systems left out.
    """

    metrics: str
    measure: str | None = None
    joining: Joining = field(default_factory=Joining)
    length: str | None = None
    component: str | None = None
    level: Level = Level.SYSTEM
    kind: SystemKind | None = None
    excluded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Computed:
    """A study, and the scores under it, which another level or component need not compute again.

    Attributes:
        study: What was found.
        table: Scores of the metrics.
        metrics: Of which metrics, as in the options.
        corpus: Of which corpus.
        far_systems: Systems in it that are far from the others in human scores, with their
            distances in MADs.
    """

    study: Study
    table: ScoreTable
    metrics: str
    corpus: Corpus
    far_systems: Mapping[str, float] = field(default_factory=dict)


def default_metrics(corpus: Corpus) -> str:
    """Returns metrics that suit the corpus's language."""
    is_english = all(topic.language in (None, "en") for topic in corpus.topics)
    rouge = "rouge:stem=yes,tokens=unicode" if is_english else "rouge:tokens=chars"
    has_alignment = any(
        abstract.alignments for topic in corpus.topics for abstract in topic.abstracts
    )
    return f"tsc3 {rouge}" if has_alignment else rouge


def compute_study(
    corpus: Corpus,
    options: StudyOptions,
    known: Computed | None,
    reporter: Reporter,
    supplies: Supplying = _without_supplies,
) -> Computed:
    """Returns the study; scores that `known` has are not computed again.

    Args:
        corpus: What is scored.
        options: How, and what is correlated.
        known: The study before this one.
        reporter: Told of both.
        supplies: What metrics need besides the corpus.

    Raises:
        InputError: The options do not fit the corpus.
        Cancelled: The reporter asked to stop.
    """
    requests = requests_of(options.metrics.split())
    if known is not None and known.corpus is corpus and known.metrics == options.metrics:
        table = known.table
    else:
        table = score_corpus(corpus, requests, reporter, supplies(corpus, requests))
    side = HumanSide(
        measure=options.measure,
        joining=options.joining,
        length=options.length,
        component=options.component,
        kind=options.kind,
    )
    request = StudyRequest(
        level=options.level,
        n_resamples=N_RESAMPLES,
        test=PairTest.PERMUTATION,
        excluded=options.excluded,
    )
    study = correlations(corpus, table, side, request, reporter)
    return Computed(
        study=study,
        table=table,
        metrics=options.metrics,
        corpus=corpus,
        far_systems=suggested_outliers(corpus, side, study.request.excluded),
    )
