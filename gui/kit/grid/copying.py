"""The table as shown, for the clipboard and for files."""

import atexit
from functools import cache

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from awase.core.reports.grid import Grid
from awase.core.reports.table_export import as_html, as_tsv, numbers_apart


class _Report(QMimeData):
    """A report on the clipboard, told from what others put there."""


def copy_report(report: Grid) -> None:
    """Puts the report on the clipboard, as text and as a table; numbers stay numbers in both."""
    data, report = _Report(), numbers_apart(report)
    data.setText(as_tsv(report))
    data.setHtml(as_html(report))
    QGuiApplication.clipboard().setMimeData(data)
    _leave_text_at_exit()


@cache
def _leave_text_at_exit() -> None:
    """Sees to it, once, that no object of Python's is on the clipboard when Python ends.

    WORKAROUND: Qt deletes it after the interpreter has gone, and the process dies of that.
    """
    atexit.register(_leave_text)


def _leave_text() -> None:
    if QGuiApplication.instance() is not None:
        clipboard = QGuiApplication.clipboard()
        # Some platforms own nothing; what another program copied meanwhile has no such object.
        if isinstance(clipboard.mimeData(), _Report):
            clipboard.setText(clipboard.text())
