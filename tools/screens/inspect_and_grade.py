"""The tabs of the Inspect page, and the Grade page with an extract begun."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from awase.gui.main_screens import settle, wait
from screens.stage import come_to_rest

if TYPE_CHECKING:
    from awase.gui.frame.workspace import Workspace
    from awase.gui.session.services import Services


def inspecting_and_grading(
    workspace: "Workspace", services: "Services"
) -> Iterator[tuple[str, QWidget]]:
    from awase.gui.pages.grade.page import GradePage
    from awase.gui.pages.inspect.page import InspectPage
    from awase.gui.pages.inspect.tables import FIRST_SYSTEM_COLUMN, MEAN_COLUMN

    workspace.show_page("inspect")
    come_to_rest(services)
    page = workspace.page("inspect")
    assert isinstance(page, InspectPage)
    page.heat.sort_by(MEAN_COLUMN, Qt.SortOrder.AscendingOrder)
    page.heat.setCurrentIndex(page.heat.model().index(1, FIRST_SYSTEM_COLUMN))
    for tab, title in enumerate(("sentence", "two-systems", "texts", "errors", "places")):
        page.details.setCurrentIndex(tab)
        settle()
        yield f"inspect-{title}", workspace.window()
    workspace.show_page("grade")
    come_to_rest(services)
    grade = workspace.page("grade")
    assert isinstance(grade, GradePage)
    grade.compared.setCurrentIndex(1)
    for _ in range(3):
        grade.add_best()
    grade.composition.score_now()
    wait(lambda: not services.jobs.is_busy)
    yield "grade", workspace.window()
