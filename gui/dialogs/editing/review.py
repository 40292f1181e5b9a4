"""What becomes of links when sentences are split, joined or gone: listed, then decided."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from awase.gui.kit.texts.i18n import ntr, tr
from awase.gui.kit.texts.retranslation import Retranslated


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """An old sentence to look at.

    Attributes:
        n: Its number.
        text: What became of it, in the window's language.
        is_gone: Whether what refers to it would go.
    """

    n: int
    text: str
    is_gone: bool = False


class ReviewList(Retranslated, QWidget):
    """Lists the sentences; those that are gone are put back, or let go together."""

    putBack = Signal(int)
    """Number of the old sentence that is to stand in the text again."""
    decided = Signal()
    """The user agreed to let go, or no longer does."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[ReviewRow, ...] = ()
        self._title = QLabel()
        self._title.setProperty("look", "heading")
        self._list = QListWidget()
        self._list.setWordWrap(True)
        self._list.setTextElideMode(Qt.TextElideMode.ElideNone)
        self._put_back = QPushButton()
        self._put_back.setAutoDefault(False)
        self._agree = QCheckBox()
        lower = QHBoxLayout()
        lower.addWidget(self._agree, 1)
        lower.addWidget(self._put_back)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._title)
        layout.addWidget(self._list)
        layout.addLayout(lower)
        self._list.setMaximumHeight(self.fontMetrics().height() * 7)
        self._put_back.clicked.connect(self._on_put_back)
        self._agree.toggled.connect(lambda _: self.decided.emit())
        self._list.currentRowChanged.connect(lambda _: self._show_current())
        self._retranslate()
        self.hide()

    @property
    def is_decided(self) -> bool:
        """Whether nothing would go, or the user agrees that it goes."""
        return self._agree.isChecked() or not any(row.is_gone for row in self._rows)

    @property
    def rows(self) -> tuple[ReviewRow, ...]:
        """What is listed."""
        return self._rows

    def agree(self) -> None:
        """Lets go of what would go."""
        self._agree.setChecked(True)

    def show_rows(self, rows: Sequence[ReviewRow]) -> None:
        """Lists these; what was agreed to does not hold for others that are gone now."""
        new = tuple(sorted(rows, key=lambda row: not row.is_gone))
        gone = {row.n for row in new if row.is_gone}
        if gone - {row.n for row in self._rows if row.is_gone}:
            self._agree.setChecked(False)
        if new != self._rows:
            self._rows = new
            self._fill()
        self.setVisible(bool(new))
        self._retranslate()

    def _fill(self) -> None:
        self._list.clear()
        for row in self._rows:
            self._list.addItem(QListWidgetItem(f"{'✕' if row.is_gone else '·'}  {row.text}"))
        if self._rows:
            self._list.setCurrentRow(0)

    def _retranslate(self) -> None:
        n_gone = sum(row.is_gone for row in self._rows)
        self._title.setText(tr("To be looked at"))
        self._list.setAccessibleName(tr("To be looked at"))
        self._put_back.setText(tr("Put it back"))
        self._agree.setText(
            ntr(
                "Let go of what refers to {n} sentence",
                "Let go of what refers to {n} sentences",
                n_gone,
            )
        )
        self._agree.setVisible(bool(n_gone))
        self._put_back.setVisible(bool(n_gone))
        self._show_current()

    def _show_current(self) -> None:
        at = self._list.currentRow()
        self._put_back.setEnabled(0 <= at < len(self._rows) and self._rows[at].is_gone)

    def _on_put_back(self) -> None:
        at = self._list.currentRow()
        if 0 <= at < len(self._rows):
            self.putBack.emit(self._rows[at].n)
