"""Stored scores: storing, showing, comparing."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from awase.core.errors import AwaseError, FieldValue, Problem, Reporter
from awase.core.records.score import KeptScores, Origin, ScoreRun, ScoreTable, Selection
from awase.gui.kit.defects import problems_of
from awase.gui.kit.forms.controls import ask_file, open_once
from awase.gui.kit.forms.dialog import FormDialog
from awase.gui.kit.forms.parts import Body, Button, Form, Note
from awase.gui.kit.i18n import local_time, mark, tr
from awase.gui.kit.jobs.running import Work
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.session.scoring_choices import subset_text
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services
from awase.jobs.subset import Subset

_RUN = Qt.ItemDataRole.UserRole


class KeptDialog(FormDialog):
    """List of stored runs, newest first."""

    def __init__(
        self,
        acts: "KeptRuns",
        runs: Sequence[KeptScores],
        state: str,
        *,
        can_write: bool,
        parent: QWidget | None = None,
    ) -> None:
        """`acts` does what the buttons say."""
        self._acts = acts
        self._runs, self._state, self._can_write = tuple(runs), state, can_write
        self.list = QListWidget()
        self.list.setAlternatingRowColors(True)
        super().__init__(self._form(), parent)
        self.list.itemActivated.connect(lambda _item: self._choose(self._acts.show_run))

    def show_runs(self, runs: Sequence[KeptScores]) -> None:
        self._runs = tuple(runs)
        self.show_state()

    def refresh(self) -> None:
        self.list.clear()
        for run in self._runs:
            item = QListWidgetItem(_text(run, self._state))
            item.setData(_RUN, run.id)
            item.setToolTip("\n".join(run.selection.metrics))
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.fields.show_part("empty", not self._runs)
        for name in ("show", "compare"):
            self.fields.enable(name, bool(self._runs))
        self.fields.enable("remove", bool(self._runs) and self._can_write)
        self.fields.enable("bring", self._can_write)

    def _form(self) -> Form:
        acts = self._acts
        table = mark("A table of topic, system, metric and value, with a heading (CSV or TSV)")
        return Form(
            title=mark("Kept scores"),
            parts=(
                Note(
                    mark("Nothing is kept yet. “Keep…” keeps the scores that are shown."),
                    name="empty",
                ),
                Body("runs", mark("Kept scores"), self.list),
            ),
            leave=mark("Close"),
            actions=(
                Button("show", mark("Show"), lambda: self._choose(acts.show_run)),
                Button(
                    "compare", mark("Compare with current"), lambda: self._choose(acts.compare_with)
                ),
                Button("remove", mark("Delete for good"), self._on_remove),
                Button("bring", mark("Import scores…"), self._on_bring, tip=table),
            ),
            width=46,
            height=24,
        )

    def _choose(self, act: Callable[[int], None]) -> None:
        item = self.list.currentItem()
        if item is not None:
            act(item.data(_RUN))
            self.accept()

    def _on_remove(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self._acts.remove(item.data(_RUN))

    def _on_bring(self) -> None:
        kinds = (tr("Tables (*.csv *.tsv *.txt *.json *.jsonl *.parquet *.xlsx)"),)
        ask_file(self, tr("Import scores"), self._acts.bring, kinds=kinds)


def is_out_of_date(run: KeptScores, state: str) -> bool:
    return run.corpus_state != state


def _text(run: KeptScores, state: str) -> str:
    selection, is_old = run.selection, is_out_of_date(run, state)
    is_imported = selection.origin is Origin.IMPORTED
    facts = (
        run.who,
        local_time(run.at),
        tr("imported") if is_imported else tr("Awase {version}", version=selection.program),
        subset_text(Subset(topics=selection.topics, systems=selection.systems)),
        tr("out of date: the corpus has changed since") if is_old else tr("up to date"),
    )
    return f"{run.id}  {run.title}\n      {' · '.join(filter(None, facts))}"


KEPT_JOB = "kept-scores"
_NOT_READ = mark("The kept scores could not be read.")
_Result = TypeVar("_Result")


class KeptRuns(QObject):
    """Stored runs, and which of them the page shows or compares with."""

    runKept = Signal(object)  # the stored `KeptScores`
    changed = Signal()  # another run is shown or compared with, or none

    def __init__(self, session: CorpusSession, services: Services, page: QWidget) -> None:
        super().__init__(page)
        self._session = session
        self._services = services
        self._page = page
        self._dialog: KeptDialog | None = None
        session.scoresKept.connect(self._on_others_stored)
        self.shown: ScoreRun | None = None
        self.compared: ScoreTable | None = None
        self.message, self.action = "", mark("Back to current scores")
        self.fields: dict[str, FieldValue] = {}

    def keep(self, table: ScoreTable, title: str, state: str, selection: Selection) -> None:
        store, who = self._session.store, self._session.who
        self._start(
            mark("The scores were not kept."),
            lambda _: store.keep_scores(
                table, title=title, who=who, corpus_state=state, selection=selection
            ),
            self.runKept.emit,
        )

    def open_dialog(self) -> KeptDialog | None:
        store = self._session.store
        found = self._tried(_NOT_READ, lambda: (store.score_runs(), store.state()))
        if found is None:
            return None
        can_write = not self._session.read_only
        dialog = KeptDialog(self, *found, can_write=can_write, parent=self._page)
        dialog.finished.connect(self._on_dialog_finished)
        self._dialog = dialog
        return open_once(dialog)

    def show_run(self, run_id: int, *, compares: bool = False) -> None:
        """Shows stored scores instead of the corpus's, or the corpus's beside them."""
        store = self._session.store
        self._start(
            _NOT_READ,
            lambda _: (store.score_run(run_id), store.state()),
            lambda read: self._show(*read, compares=compares),
        )

    def compare_with(self, run_id: int) -> None:
        """Shows the corpus's scores with differences from stored ones."""
        self.show_run(run_id, compares=True)

    def forget(self) -> None:
        """Shows the corpus's scores again."""
        self.shown, self.compared, self.message = None, None, ""
        self.changed.emit()

    def bring(self, path: Path) -> None:
        store, corpus, who = self._session.store, self._session.corpus(), self._session.who

        def work(_reporter: Reporter) -> tuple[KeptScores, tuple[Problem, ...]]:
            from awase.jobs.importing import selection_of_imported, table_of_scores

            state = store.state()
            table = table_of_scores(path, corpus)
            kept = store.keep_scores(
                table,
                title=path.name,
                who=who,
                corpus_state=state,
                selection=selection_of_imported(),
            )
            return kept, table.warnings

        headline = mark("Nothing was imported; the corpus is unchanged.")
        self._start(headline, work, self._on_scores_imported)

    def _on_scores_imported(self, brought: tuple[KeptScores, tuple[Problem, ...]]) -> None:
        kept, warnings = brought
        if self._dialog is not None:
            self._dialog.accept()
        self.show_run(kept.id)
        headline = mark("Notes on these scores")
        ProblemsDialog.show_remarks(self._page, headline, warnings)

    def _show(self, run: ScoreRun, state: str, *, compares: bool) -> None:
        kept = run.kept
        self.shown, self.compared = (None, run.table) if compares else (run, None)
        if compares:
            self.message = mark("In brackets: the change since “{title}” of {who}, {at}.")
        elif is_out_of_date(kept, state):
            self.message = mark(
                "Kept scores “{title}” of {who}, {at}: out of date, the corpus has changed."
            )
        else:
            self.message = mark(
                "Kept scores “{title}” of {who}, {at}; the corpus is still the same."
            )
        self.fields = {"title": kept.title, "who": kept.who, "at": local_time(kept.at)}
        self.changed.emit()

    def _start(self, headline: str, work: Work, then: Callable[..., None]) -> None:
        """Runs the work on a worker: thousands of scores take longer than a frame."""
        failed = partial(self._show_failure, headline)
        self._services.jobs.start(KEPT_JOB, work, then, failed)

    def _show_failure(self, headline: str, error: BaseException) -> None:
        ProblemsDialog.show_for(self._page, headline, problems_of(error))

    def remove(self, run_id: int) -> None:
        store = self._session.store

        def remaining() -> tuple[KeptScores, ...]:
            store.remove_score_run(run_id)
            return store.score_runs()

        found = self._tried(mark("The kept scores were not removed."), remaining)
        if found is None:
            return
        if self._dialog is not None:
            self._dialog.show_runs(found)
        if self.shown is not None and self.shown.kept.id == run_id:
            self.forget()

    def _on_others_stored(self) -> None:
        if self._dialog is not None:
            found = self._tried(_NOT_READ, self._session.store.score_runs)
            if found is not None:
                self._dialog.show_runs(found)

    def _on_dialog_finished(self) -> None:
        self._dialog = None

    def _tried(self, headline: str, action: Callable[[], _Result]) -> _Result | None:
        try:
            return action()
        except AwaseError as error:
            self._show_failure(headline, error)
            return None
