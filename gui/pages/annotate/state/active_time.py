"""How long the annotator was at work, for the operation log."""

from collections.abc import Callable
from typing import Final

LONGEST_THOUGHT_MS: Final = 30_000
"""A longer gap between two inputs is a break: only this much of it counts."""


class ActivityClock:
    """Adds up the time between inputs."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        """Takes a clock that only goes forward, in milliseconds."""
        self._now_ms = now_ms
        self._last_ms = now_ms()
        self._active_ms = 0

    def touch(self) -> None:
        """Takes note of an input."""
        now_ms = self._now_ms()
        self._active_ms += min(now_ms - self._last_ms, LONGEST_THOUGHT_MS)
        self._last_ms = now_ms

    def take(self) -> int:
        """Returns the active milliseconds since the last call."""
        self.touch()
        taken, self._active_ms = self._active_ms, 0
        return taken
