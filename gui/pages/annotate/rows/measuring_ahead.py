"""Texts of a view out of sight, measured before a key shows it."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

from PySide6.QtCore import QObject, QTimer

_QUIET_MS: Final = 150
"""First what is in sight is drawn, and what keys ask for is done."""
_TEXTS_A_TURN: Final = 10


class MeasuringAhead(QObject):
    """Measures a few texts a turn: all at once, they would hold up the key that shows them."""

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
        """Measures all texts anew, once it is quiet."""
        self._left = iter(self._texts())
        self._turns.start(_QUIET_MS)

    def stop(self) -> None:
        """Measures no more of them: the view does."""
        self._turns.stop()

    def _on_turn(self) -> None:
        texts = tuple(islice(self._left, _TEXTS_A_TURN))
        for text in texts:
            self._measure(text)
        if texts:
            self._turns.start(0)
