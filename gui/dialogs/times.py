"""Table of working times."""

from collections.abc import Sequence
from itertools import chain
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from awase.core.annotation.times import LoggedTime, TimesBy, TimeSpent
from awase.core.progress import Silent
from awase.core.records.topic import Topic
from awase.core.reports.grid import UNDEFINED, Fields
from awase.core.text.script import as_cells
from awase.gui.kit.forms.dialog import FormDialog
from awase.gui.kit.forms.parts import Body, Button, ChoiceField, Field, Form, Note, Row
from awase.gui.kit.grid.tables import FlatTable, TableModel
from awase.gui.kit.i18n import mark, tr
from awase.jobs.team.standing import report_times, time_fields

_Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()
_TITLES: Final = {
    "topic": mark("Topic"),
    "abstract": mark("Abstract"),
    "n": mark("Sentence"),
    "annotator": mark("Annotator"),
    "edits": mark("Edits"),
    "time": mark("Time"),
    "sentences": mark("Sentences"),
    "per sentence": mark("Time per sentence"),
}


class TimesModel(TableModel):
    """A line each row, as the report has them."""

    _fields: Fields[TimeSpent] = ()

    def show(self, lines: Sequence[TimeSpent], by: TimesBy) -> None:
        self.beginResetModel()
        fields = chain.from_iterable(time_fields(by, time_text))
        self.rows, self._fields = lines, [one for one in fields if one.title]
        self.titles = [_TITLES[one.title or ""] for one in self._fields]
        self.numbers = [at for at, one in enumerate(self._fields) if one.is_number]
        self.endResetModel()

    def retranslate(self) -> None:
        self.beginResetModel()
        self.endResetModel()

    def as_tsv(self) -> str:
        """Returns the table as tab-separated text, times in seconds; undefined ones are empty."""
        rows = [[*map(tr, self.titles)]]
        values = ([one.value_of(line) for one in self._fields] for line in self.rows)
        rows += [["" if one is None else str(one) for one in line] for line in values]
        return as_cells(rows)

    def told(self, index: _Index, role: int) -> object:
        field, line = self._fields[index.column()], self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return field.text_of(line)
        if role == Qt.ItemDataRole.ToolTipRole and field.value_of(line) is None:
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
