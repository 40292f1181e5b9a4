"""The tabs of the Inspect page, and the Grade page with an extract begun."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from awase.gui.main_screens import settle, wait
from screens.made_up_models import MadeUpModel, made_up_vectors
from screens.stage import come_to_rest

if TYPE_CHECKING:
    from awase.gui.frame.workspace import Workspace
    from awase.gui.pages.inspect.page import InspectPage
    from awase.gui.session.settings import Services


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
    yield from _explaining(page, services)
    page.details.setCurrentIndex(0)
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


def _explaining(page: "InspectPage", services: "Services") -> Iterator[tuple[str, QWidget]]:
    from awase.gui.pages.inspect.trees import TreesPane
    from awase.jobs.supplies.gathering import Places

    (pyramid, trees, words), window = page.details.panes, page.window()
    assert isinstance(trees, TreesPane)
    page.choose_topic(page.session.topics()[0].id)
    pyramid.chooser.choose(("pseudo-pyramid:unit=sentence",))
    page.show_explanation("pyramid")
    come_to_rest(services)
    yield "pyramid", window
    metric, file = made_up_vectors(page.session, services.data)
    words.chooser.choose((metric,), Places(vectors=file))
    page.show_explanation("clusters")
    come_to_rest(services)
    yield "clusters", window
    services.opened().models["SpanBERT/spanbert-base-cased"] = MadeUpModel()
    trees.chooser.choose(("subtree",), Places(model="SpanBERT/spanbert-base-cased"))
    page.show_explanation("trees")
    come_to_rest(services)
    yield "trees", window
    trees.grid.choose(0, 0)
    yield "trees-match", window
    page.choose_topic(None)
    come_to_rest(services)
