"""What tests of both faces need: the program run as words, and what the window is composed of."""

from tests.cli.conftest import run

__all__ = ["run"]

try:
    from tests.gui.conftest import services
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] not in ("PySide6", "pytestqt"):
        raise
else:
    __all__ += ["services"]
