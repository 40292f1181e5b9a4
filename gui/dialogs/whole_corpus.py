"""Dialogs about the whole corpus: a report, the time worked, removals."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from typing import Final

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QWidget

from awase.core.annotation.content import (
    without_alignments,
    without_human_scores,
    without_systems,
    without_topics,
)
from awase.core.errors import InputError, Reporter, Silent
from awase.core.metrics.registry import requests_of
from awase.core.records.corpus import Corpus
from awase.core.records.edits import (
    REMOVE_ALIGNMENTS,
    REMOVE_HUMAN_SCORES,
    REMOVE_SYSTEMS,
    REMOVE_TOPICS,
)
from awase.core.records.topic import Topic
from awase.core.reports.grid import UNDEFINED, Fields
from awase.core.team.progress import LoggedTime, TimesBy, TimeSpent
from awase.core.text.script import as_cells
from awase.gui.kit.forms.controls import path_of
from awase.gui.kit.forms.dialog import FormDialog, JobDialog, Verdict, refused, verdict_on
from awase.gui.kit.forms.parts import (
    Asks,
    Body,
    Button,
    Check,
    ChoiceField,
    Field,
    Form,
    Note,
    PathField,
    Row,
    Shown,
)
from awase.gui.kit.grid.tables import FlatTable, TableModel
from awase.gui.kit.i18n import aside, language, listed, mark, ntr, placed_text, shows_codes, tr
from awase.gui.kit.number_explanation import Index
from awase.gui.session.scoring_choices import named, subset_text
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.jobs.files.writing import Target, write_whole_file
from awase.jobs.scoring import ReportPlan, report
from awase.jobs.subset import Subset
from awase.jobs.team.project_reports import report_times, time_fields

REPORT_JOB = "report"


class ReportDialog(JobDialog):
    """Writes scores, plots and where systems fail to one HTML page."""

    headline = mark("The report was not exported.")

    def __init__(
        self,
        session: CorpusSession,
        services: Services,
        metrics: tuple[str, ...],
        subset: Subset,
        parent: QWidget | None = None,
    ) -> None:
        """Reports on `metrics` and `subset` of the Scores page."""
        self._session, self._services = session, services
        self._metrics, self._subset = metrics, subset
        self._written = ""
        super().__init__(self._form(), services.jobs, parent)

    def refresh(self) -> None:
        part, metrics = subset_text(self._subset), listed(map(named, self._metrics))
        self.fields.set("metrics", aside(metrics, part) if part else metrics)
        self.fields.show_part("open", bool(self._written))

    def verdict(self) -> Verdict:
        place = self.fields.text("place")
        if not place:
            return refused(tr("Give the file a name."), "warning")
        target = self._target()
        return Verdict() if str(target.path) == self._written else verdict_on(target)

    def _target(self) -> Target:
        path = path_of(self.fields.text("place"))
        return Target(path=path, replaces=True, endings=(".html", ".htm"))

    def submit(self) -> None:
        target = self._target()
        metrics, subset = self._metrics, self._subset
        has_intervals = self.fields.is_checked("intervals")
        corpus, made = self._session.corpus(), datetime.now(UTC)
        supplies = self._services.supplier(self._session.store)

        def work(reporter: Reporter) -> str:
            from awase.core.reports.html_report import Voice, html_pieces
            from awase.gui.session.metric_drafts import metric_title

            plan = ReportPlan(
                requests=requests_of(metrics), subset=subset, has_intervals=has_intervals
            )
            content = report(corpus, plan, reporter, made=made, supplies=supplies)
            called = str if shows_codes() else metric_title  # as the command line has it
            voice = Voice(say=tr, tell=placed_text, metric=called, language=language())
            write_whole_file(target, html_pieces(content, voice))
            return str(target.path)

        self._written = ""
        self.start(REPORT_JOB, work, self._on_written)

    def open_written(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(self._written))

    def _form(self) -> Form:
        place = str(self._session.file_beside(".html"))
        return Form(
            title=mark("Report"),
            parts=(
                Note(
                    mark(
                        "One HTML page with the scores and their signatures, plots, and the "
                        "sentences that systems miss. It works offline in any browser."
                    )
                ),
                Field(
                    "metrics",
                    mark("Metrics"),
                    Shown(wraps=True),
                    tip=mark("As on the Scores page"),
                ),
                Field(
                    "place",
                    mark("File"),
                    PathField(place, asks=Asks.NEW_FILE, question=mark("Report"), suffix="html"),
                ),
                Field("intervals", mark("With 95 % intervals"), Check(True)),
            ),
            accept=mark("Export"),
            leave=mark("Close"),
            actions=(Button("open", mark("Open in the browser"), self.open_written),),
            focus="place",
            width=40,
        )

    def _on_written(self, path: str) -> None:
        self._written = path
        self.show_outcome(tr("Exported: {path}", path=path))


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

    def as_tsv(self) -> str:
        """Returns the table as tab-separated text, times in seconds; undefined ones are empty."""
        rows = [[*map(tr, self.titles)]]
        values = ([one.value_of(line) for one in self._fields] for line in self.rows)
        rows += [["" if one is None else str(one) for one in line] for line in values]
        return as_cells(rows)

    def cell_data(self, index: Index, role: int) -> object:
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
        self, topics: Sequence[Topic], log: Sequence[LoggedTime], parent: QWidget | None
    ) -> None:
        self._topics, self._log = topics, log
        self.model, self.table = TimesModel(), FlatTable(0)
        self.model.setParent(self.table)
        self.table.setModel(self.model)
        self.table.setAlternatingRowColors(True)
        super().__init__(self._form(), parent)

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
            "Time between two actions counts, at most 30 seconds per pause. “—”: no time was "
            "logged, for example for imported work."
        )
        return Form(
            title=mark("Time worked"),
            parts=(
                Row(
                    Field("by", mark("What each row is about"), choice, is_title_shown=False),
                    Note(name="total", look="", share=1),
                    Button("copy", mark("Copy table"), self.copy_table),
                ),
                Body("table", mark("Time worked"), self.table),
                Note(about),
            ),
            leave=mark("Close"),
            width=40,
            height=26,
        )


_KINDS = (
    (REMOVE_TOPICS, mark("Topics")),
    (REMOVE_SYSTEMS, mark("Systems")),
    (REMOVE_ALIGNMENTS, mark("Alignments of annotators")),
    (REMOVE_HUMAN_SCORES, mark("Human scores of measures")),
)


class RemoveDialog(FormDialog):
    """Dialog to remove systems, annotators and the like."""

    failed = Signal(str, object)  # headline and error

    def __init__(self, session: CorpusSession, _services: Services, parent: QWidget | None) -> None:
        self._session = session
        self.list = QListWidget()
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        super().__init__(self._form(), parent)
        self.list.itemSelectionChanged.connect(self.show_state)
        self.changed("kind")

    def changed(self, name: str) -> None:
        if name == "kind":
            self.list.clear()
            for name, shown in _names(self._session, self._kind()).items():
                item = QListWidgetItem(shown, self.list)
                item.setData(Qt.ItemDataRole.UserRole, name)

    def verdict(self) -> Verdict:
        n = len(self._chosen())
        if not n:
            return refused(tr("Choose what to remove."), "muted")
        text = ntr(
            "{n} item will be removed, along with everything that refers to it.",
            "{n} items will be removed, along with everything that refers to them.",
            n,
        )
        return Verdict(text, "warning")

    def submit(self) -> None:
        kind, names = self._kind(), self._chosen()
        try:
            is_done = self._session.change(
                _change(kind, names), verb=kind, subject=", ".join(names)
            )
        except InputError as error:  # another window changed it meanwhile
            self.failed.emit(mark("Nothing was removed."), error)
            return
        if is_done:
            self.accept()

    def _form(self) -> Form:
        return Form(
            title=mark("Remove from the corpus"),
            parts=(
                Note(mark("Removals can be undone.")),
                Field("kind", mark("What"), ChoiceField(messages=_KINDS)),
                Body("names", mark("Which"), self.list),
            ),
            accept=mark("Remove from the corpus"),
            focus="kind",
            width=32,
            height=24,
        )

    def _kind(self) -> str:
        return str(self.fields.value("kind"))

    def _chosen(self) -> list[str]:
        return [str(item.data(Qt.ItemDataRole.UserRole)) for item in self.list.selectedItems()]


def _names(session: CorpusSession, kind: str) -> dict[str, str]:
    if kind == REMOVE_TOPICS:
        return {name: f"{name}  {title}".strip() for name, title in session.titles()}
    if kind == REMOVE_SYSTEMS:
        return {name: name for name in session.systems()}
    if kind == REMOVE_ALIGNMENTS:
        return {name: name for name in session.annotators()}
    return {score.measure: score.measure for score in session.corpus().human_scores}


def _change(kind: str, names: Sequence[str]) -> Callable[[Corpus], Corpus]:
    if kind == REMOVE_TOPICS:
        return partial(without_topics, ids=names)
    if kind == REMOVE_SYSTEMS:
        return partial(without_systems, systems=names)
    if kind == REMOVE_HUMAN_SCORES:
        return partial(without_human_scores, measures=names)

    def without_all(corpus: Corpus) -> Corpus:
        for name in names:
            corpus = without_alignments(corpus, name)
        return corpus

    return without_all
