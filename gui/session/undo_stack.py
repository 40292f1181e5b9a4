"""The undo stack of an open corpus: one command for each edit.

The store has the log; a command only moves through it. The first `redo()` writes the edit, later
ones and `undo()` step through the store's history, so a rebuilt stack behaves as the original.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoStack
from shiboken6 import isValid

from awase.core.agreement import adjudication
from awase.core.analysis.grading import SAVE_EXTRACT
from awase.core.annotation import actions, content, verbs
from awase.core.annotation.formula import label_of
from awase.core.errors import CorpusFormatError
from awase.core.records.alignment import EditEffort
from awase.core.records.edit import (
    AbstractTextEdit,
    AlignmentEdit,
    Edit,
    GoldEdit,
    RankEdit,
    SourceTextEdit,
)
from awase.core.records.identifiers import SentenceRef
from awase.gui.kit.i18n import mark, tr

if TYPE_CHECKING:  # The store brings SQLAlchemy, which loads after the first paint.
    from awase.storage.rows.log import History


_TITLES: Mapping[str, str] = {
    actions.LINK: mark("link {subject} to sentence {n}"),
    actions.UNLINK: mark("unlink {subject} from sentence {n}"),
    actions.EXCHANGE: mark("add an alternative with {subject} to sentence {n}"),
    actions.ADD_DUPLICATES: mark("add near-duplicates to sentence {n}"),
    actions.TAKE: mark("take a suggestion for sentence {n}"),
    actions.REMOVE_ALTERNATIVE: mark("remove an alternative of sentence {n}"),
    actions.NO_SOURCE: mark("mark sentence {n} “no source”"),
    actions.REOPEN: mark("reopen sentence {n}"),
    actions.CONFIRM: mark("confirm sentence {n}"),
    actions.FLAG: mark("flag sentence {n}"),
    actions.UNFLAG: mark("unflag sentence {n}"),
    actions.NOTE: mark("note on sentence {n}"),
    actions.RANK: mark("rank {subject} for sentence {n}"),
    actions.OWN_RANK: mark("own rank {subject} for sentence {n}"),
    content.EDIT_SOURCE_TEXT: mark("edit sentence {subject}"),
    content.EDIT_ABSTRACT_TEXT: mark("edit the text of sentence {n}"),
    content.ADD_ABSTRACT: mark("write abstract {subject}"),
    content.EDIT_ABSTRACT: mark("edit abstract {subject}"),
    content.REMOVE_ABSTRACT: mark("remove abstract {subject}"),
    content.ADD_DOCUMENT: mark("add document {subject}"),
    content.REMOVE_DOCUMENT: mark("remove document {subject}"),
    content.RESPLIT_DOCUMENT: mark("re-split document {subject}"),
    content.EDIT_TOPIC: mark("edit topic {subject}"),
    content.EDIT_GUIDELINES: mark("edit the guidelines"),
    verbs.IMPORT: mark("import {subject}"),
    verbs.MERGE: mark("take back {subject}"),
    verbs.EDIT_PROJECT: mark("change the people: {subject}"),
    verbs.ASSIGN: mark("assign work to {subject}"),
    verbs.REMOVE_TOPICS: mark("remove topic {subject}"),
    verbs.REMOVE_DOCUMENTS: mark("remove document {subject}"),
    verbs.REMOVE_ABSTRACTS: mark("remove abstract {subject}"),
    verbs.REMOVE_SYSTEMS: mark("remove system {subject}"),
    verbs.REMOVE_ALIGNMENTS: mark("remove the alignments of {subject}"),
    verbs.REMOVE_HUMAN_SCORES: mark("remove human scores {subject}"),
    SAVE_EXTRACT: mark("save extract {subject}"),
    adjudication.GOLD_TAKE: mark("take an annotator's alternatives for sentence {n}"),
    adjudication.GOLD_TOGGLE: mark("change the gold of sentence {n}"),
    adjudication.GOLD_UNION: mark("join all for sentence {n}"),
    adjudication.GOLD_INTERSECTION: mark("take what all have for sentence {n}"),
    adjudication.GOLD_MAJORITY: mark("take the majority for sentence {n}"),
    adjudication.GOLD_NO_SOURCE: mark("decide “no source” for sentence {n}"),
    adjudication.GOLD_LINK: mark("link by hand in the gold of sentence {n}"),
    adjudication.GOLD_DUPLICATES: mark("add near-duplicates to the gold of sentence {n}"),
    adjudication.GOLD_CONFIRM: mark("confirm the gold of sentence {n}"),
    adjudication.GOLD_FLAG: mark("flag the gold of sentence {n}"),
    adjudication.GOLD_RANK: mark("rank the gold of sentence {n}"),
    adjudication.GOLD_CAUSE: mark("say why they differ on sentence {n}"),
    adjudication.GOLD_NOTE: mark("note on the gold of sentence {n}"),
    adjudication.GOLD_UNANIMOUS: mark("take {subject} unanimous sentences"),
    adjudication.GOLD_LOCK: mark("lock the gold of {subject}"),
    adjudication.GOLD_UNLOCK: mark("unlock the gold: {subject}"),
}
_NO_RANK = mark("no rank for sentence {n}")
_OTHER = mark("change sentence {n}")


def title_of(edit: Edit, numbers: Mapping[SentenceRef, int]) -> str:
    title = _TITLES.get(edit.verb, _OTHER)
    if edit.verb == actions.RANK and not edit.subject:
        title = _NO_RANK
    is_about_link = isinstance(edit, AlignmentEdit | SourceTextEdit)
    subject = _subject_text(edit.subject, numbers) if is_about_link else edit.subject
    return tr(title).format(n=number_in(edit), subject=subject)


def number_in(edit: Edit) -> int | None:
    """Returns the abstract sentence that `edit` is about; None when it is about none."""
    if isinstance(edit, AlignmentEdit):
        return edit.new.n
    return edit.n if isinstance(edit, RankEdit | AbstractTextEdit | GoldEdit) else None


def _subject_text(subject: str, numbers: Mapping[SentenceRef, int]) -> str:
    try:
        return label_of(SentenceRef.parse(subject), numbers)
    except CorpusFormatError:
        return subject


_NO_EFFORT: Final = EditEffort()
# Steps that the undo menu reaches back to after a restart; the store's log has all of them.
_MOST_STEPS: Final = 500


class Steps(Protocol):
    """Writer behind the commands; each step returns whether it was written."""

    def numbers(self, topic_id: str) -> Mapping[SentenceRef, int]:
        """Returns the running numbers of the topic's source sentences."""
        ...

    def write(self, edit: Edit, effort: EditEffort) -> bool:
        """Writes an edit for the first time."""
        ...

    def step_back(self, edit: Edit) -> bool:
        """Undoes the last edit."""
        ...

    def step_forward(self, edit: Edit) -> bool:
        """Redoes the last undone edit."""
        ...


