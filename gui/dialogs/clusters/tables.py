"""The words that a metric merges, laid out as a table."""

from collections.abc import Sequence

from awase.core.metrics.pruned.cluster_report import ClusterReport
from awase.gui.kit.grid.grid import GridCell, GridColumn
from awase.gui.kit.texts.i18n import ntr, tr


def cluster_table(
    reports: Sequence[ClusterReport],
) -> tuple[Sequence[GridColumn], Sequence[Sequence[GridCell]]]:
    """Returns a row for each cluster of more than one word."""
    columns = (
        GridColumn(title=tr("System"), is_shown=any(report.system for report in reports)),
        GridColumn(title=tr("Length"), is_shown=any(report.length for report in reports)),
        GridColumn(title=tr("In references"), stretches=True),
        GridColumn(title=tr("In outputs"), stretches=True),
        GridColumn(title=tr("Distance"), tip=tr("Of the two words that are farthest apart.")),
    )
    rows = [
        (
            _word_cell(report.system or ""),
            _word_cell(report.length or ""),
            _word_cell(" ".join(merged.in_references)),
            _word_cell(" ".join(merged.in_outputs)),
            GridCell(text=f"{merged.distance:.3f}", sort=merged.distance),
        )
        for report in reports
        for merged in report.merged
    ]
    return columns, rows


def summary_text(reports: Sequence[ClusterReport]) -> str:
    """Returns in a line how many words there are and how many fewer after merging."""
    n_vocabularies, n_words, n_with_vector, n_merges = (
        len(reports),
        sum(report.n_words for report in reports),
        sum(report.n_with_vector for report in reports),
        sum(report.n_merges for report in reports),
    )
    return " · ".join(
        (
            ntr("{n} vocabulary", "{n} vocabularies", n_vocabularies),
            ntr("{n} word", "{n} words", n_words),
            tr("{n} with a vector", n=n_with_vector),
            tr("{n} fewer after merging", n=n_merges),
        )
    )


def _word_cell(text: str) -> GridCell:
    return GridCell(text=text, sort=text, is_number=False)
