"""What tests of both faces need: the program run as words, and what the window is composed of."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.cli.conftest import run

if TYPE_CHECKING:
    from tests.jobs.faces import Faces

    from awase.gui.session.session import CorpusSession

__all__ = ["run"]

try:
    from tests.gui.conftest import _english, _widgets_gone, qtbot, services
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] not in ("PySide6", "pytestqt"):
        raise
else:
    __all__ += ["_english", "_widgets_gone", "qtbot", "services"]


@pytest.fixture
def faces(run, services, qtbot, tmp_path) -> "Faces":
    from tests.jobs.faces import Faces

    return Faces(run, services, qtbot, tmp_path)


@pytest.fixture
def session(faces) -> "Iterator[CorpusSession]":
    with faces.window_on(faces.corpus) as session:
        yield session
