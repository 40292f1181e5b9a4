"""The table as shown, as a report for the clipboard and for files."""

from awase.core.reports.grid import Column, Grid
from awase.core.reports.score_report import ScoreWording, grid_of_scores, report_cell, with_notes
from awase.core.reports.score_views import Arrangement
from awase.gui.kit.texts.i18n import tr
from awase.gui.pages.scores.table.wording import column_title


def report_of(shown: Arrangement, order: list[int]) -> Grid:
    """Returns the visible table with rows in this order."""
    wording = ScoreWording(
        column=lambda column: Column(title=column_title(column, " "), is_number=True),
        cell=report_cell,
        name=tr("System") if shown.has_systems_in_rows else tr("Topic"),
    )
    return with_notes(grid_of_scores(shown, wording, order), shown)
