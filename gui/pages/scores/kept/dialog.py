"""Dialog of stored scores: show, compare, remove, import."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from awase.core.records.score import KeptScores, Origin
from awase.gui.kit.forms.asking import ask_file
from awase.gui.kit.forms.dialog import FormDialog
from awase.gui.kit.forms.parts import Body, Button, Form, Note
from awase.gui.kit.texts.i18n import mark, tr
from awase.gui.kit.texts.moments import local_time
from awase.gui.session.subset_dialog import subset_text
from awase.jobs.subset import Subset

_RUN = Qt.ItemDataRole.UserRole


class KeptDialog(FormDialog):
    """List of stored runs, newest first."""

    showChosen = Signal(int)
    compareChosen = Signal(int)
    removeChosen = Signal(int)
    importChosen = Signal(object)

    def __init__(
        self,
        runs: Sequence[KeptScores],
        state: str,
        *,
        can_write: bool,
        parent: QWidget | None = None,
    ) -> None:
        self._runs, self._state, self._can_write = tuple(runs), state, can_write
        self.list = QListWidget()
        self.list.setAlternatingRowColors(True)
        super().__init__(self._form(), parent)
        self.list.itemActivated.connect(lambda _item: self._choose(self.showChosen))
        self.show_state()

    def show_runs(self, runs: Sequence[KeptScores]) -> None:
        """Replaces the list."""
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
                Button("show", mark("Show"), lambda: self._choose(self.showChosen)),
                Button("compare", mark("Compare with now"), self._on_compare),
                Button("remove", mark("Delete for good"), self._on_remove),
                Button("bring", mark("Import scores…"), self._on_bring, tip=table),
            ),
            width=46,
            height=24,
        )

    def run_ids(self) -> list[int]:
        """Returns the numbers of the runs listed."""
        return [int(self.list.item(row).data(_RUN)) for row in range(self.list.count())]

    def _run_id(self) -> int | None:
        item = self.list.currentItem()
        return None if item is None else int(item.data(_RUN))

    def _choose(self, chosen: SignalInstance) -> None:
        run_id = self._run_id()
        if run_id is not None:
            chosen.emit(run_id)
            self.accept()

    def _on_compare(self) -> None:
        self._choose(self.compareChosen)

    def _on_remove(self) -> None:
        run_id = self._run_id()
        if run_id is not None:
            self.removeChosen.emit(run_id)

    def _on_bring(self) -> None:
        kinds = (tr("Tables (*.csv *.tsv *.txt *.json *.jsonl *.parquet *.xlsx)"),)
        ask_file(self, tr("Import scores"), self.importChosen.emit, kinds=kinds)


def is_out_of_date(run: KeptScores, state: str) -> bool:
    """Returns whether the corpus has changed since the run."""
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
