"""The page on which abstract sentences are linked to source sentences."""

from typing import Final

from awase.gui.kit.i18n import mark
from awase.gui.pages.annotate.commands import ANNOTATE_COMMANDS
from awase.gui.session.pages import NO_ABSTRACTS, NO_TEXTS, Page

PAGE: Final = Page(
    id="annotate",
    title=mark("&Annotate"),
    keys=("Ctrl+1",),
    needs=(NO_TEXTS, NO_ABSTRACTS),
    commands=ANNOTATE_COMMANDS,
)