class EditCommand(QUndoCommand):
    """An edit on the undo stack."""

    def __init__(
        self, edit: Edit, steps: Steps, text: str, *, effort: EditEffort = _NO_EFFORT
    ) -> None:
        super().__init__(text)
        self._edit = edit
        self._steps = steps
        self._next_redo: Callable[[], bool] = lambda: steps.write(edit, effort)

    @classmethod
    def of_history(cls, edit: Edit, steps: Steps, text: str) -> "EditCommand":
        """Returns a command for an edit that is in the store already."""
        command = cls(edit, steps, text)
        command._next_redo = command._step_forward
        return command

    @property
    def edit(self) -> Edit:
        return self._edit

    def redo(self) -> None:
        if not self._next_redo():
            self.setObsolete(True)
        self._next_redo = self._step_forward

    def undo(self) -> None:
        if not self._steps.step_back(self._edit):
            self.setObsolete(True)

    def _step_forward(self) -> bool:
        return self._steps.step_forward(self._edit)


class UndoStack(QUndoStack):
    """Undo stack of the annotator.

    Attributes:
        is_replaying: Whether pushed commands are already stored, so that `redo` writes nothing.
    """

    def __init__(self, steps: Steps, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps = steps
        self.is_replaying = False

    def __del__(self) -> None:
        """Lets Qt delete its commands before Python's collector does."""
        # A command that the collector reaches first is freed by Python, and by the stack once more:
        # a crash.
        if isValid(self):
            self.blockSignals(True)  # receivers may be deleted already
            self.clear()

    def do(self, edit: Edit, effort: EditEffort) -> None:
        text = title_of(edit, self._steps.numbers(edit.topic))
        self.push(EditCommand(edit, self._steps, text, effort=effort))

    def rebuild(self, history: "History") -> None:
        done, undone = history.done[-_MOST_STEPS:], history.undone
        self.is_replaying = True
        try:
            self.clear()
            for operation in (*done, *reversed(undone)):
                edit = operation.edit
                title = title_of(edit, self._steps.numbers(edit.topic))
                self.push(EditCommand.of_history(edit, self._steps, title))
            self.setIndex(len(done))
        finally:
            self.is_replaying = False
