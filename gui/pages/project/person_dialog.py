"""Asks who somebody is, and what their role is."""

from collections.abc import Collection

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from awase.core.errors import CorpusFormatError
from awase.core.records.project import Person
from awase.gui.kit.forms.dialog import FormDialog, Verdict, refused
from awase.gui.kit.forms.parts import Choice, Field, Form, Line, Note
from awase.gui.kit.texts.i18n import mark, problem_text, tr
from awase.gui.pages.project.tables import ROLES


class PersonDialog(FormDialog):
    """Takes somebody new, or another role or name of somebody."""

    chosen = Signal(object)
    """The `Person`."""

    def __init__(
        self, person: Person | None, taken: Collection[str], parent: QWidget | None = None
    ) -> None:
        self._is_new = person is None
        self._taken = frozenset(taken)
        role = person.role if person is not None else "annotator"
        form = Form(
            title=mark("Person"),
            parts=(
                Field(
                    "id",
                    mark("Id"),
                    Line(person.id if person else "", is_fixed=person is not None),
                    tip=mark("What the person's work is signed with; it stays for ever"),
                ),
                Field("name", mark("Name"), Line((person.name or "") if person else "")),
                Field("role", mark("Role"), Choice(messages=[*ROLES.items()], value=role)),
                Note(mark("Roles in a file are a courtesy among colleagues, no protection.")),
            ),
            accept=mark("Add") if person is None else mark("Change"),
            leave=mark("Cancel"),
            width=28,
        )
        super().__init__(form, parent)
        self.show_state()

    @property
    def person(self) -> Person:
        """The person as the fields have it.

        Raises:
            CorpusFormatError: There is no such person.
        """
        return Person(
            id=self.fields.text("id").strip(),
            name=self.fields.text("name").strip() or None,
            role=str(self.fields.value("role")),
        )

    def verdict(self) -> Verdict:
        if not self.fields.text("id").strip():
            return refused(tr("Give the person an id, such as A1."), "muted")
        try:
            person = self.person
        except CorpusFormatError as error:
            return refused(problem_text(error.problems[0]))
        if self._is_new and person.id in self._taken:
            return refused(tr("“{who}” is of the project already.", who=person.id))
        return Verdict()

    def submit(self) -> None:
        self.chosen.emit(self.person)
        self.accept()
