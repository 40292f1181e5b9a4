"""The scores kept in the corpus: a list to show, compare and remove them, and bring in others."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from awase.core.records.score_run import KeptScores, Origin
from awase.gui.kit.texts.i18n import tr
from awase.gui.session.subset_dialog import subset_text
from awase.jobs.subset import Subset

_RUN = Qt.ItemDataRole.UserRole


class KeptDialog(QDialog):
    """Lists kept runs, the newest first."""

    showChosen = Signal(int)
    compareChosen = Signal(int)
    removeChosen = Signal(int)
    importChosen = Signal(str)

    def __init__(
        self,
        runs: Sequence[KeptScores],
        state: str,
        *,
        can_write: bool,
        parent: QWidget | None = None,
    ) -> None:
        """Builds the dialog.

        Args:
            runs: What was kept.
            state: The corpus's present state.
            can_write: Whether runs can be removed and brought in.
            parent: The window that it belongs to.
        """
        super().__init__(parent)
        self._state = state
        self._can_write = can_write
        self.list = QListWidget()
        self.list.setAlternatingRowColors(True)
        self.list.setAccessibleName(tr("Kept scores"))
        self._empty = QLabel(tr("Nothing is kept yet. “Keep…” keeps the scores that are shown."))
        self._empty.setProperty("look", "muted")
        self._empty.setWordWrap(True)
        self.show_run, self.compare = QPushButton(tr("Show")), QPushButton(tr("Compare with now"))
        self.remove, self.bring = QPushButton(tr("Remove")), QPushButton(tr("Import scores…"))
        self.bring.setToolTip(
            tr("A table of topic, system, metric and value, with a heading (CSV or TSV)")
        )
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        row = QHBoxLayout()
        for button in (self.show_run, self.compare, self.remove, self.bring):
            button.setAutoDefault(False)
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(buttons)
        layout = QVBoxLayout(self)
        line_px = self.fontMetrics().height()
        layout.setContentsMargins(line_px, line_px, line_px, line_px)
        layout.addWidget(self._empty)
        layout.addWidget(self.list, 1)
        layout.addLayout(row)
        self.setWindowTitle(tr("Kept scores"))
        self.resize(line_px * 46, line_px * 24)
        self._connect()
        self.show_runs(runs)

    def show_runs(self, runs: Sequence[KeptScores]) -> None:
        """Replaces the list."""
        self.list.clear()
        for run in runs:
            item = QListWidgetItem(_text(run, self._state))
            item.setData(_RUN, run.id)
            item.setToolTip("\n".join(run.selection.metrics))
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self._empty.setVisible(not runs)
        for button in (self.show_run, self.compare, self.remove):
            button.setEnabled(bool(runs))
        self.remove.setEnabled(bool(runs) and self._can_write)
        self.bring.setEnabled(self._can_write)

    def run_ids(self) -> list[int]:
        """Returns the numbers of the runs listed."""
        return [int(self.list.item(row).data(_RUN)) for row in range(self.list.count())]

    def _connect(self) -> None:
        self.list.itemActivated.connect(lambda _item: self._choose(self.showChosen))
        self.show_run.clicked.connect(lambda: self._choose(self.showChosen))
        self.compare.clicked.connect(lambda: self._choose(self.compareChosen))
        self.remove.clicked.connect(self._on_remove)
        self.bring.clicked.connect(self._on_bring)

    def _run_id(self) -> int | None:
        item = self.list.currentItem()
        return None if item is None else int(item.data(_RUN))

    def _choose(self, signal: object) -> None:
        run_id = self._run_id()
        if run_id is not None:
            signal.emit(run_id)  # type: ignore[attr-defined]
            self.accept()

    def _on_remove(self) -> None:
        run_id = self._run_id()
        if run_id is not None:
            self.removeChosen.emit(run_id)

    def _on_bring(self) -> None:
        dialog = QFileDialog(self, tr("Import scores"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([tr("Tables (*.csv *.tsv *.txt)"), tr("All files (*)")])
        dialog.fileSelected.connect(self.importChosen)
        dialog.open()


def is_out_of_date(run: KeptScores, state: str) -> bool:
    """Returns whether the corpus has changed since the scores were kept."""
    return run.corpus_state != state


def _text(run: KeptScores, state: str) -> str:
    facts = [run.who, local_time(run.at)]
    facts.append(
        tr("imported")
        if run.selection.origin is Origin.IMPORTED
        else tr("Awase {version}", version=run.selection.program)
    )
    part = subset_text(Subset(topics=run.selection.topics, systems=run.selection.systems))
    if part:
        facts.append(part)
    facts.append(
        tr("out of date: the corpus has changed since")
        if is_out_of_date(run, state)
        else tr("up to date")
    )
    return f"{run.id}  {run.title}\n      {' · '.join(facts)}"


def local_time(moment: str) -> str:
    """Returns an ISO 8601 moment as people here write it."""
    time = QDateTime.fromString(moment, Qt.DateFormat.ISODateWithMs).toLocalTime()
    return QLocale().toString(time, QLocale.FormatType.ShortFormat)


def title_of_file(path: str) -> str:
    """Returns the title of scores that are brought in from a file."""
    return Path(path).name
