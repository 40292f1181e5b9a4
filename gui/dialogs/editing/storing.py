"""Storing from the editing dialogs: none closes before it is stored."""

from awase.core.records.edit import Edit
from awase.gui.kit.forms.dialog import FormDialog
from awase.gui.kit.texts.i18n import tr
from awase.gui.session.session import CorpusSession


def store_and_close(dialog: FormDialog, session: CorpusSession, edit: Edit | None) -> None:
    """Performs the edit (None = no change) and closes; stays open when it cannot be stored."""
    if edit is not None and not session.perform(edit):
        dialog.show_outcome(tr("It was not stored. Your text is still here."), "danger")
        return
    dialog.accept()
