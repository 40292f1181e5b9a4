"""Keeping scores in the corpus, and showing and comparing what was kept."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from awase.core.errors import AwaseError, FieldValue
from awase.core.records.score import ScoreTable
from awase.core.records.score_run import ScoreRun, Selection
from awase.gui.i18n import mark
from awase.gui.problems import ProblemsDialog, problems_of
from awase.gui.scores.kept_dialog import KeptDialog, is_out_of_date, local_time, title_of_file
from awase.gui.services import Services
from awase.gui.session import CorpusSession

_Result = TypeVar("_Result")


class KeptRuns(QObject):
    """What is kept, and which of it the page shows or compares with."""

    changed = Signal()
    """Another run is shown or compared with, or none."""

    def __init__(self, session: CorpusSession, services: Services, page: QWidget) -> None:
        super().__init__(page)
        self._session = session
        self._services = services
        self._page = page
        self._dialog: KeptDialog | None = None
        self.shown: ScoreRun | None = None
        self.compared: ScoreTable | None = None
        self.message, self.action = "", mark("Back to the scores now")
        self.fields: dict[str, FieldValue] = {}

    def keep(self, table: ScoreTable, title: str, state: str, selection: Selection) -> None:
        """Keeps scores under a title."""
        store, who = self._session.store, self._session.who
        self._tried(
            mark("The scores were not kept."),
            lambda: store.keep_scores(
                table, title=title, who=who, corpus_state=state, selection=selection
            ),
        )

    def open_dialog(self) -> KeptDialog | None:
        """Opens the list of what is kept."""
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
        dialog.removeChosen.connect(self._on_remove)
        dialog.importChosen.connect(self.bring)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(self._on_dialog_finished)
        self._dialog = dialog
        dialog.open()
        return dialog

    def show_run(self, run_id: int) -> None:
        """Shows kept scores instead of the corpus's."""
        run = self._read(run_id)
        if run is not None:
            self.shown, self.compared = run, None
            is_old = is_out_of_date(run.kept, self._session.store.state())
            self.message = (
                mark("Kept scores “{title}” of {who}, {at}: out of date, the corpus has changed.")
                if is_old
                else mark("Kept scores “{title}” of {who}, {at}; the corpus is still the same.")
            )
            self._say(run)

    def compare_with(self, run_id: int) -> None:
        """Shows the corpus's scores with the change since kept ones."""
        run = self._read(run_id)
        if run is not None:
            self.shown, self.compared = None, run.table
            self.message = mark("In brackets: the change since “{title}” of {who}, {at}.")
            self._say(run)

    def forget(self) -> None:
        """Shows the corpus's scores again."""
        self.shown, self.compared, self.message = None, None, ""
        self.changed.emit()

    def bring(self, path: str) -> None:
        """Keeps the scores of a file, and shows them."""
        from awase.gui.scores.bringing import bring_scores

        session = self._session
        kept = self._tried(
            mark("Nothing was imported; the corpus is as it was."),
            lambda: bring_scores(session, Path(path), title_of_file(path)),
        )
        if kept is None:
            return
        if self._dialog is not None:
            self._dialog.accept()
        self.show_run(kept[0].id)
        if kept[1]:
            ProblemsDialog.show_for(self._page, mark("What to know about these scores"), kept[1])

    def _say(self, run: ScoreRun) -> None:
        kept = run.kept
        self.fields = {"title": kept.title, "who": kept.who, "at": local_time(kept.at)}
        self.changed.emit()

    def _read(self, run_id: int) -> ScoreRun | None:
        store = self._session.store
        return self._tried(
            mark("The kept scores could not be read."), lambda: store.score_run(run_id)
        )

    def _on_remove(self, run_id: int) -> None:
        store = self._session.store
        self._tried(
            mark("The kept scores were not removed."), lambda: store.remove_score_run(run_id)
        )
        if self._dialog is not None:
            self._dialog.show_runs(store.score_runs())
        if self.shown is not None and self.shown.kept.id == run_id:
            self.forget()

    def _on_dialog_finished(self) -> None:
        self._dialog = None

    def _tried(self, headline: str, action: Callable[[], _Result]) -> _Result | None:
        try:
            return action()
        except AwaseError as error:
            ProblemsDialog.show_for(self._page, headline, problems_of(error) or ())
            return None
