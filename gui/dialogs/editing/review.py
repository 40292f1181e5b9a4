"""Review of links affected by splitting, joining or removing sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import Body, Button, Check, Field, Gap, Row
from awase.gui.kit.rows.wrapping_delegate import WrappingDelegate
from awase.gui.kit.texts.i18n import mark, ntr

_FEWEST_LINES = 3
_N_LINES = 7


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """An old sentence under review."""

    n: int
    text: str
    is_gone: bool = False


class ReviewList(FormPanel):
    """Review list; removed sentences are put back one by one, or accepted together."""

    putBack = Signal(int)  # number of the old sentence that is to stand in the text again
    decided = Signal()  # the user agreed to let go, or no longer does

    def __init__(self, parent: QWidget | None = None) -> None:
        self._rows: tuple[ReviewRow, ...] = ()
        self._list = QListWidget()
        self._list.setWordWrap(True)
        self._list.setItemDelegate(WrappingDelegate(self._list))
        self._list.setTextElideMode(Qt.TextElideMode.ElideNone)
        self._list.setResizeMode(QListWidget.ResizeMode.Adjust)
        parts = (
            Body("rows", mark("To be looked at"), self._list, has_heading=True, share=0),
            Row(
                (
                    Field("agree", self._agreement, Check()),
                    Gap(),
                    Button("put-back", mark("Put it back"), self._on_put_back),
                )
            ),
        )
        super().__init__(parts, parent)
        line_px = self.fontMetrics().height()
        self._list.setMinimumHeight(line_px * _FEWEST_LINES)
        self._list.setMaximumHeight(line_px * _N_LINES)
        self.changed.connect(lambda _: self.decided.emit())
        self._list.currentRowChanged.connect(lambda _: self._show_current())
        self._show_rows()

    @property
    def is_decided(self) -> bool:
        """Whether no link is lost, or the user agreed."""
        return self.is_checked("agree") or not self._gone()

    @property
    def rows(self) -> tuple[ReviewRow, ...]:
        return self._rows

    def agree(self) -> None:
        """Accepts the loss."""
        self.set("agree", True)

    def show_rows(self, rows: Sequence[ReviewRow]) -> None:
        """Sets the rows; earlier acceptance does not cover further removals."""
        new = tuple(sorted(rows, key=lambda row: not row.is_gone))
        before = self._gone()
        if new != self._rows:
            self._rows = new
            self._show_rows()
        if self._gone() - before:
            self.set("agree", False)

    def _gone(self) -> set[int]:
        return {row.n for row in self._rows if row.is_gone}

    def _show_rows(self) -> None:
        self._list.clear()
        for row in self._rows:
            self._list.addItem(QListWidgetItem(f"{'×' if row.is_gone else '·'}  {row.text}"))
        self._list.setCurrentRow(0)
        self.retitle("agree", self._agreement)
        for name in ("agree", "put-back"):
            self.show_part(name, bool(self._gone()))
        self.setVisible(bool(self._rows))
        self._show_current()

    def _agreement(self) -> str:
        return ntr(
            "Let go of what refers to {n} sentence",
            "Let go of what refers to {n} sentences",
            len(self._gone()),
        )

    def _show_current(self) -> None:
        at = self._list.currentRow()
        self.enable("put-back", 0 <= at < len(self._rows) and self._rows[at].is_gone)

    def _on_put_back(self) -> None:
        at = self._list.currentRow()
        if 0 <= at < len(self._rows):
            self.putBack.emit(self._rows[at].n)
