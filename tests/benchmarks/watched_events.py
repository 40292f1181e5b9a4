"""An application that times every event it dispatches."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication


@dataclass(frozen=True, slots=True)
class Dispatch:
    """One event, from the event loop's hands until it had them free again.

    Attributes:
        wall_ms: As the user feels it; other programs on the machine add to it.
        cpu_ms: Of the GUI thread alone.
        action: What the user was doing.
        what: The receiver's class and the event's type.
    """

    wall_ms: float
    cpu_ms: float
    action: str
    what: str


class WatchedApplication(QApplication):
    """Times each outermost dispatch; those that it brings along belong to it."""

    def __init__(self, arguments: Sequence[str]) -> None:
        super().__init__(list(arguments))
        self.action = ""
        self.dispatches: list[Dispatch] = []
        self._depth = 0

    def notify(self, receiver: QObject, event: QEvent) -> bool:
        if self._depth:
            return super().notify(receiver, event)
        # Both are asked before: the dispatch may delete the receiver.
        what = f"{type(receiver).__name__} {event.type().name}"
        self._depth += 1
        wall_s, cpu_s = time.perf_counter(), time.thread_time()
        try:
            return super().notify(receiver, event)
        finally:
            self._depth -= 1
            self.dispatches.append(
                Dispatch(
                    (time.perf_counter() - wall_s) * 1e3,
                    (time.thread_time() - cpu_s) * 1e3,
                    self.action,
                    what,
                )
            )
