"""The Scores page: its entry in the window, and its commands."""

from typing import Final

from PySide6.QtWidgets import QWidget

from awase.gui.kit.commands.command import Command
from awase.gui.kit.texts.i18n import mark
from awase.gui.session.pages import Page, Surroundings

_TABLE: Final = mark("Table")

COMMANDS: Final = (
    Command(
        id="scores:back",
        title=mark("Back to the means of all topics"),
        keys=("Esc",),
        group=_TABLE,
        run=lambda page: page.go_back(),
    ),
)


def _make(around: Surroundings) -> QWidget:
    from awase.gui.pages.scores.page import ScoresPage

    return ScoresPage(around.session, around.services)


PAGE: Final = Page(
    id="scores",
    title=mark("&Scores"),
    icon="scores",
    keys=("Ctrl+4",),
    make=_make,
    commands=COMMANDS,
)
