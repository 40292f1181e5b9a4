"""The line above the heat map: which topics, whose alignment, how much of an extract."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from awase.core.metrics.kit.annotators import (
    FIRST_ANNOTATOR,
    Choice,
    annotator_values,
)
from awase.core.project.people import Part
from awase.gui.kit.choices import offer
from awase.gui.kit.fitting.boxes import ElidedComboBox
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.pages.inspect.computing import InspectOptions
from awase.gui.session.session import CorpusSession
from awase.gui.session.topics.button import TopicButton

_MOST_AT_FIRST: Final = 100
"""Topics of which all are shown when the page is; of more, one."""


class Controls(QWidget):
    """Says what is inspected."""

    topicChosen = Signal(object)
    """Id of the topic, or None for all."""
    optionsChosen = Signal(object)
    """The `InspectOptions`."""
    copyChosen = Signal()

    def __init__(self, session: CorpusSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.topics = TopicButton(lambda: session, first=lambda: [("", tr("All topics"))])
        self._annotators = ElidedComboBox()
        self._topic_label, self._annotator_label = QLabel(), QLabel()
        self._topic_label.setBuddy(self.topics)
        self._annotator_label.setBuddy(self._annotators)
        self._whole = QCheckBox()
        self._is_filled = False
        self.copy = QPushButton()
        self._lay_out()
        self.topics.chosen.connect(self.choose_topic)
        self._annotators.activated.connect(self._on_options_changed)
        self._whole.toggled.connect(self._on_options_changed)
        self.copy.clicked.connect(self.copyChosen)
        self.refill()
        self._bind_texts()

    @property
    def topic_id(self) -> str | None:
        """The topic; None = all."""
        return self.topics.topic_id or None

    def choose_topic(self, topic_id: str) -> None:
        """Shows one topic, or all when the id is empty."""
        self.topics.show_topic(topic_id)
        self.topicChosen.emit(self.topic_id)

    def refill(self) -> None:
        """Offers the topics and annotators that there are now; keeps what is chosen."""
        session = self._session
        decided = [(tr("Gold"), Choice.GOLD.value)] if session.has(Part.GOLD) else []
        first = ("", FIRST_ANNOTATOR)
        offer(self._annotators, [first, *decided, *annotator_values(session.annotators())])
        known = self._session.topic(self.topics.topic_id or self._begun_at())
        self._is_filled = True
        self.topics.show_topic(known.id if known is not None else "")
        has_choice = self._annotators.count() > 2
        self._annotators.setVisible(has_choice)
        self._annotator_label.setVisible(has_choice)
        self._write_firsts()

    def _begun_at(self) -> str:
        """Returns the topic to begin with: that of the Annotate page, where all take long."""
        session = self._session
        is_much = not self._is_filled and len(session.topic_ids()) > _MOST_AT_FIRST
        return session.topic_in_sight if is_much else ""

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(line_px, line_px // 2, line_px, line_px // 2)
        layout.setSpacing(line_px // 2)
        # With large letters whose alignment it is gives way, or the window outgrows the screen.
        self._annotators.setMinimumWidth(line_px * 5)
        self._annotators.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        layout.addWidget(self._topic_label)
        self.topics.stand_in(layout)
        layout.addWidget(self._annotator_label)
        layout.addWidget(self._annotators, 1)
        layout.addWidget(self._whole)
        layout.addStretch()
        layout.addWidget(self.copy)

    def _on_options_changed(self) -> None:
        self.optionsChosen.emit(
            InspectOptions(
                is_whole_extract=self._whole.isChecked(),
                annotator=self._annotators.currentData() or FIRST_ANNOTATOR,
            )
        )

    def _write_firsts(self) -> None:
        self._annotators.setItemText(0, tr("First of each abstract"))
        self._annotators.setItemText(self._annotators.findData(Choice.GOLD.value), tr("Gold"))

    def _bind_texts(self) -> None:
        bind(self._topic_label, "text", mark("Topic"))
        bind(self._annotator_label, "text", mark("Annotator"))
        bind(self._annotators, "accessibleName", mark("Annotator"))
        bind(self._whole, "text", mark("Whole extract"))
        bind(
            self._whole,
            "toolTip",
            mark("Look at all of an extract, not only its first h sentences."),
        )
        bind(self.copy, "text", mark("Copy table"))
        bind(self.copy, "toolTip", mark("Tab-separated (Ctrl+C)"))
        follow(self, self._write_texts)

    def _write_texts(self) -> None:
        self.topics.set_title(tr("Topic"))
        self._write_firsts()
