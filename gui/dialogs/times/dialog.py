"""How long annotators worked, as a table."""

from collections.abc import Sequence

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from awase.core.annotation.times import LoggedTime, TimesBy
from awase.core.progress import Silent
from awase.core.records.topic import Topic
from awase.gui.dialogs.times.model import TimesModel, time_text
from awase.gui.kit.forms.dialog import FormDialog
from awase.gui.kit.forms.parts import Body, Button, Choice, Field, Form, Note, Row
from awase.gui.kit.grid.flat_table import FlatTable
from awase.gui.kit.texts.i18n import mark, tr
from awase.jobs.team.standing import report_times

_CHOICES = {
    TimesBy.ANNOTATOR: mark("by annotator"),
    TimesBy.TOPIC: mark("by topic"),
    TimesBy.SENTENCE: mark("by sentence"),
}


class TimesDialog(FormDialog):
    """Shows the log as it was when the dialog was opened."""

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
        """Shows another report."""
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
        """Puts the table on the clipboard, times in seconds."""
        QGuiApplication.clipboard().setText(self.model.as_tsv())

    def _form(self) -> Form:
        choice = Choice(messages=[*_CHOICES.items()])
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
