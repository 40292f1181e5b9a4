"""Correlation of metrics with human scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from awase.core.errors import Problem, Reporter
from awase.core.metrics.correlating import HumanSide, correlations, human_scores, suggested_outliers
from awase.core.metrics.kit.signature import MetricRequest
from awase.core.records.corpus import Corpus
from awase.core.records.score import ScoreTable
from awase.core.statistics.study import Study, StudyRequest
from awase.jobs.scoring import score
from awase.jobs.subset import ALL, Subset, composed
from awase.jobs.supplies.gathering import Supplying, without_supplies

NO_SCORES = ScoreTable()


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationPlan:
    """Settings of a correlation study."""

    requests: tuple[MetricRequest, ...]
    side: HumanSide = field(default_factory=HumanSide)
    study: StudyRequest = field(default_factory=StudyRequest)
    subset: Subset = ALL


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlated:
    """A study and its scores, reusable for another level or component."""

    study: Study
    table: ScoreTable
    requests: tuple[MetricRequest, ...]
    corpus: Corpus
    subset: Subset
    far_systems: Mapping[str, float] = field(default_factory=dict)


def correlate(
    corpus: Corpus,
    plan: CorrelationPlan,
    reporter: Reporter,
    *,
    supplies: Supplying = without_supplies,
    known: Correlated | None = None,
    others: ScoreTable = NO_SCORES,
    found_reading: Sequence[Problem] = (),
) -> Correlated:
    """Returns the study; scores that `known` has are not computed again."""
    chosen = _chosen(corpus, plan.subset)
    human_scores(chosen, plan.side)  # reports an unknown measure before metrics are computed
    if known is not None and _is_same(known, corpus, plan):
        table = known.table
    elif plan.requests:
        table = score(corpus, plan.requests, reporter, subset=plan.subset, supplies=supplies)
    else:
        table = NO_SCORES
    scores = _of_systems(
        ScoreTable(warnings=tuple(found_reading)) + table + others, plan.subset, plan.side
    )
    study = correlations(chosen, scores, plan.side, plan.study, reporter)
    return Correlated(
        study=study,
        table=table,
        requests=plan.requests,
        corpus=corpus,
        subset=plan.subset,
        far_systems=suggested_outliers(chosen, plan.side, study.request.excluded),
    )


def check(corpus: Corpus, subset: Subset) -> None:
    """Raises for unknown topics or systems."""
    subset_of_topics = replace(subset, systems=None)
    subset_of_topics.check(corpus)
    known = {output.system for topic in corpus.topics for output in topic.outputs}
    # Scores can come without texts, so that a name may occur on one side only.
    judged = {one.system for one in subset_of_topics.part_of(corpus).human_scores} - known
    without = {*map(composed, judged)}
    with_texts = tuple(name for name in subset.systems or () if composed(name) not in without)
    replace(subset, systems=with_texts or None).check(corpus)


def _is_same(known: Correlated, corpus: Corpus, plan: CorrelationPlan) -> bool:
    return (
        known.corpus is corpus and known.requests == plan.requests and known.subset == plan.subset
    )


def _chosen(corpus: Corpus, subset: Subset) -> Corpus:
    chosen = subset.part_of(corpus)
    if subset.systems is None:
        return chosen
    systems = {*map(composed, subset.systems)}
    kept = tuple(one for one in chosen.human_scores if composed(one.system) in systems)
    return replace(chosen, human_scores=kept)


def _of_systems(table: ScoreTable, subset: Subset, side: HumanSide) -> ScoreTable:
    if subset.systems is None:
        return table
    systems, aliases = {*map(composed, subset.systems)}, side.aliases
    kept = (one for one in table.scores if composed(aliases.get(one.system, one.system)) in systems)
    return replace(table, scores=tuple(kept))
