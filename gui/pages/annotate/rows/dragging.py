"""A source sentence on its way, by mouse, to an alternative."""

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QDrag, QDropEvent
from PySide6.QtWidgets import QWidget

from awase.core.errors import InputError
from awase.core.records.identifiers import SentenceRef
from awase.gui.pages.annotate.rows.row_view import RowView

_FORMAT = "application/x-awase-sentence"
_NOWHERE = -1


def mime_of(ref: SentenceRef) -> QMimeData:
    """Returns what travels with the mouse."""
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
    """Lets the sentence travel until the button is let go."""
    travel = QDrag(source)
    travel.setMimeData(mime_of(ref))
    travel.exec(Qt.DropAction.CopyAction)


class DropPlace(QObject):
    """Takes sentences dropped on the alternatives; below the last one begins a new one."""

    dropped = Signal(object, int)
    """`SentenceRef`; index of the alternative, one beyond the last for a new one."""
    hovered = Signal(int)
    """Row that would get the sentence, -1 for none."""

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
