"""Undo stack of an open corpus, or of the drafts of a page; titles of edits."""

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, Signal

from awase.core.agreement import adjudication
from awase.core.analysis.grading import SAVE_EXTRACT
from awase.core.annotation import actions, content, verbs
from awase.core.annotation.formula import label_of
from awase.core.errors import CorpusFormatError
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
    adjudication.GOLD_UNANIMOUS: mark("take unanimous sentences ({subject})"),
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


_Step = TypeVar("_Step")


class UndoStack(QObject, Generic[_Step]):
    """Steps to undo and to redo, as values: a title is in the language of its request.

    Attributes:
        is_replaying: Whether the steps are being replaced, so that nothing was done or undone.
    """

    indexChanged = Signal(int)  # number of steps to undo

    def __init__(
        self,
        title: Callable[[_Step], str],
        take_back: Callable[[_Step], bool],
        repeat: Callable[[_Step], bool],
        parent: QObject,
    ) -> None:
        """`take_back` and `repeat` return whether they could."""
        super().__init__(parent)
        self._title, self._take_back, self._repeat = title, take_back, repeat
        self._done: list[_Step] = []
        self._undone: list[_Step] = []
        self.is_replaying = False

    def index(self) -> int:
        """Returns the number of steps to undo."""
        return len(self._done)

    def canUndo(self) -> bool:
        return bool(self._done)

    def canRedo(self) -> bool:
        return bool(self._undone)

    def undoText(self) -> str:
        """Returns the next step to undo, translated; empty = none."""
        return self._title(self._done[-1]) if self._done else ""

    def redoText(self) -> str:
        """Returns the next step to redo, translated; empty = none."""
        return self._title(self._undone[-1]) if self._undone else ""

    def undo(self) -> None:
        if self._done and self._take_back(self._done[-1]):
            self._undone.append(self._done.pop())
            self.indexChanged.emit(self.index())

    def redo(self) -> None:
        if self._undone and self._repeat(self._undone[-1]):
            self._done.append(self._undone.pop())
            self.indexChanged.emit(self.index())

    def push(self, step: _Step) -> None:
        """Adds a step that was taken, dropping undone ones."""
        self._done.append(step)
        self._undone.clear()
        self.indexChanged.emit(self.index())

    def keep(self, is_there: Callable[[_Step], bool]) -> None:
        """Drops the steps that can no longer be taken."""
        done, undone = [*filter(is_there, self._done)], [*filter(is_there, self._undone)]
        if (done, undone) != (self._done, self._undone):
            self._done, self._undone = done, undone
            self.indexChanged.emit(self.index())

    def rebuild(self, done: Sequence[_Step], undone: Sequence[_Step]) -> None:
        """Replaces the steps, each the last one first to be undone or redone."""
        self._done, self._undone = [*done], [*undone]
        self.is_replaying = True
        self.indexChanged.emit(self.index())
        self.is_replaying = False
