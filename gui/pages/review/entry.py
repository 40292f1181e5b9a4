"""The Review page: its entry in the window, and its commands."""

from typing import Final

from PySide6.QtWidgets import QWidget

from awase.gui.kit.commands.command import Command
from awase.gui.kit.texts.i18n import mark
from awase.gui.pages.review.adjudication_commands import COMMANDS as ADJUDICATION
from awase.gui.session.pages import Page, Surroundings

_DISAGREEMENT: Final = mark("Disagreement")

COMMANDS: Final = (
    Command(
        id="review:compare",
        title=mark("Compare both annotators in full"),
        keys=("Return", "Enter"),
        group=_DISAGREEMENT,
        run=lambda page: page.agreement.open_comparison(),
    ),
    Command(
        id="review:back",
        title=mark("Back to the tables"),
        keys=("Esc",),
        group=_DISAGREEMENT,
        run=lambda page: page.agreement.results.close_comparison(),
    ),
    Command(
        id="review:next",
        title=mark("Next disagreement"),
        keys=("]",),
        group=_DISAGREEMENT,
        run=lambda page: page.agreement.results.step(1),
    ),
    Command(
        id="review:previous",
        title=mark("Previous disagreement"),
        keys=("[",),
        group=_DISAGREEMENT,
        run=lambda page: page.agreement.results.step(-1),
    ),
    Command(
        id="review:adjudicate",
        title=mark("Decide this disagreement"),
        keys=("Shift+Return", "Shift+Enter"),
        group=_DISAGREEMENT,
        run=lambda page: page.adjudicate(),
    ),
    Command(
        id="review:annotate",
        title=mark("Show the disagreement on the Annotate page"),
        keys=("O",),
        group=_DISAGREEMENT,
        run=lambda page: page.agreement.show_current(),
    ),
    Command(
        id="review:how",
        title=mark("How the value came about"),
        keys=("H",),
        group=_DISAGREEMENT,
        run=lambda page: page.agreement.explain(),
    ),
)


def _make(around: Surroundings) -> QWidget:
    from awase.gui.pages.review.page import ReviewPage

    page = ReviewPage(around.session, around.services)
    page.sentenceChosen.connect(around.show_sentence)
    return page


PAGE: Final = Page(
    id="review",
    title=mark("Re&view"),
    icon="review",
    keys=("Ctrl+6",),
    make=_make,
    commands=(*COMMANDS, *ADJUDICATION),
)
