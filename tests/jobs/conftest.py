"""What tests of both faces need: the program run as words, and what the window is composed of."""

from importlib.util import find_spec

from tests.cli.conftest import run

__all__ = ["run"]

if find_spec("PySide6") is not None:
    from tests.gui.conftest import services

    __all__ += ["services"]
