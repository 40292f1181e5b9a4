"""Stored scores: storing, showing, comparing."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from awase.core.errors import AwaseError, FieldValue, Problem
from awase.core.progress import Reporter
from awase.core.records.score import KeptScores, ScoreRun, ScoreTable, Selection
from awase.gui.kit.defects import problems_of
from awase.gui.kit.forms.asking import open_once
from awase.gui.kit.jobs.running import Work
from awase.gui.kit.problems import ProblemsDialog
from awase.gui.kit.texts.i18n import mark
from awase.gui.kit.texts.moments import local_time
from awase.gui.pages.scores.kept.dialog import KeptDialog, is_out_of_date
from awase.gui.session.services import Services
from awase.gui.session.session import CorpusSession

KEPT_JOB = "kept-scores"
_Result = TypeVar("_Result")


class KeptRuns(QObject):
    """Stored runs, and which of them the page shows or compares with."""

    runKept = Signal(object)  # the `KeptScores` that came to stand in the corpus
    changed = Signal()  # another run is shown or compared with, or none

    def __init__(self, session: CorpusSession, services: Services, page: QWidget) -> None:
        super().__init__(page)
        self._session = session
        self._services = services
        self._page = page
        self._dialog: KeptDialog | None = None
        session.scoresKept.connect(self._on_others_kept)
        self.shown: ScoreRun | None = None
        self.compared: ScoreTable | None = None
        self.message, self.action = "", mark("Back to the scores now")
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
        found = self._tried(
            mark("The kept scores could not be read."),
            lambda: (store.score_runs(), store.state()),
        )
        if found is None:
            return None
        dialog = KeptDialog(*found, can_write=not self._session.read_only, parent=self._page)
        dialog.showChosen.connect(self.show_run)
        dialog.compareChosen.connect(self.compare_with)
        dialog.removeChosen.connect(self.remove)
        dialog.importChosen.connect(self.bring)
        dialog.finished.connect(self._on_dialog_finished)
        self._dialog = dialog
        return open_once(dialog)

    def show_run(self, run_id: int) -> None:
        """Shows stored scores instead of the corpus's."""
        self._read(run_id, self._show)

    def compare_with(self, run_id: int) -> None:
        """Shows the corpus's scores with differences from stored ones."""
        self._read(run_id, self._compare)

    def forget(self) -> None:
        """Shows the corpus's scores again."""
        self.shown, self.compared, self.message = None, None, ""
        self.changed.emit()

    def bring(self, path: Path) -> None:
        """Imports a file's scores, and shows them."""
        store, corpus, who = self._session.store, self._session.corpus(), self._session.who

        def work(_reporter: Reporter) -> tuple[KeptScores, tuple[Problem, ...]]:
            from awase.jobs.files.scores import selection_of_imported, table_of_scores

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

        headline = mark("Nothing was imported; the corpus is as it was.")
        self._start(headline, work, self._on_brought)

    def _on_brought(self, brought: tuple[KeptScores, tuple[Problem, ...]]) -> None:
        kept, warnings = brought
        if self._dialog is not None:
            self._dialog.accept()
        self.show_run(kept.id)
        if warnings:
            headline = mark("What to know about these scores")
            ProblemsDialog.show_for(self._page, headline, warnings, are_remarks=True)

    def _show(self, read: tuple[ScoreRun, str]) -> None:
        run, state = read
        self.shown, self.compared = run, None
        self.message = (
            mark("Kept scores “{title}” of {who}, {at}: out of date, the corpus has changed.")
            if is_out_of_date(run.kept, state)
            else mark("Kept scores “{title}” of {who}, {at}; the corpus is still the same.")
        )
        self._show_message(run)

    def _compare(self, read: tuple[ScoreRun, str]) -> None:
        run, _ = read
        self.shown, self.compared = None, run.table
        self.message = mark("In brackets: the change since “{title}” of {who}, {at}.")
        self._show_message(run)

    def _show_message(self, run: ScoreRun) -> None:
        kept = run.kept
        self.fields = {"title": kept.title, "who": kept.who, "at": local_time(kept.at)}
        self.changed.emit()

    def _read(self, run_id: int, then: Callable[[tuple[ScoreRun, str]], None]) -> None:
        store = self._session.store
        self._start(
            mark("The kept scores could not be read."),
            lambda _: (store.score_run(run_id), store.state()),
            then,
        )

    def _start(self, headline: str, work: Work, then: Callable[..., None]) -> None:
        """Runs the work on a worker: thousands of scores take longer than a frame."""
        job = self._services.jobs.start(KEPT_JOB, work)
        job.finished.connect(then)
        job.failed.connect(lambda error: self._on_failed(headline, error))

    def _on_failed(self, headline: str, error: BaseException) -> None:
        ProblemsDialog.show_for(self._page, headline, problems_of(error))

    def remove(self, run_id: int) -> None:
        store = self._session.store
        self._tried(
            mark("The kept scores were not removed."), lambda: store.remove_score_run(run_id)
        )
        if self._dialog is not None:
            self._dialog.show_runs(store.score_runs())
        if self.shown is not None and self.shown.kept.id == run_id:
            self.forget()

    def _on_others_kept(self) -> None:
        if self._dialog is None:
            return
        headline = mark("The kept scores could not be read.")
        found = self._tried(headline, self._session.store.score_runs)
        if found is not None and self._dialog is not None:
            self._dialog.show_runs(found)

    def _on_dialog_finished(self) -> None:
        self._dialog = None

    def _tried(self, headline: str, action: Callable[[], _Result]) -> _Result | None:
        try:
            return action()
        except AwaseError as error:
            ProblemsDialog.show_for(self._page, headline, problems_of(error))
            return None
