"""The Annotate page: its entry in the window."""

from typing import Final

from PySide6.QtWidgets import QWidget

from awase.gui.kit.texts.i18n import mark
from awase.gui.pages.annotate.commands import COMMANDS
from awase.gui.session.next_steps import NO_ABSTRACTS, NO_TEXTS
from awase.gui.session.pages import Page, PageContext


def _make(around: PageContext) -> QWidget:
    from awase.gui.pages.annotate.page import AnnotatePage

    services = around.services
    return AnnotatePage(
        around.session,
        services.themes,
        keys=services.keys.keys,
        settings=services.settings,
        opens=False,  # whoever makes it knows where to go on
        parent=around.parent,
    )


PAGE: Final = Page(
    id="annotate",
    title=mark("&Annotate"),
    icon="annotate",
    keys=("Ctrl+1",),
    make=_make,
    commands=COMMANDS,
    needs=(NO_TEXTS, NO_ABSTRACTS),
)
