"""Dialogs for the note of a decision, and the reason to unlock."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from awase.gui.kit.forms.dialog import FormDialog, Verdict, refused
from awase.gui.kit.forms.parts import Field, Form, Line
from awase.gui.kit.texts.i18n import mark, tr


class NoteDialog(FormDialog):
    """Note of a decision; empty clears it."""

    chosen = Signal(str)

    def __init__(self, note: str, parent: QWidget | None = None) -> None:
        form = Form(
            title=mark("Note on the decision"),
            parts=(Field("text", mark("Note"), Line(note)),),
            accept=mark("Save"),
            leave=mark("Cancel"),
            width=32,
        )
        super().__init__(form, parent)
        self.show_state()

    def submit(self) -> None:
        self.chosen.emit(self.fields.text("text"))
        self.accept()


class UnlockDialog(FormDialog):
    """Logged reason to unlock an abstract's decisions."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        form = Form(
            title=mark("Unlock the decisions"),
            parts=(Field("text", mark("Reason"), Line()),),
            accept=mark("Unlock"),
            leave=mark("Cancel"),
            width=32,
        )
        super().__init__(form, parent)
        self.show_state()

    def verdict(self) -> Verdict:
        if not self.fields.text("text").strip():
            return refused(tr("Give a reason: the log keeps it."), "muted")
        return Verdict()

    def submit(self) -> None:
        self.chosen.emit(self.fields.text("text"))
        self.accept()
