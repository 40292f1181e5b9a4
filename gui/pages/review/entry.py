"""The Review page: its entry in the window."""

from typing import Final

from PySide6.QtWidgets import QWidget

from awase.gui.kit.texts.i18n import mark
from awase.gui.pages.review.commands import COMMANDS
from awase.gui.session.next_steps import NO_ABSTRACTS, ONE_ANNOTATOR
from awase.gui.session.pages import Page, PageContext


def _make(around: PageContext) -> QWidget:
    from awase.gui.pages.review.page import ReviewPage

    page = ReviewPage(around.session, around.services, around.parent)
    page.sentenceChosen.connect(around.show_sentence)
    return page


PAGE: Final = Page(
    id="review",
    title=mark("Re&view"),
    icon="review",
    keys=("Ctrl+6",),
    make=_make,
    commands=COMMANDS,
    needs=(NO_ABSTRACTS, ONE_ANNOTATOR),
)
