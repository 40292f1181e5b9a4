"""List view of the panes, drag and drop, ahead-of-time measuring."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

from PySide6.QtCore import (
    QEvent,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QDrag, QDropEvent, QFocusEvent, QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFrame, QTreeView, QWidget

from awase.core.errors import InputError
from awase.core.records.identifiers import SentenceRef
from awase.gui.kit.look.rows import RowDelegate
from awase.gui.kit.look.stylesheet import NEW_SIZES


class RowView(QTreeView):
    """A tree view that looks like a list."""

    # A `QListView` lays all rows out again whenever one changes, a tree view that row alone.

    # A row on which the mouse was pressed and released; whether Ctrl was held.
    rowClicked = Signal(QModelIndex, bool)
    dragBegan = Signal(QModelIndex)  # the mouse pulls at a row
    resized = Signal()  # it has another size
    focused = Signal()  # the view has the keyboard now

    def __init__(self) -> None:
        super().__init__()
        self._pressed = QPersistentModelIndex()
        self._pressed_at = QPoint()
        self._width = 0
        self._scrolls_when_shown = False
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setItemsExpandable(False)
        self.setExpandsOnDoubleClick(False)
        self.setUniformRowHeights(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
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
            self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def measure_again(self) -> None:
        """Invalidates all row heights."""
        self.scheduleDelayedItemsLayout()

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
            self.measure_again()
        if self._scrolls_when_shown:
            self._scrolls_when_shown = False
            self.scrollTo(self.currentIndex())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.viewport().width() != self._width:
            self._width = self.viewport().width()
            self.measure_again()
        if event.size() != event.oldSize():
            self.resized.emit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in NEW_SIZES:
            self.measure_again()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()
        self.focused.emit()

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
        self._turns = QTimer(self)
        self._turns.setSingleShot(True)
        self._turns.timeout.connect(self._on_turn)

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
