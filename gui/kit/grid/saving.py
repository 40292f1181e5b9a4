"""Writes a text to a file; a failure is told."""

from pathlib import Path

from PySide6.QtWidgets import QWidget

from awase.core.errors import EnvironmentProblem
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.kit.texts.i18n import mark
from awase.jobs.files.writing import write_whole_file


def write(parent: QWidget, path: Path, text: str) -> None:
    """Writes the text; the file appears when it is complete, and a failure is told."""
    try:
        write_whole_file(path, text)
    except EnvironmentProblem as error:
        ProblemsDialog.show_for(parent, mark("Nothing was written."), [error.problem])
