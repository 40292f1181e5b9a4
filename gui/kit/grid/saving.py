"""Writes a text to a file that the user names; a failure is told."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from awase.core.errors import EnvironmentProblem
from awase.gui.kit.forms.asking import open_once
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.kit.texts.i18n import mark
from awase.jobs.files.writing import write_whole_file


def write(parent: QWidget, path: Path, text: str) -> None:
    """Writes the text; the file appears when it is complete, and a failure is told."""
    try:
        write_whole_file(path, text)
    except EnvironmentProblem as error:
        ProblemsDialog.show_for(parent, mark("Nothing was exported."), [error.problem])


def ask_and_write(parent: QWidget, title: str, place: Path, text: Callable[[], str]) -> QFileDialog:
    """Asks where to, and writes there.

    Args:
        parent: Over which the question stands.
        title: Of the question, in the window's language.
        place: What is proposed; its ending is added to names without one.
        text: Returns what is written.
    """
    dialog = QFileDialog(parent, title, str(place))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(place.suffix.removeprefix("."))
    dialog.fileSelected.connect(lambda path: write(parent, Path(path), text()))
    return open_once(dialog)
