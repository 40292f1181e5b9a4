"""All documents at one glance: where sentences are linked, used elsewhere, or likely."""

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from awase.core.records.identifiers import SentenceRef
from awase.gui.kit.i18n import mark
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.kit.texts import bind
from awase.gui.pages.annotate.rows.row_view import RowView
from awase.gui.pages.annotate.rows.sources import SourceRole, Sources

_WIDTH_LINES: Final = 1.1
_GAP_SENTENCES: Final = 1.0  # room between documents, in sentences


class Minimap(QWidget):
    """Map of the documents with a bar for each source sentence; a click goes there.

    Wide bars are links: filled ones of the current alternative, outlined ones of another. Half bars
    are uses by other abstract sentences; short ones are the nine best candidates.
    """

    refChosen = Signal(object)  # the `SentenceRef` that was clicked

    def __init__(self, sources: Sources, view: RowView, themes: ThemeBox) -> None:
        super().__init__()
        self._sources = sources
        self._view = view
        self._themes = themes
        self._places: list[tuple[SentenceRef, float]] = []
        self._height_sentences = 1.0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        sources.reset.connect(self._on_reset)
        for signal in (sources.reordered, sources.factsChanged, themes.changed):
            signal.connect(self._on_picture_changed)
        view.verticalScrollBar().valueChanged.connect(self._on_picture_changed)
        view.verticalScrollBar().rangeChanged.connect(self._on_picture_changed)
        bind(self, "accessibleName", mark("Map of the documents"))

    def _on_picture_changed(self, *_: object) -> None:
        # Not a lambda: Qt disconnects a method when its widget dies, and themes live longer.
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(self.fontMetrics().height() * _WIDTH_LINES), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = self._themes.theme
        painter.fillRect(self.rect(), theme.colour("window"))
        self._paint_sight(painter)
        step = self.height() / self._height_sentences
        for ref, at in self._places:
            self._paint_sentence(painter, ref, at * step, max(1.0, step * 0.7))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._go(event.position().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._go(event.position().toPoint())

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            ref = self._ref_at(event.pos())
            if ref is not None:
                text = "  ".join([self._sources.label(ref), *self._sources.remarks(ref)])
                QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def _paint_sentence(self, painter: QPainter, ref: SentenceRef, y: float, high: float) -> None:
        theme, facts = self._themes.theme, self._sources.facts(ref)
        inner = QRectF(3, y, self.width() - 6, high)
        if facts.is_linked:
            painter.fillRect(inner, theme.colour("accent"))
        elif facts.others:
            self._paint_frame(painter, inner, theme.colour("accent"))
        elif facts.used_by:
            painter.fillRect(_share(inner, 0.5), theme.colour("muted"))
        elif facts.like:
            painter.fillRect(_share(inner, 0.5), theme.colour("near_duplicate"))
        elif self._sources.data(ref, SourceRole.DIGIT):
            painter.fillRect(_share(inner, 0.3), theme.colour("warning"))
        else:
            painter.fillRect(_share(inner, 0.12), theme.colour("line"))

    def _paint_frame(self, painter: QPainter, rect: QRectF, colour: QColor) -> None:
        painter.fillRect(rect, self._themes.theme.colour("accent_soft"))
        painter.setPen(QPen(colour, 1))
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))

    def _paint_sight(self, painter: QPainter) -> None:
        """Paints the visible part of the documents."""
        bar = self._view.verticalScrollBar()
        whole = bar.maximum() + bar.pageStep()
        if whole <= 0 or bar.maximum() == 0:
            return
        top = self.height() * bar.value() / whole
        height = self.height() * bar.pageStep() / whole
        painter.fillRect(QRectF(0, top, self.width(), height), self._themes.theme.colour("raised"))
        painter.setPen(QPen(self._themes.theme.colour("line"), 1))
        painter.drawRect(QRectF(0.5, top + 0.5, self.width() - 1, height - 1))

    def _go(self, at: QPoint) -> None:
        ref = self._ref_at(at)
        if ref is not None:
            self.refChosen.emit(ref)

    def _ref_at(self, at: QPoint) -> SentenceRef | None:
        if not self._places:
            return None
        wanted = at.y() * self._height_sentences / max(1, self.height()) - 0.35
        return min(self._places, key=lambda place: abs(place[1] - wanted))[0]

    def _on_reset(self) -> None:
        self._places = []
        at = 0.0
        for document in self._sources.documents:
            for ref in document.refs():
                self._places.append((ref, at))
                at += 1
            at += _GAP_SENTENCES
        self._height_sentences = max(at - _GAP_SENTENCES, 1.0)
        self.update()


def _share(rect: QRectF, share: float) -> QRectF:
    return QRectF(rect.left(), rect.top(), max(2.0, rect.width() * share), rect.height())
