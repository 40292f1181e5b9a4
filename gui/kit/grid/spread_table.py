"""A table of few columns that share the rest of the width."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from awase.gui.kit.grid.grid import GridView
from awase.gui.kit.grid.model import GridModel

# How much wider columns get; the eye would not find the same row again behind a wider gap.
_MOST = 1.8


class SpreadTable(GridView):
    """Spreads its columns until the user resizes one."""

    def __init__(self, parent: QWidget | None = None, model: GridModel | None = None) -> None:
        super().__init__(parent, model)
        self._usual: list[int] = []
        self._spread: list[int] = []

    def fit(self) -> None:
        super().fit()
        self._usual = self._spread = self._widths()
        self._spread_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        are_drawn = self._widths() != self._spread
        super().resizeEvent(event)
        if not are_drawn:
            self._spread_out()

    def _widths(self) -> list[int]:
        header = self.horizontalHeader()
        return [header.sectionSize(at) for at in range(header.count())]

    def _spread_out(self) -> None:
        wanted, room, before = self.wanted_px(), self.viewport().width(), sum(self._usual)
        if wanted <= room and before:
            share = min(room, wanted * _MOST) / before
            for at, width in enumerate(self._usual):
                self.horizontalHeader().resizeSection(at, int(width * share))
        self._spread = self._widths()
