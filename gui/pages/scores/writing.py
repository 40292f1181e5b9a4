"""Writes the scores to a file that the user names."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from awase.core.metrics.tables.scores import Scores
from awase.core.reports.grid import Grid
from awase.core.reports.score_text import (
    as_html,
    as_latex,
    as_tidy_csv,
    as_wide_csv,
)
from awase.gui.kit.grid.saving import write
from awase.gui.kit.texts.i18n import tr


def text_of(name: str, scores: Scores, report: Grid) -> str:
    """Returns the text of an entry of `controls.EXPORTS`."""
    kind, _, ending = name.partition("-")
    for_spreadsheet = ending == "bom"
    if kind == "tidy":
        return as_tidy_csv(scores, for_spreadsheet=for_spreadsheet)
    if kind == "wide":
        return as_wide_csv(report, for_spreadsheet=for_spreadsheet)
    return {"latex": as_latex, "html": as_html}[kind](report)


def ask_and_write(
    parent: QWidget, name: str, scores: Scores, report: Grid, place: Path
) -> QFileDialog:
    """Asks where to, and writes there."""
    dialog = QFileDialog(parent, tr("Write scores"), str(place))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(place.suffix)
    dialog.fileSelected.connect(
        lambda path: write(parent, Path(path), text_of(name, scores, report))
    )
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    return dialog
