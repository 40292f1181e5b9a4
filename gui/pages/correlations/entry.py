"""The Correlations page: its entry in the window."""

from typing import Final

from PySide6.QtWidgets import QWidget

from awase.gui.kit.texts.i18n import mark
from awase.gui.pages.correlations.commands import COMMANDS
from awase.gui.session.next_steps import NO_HUMAN_SCORES, NO_OUTPUTS
from awase.gui.session.pages import Page, PageContext


def _make(around: PageContext) -> QWidget:
    from awase.gui.pages.correlations.page import CorrelationsPage

    page = CorrelationsPage(around.session, around.services, around.parent)
    page.causeChosen.connect(around.show_cause)
    page.failed.commandChosen.connect(around.run_command)
    return page


PAGE: Final = Page(
    id="correlations",
    title=mark("&Correlations"),
    icon="correlations",
    keys=("Ctrl+5",),
    make=_make,
    commands=COMMANDS,
    needs=(NO_OUTPUTS, NO_HUMAN_SCORES),
)
