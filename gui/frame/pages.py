"""The pages of the window, in the order of the rail."""

from typing import Final

from awase.gui.pages.annotate import entry as annotate
from awase.gui.pages.correlations import entry as correlations
from awase.gui.pages.grade import entry as grade
from awase.gui.pages.inspect import entry as inspect
from awase.gui.pages.project import entry as project
from awase.gui.pages.review import entry as review
from awase.gui.pages.scores import entry as scores
from awase.gui.session.pages import Page

PAGES: Final[tuple[Page, ...]] = (
    annotate.PAGE,
    inspect.PAGE,
    grade.PAGE,
    scores.PAGE,
    correlations.PAGE,
    review.PAGE,
    project.PAGE,
)
# What their `make` loads; who goes to a page for the first time would wait for it.
MODULES: Final = tuple(f"awase.gui.pages.{page.id}.page" for page in PAGES)


def page_named(page_id: str) -> Page:
    """Returns the page called `page_id`."""
    return next(page for page in PAGES if page.id == page_id)
