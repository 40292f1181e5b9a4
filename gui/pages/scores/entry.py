"""The Scores page: its entry in the window."""

from typing import Final

from PySide6.QtWidgets import QWidget

from awase.gui.kit.texts.i18n import mark
from awase.gui.pages.scores.commands import COMMANDS
from awase.gui.session.next_steps import NO_OUTPUTS, NO_TEXTS
from awase.gui.session.pages import Page, PageContext


def _make(around: PageContext) -> QWidget:
    from awase.gui.pages.scores.page import ScoresPage

    page = ScoresPage(around.session, around.services, around.parent)
    page.causeChosen.connect(around.show_cause)
    page.failed.commandChosen.connect(around.run_command)
    return page


PAGE: Final = Page(
    id="scores",
    title=mark("&Scores"),
    icon="scores",
    keys=("Ctrl+4",),
    make=_make,
    commands=COMMANDS,
    needs=(NO_TEXTS, NO_OUTPUTS),
)
