"""Correlation and agreement studies as tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from awase.api.corpora import Corpus, Scores
from awase.core.agreement.distances import SetDistance
from awase.core.agreement.results import AgreementRequest
from awase.core.errors import Reporter, Silent
from awase.core.metrics.correlating import HumanSide
from awase.core.metrics.registry import requests_of
from awase.core.records.score import ScoreTable
from awase.core.reports.grid import Field
from awase.core.reports.study_report import FIELDS, By
from awase.core.statistics.coefficients import Level
from awase.core.statistics.study import StudyRequest
from awase.jobs.correlating import CorrelationPlan
from awase.jobs.correlating import correlate as correlated
from awase.jobs.supplies.gathering import Supplier, Supplying, stored_parses, without_supplies
from awase.jobs.team.project_reports import study_agreement

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Rows of plain values with column names and warnings.

    Attributes:
        columns: Names.
        rows: A value for each column; None = undefined, with the reason in the column `reason`.
        warnings: Messages for readers.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    warnings: tuple[str, ...] = ()

    def to_frame(self) -> "pd.DataFrame":
        """Returns the rows as a frame."""
        import pandas as pd

        return pd.DataFrame(list(self.rows), columns=list(self.columns))

    @property
    def signature(self) -> tuple[str, ...]:
        """Every signature among the rows, each once."""
        at = self.columns.index("signature")
        return tuple(dict.fromkeys(str(row[at]) for row in self.rows))

    def __repr__(self) -> str:
        return f"<Table: {len(self.rows)} rows of {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        return str(self.to_frame().to_html(index=False, na_rep="undefined"))


def correlate(
    corpus: Corpus,
    metrics: Sequence[str] = (),
    *,
    scores: "Scores | None" = None,
    human: str | None = None,
    length: str | None = None,
    level: str = "system",
    reporter: Reporter | None = None,
) -> Table:
    """Returns how well metrics agree with the corpus's human scores.

    Columns: metric, coefficient, value, n_systems, n_topics, undefined_topics, reason, signature
    (the metric's), correlation (the signature of the correlation itself).

    Args:
        corpus: With human scores.
        metrics: Those to compute, as the command line spells them.
        scores: Scores from elsewhere, beside those.
        human: The measure; None = the corpus's only one.
        length: Length class of the metrics' scores; None = the corpus's only one.
        level: `system`, `topic` or `global`.
        reporter: Receives progress.

    Raises:
        InputError: Something that is named does not exist.
        ScoringUndefinedError: Nothing can be correlated.
    """
    plan = CorrelationPlan(
        requests=requests_of(metrics),
        side=HumanSide(measure=human, length=length),
        study=StudyRequest(level=Level(level)),
    )
    supplies: Supplying = without_supplies
    if corpus.store is not None:
        supplies = Supplier(stored_parses(corpus.store))
    others = scores.table if scores is not None else ScoreTable()
    found = correlated(
        corpus.records(), plan, reporter or Silent(), supplies=supplies, others=others
    ).study
    rows = tuple(
        (
            result.metric,
            estimate.coefficient.value,
            estimate.value,
            result.n_systems,
            result.n_topics,
            len(estimate.undefined_topics),
            None if estimate.reason is None else str(estimate.reason),
            result.signature,
            estimate.signature,
        )
        for result in found.results
        for estimate in result.estimates
    )
    columns = ("metric", "coefficient", "value", "n_systems", "n_topics")
    return Table(
        columns=(*columns, "undefined_topics", "reason", "signature", "correlation"),
        rows=rows,
        warnings=tuple(map(str, found.warnings)),
    )


def agreement(
    corpus: Corpus,
    annotators: Sequence[str] = (),
    *,
    length: str | None = None,
    distances: Sequence[str] = (),
    reporter: Reporter | None = None,
) -> Table:
    """Returns how far annotators agree, each pair and everybody together.

    Columns: annotators, distance, length, items, topics, observed, expected, alpha, low, high,
    reason, signature.

    Args:
        corpus: With alignments by two annotators or more.
        annotators: None named = everybody.
        length: Length class; None = all together.
        distances: `alternatives`, `function`, `support`, `equal`, `state`, `rank`, `links`; none
            named = all.
        reporter: Receives progress.

    Raises:
        InputError: There are fewer than two annotators, or something named does not exist.
    """
    request = AgreementRequest(
        annotators=tuple(annotators),
        length=length,
        distances=tuple(map(SetDistance, distances)) or tuple(SetDistance),
    )
    found = study_agreement(corpus.records(), request, reporter or Silent()).agreement
    columns = ("annotators", "distance", "length", "items", "topics", "observed", "expected",
               "alpha", "low", "high", "reason", "signature")  # fmt: skip
    fields = {one.name: one for one in FIELDS[By.PAIR]}
    fields["annotators"] = Field("annotators", value=lambda row: "+".join(row.annotators))
    rows = (tuple(fields[name].value_of(row) for name in columns) for row in found.rows)
    return Table(columns=columns, rows=tuple(rows), warnings=tuple(map(str, found.warnings)))
