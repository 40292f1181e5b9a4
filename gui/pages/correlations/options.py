"""What the user chose on the Correlations page."""

from dataclasses import dataclass, field

from awase.core.metrics.registry import requests_of
from awase.core.metrics.tables.correlating import HumanSide
from awase.core.metrics.tables.extractive_systems import SystemKind
from awase.core.statistics.correlation.score_matrix import Joining, Level
from awase.core.statistics.correlation.study import PairTest, StudyRequest
from awase.jobs.correlating import CorrelationPlan

N_RESAMPLES = 9999


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyOptions:
    """What the user chose.

    Attributes:
        metrics: As `awase score` spells them.
        measure: Human measure.
        length: Length class; None = the corpus's only one.
        joining: How several annotators' judgements become one.
        component: `r`, `p`, `f`, or None for all.
        level: What is correlated.
        kind: Only systems of this kind; None = all.
        excluded: Systems left out.
    """

    metrics: tuple[str, ...]
    measure: str | None = None
    joining: Joining = field(default_factory=Joining)
    length: str | None = None
    component: str | None = None
    level: Level = Level.SYSTEM
    kind: SystemKind | None = None
    excluded: tuple[str, ...] = ()

    def plan(self) -> CorrelationPlan:
        """Returns what is to be correlated.

        Raises:
            InputError: There is no such metric.
        """
        return CorrelationPlan(
            requests=requests_of(self.metrics),
            side=HumanSide(
                measure=self.measure,
                joining=self.joining,
                length=self.length,
                component=self.component,
                kind=self.kind,
            ),
            study=StudyRequest(
                level=self.level,
                n_resamples=N_RESAMPLES,
                test=PairTest.PERMUTATION,
                excluded=self.excluded,
            ),
        )
