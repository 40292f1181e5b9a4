"""The line above the panes: which topic, which abstract, how far it is."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QProgressBar, QSizePolicy, QWidget

from awase.core.annotation.overview import Progress, progress_of
from awase.core.records.abstract import Abstract
from awase.core.records.topic import Topic
from awase.gui.kit.texts.i18n import ntr, tr
from awase.gui.kit.texts.retranslation import Retranslated
from awase.gui.kit.wrapping_widgets import ElidedComboBox, ElidedLabel
from awase.gui.pages.annotate.state.annotation_state import Desk


class Header(Retranslated, QWidget):
    """Chooses the topic and the abstract, and shows how much of it is settled."""

    chosen = Signal()
    """The user chose a place, so the keyboard belongs to the panes again."""

    def __init__(self, desk: Desk, edit: QWidget, parent: QWidget | None = None) -> None:
        """Shows where `desk` is; `edit` stands at the right end."""
        super().__init__(parent)
        self._desk, self._edit = desk, edit
        self._topic_label, self._abstract_label = QLabel(), QLabel()
        self._topics, self._abstracts = ElidedComboBox(), ElidedComboBox()
        self._texts: dict[str, tuple[Topic, str, str, str]] = {}
        self._documents = ElidedLabel()
        self._documents.setProperty("look", "muted")
        self._progress_text = QLabel()
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._lay_out()
        self._topics.activated.connect(self._on_topic_activated)
        self._abstracts.activated.connect(self._on_abstract_activated)
        desk.placeChanged.connect(self._fill)
        desk.entryChanged.connect(self._show_progress)
        desk.entryChanged.connect(self._show_topic_progress)
        self._retranslate()

    def _lay_out(self) -> None:
        line = self.fontMetrics().height()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(line // 2, line // 3, line // 2, line // 3)
        layout.setSpacing(line // 2)
        for label, box, chars in (
            (self._topic_label, self._topics, 34),
            (self._abstract_label, self._abstracts, 16),
        ):
            box.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
            box.setMinimumContentsLength(chars)
            box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            # With large letters the boxes give way first; their lists show everything.
            box.setMinimumWidth(line * 6)
            label.setBuddy(box)
            layout.addWidget(label)
            layout.addWidget(box, chars)
        self._progress.setMinimumWidth(line * 3)
        self._progress.setMaximumWidth(line * 7)
        layout.addWidget(self._documents)
        layout.addStretch(10)
        layout.addWidget(self._progress_text)
        layout.addWidget(self._progress)
        layout.addWidget(self._edit)

    def _fill(self) -> None:
        session, place = self._desk.session, self._desk.place
        topics = session.topics() if session else ()
        with QSignalBlocker(self._topics), QSignalBlocker(self._abstracts):
            self._topics.clear()
            for topic in topics:
                text, tip = self._topic_texts(topic)
                self._topics.addItem(text, topic.id)
                self._topics.setItemData(self._topics.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
            self._abstracts.clear()
            for abstract in place.topic.abstracts if place.topic else ():
                self._abstracts.addItem(abstract_text(abstract), abstract.id)
            if place.topic is not None:
                self._topics.setCurrentIndex(self._topics.findData(place.topic.id))
            if place.abstract is not None:
                self._abstracts.setCurrentIndex(self._abstracts.findData(place.abstract.id))
        longest = max(map(self._topics.itemText, range(self._topics.count())), key=len, default="")
        metrics = self.fontMetrics()
        # The list may be wider than the box, so that progress is not cut off.
        width = min(metrics.horizontalAdvance(longest), metrics.averageCharWidth() * 90)
        self._topics.view().setMinimumWidth(width + 2 * metrics.height())
        self._topics.setEnabled(bool(topics))
        self._abstracts.setEnabled(self._abstracts.count() > 0)
        self._show_size()
        self._show_progress()

    def _topic_texts(self, topic: Topic) -> tuple[str, str]:
        """Returns the topic's line, and a line for each annotator; counted once for a record."""
        who = self._desk.place.who
        known = self._texts.get(topic.id)
        if known is None or known[0] is not topic or known[1] != who:
            known = self._texts[topic.id] = (topic, who, *_topic_texts(topic, who))
        return known[2:]

    def _show_topic_progress(self, _n: int = 0) -> None:
        topic = self._desk.place.topic
        row = self._topics.findData(topic.id) if topic else -1
        if topic is not None and row >= 0:
            text, tip = self._topic_texts(topic)
            self._topics.setItemText(row, text)
            self._topics.setItemData(row, tip, Qt.ItemDataRole.ToolTipRole)

    def _show_size(self) -> None:
        topic = self._desk.place.topic
        documents = topic.documents if topic else ()
        n_sentences = sum(len(document.sentences) for document in documents)
        parts = (
            ntr("{n} document", "{n} documents", len(documents)),
            ntr("{n} sentence", "{n} sentences", n_sentences),
        )
        self._documents.setText(" · ".join(parts) if topic else "")

    def _show_progress(self, _n: int = 0) -> None:
        numbers = self._desk.place.numbers
        settled = sum(self._desk.place.entry(n).state.is_settled for n in numbers)
        # Without this, either call would repaint the whole window at once.
        self._progress.setUpdatesEnabled(False)
        self._progress.setRange(0, max(1, len(numbers)))
        self._progress.setValue(settled)
        self._progress.setUpdatesEnabled(True)
        text = tr("{settled} of {total} settled").format(settled=settled, total=len(numbers))
        self._progress_text.setText(text if numbers else "")
        self._progress.setVisible(bool(numbers))

    def _retranslate(self) -> None:
        self._topic_label.setText(tr("Topic"))
        self._abstract_label.setText(tr("Abstract"))
        self._topics.setAccessibleName(tr("Topic"))
        self._abstracts.setAccessibleName(tr("Abstract"))
        self._progress.setAccessibleName(tr("Sentences settled"))
        self._texts.clear()
        self._fill()

    def _on_topic_activated(self, row: int) -> None:
        self._desk.go_to(self._topics.itemData(row))
        self.chosen.emit()

    def _on_abstract_activated(self, row: int) -> None:
        topic = self._desk.place.topic
        self._desk.go_to(topic.id if topic else None, self._abstracts.itemData(row))
        self.chosen.emit()


def _topic_texts(topic: Topic, who: str) -> tuple[str, str]:
    """Returns the topic with the progress of `who` first, and each annotator's on a line."""
    name = f"{topic.id}  {topic.title}" if topic.title else topic.id
    known = progress_of(topic)
    total = sum(len(abstract.sentences) for abstract in topic.abstracts)
    own = known.get(who, Progress(0, total))
    if not total:
        return name, name
    others = [f"{name} {done.settled}/{total}" for name, done in known.items() if name != who]
    short = " · ".join([f"{own.settled}/{total}", *others])
    lines = [
        tr("{who}: {settled} of {total} settled", who=one, settled=done.settled, total=total)
        for one, done in {who: own, **known}.items()
    ]
    return f"{name}   {short}", "\n".join([name, *lines])


def abstract_text(abstract: Abstract) -> str:
    """Returns the id, with the length class and the author where it does not tell them."""
    parts = [part for part in (abstract.length, abstract.author) if part]
    if abstract.length is None or abstract.length in abstract.id:
        return abstract.id
    return f"{abstract.id}  ({', '.join(parts)})"
