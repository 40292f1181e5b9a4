"""Writes a table to a file of a kind and a name that the user chooses; a failure is told."""

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton, QWidget

from awase.core.errors import EnvironmentProblem, InputError
from awase.gui.kit.forms.asking import open_once
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.i18n import mark, tr
from awase.jobs.files.writing import Target, write_whole_file


class ExportButton(QPushButton):
    """Offers the kinds of files that a table is written as."""

    chosen = Signal(str)
    """One of the kinds."""

    def __init__(self, titles: Mapping[str, str], parent: QWidget | None = None) -> None:
        """Offers each of `titles`, English messages by kind."""
        super().__init__(parent)
        self._titles, menu = titles, QMenu(self)
        self._actions = {kind: menu.addAction("") for kind in titles}
        for kind, action in self._actions.items():
            action.triggered.connect(lambda _=False, kind=kind: self.chosen.emit(kind))
        self.setMenu(menu)
        bind(self, "text", mark("Export"))
        follow(self, self._write_titles)

    def _write_titles(self) -> None:
        for kind, action in self._actions.items():
            action.setText(tr(self._titles[kind]))


def write(parent: QWidget, path: Path, text: str) -> None:
    """Writes the text; the file appears when it is complete, and a failure is told."""
    try:
        write_whole_file(Target(path=path, replaces=True), text)
    except InputError as error:
        ProblemsDialog.show_for(parent, mark("Nothing was exported."), [*error.problems])
    except EnvironmentProblem as error:
        ProblemsDialog.show_for(parent, mark("Nothing was exported."), [error.problem])


def ask_and_write(parent: QWidget, title: str, place: Path, text: Callable[[], str]) -> QFileDialog:
    """Asks where to, and writes there.

    Args:
        parent: Over which the question stands.
        title: Of the question, in the window's language.
        place: What is proposed; its ending is added to names without one.
        text: Returns what is written.
    """
    dialog = QFileDialog(parent, title, str(place))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(place.suffix.removeprefix("."))
    dialog.fileSelected.connect(lambda path: write(parent, Path(path), text()))
    return open_once(dialog)
