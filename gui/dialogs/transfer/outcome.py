"""What the dialogs that import do once the files are in the corpus."""

from PySide6.QtWidgets import QDialog

from awase.gui.kit.problems import ProblemsDialog
from awase.gui.kit.texts.i18n import mark
from awase.jobs.importing import Imported


def close_with_remarks(dialog: QDialog, result: Imported) -> None:
    """Closes the dialog, and shows above its parent what is odd about the files."""
    parent = dialog.parentWidget()
    dialog.accept()
    if result.warnings and parent is not None:
        headline = mark("The files were imported. Please note:")
        ProblemsDialog.show_for(parent, headline, result.warnings, are_remarks=True)
