"""The Review page: agreement and adjudication."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from awase.gui.kit.commands import CommandKeys
from awase.gui.kit.focus import HandsFocusOn
from awase.gui.kit.i18n import tr
from awase.gui.kit.texts import follow
from awase.gui.pages.review.adjudication_tab import ADJUDICATION_JOB, AdjudicationTab
from awase.gui.pages.review.agreement_tab import AGREEMENT_JOB, AgreementTab
from awase.gui.pages.review.cases import DECISION_JOB
from awase.gui.pages.review.commands import REVIEW_COMMANDS, SCOPE
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services


class ReviewPage(HandsFocusOn, CommandKeys, QWidget):
    """Agreement of annotators, and decisions on disagreements."""

    jobs = (AGREEMENT_JOB, ADJUDICATION_JOB, DECISION_JOB)

    # Topic, abstract and place (a number or a `SentenceRef`) to show on the Annotate page.
    sentenceChosen = Signal(str, object, object)

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._keys = services.keys.keys
        self.take_commands("review", REVIEW_COMMANDS, self._keys)
        self.session = session
        self.tabs = QTabWidget(self)
        pages = self.tabs.findChild(QStackedWidget)  # reparented ones would all be restyled
        self.agreement = AgreementTab(session, services, pages)
        self.adjudication = AdjudicationTab(session, services, pages)
        self.tabs.setDocumentMode(True)
        for tab in (self.agreement, self.adjudication):
            tab.sentenceChosen.connect(self.sentenceChosen)
            self.tabs.addTab(tab, "")
        self.tabs.currentChanged.connect(self._on_tab_changed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tabs)
        self.hand_focus_to(self.tabs)
        follow(self, self._write_texts)

    def adjudicate(self) -> None:
        sentence = self.agreement.results.current()
        self.tabs.setCurrentWidget(self.adjudication)
        if sentence is not None:
            self.adjudication.open_case(sentence.topic, sentence.abstract, sentence.n)

    def deciding(self) -> AdjudicationTab:
        self.tabs.setCurrentWidget(self.adjudication)
        return self.adjudication

    def show_agreement(self) -> None:
        self.tabs.setCurrentWidget(self.agreement)

    def _on_tab_changed(self) -> None:
        is_deciding = self.tabs.currentWidget() is self.adjudication
        self.take_commands(SCOPE if is_deciding else "review", REVIEW_COMMANDS, self._keys)
        self.tabs.currentWidget().setFocus()

    def _write_texts(self) -> None:
        self.tabs.setTabText(0, tr("Agreement"))
        self.tabs.setTabText(1, tr("Adjudicate"))
