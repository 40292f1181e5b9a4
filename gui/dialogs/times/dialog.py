"""How long annotators worked, as a table."""

from collections.abc import Sequence

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from awase.core.annotation.times import LoggedTime, TimesBy, times, total_of
from awase.core.records.topic import Topic
from awase.gui.dialogs.times.model import TimesModel, time_text
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.kit.texts.retranslation import Retranslated

_CHOICES = {
    TimesBy.ANNOTATOR: mark("by annotator"),
    TimesBy.TOPIC: mark("by topic"),
    TimesBy.SENTENCE: mark("by sentence"),
}


class TimesDialog(Retranslated, QDialog):
    """Shows the log as it was when the dialog was opened."""

    def __init__(
        self,
        topics: Sequence[Topic],
        log: Sequence[LoggedTime],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._topics, self._log = topics, log
        self.model = TimesModel(self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAlternatingRowColors(True)
        self.table.setShowGrid(False)
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        self.choice = QComboBox()
        for by in _CHOICES:
            self.choice.addItem("", by)
        self._total, self._note = QLabel(), QLabel()
        self._note.setProperty("look", "muted")
        self._note.setWordWrap(True)
        self._copy = QPushButton()
        self._copy.setAutoDefault(False)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._lay_out()
        self.choice.activated.connect(self.refresh)
        self._copy.clicked.connect(self.copy_table)
        self._buttons.rejected.connect(self.reject)
        self._retranslate()

    def choose(self, by: TimesBy) -> None:
        """Shows another report."""
        self.choice.setCurrentIndex(list(_CHOICES).index(by))
        self.refresh()

    def refresh(self) -> None:
        """Sums the log as chosen."""
        by = TimesBy(self.choice.currentData())
        self.model.show(times(self._topics, self._log, by), by)
        self.table.resizeColumnsToContents()

    def copy_table(self) -> None:
        """Puts the table on the clipboard, times in seconds."""
        QGuiApplication.clipboard().setText(self.model.as_tsv())

    def _lay_out(self) -> None:
        line_px = self.fontMetrics().height()
        head = QHBoxLayout()
        head.setSpacing(line_px)
        head.addWidget(self.choice)
        head.addWidget(self._total, 1)
        head.addWidget(self._copy)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(line_px, line_px, line_px, line_px)
        layout.setSpacing(line_px // 2)
        layout.addLayout(head)
        layout.addWidget(self.table, 1)
        layout.addWidget(self._note)
        layout.addWidget(self._buttons)
        self.resize(line_px * 40, line_px * 26)

    def _retranslate(self) -> None:
        self.setWindowTitle(tr("Time worked"))
        self.choice.setAccessibleName(tr("What a line is about"))
        for row, title in enumerate(_CHOICES.values()):
            self.choice.setItemText(row, tr(title))
        total = total_of(self._log)
        self._total.setText(
            tr(
                "together {time}, {mean} per sentence",
                time=time_text(total.active_ms),
                mean=time_text(total.mean_ms),
            )
        )
        self._note.setText(
            tr(
                "Time between two actions counts, of a pause at most 30 seconds. "
                "“—”: no time was logged, for what was imported for example."
            )
        )
        self._copy.setText(tr("Copy table"))
        self.table.setAccessibleName(tr("Time worked"))
        self.refresh()
