"""Reading the topics of an open corpus that nobody asked for yet, beside people's work."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from awase.core.errors import EnvironmentProblem, InputError
from awase.core.progress import Reporter
from awase.core.records.topics_on_demand import TopicsOnDemand
from awase.gui.session.garbage_collection import undisturbed
from awase.gui.session.held_corpus import HeldCorpus

READING_JOB: Final = "reading ahead"
_AT_ONCE: Final = 5
"""Some ten milliseconds: whoever works meanwhile waits for the end of a portion."""


def rest_of(session: HeldCorpus) -> Callable[[Reporter], None]:
    """Returns what reads all topics of the corpus that may stay in memory, on another thread."""
    topics = () if session.is_large else session.topics()

    def read(reporter: Reporter) -> None:
        if not isinstance(topics, TopicsOnDemand):
            return
        for begin in range(0, len(topics), _AT_ONCE):
            began_s = time.monotonic()
            reporter.advance(begin, len(topics))
            # What cannot be read is named to whoever asks for it, and where damage is looked for.
            with undisturbed(), suppress(InputError, EnvironmentProblem):
                topics.read(topics.ids[begin : begin + _AT_ONCE])
            time.sleep(time.monotonic() - began_s)  # half of the time is the window's

    return read
