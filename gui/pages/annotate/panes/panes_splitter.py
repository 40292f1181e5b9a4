"""The panes side by side, and the guidelines beside them or in the abstract's place."""

from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

_SHARES: Final = (26, 46, 28)
_FIRST_PX: Final = (260, 460, 280, 260)
_GUIDELINES_PERCENT: Final = 22
"""Of the width that they have at least once they are shown."""
_CENTRE_PERCENT: Final = 45
"""Of what narrow guidelines leave: the alternatives may have what others did below them."""


class PanesSplitter(QSplitter):
    """Shows three panes; where four have no room, the guidelines stand where the abstract stood.

    The sentence that is worked at stays in sight above the sources.
    """

    def __init__(
        self, abstract: QWidget, centre: QWidget, alternatives: QWidget, guidelines: QWidget
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._abstract, self._guidelines = abstract, guidelines
        self._panes = (abstract, centre, alternatives)
        self._widths_alone: list[int] = []
        """Of the panes before the guidelines were shown; none once somebody moved an edge."""
        self.setChildrenCollapsible(False)
        self.setHandleWidth(1)
        for at, (pane, share) in enumerate(zip(self._panes, _SHARES, strict=True)):
            self.addWidget(pane)
            self.setStretchFactor(at, share)
        self.addWidget(guidelines)
        guidelines.hide()
        self.setSizes(_FIRST_PX)
        self.splitterMoved.connect(lambda *_: self._widths_alone.clear())

    def toggle_guidelines(self) -> None:
        """Shows the guidelines, or hides them and gives the panes their widths back."""
        widths = self.sizes()
        self._guidelines.setVisible(self._guidelines.isHidden())
        self._give_place()
        if self._guidelines.isHidden():
            if self._widths_alone:
                self.setSizes(self._widths_alone)
            return
        self._widths_alone = widths
        if self._abstract.isHidden():
            least = self._least_px(self._guidelines)
            centre = (self.width() - least) * _CENTRE_PERCENT // 100
            self.setSizes([least, 0, centre, self.width() - least - centre])
        else:
            self._give_room()

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        if self._guidelines.isHidden():
            return hint
        return QSize(self._least_px(self._guidelines, *self._panes[1:]), hint.height())

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() is QEvent.Type.LayoutRequest:  # letters or language are other ones
            self._give_place()
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_place()

    def _least_px(self, *panes: QWidget) -> int:
        widths = (max(one.minimumWidth(), one.minimumSizeHint().width()) for one in panes)
        return sum(widths) + self.handleWidth() * (len(panes) - 1)

    def _give_place(self) -> None:
        """Puts the guidelines beside the panes, or in the place of the first."""
        is_narrow = not self._guidelines.isHidden() and self.width() < self._least_px(
            *self._panes, self._guidelines
        )
        if is_narrow != self._abstract.isHidden():
            self._abstract.setHidden(is_narrow)
            self.insertWidget(0 if is_narrow else len(self._panes), self._guidelines)

    def _give_room(self) -> None:
        """Widens the guidelines to their share: they were hidden when the window got its size."""
        *widths, own = self.sizes()
        room = sum(widths) + own
        own = max(own, room * _GUIDELINES_PERCENT // 100)
        shared = [width * (room - own) // max(1, sum(widths)) for width in widths]
        self.setSizes([*shared, own])
