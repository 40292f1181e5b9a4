"""Every screen in its order, in every language and palette."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from awase.gui.kit.look.palettes import PALETTES
from awase.gui.kit.texts.i18n import LANGUAGES
from awase.gui.main_screens import draw, offstage, settle, wait
from screens.annotate import beside_the_work, finding
from screens.dialogs import dialogs
from screens.inspect_and_grade import inspecting_and_grading
from screens.project import managing_people
from screens.review import reviewing
from screens.scores import scores
from screens.stage import come_to_rest

if TYPE_CHECKING:
    from awase.gui.frame.main_window import MainWindow
    from awase.gui.session.services import Services


def render_all(folder: Path) -> list[Path]:
    """Writes a picture of every screen and returns their paths."""
    pictures: list[Path] = []
    with offstage() as stage:
        for language in LANGUAGES:
            for palette in PALETTES:
                stage.look(language, palette)
                for title, widget in _screens(stage.window, stage.services, language, stage.folder):
                    path = folder / f"{language}-{palette}-{title}.png"
                    pictures.append(draw(widget, path))
    return pictures


def _screens(
    window: "MainWindow", services: "Services", language: str, folder: Path
) -> Iterator[tuple[str, QWidget]]:
    window.close_corpus()
    yield "welcome", window
    window.open_demonstration(language)
    yield "loading", window
    wait(lambda: window.workspace is not None)
    workspace = window.workspace
    assert workspace is not None
    yield "annotate", window
    yield from beside_the_work(workspace)
    yield from finding(workspace, language)
    yield from inspecting_and_grading(workspace, services)
    workspace.show_page("scores")
    come_to_rest(services)
    yield "scores", window
    yield from scores(workspace, services)
    workspace.show_page("correlations")
    come_to_rest(services)
    yield "correlations", window
    yield from reviewing(workspace, services)
    yield from managing_people(workspace, services)
    for title, show in dialogs(window, services, folder):
        dialog = show()
        yield title, dialog
        dialog.close()
        dialog.deleteLater()
        settle()
    location = workspace.session.location
    window.close_corpus()
    yield from read_only(window, location)


def read_only(window: "MainWindow", location: str) -> Iterator[tuple[str, QWidget]]:
    from awase.storage.store import CorpusStore

    with CorpusStore.open(location, who="佐藤"):
        window.open_location(location)
        wait(lambda: window.workspace is not None)
        yield "read-only", window
        window.close_corpus()
