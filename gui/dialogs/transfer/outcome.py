"""Messages after an import."""

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog

from awase.core.errors import Problem
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.kit.texts.i18n import mark


def close_with_remarks(dialog: QDialog, warnings: Sequence[Problem]) -> None:
    """Closes the dialog, and shows warnings about the files."""
    parent = dialog.parentWidget()
    dialog.accept()
    if warnings and parent is not None:
        headline = mark("The files were imported. Please note:")
        ProblemsDialog.show_for(parent, headline, warnings, are_remarks=True)
