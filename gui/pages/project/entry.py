"""The Project page: its entry in the window."""

from typing import Final

from PySide6.QtWidgets import QWidget

from awase.gui.kit.texts.i18n import mark
from awase.gui.pages.project.commands import COMMANDS
from awase.gui.session.next_steps import NO_ABSTRACTS, NO_TEXTS
from awase.gui.session.pages import Page, PageContext


def _make(around: PageContext) -> QWidget:
    from awase.gui.pages.project.page import ProjectPage

    page = ProjectPage(around.session, around.services, around.parent)
    page.sentenceChosen.connect(around.show_sentence)
    return page


PAGE: Final = Page(
    id="project",
    title=mark("&Project"),
    icon="project",
    keys=("Ctrl+7",),
    make=_make,
    commands=COMMANDS,
    needs=(NO_TEXTS, NO_ABSTRACTS),
)
