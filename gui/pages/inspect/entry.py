"""The Inspect page: its entry in the window, and its commands."""

from typing import Final

from PySide6.QtWidgets import QWidget

from awase.gui.kit.commands.command import Command
from awase.gui.kit.texts.i18n import mark
from awase.gui.session.pages import Page, Surroundings

_CELL: Final = mark("Sentence and system")

COMMANDS: Final = (
    Command(
        id="inspect:link",
        title=mark("Link what looks as if it should be linked"),
        keys=("L",),
        group=_CELL,
        run=lambda page: page.link_first(),
    ),
    Command(
        id="inspect:annotate",
        title=mark("Show the sentence on the Annotate page"),
        keys=("Return", "Enter"),
        group=_CELL,
        run=lambda page: page.annotate_current(),
    ),
)


def _make(around: Surroundings) -> QWidget:
    from awase.gui.pages.inspect.page import InspectPage

    page = InspectPage(around.session, around.services)
    page.sentenceChosen.connect(around.show_sentence)
    return page


PAGE: Final = Page(
    id="inspect",
    title=mark("&Inspect"),
    icon="inspect",
    keys=("Ctrl+2",),
    make=_make,
    commands=COMMANDS,
)
