"""Table of working times."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from awase.core.annotation.times import LoggedTime, TimesBy, TimeSpent
from awase.core.progress import Silent
from awase.core.records.topic import Topic
from awase.core.reports.grid import UNDEFINED
from awase.core.text.script import as_cells
from awase.gui.kit.forms.dialog import FormDialog
from awase.gui.kit.forms.parts import Body, Button, ChoiceField, Field, Form, Note, Row
from awase.gui.kit.grid.flat_table import FlatTable
from awase.gui.kit.grid.table_model import TableModel
from awase.gui.kit.texts.i18n import mark, tr
from awase.jobs.team.standing import NAMES, figures_of, report_times

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_TITLES: Final = {
    "topic": mark("Topic"),
    "abstract": mark("Abstract"),
    "n": mark("Sentence"),
    "annotator": mark("Annotator"),
    "n_edits": mark("Edits"),
    "active_ms": mark("Time"),
    "n_sentences": mark("Sentences"),
    "mean_ms": mark("Time per sentence"),
}
_FIGURES: Final = {
    "n_edits": "edits",
    "active_ms": "seconds",
    "n_sentences": "sentences",
    "mean_ms": "seconds_per_sentence",
}
_OF_A_SENTENCE: Final = ("n_edits", "active_ms")
_COLUMNS: Final = {
    by: (*NAMES[by], *(_OF_A_SENTENCE if by is TimesBy.SENTENCE else _FIGURES)) for by in TimesBy
}
_TEXTS: Final = ("topic", "abstract", "annotator")


class TimesModel(TableModel):
    """A line each row, as the report has them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns = _COLUMNS[TimesBy.ANNOTATOR]

    def show(self, lines: Sequence[TimeSpent], by: TimesBy) -> None:
        self.beginResetModel()
        self.rows, self._columns = lines, _COLUMNS[by]
        self.titles = [_TITLES[column] for column in self._columns]
        self.numbers = [at for at, one in enumerate(self._columns) if one not in _TEXTS]
        self.endResetModel()

    def retranslate(self) -> None:
        """Writes titles and times in the window's language."""
        self.beginResetModel()
        self.endResetModel()

    def as_tsv(self) -> str:
        """Returns the table as tab-separated text, times in seconds; undefined ones are empty."""
        rows = [[*map(tr, self.titles)]]
        rows += [[_plain(line, column) for column in self._columns] for line in self.rows]
        return as_cells(rows)

    def told(self, index: _Index, role: int) -> object:
        column = self._columns[index.column()]
        value = getattr(self.rows[index.row()], column)
        if role == Qt.ItemDataRole.DisplayRole:
            if column.endswith("_ms"):
                return time_text(value)
            return UNDEFINED if value is None else str(value)
        if role == Qt.ItemDataRole.ToolTipRole and value is None:
            return tr("No time was logged, so it is undefined.")
        return None


def time_text(milliseconds: float | None) -> str:
    """Returns a time as people read it; a dash where it is undefined."""
    if milliseconds is None:
        return UNDEFINED
    if milliseconds < 60_000:
        return tr("{seconds:.1f} s", seconds=milliseconds / 1000)
    minutes, seconds = divmod(round(milliseconds / 1000), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return tr("{h} h {m} min", h=hours, m=minutes)
    return tr("{m} min {s} s", m=minutes, s=seconds)


def _plain(line: TimeSpent, column: str) -> str:
    figures = figures_of(line)
    value = figures[_FIGURES[column]] if column in _FIGURES else getattr(line, column)
    return "" if value is None else str(value)


_CHOICES = {
    TimesBy.ANNOTATOR: mark("by annotator"),
    TimesBy.TOPIC: mark("by topic"),
    TimesBy.SENTENCE: mark("by sentence"),
}


class TimesDialog(FormDialog):
    """Working times when the dialog was opened."""

    def __init__(
        self,
        topics: Sequence[Topic],
        log: Sequence[LoggedTime],
        parent: QWidget | None = None,
    ) -> None:
        self._topics, self._log = topics, log
        self.model, self.table = TimesModel(), FlatTable(0)
        self.model.setParent(self.table)
        self.table.setModel(self.model)
        self.table.setAlternatingRowColors(True)
        super().__init__(self._form(), parent)
        self.show_state()

    def choose(self, by: TimesBy) -> None:
        self.fields.set("by", by)

    def refresh(self) -> None:
        by = TimesBy(self.fields.value("by"))
        report = report_times(self._topics, self._log, by, Silent())
        self.model.show(report.lines, by)
        self.table.fit_columns()
        total = report.total
        text = tr(
            "together {time}, {mean} per sentence",
            time=time_text(total.active_ms),
            mean=time_text(total.mean_ms),
        )
        self.fields.write("total", text)

    def copy_table(self) -> None:
        """Copies the table, times in seconds."""
        QGuiApplication.clipboard().setText(self.model.as_tsv())

    def _form(self) -> Form:
        choice = ChoiceField(messages=[*_CHOICES.items()])
        about = mark(
            "Time between two actions counts, of a pause at most 30 seconds. "
            "“—”: no time was logged, for what was imported for example."
        )
        return Form(
            title=mark("Time worked"),
            parts=(
                Row(
                    (
                        Field("by", mark("What a line is about"), choice, is_title_shown=False),
                        Note(name="total", look="", share=1),
                        Button("copy", mark("Copy table"), self.copy_table),
                    )
                ),
                Body("table", mark("Time worked"), self.table),
                Note(about),
            ),
            leave=mark("Close"),
            width=40,
            height=26,
        )
