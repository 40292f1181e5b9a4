"""Drag and drop of files."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget as _Widget
else:
    _Widget = object  # Qt allows one of its classes among the bases, and that is the user's


class TakesFiles(_Widget):
    """Mixin before Qt's class, for widgets with `setAcceptDrops(True)`."""

    def takes(self, paths: Sequence[Path]) -> bool:
        """Returns whether these files can be dropped here now."""
        return bool(paths)

    def take_files(self, paths: Sequence[Path]) -> None:
        """Handles dropped files."""
        raise NotImplementedError

    def show_hover(self, is_over: bool) -> None:
        """Shows whether files hover over the widget."""

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.takes(_files(event)):
            event.acceptProposedAction()
            self.show_hover(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.show_hover(False)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.show_hover(False)
        paths = _files(event)
        if self.takes(paths):
            event.acceptProposedAction()
            self.take_files(paths)


def _files(event: QDropEvent) -> list[Path]:
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
