"""The Grade page: its entry in the window."""

from typing import Final

from PySide6.QtWidgets import QWidget

from awase.gui.kit.texts.i18n import mark
from awase.gui.pages.grade.commands import COMMANDS
from awase.gui.session.next_steps import NO_ABSTRACTS, NO_TEXTS, NOTHING_LINKED
from awase.gui.session.pages import Page, PageContext


def _make(around: PageContext) -> QWidget:
    from awase.gui.pages.grade.page import GradePage

    return GradePage(around.session, around.services, around.parent)


PAGE: Final = Page(
    id="grade",
    title=mark("&Grade"),
    icon="grade",
    keys=("Ctrl+3",),
    make=_make,
    commands=COMMANDS,
    needs=(NO_TEXTS, NO_ABSTRACTS, NOTHING_LINKED),
)
