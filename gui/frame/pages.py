"""The pages of the window, in the order of the rail, imported when first shown."""

from functools import partial
from typing import Final

from PySide6.QtWidgets import QWidget

from awase.gui.kit.commands import dialog_class
from awase.gui.kit.i18n import mark
from awase.gui.pages.annotate.commands import ANNOTATE_COMMANDS
from awase.gui.session.pages import (
    CORRELATIONS_COMMANDS,
    GRADE_COMMANDS,
    INSPECT_COMMANDS,
    NO_ABSTRACTS,
    NO_HUMAN_SCORES,
    NO_OUTPUTS,
    NO_TEXTS,
    NOTHING_LINKED,
    ONE_ANNOTATOR,
    PROJECT_COMMANDS,
    REVIEW_COMMANDS,
    SCORES_COMMANDS,
    Page,
    PageContext,
)


def _make_annotate(around: PageContext) -> QWidget:
    from awase.gui.pages.annotate.page import AnnotatePage

    services = around.services
    return AnnotatePage(
        around.session,
        services.themes,
        keys=services.keys.keys,
        settings=services.settings,
        opens=False,  # the caller navigates
        parent=around.parent,
    )


def _make(page_class: str, around: PageContext) -> QWidget:
    """Builds a page, `module:class` below `awase.gui`, and connects what it asks of the window."""
    page: QWidget = dialog_class(page_class)(around.session, around.services, around.parent)
    for signal, act in (
        ("leaving", around.keep_place),
        ("sentenceChosen", around.show_sentence),
        ("causeChosen", around.show_cause),
        ("commandChosen", around.run_command),
    ):
        if hasattr(page, signal):
            getattr(page, signal).connect(act)
    return page


PAGES: Final[tuple[Page, ...]] = (
    Page(
        id="annotate",
        title=mark("&Annotate"),
        icon="annotate",
        keys=("Ctrl+1",),
        make=_make_annotate,
        commands=ANNOTATE_COMMANDS,
        needs=(NO_TEXTS, NO_ABSTRACTS),
    ),
    Page(
        id="inspect",
        title=mark("&Inspect"),
        icon="inspect",
        keys=("Ctrl+2",),
        make=partial(_make, "pages.inspect.page:InspectPage"),
        commands=INSPECT_COMMANDS,
        needs=(NO_TEXTS, NO_ABSTRACTS, NO_OUTPUTS, NOTHING_LINKED),
    ),
    Page(
        id="grade",
        title=mark("&Grade"),
        icon="grade",
        keys=("Ctrl+3",),
        make=partial(_make, "pages.grade.page:GradePage"),
        commands=GRADE_COMMANDS,
        needs=(NO_TEXTS, NO_ABSTRACTS, NOTHING_LINKED),
    ),
    Page(
        id="scores",
        title=mark("&Scores"),
        icon="scores",
        keys=("Ctrl+4",),
        make=partial(_make, "pages.scores.page:ScoresPage"),
        commands=SCORES_COMMANDS,
        needs=(NO_TEXTS, NO_OUTPUTS),
    ),
    Page(
        id="correlations",
        title=mark("&Correlations"),
        icon="correlations",
        keys=("Ctrl+5",),
        make=partial(_make, "pages.correlations.page:CorrelationsPage"),
        commands=CORRELATIONS_COMMANDS,
        needs=(NO_OUTPUTS, NO_HUMAN_SCORES),
    ),
    Page(
        id="review",
        title=mark("Re&view"),
        icon="review",
        keys=("Ctrl+6",),
        make=partial(_make, "pages.review.page:ReviewPage"),
        commands=REVIEW_COMMANDS,
        needs=(NO_ABSTRACTS, ONE_ANNOTATOR),
    ),
    Page(
        id="project",
        title=mark("Pro&ject"),
        icon="project",
        keys=("Ctrl+7",),
        make=partial(_make, "pages.project.page:ProjectPage"),
        commands=PROJECT_COMMANDS,
        needs=(NO_TEXTS, NO_ABSTRACTS),
    ),
)
# Imported by their `make`; the first visit would wait for them.
MODULES: Final = tuple(f"awase.gui.pages.{page.id}.page" for page in PAGES)


def page_named(page_id: str) -> Page:
    """Returns the page called `page_id`."""
    return next(page for page in PAGES if page.id == page_id)
