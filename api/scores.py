"""Scores as frames, with signatures."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from awase.core.metrics.significance import column_of, names_of
from awase.core.records.score import Score, ScoreTable
from awase.core.reports.score_report import FRAME_COLUMNS, fields_of

if TYPE_CHECKING:
    import pandas as pd

_MOST_ROWS: Final = 60
_MOST_NAMES: Final = 6


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Scores of systems, exact, with the signature that makes each of them citable.

    Attributes:
        table: The scores as the program has them.
    """

    table: ScoreTable

    def to_frame(self) -> "pd.DataFrame":
        """Returns the scores by topic, a row each, in tidy form.

        Columns: topic, length, system, metric, value (float; NaN = undefined, see reason),
        provisional, n_topics, reason (None = defined), signature. Means are in `means`.
        """
        return self._frame(score for score in self.table.scores if score.topic is not None)

    def means(self) -> "pd.DataFrame":
        """Returns the means over topics, with the columns of `to_frame`; topic is None."""
        return self._frame(score for score in self.table.scores if score.topic is None)

    @property
    def signature(self) -> tuple[str, ...]:
        """Every signature among the scores, each once, in the order of the columns."""
        return tuple(dict.fromkeys(score.signature for score in self.table.scores))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about the scores."""
        return tuple(map(str, self.table.warnings))

    @property
    def exact(self) -> Mapping[tuple[str | None, str | None, str, str], Fraction | float | None]:
        """Topic (None = mean), length, system and metric to the value.

        Metrics of one name are called with the options in which they differ, as in frames:
        `coverage:strict=no`, `coverage:strict=yes`.

        Exact values are fractions; None = undefined. Higher is better; the range is the metric's
        own, 0..1 for most, 0..100 for BLEU and chrF.
        """
        names = names_of(self.table.scores)
        return {
            (score.topic, score.length, score.system, names[column_of(score)]): score.value
            for score in self.table.scores
        }

    def _frame(self, scores: Iterable[Score]) -> "pd.DataFrame":
        import pandas as pd

        names = names_of(self.table.scores)
        each = (fields_of(score, names) for score in scores)
        rows = [[fields[name] for name in FRAME_COLUMNS] for fields in each]
        frame = pd.DataFrame(rows, columns=list(FRAME_COLUMNS))
        return frame.astype({"value": "float64", "provisional": "bool", "n_topics": "int64"})

    def __repr__(self) -> str:
        scores = self.table.scores
        n_systems = len({score.system for score in scores})
        n_topics = len({score.topic for score in scores} - {None})
        metrics = [*dict.fromkeys(score.metric for score in scores)]
        more = [f"and {len(metrics) - _MOST_NAMES} more"] if len(metrics) > _MOST_NAMES else []
        named = ", ".join([*metrics[:_MOST_NAMES], *more])
        return f"<Scores: {named}; systems: {n_systems}, topics: {n_topics}>"

    def _repr_html_(self) -> str:
        means = self.means()
        if means.empty:
            return str(self.to_frame().head(_MOST_ROWS).to_html(index=False))
        means["length"] = means["length"].fillna("")
        shown = means.pivot_table(
            index="system", columns=["length", "metric"], values="value", sort=False, dropna=False
        )
        return str(shown.to_html(float_format="{:.4f}".format, na_rep="undefined"))
