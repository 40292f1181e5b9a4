"""Button of the current topic, which opens the list of topics."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from awase.gui.kit.i18n import mark, tr
from awase.gui.kit.look.flow import spaced
from awase.gui.kit.look.stylesheet import letter_px
from awase.gui.kit.texts import follow
from awase.gui.session.session import CorpusSession
from awase.gui.session.topic_list import TopicLines, TopicView, name_of, short_text, tip_of

_CHARACTERS = 36
_SHARE = 3  # stretch in a row; other choices have 1
First = Callable[[], Sequence[tuple[str, str]]]


class TopicChooser(QDialog):
    """Popup list; Enter or a click selects, Esc closes."""

    def __init__(self, session: CorpusSession, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Topics"))
        self.view = TopicView(session)
        self.view.chosen.connect(self.close)
        hint = QLabel(tr("↑ ↓ choose · Enter opens · Esc leaves · a click on a title sorts"))
        hint.setProperty("look", "muted")
        line_px = self.fontMetrics().height()
        spaced(QVBoxLayout(self), self, self.view, hint, grows=self.view, across=1 / 2)
        window = parent.window()
        self.resize(min(line_px * 46, window.width() - line_px * 2),
                    min(line_px * 26, window.height() - line_px * 4))  # fmt: skip

    def stand_under(self, widget: QWidget) -> None:
        """Places a popup below the widget, inside the window."""
        window, below = widget.window(), QPoint(0, widget.height())
        spare = window.width() - self.width()
        at = widget.mapTo(window, below)
        self.move(window.mapToGlobal(QPoint(max(0, min(at.x(), spare)), at.y())))


class TopicButton(QPushButton):
    """Shows the current topic; a click or shortcut opens the list."""

    chosen = Signal(str)  # id of the topic, or of an entry that stands before them

    def __init__(
        self,
        session: CorpusSession,
        *,
        first: First = tuple,
        shows_progress: bool = False,
        title: str = mark("Topic"),
    ) -> None:
        """`title` is an English message for screen readers."""
        super().__init__()
        self._session, self._first, self._shows_progress = session, first, shows_progress
        self._id, self._title = "", title
        self._otherwise = ""
        self._grows = False
        self.chooser: TopicChooser | None = None
        self.setProperty("look", "choice")
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(letter_px(self) * 5)
        self.clicked.connect(self.open_list)
        follow(self, self.refresh)

    @property
    def topic_id(self) -> str:
        """The current topic or entry; empty without one."""
        return self._id

    def show_topic(self, topic_id: str, otherwise: str = "") -> None:
        """Shows the topic or entry, else the text `otherwise`."""
        self._id, self._otherwise = topic_id, otherwise
        self.refresh()

    def stand_in(self, row: QBoxLayout) -> None:
        """Adds the button to a row, stretching for a long title."""
        self._grows = True
        row.addWidget(self, _SHARE)
        self.refresh()

    def open_list(self) -> None:
        if not self.isEnabled():
            return
        self.chooser = TopicChooser(self._session, self)
        self.chooser.view.chosen.connect(self.chosen)
        self.chooser.view.offer(self._id, self._first())
        self.chooser.finished.connect(self._on_closed)
        self.chooser.stand_under(self)
        self.chooser.open()
        self.chooser.view.begin()

    def sizeHint(self) -> QSize:
        width = self._usual_px()
        if self._otherwise:  # it labels a whole table; a topic is one of many
            width = max(width, self._needed_px())
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self.minimumWidth(), super().minimumSizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._limit_growth()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_list()
            return
        super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        metrics = self.fontMetrics()
        pad = metrics.height() // 2
        room = self.rect().adjusted(pad, 0, -pad - metrics.height(), 0)
        words = self.text().replace("&&", "&")
        text = metrics.elidedText(words, Qt.TextElideMode.ElideRight, room.width())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
        self._paint_arrow(painter, metrics.height())

    def _paint_arrow(self, painter: QPainter, line_px: int) -> None:
        """Paints a combo box's arrow."""
        pen = QPen(painter.pen().color(), max(1.0, line_px * 0.08))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        half = line_px * 0.18
        middle = QPointF(self.width() - line_px * 0.8, self.height() / 2)
        corners = (QPointF(-half, -half / 2), QPointF(0, half / 2), QPointF(half, -half / 2))
        painter.drawPolyline([middle + corner for corner in corners])

    def _on_closed(self) -> None:
        self.chooser = None

    def refresh(self, _n: int = 0) -> None:
        """Writes the topic, and how far it is."""
        entry = dict(self._first()).get(self._id)
        line = None
        if entry is None and not self._otherwise:
            line = TopicLines.of(self._session).line_of(self._id)
        if line is not None:
            text = short_text(line) if self._shows_progress else name_of(line)
            tip = tip_of(line, self._session.who)
        else:
            text = tip = self._otherwise or entry or ""
        self.setText(text.replace("&", "&&"))
        self.setToolTip(f"{tip}\n{tr('Ctrl+T shows the list of topics')}".strip())
        self.setAccessibleName(tr(self._title))
        self.setAccessibleDescription(text)
        self._limit_growth()

    def _usual_px(self) -> int:
        return self.fontMetrics().averageCharWidth() * _CHARACTERS

    def _needed_px(self) -> int:
        metrics = self.fontMetrics()
        return metrics.horizontalAdvance(self.text()) + metrics.height() * 5 // 2

    def _limit_growth(self) -> None:
        if self._grows:
            self.setMaximumWidth(max(self._usual_px(), self._needed_px()))
