"""Screenshots of the main screens: `python -m awase.gui.main_screens FOLDER`.

For machines without a display; `tools/screens` uses it for every other screen and palette.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QEvent, QSize
from PySide6.QtWidgets import QApplication, QWidget

from awase.gui.frame.commands import PAGES
from awase.gui.frame.welcome import DEMONSTRATION_ANNOTATOR
from awase.gui.kit.i18n import LANGUAGES
from awase.gui.kit.look.theme import Theme
from awase.gui.session.settings import Services, Settings

if TYPE_CHECKING:
    from awase.gui.frame.main_window import MainWindow

_PALETTE: Final = "light"
_SIZE: Final = QSize(1280, 800)
_TIMEOUT_S: Final = 300.0


class ScreenTimeout(RuntimeError):
    """A screen did not settle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A window with settings and files of its own, to be looked at."""

    window: "MainWindow"
    services: "Services"
    folder: Path  # settings and others, deleted with the window

    def look(self, language: str, palette: str) -> None:
        self.services.settings.set(language=language, palette=palette)


@contextmanager
def offstage(points: int = Settings().point_size, size: QSize = _SIZE) -> Iterator[Stage]:
    """Opens a window that nobody else uses, and closes it.

    Without a display, `QT_QPA_PLATFORM` becomes `offscreen` before Qt starts.
    """
    from awase.gui.app import application, compose, has_display
    from awase.gui.frame.main_window import MainWindow

    if QCoreApplication.instance() is None and not has_display():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        services = compose(config=folder, data=folder / "data", log=folder)
        file = services.settings
        settings = replace(file.settings, annotator=DEMONSTRATION_ANNOTATOR, point_size=points)
        file.change(settings)
        services.themes.set_theme(Theme.named(settings.palette, points))
        window = MainWindow(services)
        window.resize(size)
        window.show()
        try:
            yield Stage(window=window, services=services, folder=folder)
        finally:
            window.close()
            window.deleteLater()
            settle()


def render_main(folder: Path) -> Iterator[Path]:
    """Writes a picture of the first screen and of each page, and yields their paths."""
    with offstage() as stage:
        for language in LANGUAGES:
            stage.look(language, _PALETTE)
            for title in _main_screens(stage, language):
                yield draw(stage.window, folder / f"{language}-{_PALETTE}-{title}.png")


def _main_screens(stage: Stage, language: str) -> Iterator[str]:
    window = stage.window
    window.close_corpus()
    yield "welcome"
    window.open_demonstration(language)
    wait(lambda: window.workspace is not None)
    workspace = window.workspace
    assert workspace is not None
    for page in PAGES:
        workspace.show_page(page.id)
        settle()
        wait(lambda: not stage.services.jobs.is_busy)
        yield page.id


def draw(widget: QWidget, path: Path) -> Path:
    """Renders the widget to a file once settled, and returns its path."""
    settle()
    path.parent.mkdir(parents=True, exist_ok=True)
    widget.grab().save(str(path))
    return path


def wait(is_done: Callable[[], bool]) -> None:
    """Lets the window work until this holds; `ScreenTimeout` after five minutes."""
    end_s = time.monotonic() + _TIMEOUT_S
    while not is_done():
        QApplication.processEvents()
        if time.monotonic() > end_s:
            raise ScreenTimeout
    settle()


def settle() -> None:
    """Processes events until settled."""
    for _ in range(12):  # size hints propagate level by level
        QApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Writes a picture of each main screen.")
    parser.add_argument("folder", nargs="?", default="screens", type=Path)
    for picture in render_main(parser.parse_args().folder):
        print(picture, flush=True)
