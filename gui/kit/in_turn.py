"""Tabs for panes that are side by side only where they fit."""

from PySide6.QtWidgets import QTabBar, QWidget


class TurnTabs(QTabBar):
    """Tabs that show one pane at a time, or, hidden, all of them."""

    def __init__(self, *panes: QWidget) -> None:
        super().__init__()
        self._panes = panes
        for _ in panes:
            self.addTab("")
        self.setDrawBase(False)
        self.setExpanding(False)
        self.hide()
        self.currentChanged.connect(self._show_panes)

    def take_turns(self, are_in_turn: bool) -> None:
        """Switches between the current pane only, and all without tabs."""
        self.setVisible(are_in_turn)
        self._show_panes()

    def bring(self, pane: QWidget) -> None:
        """Shows this pane, if only one is visible."""
        self.setCurrentIndex(self._panes.index(pane))

    def write(self, *titles: str) -> None:
        """Writes the titles of the tabs."""
        for at, title in enumerate(titles):
            self.setTabText(at, title)

    def _show_panes(self) -> None:
        for at, pane in enumerate(self._panes):
            pane.setVisible(self.isHidden() or at == self.currentIndex())
