"""Every screen in its order, in every language and palette."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from awase.gui.kit.i18n import LANGUAGES
from awase.gui.kit.look.stylesheet import PALETTES
from awase.gui.main_screens import Stage, draw, offstage, settle, wait
from screens.annotate import beside_the_work, finding
from screens.dialogs import dialogs
from screens.inspect_and_grade import inspecting_and_grading
from screens.project import managing_people
from screens.review import reviewing
from screens.scores import scores
from screens.stage import come_to_rest

if TYPE_CHECKING:
    from awase.gui.frame.main_window import MainWindow


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
    """In what every screen is drawn.

    Attributes:
        languages: Codes.
        palettes: Names.
        points: Size of the letters.
        size: Of the window.
    """

    languages: Sequence[str] = tuple(LANGUAGES)
    palettes: Sequence[str] = tuple(PALETTES)
    points: int = 10
    size: tuple[int, int] = (1280, 800)


def render_all(folder: Path, looks: Looks | None = None) -> list[Path]:
    """Writes a picture of every screen and returns their paths."""
    looks, pictures = looks or Looks(), list[Path]()
    with offstage(looks.points, QSize(*looks.size)) as stage:
        for language, palette in product(looks.languages, looks.palettes):
            stage.look(language, palette)
            for title, widget in every_screen(stage, language):
                pictures.append(draw(widget, folder / f"{language}-{palette}-{title}.png"))
    return pictures


def every_screen(stage: Stage, language: str) -> Iterator[tuple[str, QWidget]]:
    """Shows one screen after the other over the demonstration in this language.

    Yields:
        Its name, and the window or dialog that it is; it is there until the next one.
    """
    from awase.gui.pages.correlations.page import CorrelationsPage

    window, services, folder = stage.window, stage.services, stage.folder
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
    correlations = workspace.page("correlations")
    assert isinstance(correlations, CorrelationsPage)
    tabs = correlations.results.tabs
    if tabs.isVisible():
        for at, title in enumerate(("differences", "plot"), start=1):
            tabs.setCurrentIndex(at)
            yield f"correlations-{title}", window
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
