"""The Review page: what annotators agree on, and what they do not."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from awase.gui.kit.commands.page_keys import CommandKeys
from awase.gui.pages.review.agreement_tab import AGREEMENT_JOB, AgreementTab
from awase.gui.pages.review.entry import PAGE
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession


class ReviewPage(CommandKeys, QWidget):
    """Shows how far annotators agree; leads back to the annotation."""

    jobs = (AGREEMENT_JOB,)

    sentenceChosen = Signal(str, object, object)
    """Topic, abstract and place (a number or a `SentenceRef`) to show on the Annotate page."""

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.take_commands(PAGE.id, PAGE.commands, services.keys.keys)
        self.session = session
        self.agreement = AgreementTab(session, services)
        self.agreement.sentenceChosen.connect(self.sentenceChosen)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.agreement)
        self.setFocusProxy(self.agreement)
