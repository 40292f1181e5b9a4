"""List view of the panes, drag and drop, ahead-of-time measuring."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QDrag,
    QDropEvent,
    QFocusEvent,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolTip, QTreeView, QWidget

from awase.core.errors import InputError
from awase.core.records.source import SentenceRef
from awase.gui.kit.i18n import bind, mark
from awase.gui.kit.jobs.running import once
from awase.gui.kit.look.rows import RowDelegate
from awase.gui.kit.look.stylesheet import NEW_SIZES
from awase.gui.kit.look.theme import ThemeBox
from awase.gui.pages.annotate.rows.sources import Sources


class RowView(QTreeView):
    """A tree view that looks like a list."""

    # A `QListView` lays all rows out again whenever one changes, a tree view that row alone.

    # A row on which the mouse was pressed and released; whether Ctrl was held.
    rowClicked = Signal(QModelIndex, bool)
    dragBegan = Signal(QModelIndex)  # the mouse pulls at a row
    resized = Signal()  # it has another size

    def __init__(self, model: QAbstractItemModel | None = None, name: str = "") -> None:
        """`name` is an English message for screen readers."""
        super().__init__()
        self.setModel(model)
        if name:
            bind(self, "accessibleName", name)
        self._pressed = QPersistentModelIndex()
        self._pressed_at = QPoint()
        self._width = 0
        self._scrolls_when_shown = False
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setItemsExpandable(False)
        self.setExpandsOnDoubleClick(False)
        self.setUniformRowHeights(False)
        self.setVerticalScrollMode(QTreeView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QTreeView.SelectionMode.NoSelection)
        self.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setAutoScroll(False)
        self.setProperty("look", "rows")

    def step(self, by: int) -> None:
        """Selects the next or previous selectable row."""
        index = self.currentIndex()
        if not index.isValid():
            index = self.model().index(0, 0) if self.model() else QModelIndex()
            by = 0 if self._can_be_current(index) else 1
        found = index
        while by and found.isValid():
            found = self.indexBelow(found) if by > 0 else self.indexAbove(found)
            if self._can_be_current(found):
                break
        if found.isValid():
            self.show_row(found)

    def show_row(self, index: QModelIndex) -> None:
        """Selects a row and scrolls to it."""
        self.setCurrentIndex(index)
        if self.isVisible():
            self.scrollTo(index)
        else:  # it would measure all rows, for a size that the view does not have yet
            self._scrolls_when_shown = True

    def show_in_middle(self, index: QModelIndex) -> None:
        """Selects a row, centred if it was out of sight."""
        self.executeDelayedItemsLayout()
        is_seen = self.viewport().rect().contains(self.visualRect(index))
        self.setCurrentIndex(index)
        if not is_seen:
            self.scrollTo(index, QTreeView.ScrollHint.PositionAtCenter)

    def currentChanged(
        self,
        current: QModelIndex | QPersistentModelIndex,
        previous: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().currentChanged(current, previous)
        if not self.isVisible():
            return
        # Without a selection Qt does not paint the row again that was current.
        for index in (current, previous):
            if index.isValid():
                self.viewport().update(self.visualRect(index))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed = QPersistentModelIndex(self.indexAt(event.position().toPoint()))
            self._pressed_at = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        is_pulled = bool(event.buttons() & Qt.MouseButton.LeftButton) and self._pressed.isValid()
        way = (event.position().toPoint() - self._pressed_at).manhattanLength()
        if is_pulled and way >= QApplication.startDragDistance():
            index = self.indexAt(self._pressed_at)
            # What is pulled is not clicked, too, when the button is let go.
            self._pressed = QPersistentModelIndex()
            if self._can_be_current(index):
                self.dragBegan.emit(index)
            return
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        at = event.position().toPoint()
        index = self.indexAt(at)
        is_click = (
            event.button() is Qt.MouseButton.LeftButton
            and index.isValid()
            and self._pressed == index
            and self._can_be_current(index)
        )
        self._pressed = QPersistentModelIndex()
        if is_click:
            is_ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            self.rowClicked.emit(index, is_ctrl)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        delegate = self.itemDelegate()
        if isinstance(delegate, RowDelegate) and delegate.has_guessed():
            self.scheduleDelayedItemsLayout()
        if self._scrolls_when_shown:
            self._scrolls_when_shown = False
            self.scrollTo(self.currentIndex())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.viewport().width() != self._width:
            self._width = self.viewport().width()
            self.scheduleDelayedItemsLayout()
        if event.size() != event.oldSize():
            self.resized.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in NEW_SIZES:
            self.scheduleDelayedItemsLayout()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def _can_be_current(self, index: QModelIndex) -> bool:
        return bool(index.isValid() and index.flags() & Qt.ItemFlag.ItemIsSelectable)


_FORMAT = "application/x-awase-sentence"
_NOWHERE = -1


def mime_of(ref: SentenceRef) -> QMimeData:
    """Returns the drag payload."""
    mime = QMimeData()
    mime.setData(_FORMAT, str(ref).encode())
    return mime


def ref_of(mime: QMimeData) -> SentenceRef | None:
    """Returns the sentence that travels; None when it is something else."""
    if not mime.hasFormat(_FORMAT):
        return None
    try:
        return SentenceRef.parse(bytes(mime.data(_FORMAT).data()).decode())
    except (InputError, UnicodeDecodeError):
        return None


def drag(ref: SentenceRef, source: QWidget) -> None:
    travel = QDrag(source)
    travel.setMimeData(mime_of(ref))
    travel.exec(Qt.DropAction.CopyAction)


class DropPlace(QObject):
    """Drop target over the alternatives; below the last one starts a new one."""

    # `SentenceRef`; index of the alternative, one beyond the last for a new one.
    dropped = Signal(object, int)
    hovered = Signal(int)  # row that would get the sentence, -1 for none

    def __init__(self, view: RowView, notice: QWidget) -> None:
        super().__init__(view)
        self._view = view
        for widget in (view.viewport(), notice):
            widget.setAcceptDrops(True)
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind is QEvent.Type.DragLeave:
            self.hovered.emit(_NOWHERE)
            return True
        if not isinstance(event, QDropEvent):
            return super().eventFilter(watched, event)
        ref = ref_of(event.mimeData())
        if ref is None:
            event.ignore()
            return True
        row = self._row_at(watched, event.position().toPoint())
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        is_drop = kind is QEvent.Type.Drop
        self.hovered.emit(_NOWHERE if is_drop else row)
        if is_drop:
            self.dropped.emit(ref, row)
        return True

    def _row_at(self, watched: QObject, at: QPoint) -> int:
        count = self._view.model().rowCount()
        if watched is not self._view.viewport():
            return count
        index = self._view.indexAt(at)
        return index.row() if index.isValid() else count


_QUIET_MS: Final = 150  # visible rows and requests of keys come first
_TEXTS_A_TURN: Final = 10


class MeasuringAhead(QObject):
    """Measures texts in idle batches: all together would delay the key that shows them."""

    def __init__(
        self,
        texts: Callable[[], Iterable[str]],
        measure: Callable[[str], object],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._texts, self._measure = texts, measure
        self._left: Iterator[str] = iter(())
        self._turns = once(self, _QUIET_MS, self._on_turn)

    def begin(self) -> None:
        """Measures all texts again, when idle."""
        self._left = iter(self._texts())
        self._turns.start(_QUIET_MS)

    def stop(self) -> None:
        self._turns.stop()

    def _on_turn(self) -> None:
        texts = tuple(islice(self._left, _TEXTS_A_TURN))
        for text in texts:
            self._measure(text)
        if texts:
            self._turns.start(0)


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
            painter.fillRect(inner, theme.colour("accent_soft"))
            painter.setPen(QPen(theme.colour("accent"), 1))
            painter.drawRect(inner.adjusted(0.5, 0.5, -0.5, -0.5))
        elif facts.used_by:
            painter.fillRect(_share(inner, 0.5), theme.colour("muted"))
        elif facts.like:
            painter.fillRect(_share(inner, 0.5), theme.colour("near_duplicate"))
        elif self._sources.digit(ref):
            painter.fillRect(_share(inner, 0.3), theme.colour("warning"))
        else:
            painter.fillRect(_share(inner, 0.12), theme.colour("line"))

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
