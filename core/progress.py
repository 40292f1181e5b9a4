"""How long work tells where it is, and learns that it should stop."""

from typing import Protocol


class Reporter(Protocol):
    """Listens to a piece of work; the caller decides what to show."""

    def advance(self, done: int, total: int, what: str = "") -> None:
        """Takes note that `done` of `total` steps are done, now working on `what`.

        Raises:
            Cancelled: The user wants the work to stop.
        """
        ...


class Silent:
    """A reporter that shows nothing and never stops the work."""

    def advance(self, done: int, total: int, what: str = "") -> None:
        """Does nothing."""
