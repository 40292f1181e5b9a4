"""The Review page: agreement, the comparison of two annotators, adjudication."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from screens.stage import come_to_rest

if TYPE_CHECKING:
    from awase.gui.frame.workspace import Workspace
    from awase.gui.session.settings import Services


def reviewing(workspace: "Workspace", services: "Services") -> Iterator[tuple[str, QWidget]]:
    from awase.gui.pages.review.page import ReviewPage

    workspace.show_page("review")
    come_to_rest(services)
    page, window = workspace.page("review"), workspace.window()
    assert isinstance(page, ReviewPage)
    yield "review", window
    page.agreement.explain()
    yield "review-how", window
    page.agreement.explain()
    results = page.agreement.results
    for at, title in ((1, "topics"), (2, "effects")):
        results.overview.setCurrentIndex(at)
        yield f"review-{title}", window
    results.overview.setCurrentIndex(0)
    results.open_comparison()
    yield "review-comparison", window
    results.close_comparison()
    page.adjudicate()
    come_to_rest(services)
    yield "review-adjudicate", window
    page.show_agreement()
