"""The table as shown, for the clipboard and for files."""

import atexit
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton, QWidget

from awase.core.errors import EnvironmentProblem, InputError
from awase.core.reports.grid import Grid
from awase.core.reports.table_export import as_html, as_tsv, numbers_apart
from awase.gui.kit.forms.asking import open_once
from awase.gui.kit.i18n import mark, tr
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.kit.texts import bind, follow
from awase.jobs.files.writing import Target, write_whole_file


class ExportButton(QPushButton):
    """Offers the kinds of files that a table is written as."""

    chosen = Signal(str)  # one of the kinds

    def __init__(self, titles: Mapping[str, str]) -> None:
        super().__init__()
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
    try:
        write_whole_file(Target(path=path, replaces=True), text)
    except InputError as error:
        ProblemsDialog.show_for(parent, mark("Nothing was exported."), [*error.problems])
    except EnvironmentProblem as error:
        ProblemsDialog.show_for(parent, mark("Nothing was exported."), [error.problem])


def ask_and_write(parent: QWidget, title: str, place: Path, text: Callable[[], str]) -> QFileDialog:
    dialog = QFileDialog(parent, title, str(place))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(place.suffix.removeprefix("."))
    dialog.fileSelected.connect(lambda path: write(parent, Path(path), text()))
    return open_once(dialog)


class _Report(QMimeData):
    """A report on the clipboard, identifiable as ours."""


def copy_report(report: Grid) -> None:
    """Copies the report as text and as a table, with numbers in both."""
    data, report = _Report(), numbers_apart(report)
    data.setText(as_tsv(report))
    data.setHtml(as_html(report))
    QGuiApplication.clipboard().setMimeData(data)
    _leave_text_at_exit()


@cache
def _leave_text_at_exit() -> None:
    """Replaces Python objects on the clipboard at exit.

    WORKAROUND: Qt deletes them after the interpreter has gone, and the process dies of that.
    """
    atexit.register(_leave_text)


def _leave_text() -> None:
    if QGuiApplication.instance() is not None:
        clipboard = QGuiApplication.clipboard()
        # Some platforms own nothing; what another program copied meanwhile has no such object.
        if isinstance(clipboard.mimeData(), _Report):
            clipboard.setText(clipboard.text())
