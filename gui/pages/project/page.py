"""The Project page: the topics, and the people with their work."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QTabWidget, QVBoxLayout, QWidget

from awase.gui.kit.commands.page_keys import CommandKeys
from awase.gui.kit.focus import HandsFocusOn
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.pages.project.commands import COMMANDS
from awase.gui.pages.project.people_tab import PROGRESS_JOB, PeopleTab
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession
from awase.gui.session.topics.topic_view import TopicView


class ProjectPage(HandsFocusOn, CommandKeys, QWidget):
    """Topics, people, assignments and progress."""

    jobs = (PROGRESS_JOB,)

    # Topic, abstract and place to show on the Annotate page; 0 = where work goes on.
    sentenceChosen = Signal(str, object, object)

    def __init__(
        self, session: CorpusSession, services: Services, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.take_commands("project", COMMANDS, services.keys.keys)
        self._session = session
        self._is_stale = True
        self.topics = TopicView(session)
        self.people = PeopleTab(session, services)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        line_px = self.fontMetrics().height()
        framed = QWidget()
        inner = QVBoxLayout(framed)
        inner.setContentsMargins(line_px, line_px // 2, line_px, line_px // 2)
        inner.addWidget(self.topics)
        for tab in (framed, self.people):
            self.tabs.addTab(tab, "")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tabs)
        self.hand_focus_to(self.tabs)
        self.topics.chosen.connect(lambda topic: self.sentenceChosen.emit(topic, None, 0))
        session.changed.connect(self._on_session_changed)
        session.whoChanged.connect(self._on_session_changed)
        self._bind_texts()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh_if_stale()

    def people_shown(self) -> PeopleTab:
        """Returns the tab People, shown."""
        self.tabs.setCurrentWidget(self.people)
        return self.people

    def find_topic(self) -> None:
        """Shows the tab Topics with its field focused."""
        self.tabs.setCurrentIndex(0)
        self.topics.begin()

    def _on_session_changed(self, _changes: object) -> None:
        self._is_stale = True
        QTimer.singleShot(0, self, self._refresh_if_stale)

    def _refresh_if_stale(self) -> None:
        if self._is_stale and self.isVisible():
            self._is_stale = False
            self.topics.offer()

    def _bind_texts(self) -> None:
        bind(self.tabs, "accessibleName", mark("Project"))
        follow(self, self._write_texts)

    def _write_texts(self) -> None:
        self.tabs.setTabText(0, tr("Topics"))
        self.tabs.setTabText(1, tr("People"))
