"""The pages of the window, in the order of the rail, imported when first shown."""

from typing import Final

from PySide6.QtWidgets import QWidget

from awase.gui.kit.i18n import mark
from awase.gui.pages.annotate.commands import ANNOTATE_COMMANDS
from awase.gui.pages.correlations.commands import CORRELATIONS_COMMANDS
from awase.gui.pages.grade.commands import GRADE_COMMANDS
from awase.gui.pages.inspect.commands import INSPECT_COMMANDS
from awase.gui.pages.project.commands import PROJECT_COMMANDS
from awase.gui.pages.review.commands import REVIEW_COMMANDS
from awase.gui.pages.scores.commands import SCORES_COMMANDS
from awase.gui.session.pages import (
    NO_ABSTRACTS,
    NO_HUMAN_SCORES,
    NO_OUTPUTS,
    NO_TEXTS,
    NOTHING_LINKED,
    ONE_ANNOTATOR,
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


ANNOTATE: Final = Page(
    id="annotate",
    title=mark("&Annotate"),
    icon="annotate",
    keys=("Ctrl+1",),
    make=_make_annotate,
    commands=ANNOTATE_COMMANDS,
    needs=(NO_TEXTS, NO_ABSTRACTS),
)


def _make_inspect(around: PageContext) -> QWidget:
    from awase.gui.pages.inspect.page import InspectPage

    page = InspectPage(around.session, around.services, around.parent)
    page.leaving.connect(around.keep_place)
    page.sentenceChosen.connect(around.show_sentence)
    return page


INSPECT: Final = Page(
    id="inspect",
    title=mark("&Inspect"),
    icon="inspect",
    keys=("Ctrl+2",),
    make=_make_inspect,
    commands=INSPECT_COMMANDS,
    needs=(NO_TEXTS, NO_ABSTRACTS, NO_OUTPUTS, NOTHING_LINKED),
)


def _make_grade(around: PageContext) -> QWidget:
    from awase.gui.pages.grade.page import GradePage

    return GradePage(around.session, around.services, around.parent)


GRADE: Final = Page(
    id="grade",
    title=mark("&Grade"),
    icon="grade",
    keys=("Ctrl+3",),
    make=_make_grade,
    commands=GRADE_COMMANDS,
    needs=(NO_TEXTS, NO_ABSTRACTS, NOTHING_LINKED),
)


def _make_scores(around: PageContext) -> QWidget:
    from awase.gui.pages.scores.page import ScoresPage

    page = ScoresPage(around.session, around.services, around.parent)
    page.causeChosen.connect(around.show_cause)
    page.failed.commandChosen.connect(around.run_command)
    return page


SCORES: Final = Page(
    id="scores",
    title=mark("&Scores"),
    icon="scores",
    keys=("Ctrl+4",),
    make=_make_scores,
    commands=SCORES_COMMANDS,
    needs=(NO_TEXTS, NO_OUTPUTS),
)


def _make_correlations(around: PageContext) -> QWidget:
    from awase.gui.pages.correlations.page import CorrelationsPage

    page = CorrelationsPage(around.session, around.services, around.parent)
    page.causeChosen.connect(around.show_cause)
    page.failed.commandChosen.connect(around.run_command)
    return page


CORRELATIONS: Final = Page(
    id="correlations",
    title=mark("&Correlations"),
    icon="correlations",
    keys=("Ctrl+5",),
    make=_make_correlations,
    commands=CORRELATIONS_COMMANDS,
    needs=(NO_OUTPUTS, NO_HUMAN_SCORES),
)


def _make_review(around: PageContext) -> QWidget:
    from awase.gui.pages.review.page import ReviewPage

    page = ReviewPage(around.session, around.services, around.parent)
    page.sentenceChosen.connect(around.show_sentence)
    return page


REVIEW: Final = Page(
    id="review",
    title=mark("Re&view"),
    icon="review",
    keys=("Ctrl+6",),
    make=_make_review,
    commands=REVIEW_COMMANDS,
    needs=(NO_ABSTRACTS, ONE_ANNOTATOR),
)


def _make_project(around: PageContext) -> QWidget:
    from awase.gui.pages.project.page import ProjectPage

    page = ProjectPage(around.session, around.services, around.parent)
    page.sentenceChosen.connect(around.show_sentence)
    return page


PROJECT: Final = Page(
    id="project",
    title=mark("&Project"),
    icon="project",
    keys=("Ctrl+7",),
    make=_make_project,
    commands=PROJECT_COMMANDS,
    needs=(NO_TEXTS, NO_ABSTRACTS),
)


PAGES: Final[tuple[Page, ...]] = (
    ANNOTATE,
    INSPECT,
    GRADE,
    SCORES,
    CORRELATIONS,
    REVIEW,
    PROJECT,
)
# Imported by their `make`; the first visit would wait for them.
MODULES: Final = tuple(f"awase.gui.pages.{page.id}.page" for page in PAGES)


def page_named(page_id: str) -> Page:
    """Returns the page called `page_id`."""
    return next(page for page in PAGES if page.id == page_id)
