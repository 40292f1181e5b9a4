from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.gui.conftest import Bot
from tests.gui.lending import LentPage, Opened, lend

from awase.core.records.topic import Topic
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services

__all__ = ["lend", "page_over"]


@pytest.fixture
def opened(lent: LentPage, qtbot: Bot) -> Opened:
    """The page that the tests of a module share, as if just opened: see its `lent`."""
    return lent.as_new(qtbot.waitUntil)


@pytest.fixture
def page_over(
    session_over: Callable[..., CorpusSession], services: Services, qtbot: Bot
) -> Iterator[Callable[..., Any]]:
    """Shows a page over a corpus of the test's own, and returns it as soon as it is `ready`."""
    shown: list[Any] = []  # a page that only Qt knows of goes at once

    def show(
        kind: Callable[..., Any],
        *topics: Topic,
        size: tuple[int, ...] = (),
        ready: Callable[[Any], object] = lambda _: True,
        session: CorpusSession | None = None,
        **corpus: Any,
    ) -> Any:
        session = session or session_over(*topics, **corpus)
        shown.append(qtbot.shown(kind(session, services, None), *size))
        qtbot.waitUntil(lambda: bool(ready(shown[-1])))
        return shown[-1]

    yield show
    services.jobs.stop_all()


@pytest.fixture
def page(opened: Opened) -> Any:
    return opened.page


@pytest.fixture
def session(opened: Opened) -> Any:
    return opened.session
