"""A form that is scrolled where letters are too large for the screen."""

from typing import Final, cast

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLayout, QScrollArea, QWidget

from awase.gui.kit.forms.panel import FormPanel

_FEWEST_LINES: Final = 10  # a form is never lower than this, or than all of it


def height_for(layout: QLayout, width: int, *, is_least: bool) -> int:
    """Returns a layout's minimum or preferred height at this width."""
    layout.activate()
    if layout.hasHeightForWidth():
        measure = layout.totalMinimumHeightForWidth if is_least else layout.totalHeightForWidth
        return measure(width)
    return (layout.totalMinimumSize() if is_least else layout.totalSizeHint()).height()


class ScrolledPanel(QScrollArea):
    """A panel as high as possible, scrolled beyond."""

    # `setWidgetResizable` would scroll where editors and lists could still shrink.

    needsChanged = Signal()  # the panel may want another height than it has

    def __init__(self, panel: FormPanel) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what stands in it is walked through
        self.setSizePolicy(panel.sizePolicy())
        self.setWidget(panel)

    @property
    def _panel(self) -> QWidget:
        """Looked up in Qt: events still come when Python's collector has cleared this object."""
        return cast("QWidget", self.widget())

    def height_for(self, width: int, *, is_least: bool) -> int:
        """Returns the panel's minimum or preferred height at this width."""
        layout = self._panel.layout()
        assert layout is not None
        return height_for(layout, width, is_least=is_least)

    def sizeHint(self) -> QSize:
        return self._panel.sizeHint()

    def minimumSizeHint(self) -> QSize:
        least = self._panel.minimumSizeHint()
        fewest = self.fontMetrics().height() * _FEWEST_LINES
        bar = self.verticalScrollBar()
        across = bar.sizeHint().width() if self._is_scrolled() else 0
        return QSize(least.width() + across, min(least.height(), fewest))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._panel and event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._fit()
            self.needsChanged.emit()
        return super().eventFilter(watched, event)

    def _is_scrolled(self) -> bool:
        return self._panel.height() > self.maximumViewportSize().height()

    def _fit(self) -> None:
        room = self.maximumViewportSize()
        least = self._panel.minimumSizeHint().width()
        width = max(room.width(), least)
        height = self.height_for(width, is_least=True)
        if height > room.height():
            width = max(room.width() - self.verticalScrollBar().sizeHint().width(), least)
            height = self.height_for(width, is_least=True)
        self._panel.resize(width, max(room.height(), height))
