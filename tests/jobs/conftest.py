"""What tests of both faces need: the program run as words, and what the window is composed of."""

from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest
from tests.cli.conftest import run

if TYPE_CHECKING:
    from tests.jobs.faces import Faces

    from awase.gui.session.session import CorpusSession

__all__ = ["run"]

if find_spec("PySide6") is not None:
    from tests.gui.conftest import services

    __all__ += ["services"]


@pytest.fixture
def faces(run, services, qtbot, tmp_path) -> "Faces":
    from tests.jobs.faces import Faces

    return Faces(run, services, qtbot, tmp_path)


@pytest.fixture
def session(faces) -> "Iterator[CorpusSession]":
    with faces.window_on(faces.corpus) as session:
        yield session
