"""What each person can undo, kept so that the log is not read again for every action."""

from sqlalchemy import Connection

from awase.storage.log.operations import History, history_of, newest_step


class Histories:
    """Histories by person, each good as long as its person's newest row in the log is the same."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[int, History]] = {}

    def history_of(self, connection: Connection, who: str) -> History:
        """Returns what `who` can undo and redo now, in the transaction of `connection`."""
        newest = newest_step(connection, who)
        known = self.known(who, newest)
        if known is not None:
            return known
        history = history_of(connection, who)
        self._known[who] = (newest, history)
        return history

    def known(self, who: str, newest: int) -> History | None:
        """Returns what `who` can undo and redo after the row `newest`; None = not known yet."""
        known = self._known.get(who)
        return known[1] if known is not None and known[0] == newest else None

    def remember(self, who: str, newest: int, history: History) -> None:
        """Takes note of a history after the committed row `newest`."""
        self._known[who] = (newest, history)
