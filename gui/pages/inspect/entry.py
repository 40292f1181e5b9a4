"""The Inspect page: its entry in the window."""

from typing import Final

from PySide6.QtWidgets import QWidget

from awase.gui.kit.texts.i18n import mark
from awase.gui.pages.inspect.commands import COMMANDS
from awase.gui.session.next_steps import NO_ABSTRACTS, NO_OUTPUTS, NO_TEXTS, NOTHING_LINKED
from awase.gui.session.pages import Page, PageContext


def _make(around: PageContext) -> QWidget:
    from awase.gui.pages.inspect.page import InspectPage

    page = InspectPage(around.session, around.services, around.parent)
    page.leaving.connect(around.keep_place)
    page.sentenceChosen.connect(around.show_sentence)
    return page


PAGE: Final = Page(
    id="inspect",
    title=mark("&Inspect"),
    icon="inspect",
    keys=("Ctrl+2",),
    make=_make,
    commands=COMMANDS,
    needs=(NO_TEXTS, NO_ABSTRACTS, NO_OUTPUTS, NOTHING_LINKED),
)
