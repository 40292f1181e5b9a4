"""A reporter that remembers what it was told, and may stop the work."""

from awase.core.errors import Cancelled


class Heard:
    """Listens; `Cancelled` comes from the call that is one too many, or once so much is done.

    Args:
        calls: How many calls may pass.
        at: How much may be done before that is too much.
        once: Whether later calls pass again, as after one Ctrl+C.
    """

    def __init__(
        self, *, calls: int | None = None, at: int | None = None, once: bool = False
    ) -> None:
        self.calls: list[tuple[int, int, str]] = []
        self._most, self._at, self._once = calls, at, once

    @property
    def steps(self) -> list[tuple[int, int]]:
        return [(done, total) for done, total, _ in self.calls]

    def advance(self, done: int, total: int, what: str = "") -> None:
        self.calls.append((done, total, what))
        n_late = 0 if self._most is None else len(self.calls) - self._most
        is_late = n_late == 1 if self._once else n_late > 0
        if is_late or (self._at is not None and done >= self._at):
            raise Cancelled
