"""What is looked at on the page, to come back to it."""

from collections.abc import Callable
from dataclasses import dataclass

from awase.core.inspection.columns import SentenceFilter
from awase.core.inspection.sentences import Key


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedAt:
    """What is looked at.

    Attributes:
        topic: Its id; None = all.
        wanted: Which sentences.
        about: Tells in the window's language what they have in common.
        key: The current one.
        system: The current system.
        tab: Place of the tab in front below the table.
    """

    topic: str | None
    wanted: SentenceFilter
    about: Callable[[], str]
    key: Key | None
    system: str
    tab: int
