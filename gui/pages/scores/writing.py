"""The scores as text for files."""

from awase.core.metrics.significance import ScoreArrays
from awase.core.reports.grid import Grid
from awase.core.reports.table_export import (
    as_html,
    as_latex,
    as_tidy_csv,
    as_wide_csv,
)


def text_of(name: str, scores: ScoreArrays, report: Grid) -> str:
    """Returns the text of an entry of `controls.EXPORTS`."""
    kind, _, ending = name.partition("-")
    for_spreadsheet = ending == "bom"
    if kind == "tidy":
        return as_tidy_csv(scores, for_spreadsheet=for_spreadsheet)
    if kind == "wide":
        return as_wide_csv(report, for_spreadsheet=for_spreadsheet)
    return {"latex": as_latex, "html": as_html}[kind](report)
