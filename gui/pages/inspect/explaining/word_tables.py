"""The words that a metric merges, laid out as a table."""

from collections.abc import Sequence

from awase.core.analysis.columns import has_any_word
from awase.core.metrics.pruned import ClusterReport, MergedWords
from awase.core.reports.grid import Cell, Column, Grid, grid_of
from awase.gui.kit.texts.i18n import ntr, tr


def cluster_table(
    reports: Sequence[ClusterReport], sentence: str = ""
) -> tuple[Grid, list[MergedWords]]:
    """Returns a row for each cluster of several words, and the cluster of each row.

    Args:
        sentence: Clusters with a word of it come first, marked.
    """
    merged_of = [(report, merged) for report in reports for merged in report.merged]
    here = [has_any_word(sentence, merged.words) for _, merged in merged_of]
    order = sorted(range(len(here)), key=lambda at: not here[at])
    columns = (
        Column(
            title=tr("Here"),
            tip=tr("Whether the sentence in sight has one of the words."),
            is_shown=any(here),
        ),
        Column(title=tr("System"), is_shown=any(report.system for report in reports)),
        Column(title=tr("Length"), is_shown=any(report.length for report in reports)),
        Column(title=tr("In references"), stretches=True),
        Column(title=tr("In outputs"), stretches=True),
        Column(title=tr("Distance"), tip=tr("Of the two words that are farthest apart.")),
    )
    rows = [
        (
            Cell(text="✓" if here[at] else "", value=float(here[at]), is_number=False),
            _word_cell(report.system or ""),
            _word_cell(report.length or ""),
            _word_cell(" ".join(merged.in_references)),
            _word_cell(" ".join(merged.in_outputs)),
            Cell(text=f"{merged.distance:.3f}", value=merged.distance),
        )
        for at in order
        for report, merged in (merged_of[at],)
    ]
    return grid_of(columns, rows), [merged_of[at][1] for at in order]


def summary_text(reports: Sequence[ClusterReport]) -> str:
    """Describes the number of words, and the reduction by merging."""
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


def why_no_clusters(reports: Sequence[ClusterReport]) -> str:
    """Returns why there are no clusters, with a hint; empty with clusters or without words."""
    if not reports or any(report.merged for report in reports):
        return ""
    if any(report.n_with_vector for report in reports):
        return tr("No two of these words are so alike that they count as one.")
    return tr(
        "None of these words is in the vectors: choose vectors of the texts' language with the "
        "button of the metric."
    )


def _word_cell(text: str) -> Cell:
    return Cell(text=text, value=text, is_number=False)
