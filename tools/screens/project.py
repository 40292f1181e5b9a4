"""The Project page with nobody, with people and their work, and the list of topics."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QWidget

from awase.gui.main_screens import settle
from screens.stage import come_to_rest

if TYPE_CHECKING:
    from awase.gui.frame.workspace import Workspace
    from awase.gui.session.settings import Services


def managing_people(workspace: "Workspace", services: "Services") -> Iterator[tuple[str, QWidget]]:
    from awase.core.records.corpus import Person
    from awase.core.team.assigning import AssignmentRequest, assigned
    from awase.gui.pages.project.page import ProjectPage

    session, window = workspace.session, workspace.window()
    n_before = session.undo_stack.index()
    workspace.show_page("project")
    page = workspace.page("project")
    assert isinstance(page, ProjectPage)
    come_to_rest(services)
    yield "project-topics", window
    people = page.people_shown()
    come_to_rest(services)
    yield "project-nobody", window
    for who, name, role in (("L", "Lea", "lead"), ("A1", "Anna", "annotator")):
        people.take_person(Person(id=who, name=name, role=role))
    session.set_who("L")
    people.take_person(Person(id="A2", name="Ben"))
    first = AssignmentRequest(people=("A1", "A2"), calibration=1, due="2030-01-31")
    people.share_out(first.people, partial(assigned, request=first))
    come_to_rest(services)
    yield "project-people", window
    people.assign()
    dialog = people.findChildren(QDialog)[-1]
    yield "project-assign", dialog
    dialog.close()
    people.change_assistance()
    dialog = people.findChildren(QDialog)[-1]
    yield "project-assistance", dialog
    dialog.close()
    people.add.click()
    dialog = people.findChildren(QDialog)[-1]
    yield "project-person", dialog
    dialog.close()
    session.set_who("A1")
    come_to_rest(services)
    yield "project-annotator", window
    workspace.show_page("annotate")
    settle()
    workspace.choose_topic()
    assert workspace.annotate.header.topics.chooser is not None
    yield "topic-list", workspace.annotate.header.topics.chooser
    workspace.annotate.header.topics.chooser.close()
    session.set_who("L")
    while session.undo_stack.index():
        session.undo_stack.undo()
    session.set_who("A1")
    while session.undo_stack.index() > n_before:
        session.undo_stack.undo()
    come_to_rest(services)
