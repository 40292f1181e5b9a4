"""Dialog to remove topics, systems, alignments or human scores, undoably."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QWidget

from awase.core.annotation.content import (
    without_alignments,
    without_human_scores,
    without_systems,
    without_topics,
)
from awase.core.errors import InputError
from awase.core.records.corpus import Corpus
from awase.core.records.edit import (
    REMOVE_ALIGNMENTS,
    REMOVE_HUMAN_SCORES,
    REMOVE_SYSTEMS,
    REMOVE_TOPICS,
)
from awase.gui.kit.forms.dialog import FormDialog, Verdict, refused
from awase.gui.kit.forms.parts import Body, ChoiceField, Field, Form, Note
from awase.gui.kit.i18n import mark, ntr, tr
from awase.gui.session.session import CorpusSession
from awase.gui.session.settings import Services

_KINDS = (
    (REMOVE_TOPICS, mark("Topics")),
    (REMOVE_SYSTEMS, mark("Systems")),
    (REMOVE_ALIGNMENTS, mark("Alignments of annotators")),
    (REMOVE_HUMAN_SCORES, mark("Human scores of measures")),
)


class RemoveDialog(FormDialog):
    """Dialog to remove systems, annotators and the like."""

    failed = Signal(str, object)  # headline and error

    def __init__(
        self,
        session: CorpusSession,
        _services: Services | None = None,
        parent: QWidget | None = None,
    ) -> None:
        self._session = session
        self.list = QListWidget()
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        super().__init__(self._form(), parent)
        self.list.itemSelectionChanged.connect(self.show_state)
        self.changed("kind")
        self.show_state()

    def changed(self, name: str) -> None:
        if name == "kind":
            self.list.clear()
            for name, shown in _names(self._session, self._kind()).items():
                item = QListWidgetItem(shown, self.list)
                item.setData(Qt.ItemDataRole.UserRole, name)

    def verdict(self) -> Verdict:
        n = len(self._chosen())
        if not n:
            return refused(tr("Choose what shall go."), "muted")
        text = ntr(
            "{n} goes, with all that refers to it.", "{n} go, with all that refers to them.", n
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
                Note(mark("What is removed comes back by undo.")),
                Field("kind", mark("What"), ChoiceField(messages=_KINDS)),
                Body("names", mark("Which"), self.list),
            ),
            accept=mark("Remove from the corpus"),
            leave=mark("Cancel"),
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
