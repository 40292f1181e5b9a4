"""Dialog of problems, with copyable text."""

import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QFontDatabase, QGuiApplication, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QHeaderView, QPlainTextEdit, QPushButton, QTableView, QWidget

from awase.core.errors import Problem
from awase.core.packages import VERSION
from awase.core.text.script import as_cells
from awase.gui.kit.forms.controls import open_once
from awase.gui.kit.forms.dialog import FormDialog
from awase.gui.kit.forms.parts import Body, Button, Form, Note
from awase.gui.kit.grid.tables import TableModel
from awase.gui.kit.i18n import follow, hint_of, joined_sentences, mark, ntr, tr, what_of
from awase.gui.kit.jobs.running import once
from awase.gui.kit.look.rows import WrappingDelegate
from awase.gui.kit.number_explanation import Index

_N_SHOWN = 500
_TITLES = (mark("Where"), mark("Problem"), mark("How to fix it"))


def _texts(problem: Problem) -> tuple[str, str, str]:
    return problem.where(), what_of(problem), hint_of(problem)


class ProblemsModel(TableModel):
    """Problems as rows: position, message, hint."""

    titles = _TITLES

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__()
        self.rows = tuple(problems)[:_N_SHOWN]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole:  # next to cells of several lines
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
        return super().data(index, role)

    def cell_data(self, index: Index, role: int) -> object:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return _texts(self.rows[index.row()])[index.column()]
        return None


class ProblemsDialog(FormDialog):
    """Problems under a headline that says what failed."""

    def __init__(
        self,
        headline: str,
        problems: Sequence[Problem],
        parent: QWidget | None = None,
        *,
        are_remarks: bool = False,
    ) -> None:
        """`headline` is an English message; remarks are warnings after a request that succeeded."""
        self._are_remarks, self._problems = are_remarks, tuple(problems)
        self.table = _ProblemsTable(ProblemsModel(self._problems))
        title = mark("Remarks") if are_remarks else mark("Problems")
        form = Form(
            title=title if are_remarks else mark("Problem"),
            parts=(
                Note(headline, look="heading"),
                Note(name="count"),
                Body("problems", title, self.table),
            ),
            leave=mark("Close"),
            actions=(Button("copy", mark("Copy as a table"), self._on_copy),),
            width=48,
            height=20,
        )
        super().__init__(form, parent)
        if self.leave_button is not None:
            self.leave_button.setFocus()
        QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self, self._on_copy)

    @classmethod
    def show_for(cls, parent: QWidget, headline: str, problems: Sequence[Problem]) -> None:
        """Opens the dialog over `parent`, deleted when closed."""
        open_once(cls(headline, problems, parent))

    @classmethod
    def show_remarks(
        cls, parent: QWidget | None, headline: str, remarks: Sequence[Problem]
    ) -> None:
        """Opens the dialog if there are remarks, and a window that they are shown over."""
        if remarks and parent is not None:
            open_once(cls(headline, remarks, parent, are_remarks=True))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.table.fit_rows_soon()  # the columns get their widths after this event

    def refresh(self) -> None:
        n = len(self._problems)
        if self._are_remarks:
            text = ntr("{n} remark", "{n} remarks", n)
        else:
            text = ntr("{n} problem was found.", "{n} problems were found.", n)
        if n > _N_SHOWN:
            text = joined_sentences(
                text, tr("The first {n} are shown; copying includes all.", n=_N_SHOWN)
            )
        self.fields.write("count", text)

    def _on_copy(self) -> None:
        cells = as_cells([[*map(tr, _TITLES)], *map(_texts, self._problems)])
        QGuiApplication.clipboard().setText(cells)


class RemarksButton(QPushButton):
    """Counts the remarks on what is shown, and opens them; hidden without any."""

    def __init__(self, headline: str) -> None:
        """`headline` is the English message of their dialog."""
        super().__init__()
        self._headline, self._remarks = headline, tuple[Problem, ...]()
        self.clicked.connect(self._on_clicked)
        follow(self, self._write_count)

    def show_remarks(self, remarks: Sequence[Problem]) -> None:
        self._remarks = tuple(remarks)
        self._write_count()

    def _write_count(self) -> None:
        self.setText(ntr("{n} remark…", "{n} remarks…", len(self._remarks)))
        self.setVisible(bool(self._remarks))

    def _on_clicked(self) -> None:
        ProblemsDialog.show_remarks(self.window(), self._headline, self._remarks)


class _ProblemsTable(QTableView):
    """Rows as high as their texts."""

    def __init__(self, model: ProblemsModel) -> None:
        super().__init__()
        model.setParent(self)
        self._soon = once(self, 0, self.resizeRowsToContents)
        self.setTabKeyNavigation(False)
        self.setModel(model)
        self.setItemDelegate(WrappingDelegate(self))
        self.setWordWrap(True)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setSelectionBehavior(self.SelectionBehavior.SelectRows)
        self.setVerticalScrollMode(self.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.Stretch)
        self.setColumnWidth(0, self.fontMetrics().averageCharWidth() * 28)
        header.sectionResized.connect(self.fit_rows_soon)

    def fit_rows_soon(self) -> None:
        # Not during a change of widths: the scroll bar that comes or goes starts another one, which
        # would be done first and then overwritten.
        self._soon.start(0)


class DefectDialog(FormDialog):
    """Reports a defect of the program, with a copyable report."""

    def __init__(self, report: str, log: Path | None, parent: QWidget | None = None) -> None:
        self._report = (
            f"Awase {VERSION}, Qt {qVersion()}, Python {sys.version}\n{sys.platform}\n\n{report}"
        )
        self._log = log
        view = QPlainTextEdit(self._report)
        view.setReadOnly(True)
        view.setTabChangesFocus(True)
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        fixed.setPointSizeF(view.font().pointSizeF())
        view.setFont(fixed)
        form = Form(
            title=mark("Defect in Awase"),
            parts=(
                Note(mark("Something went wrong in Awase."), look="heading"),
                Note(name="text", look="", is_selectable=True),
                Body("report", mark("Report"), view),
            ),
            leave=mark("Close"),
            actions=(Button("copy", mark("Copy the report"), self._on_copy),),
            width=42,
            height=22,
        )
        super().__init__(form, parent)

    def refresh(self) -> None:
        text = tr(
            "Everything you confirmed is already saved. Please send the report below to your "
            "Awase administrator."
        )
        if self._log is not None:
            text = joined_sentences(text, tr("It is also in {path}.", path=str(self._log)))
        self.fields.write("text", text)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self._report)
