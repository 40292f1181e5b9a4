"""The Annotate page with what can be shown beside the work, and with what finds words in it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from awase.gui.main_screens import wait

if TYPE_CHECKING:
    from awase.gui.frame.workspace import Workspace


def beside_the_work(workspace: "Workspace") -> Iterator[tuple[str, QWidget]]:
    """Yields what is shown beside the work, and puts it away again."""
    page, window = workspace.annotate, workspace.window()
    page.annotation.toggle_others()
    page.toggle_guidelines()
    yield "others-and-guidelines", window
    page.toggle_guidelines()
    page.annotation.toggle_others()
    page.abstract.filter.step(3)
    yield "disagreement-kept-back", window
    page.abstract.filter.step(-3)
    menu = page.strip.who.menu()
    menu.aboutToShow.emit()
    menu.resize(menu.sizeHint())  # not shown: that would take the keyboard
    yield "annotator-menu", menu
    workspace.begin_tour()
    yield "tour", window
    workspace.end_tour()


def finding(workspace: "Workspace", language: str) -> Iterator[tuple[str, QWidget]]:
    from awase.gui.dialogs.find import CorpusFindDialog

    words = {"ja": "木造", "en": "boat"}[language]
    page = workspace.annotate
    page.topic_find.look_for(words)
    page.topic_find.step(1)
    yield "find", workspace.window()
    page.topic_find.end()
    workspace.find_in_corpus()
    dialog = workspace.findChild(CorpusFindDialog)
    assert dialog is not None
    dialog.words.setText(words)
    wait(lambda: not dialog.model.is_searching)
    yield "find-in-corpus", dialog
    dialog.hide()
    page.abstract.filter.step(2)
    yield "nothing-flagged", workspace.window()
    page.abstract.filter.step(-2)
