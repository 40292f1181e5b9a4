"""Dialog to choose the annotator."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from awase.core.errors import CorpusFormatError
from awase.core.records.alignment import Alignment
from awase.gui.kit.forms.dialog import FormDialog, Verdict, refused
from awase.gui.kit.forms.parts import ChoiceField, Field, Form
from awase.gui.kit.texts.i18n import mark, problem_text, tr


class AnnotatorDialog(FormDialog):
    """Selects a known name, or enters a new one."""

    chosen = Signal(str)

    def __init__(self, who: str, people: Sequence[str], parent: QWidget | None = None) -> None:
        self._people = tuple(people)
        names = [(name, name) for name in dict.fromkeys((who, *people))]
        kind = ChoiceField(names, who, is_open=True)
        form = Form(
            title=mark("Annotator"),
            parts=(Field("who", mark("Whose alignment do you make?"), kind, is_above=True),),
            accept=mark("OK"),
            leave=mark("Cancel"),
            width=26,
        )
        super().__init__(form, parent)
        edit = self.fields.box("who").lineEdit()
        if edit is not None:
            edit.selectAll()
        self.show_state()

    @property
    def name(self) -> str:
        return self.fields.text("who")

    def verdict(self) -> Verdict:
        try:
            Alignment(annotator=self.name)
        except CorpusFormatError as error:
            return refused(problem_text(error.problems[0]))
        if self.name not in self._people:
            return Verdict(tr("“{who}” is new in this corpus.", who=self.name))
        return Verdict(tr("Everybody has an alignment and an undo list of their own."))

    def submit(self) -> None:
        self.chosen.emit(self.name)
        self.accept()
