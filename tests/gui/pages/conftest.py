from typing import Any

import pytest
from tests.gui.conftest import Bot
from tests.gui.lending import LentPage, Opened, lend

__all__ = ["lend"]


@pytest.fixture
def opened(lent: LentPage, qtbot: Bot) -> Opened:
    """The page that the tests of a module share, as if just opened: see its `lent`."""
    return lent.as_new(qtbot.waitUntil)


@pytest.fixture
def page(opened: Opened) -> Any:
    return opened.page


@pytest.fixture
def session(opened: Opened) -> Any:
    return opened.session
