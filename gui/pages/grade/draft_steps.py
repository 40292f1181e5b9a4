"""What was done to the extracts under way, step by step: taken back and done again on the page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from awase.core.annotation.formula import label_of
from awase.core.records.identifiers import SentenceRef
from awase.gui.kit.texts.i18n import tr

Place = tuple[str, str]
"""Ids of topic and abstract."""
Refs = tuple[SentenceRef, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftStep:
    """An extract under way that became another one.

    Attributes:
        place: Which one.
        before: Its sentences before.
        after: Its sentences after.
    """

    place: Place
    before: Refs
    after: Refs

    @property
    def only_sentence(self) -> SentenceRef | None:
        """The sentence that came or went; None where it was not one."""
        differing = set(self.before) ^ set(self.after)
        return next(iter(differing)) if len(differing) == 1 else None

    def title(self, numbers: Mapping[SentenceRef, int]) -> str:
        """Returns what it did, as the menu says it.

        Args:
            numbers: The running numbers of the topic's sentences.
        """
        sentence = self.only_sentence
        if sentence is not None:
            label = label_of(sentence, numbers)
            if sentence in self.after:
                return tr("take {sentence} into the extract", sentence=label)
            return tr("take {sentence} out of the extract", sentence=label)
        if not self.after:
            return tr("empty the extract")
        if {*self.before} == {*self.after}:
            return tr("change the order of the extract")
        return tr("replace the extract")


class Drafts(Protocol):
    """The extracts under way."""

    def numbers(self, topic_id: str) -> Mapping[SentenceRef, int]:
        """Returns the running numbers of the topic's source sentences."""
        ...

    def take_step(self, step: DraftStep, sentences: Refs) -> None:
        """Shows the extract of a step, and makes these sentences it."""
        ...


class DraftSteps(QObject):
    """Keeps the steps; speaks as Qt's undo stack does.

    They are values, as the texts of Qt's commands would keep the language of their time.
    """

    indexChanged = Signal(int)

    def __init__(self, drafts: Drafts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._drafts = drafts
        self._done: list[DraftStep] = []
        self._undone: list[DraftStep] = []

    def add(self, step: DraftStep) -> None:
        """Keeps a step that was done; those that were taken back are forgotten."""
        self._done.append(step)
        self._undone.clear()
        self._tell()

    def keep(self, is_there: Callable[[Place], bool]) -> None:
        """Forgets the steps of extracts that nobody can return to."""
        places = {step.place for step in (*self._done, *self._undone)}
        gone = {place for place in places if not is_there(place)}
        if gone:
            self._done = [step for step in self._done if step.place not in gone]
            self._undone = [step for step in self._undone if step.place not in gone]
            self._tell()

    def index(self) -> int:
        """Returns how many steps can be taken back."""
        return len(self._done)

    def canUndo(self) -> bool:
        return bool(self._done)

    def canRedo(self) -> bool:
        return bool(self._undone)

    def undoText(self) -> str:
        return self._title(self._done)

    def redoText(self) -> str:
        return self._title(self._undone)

    def undo(self) -> None:
        if self._done:
            self._undone.append(step := self._done.pop())
            self._drafts.take_step(step, step.before)
            self._tell()

    def redo(self) -> None:
        if self._undone:
            self._done.append(step := self._undone.pop())
            self._drafts.take_step(step, step.after)
            self._tell()

    def _title(self, steps: Sequence[DraftStep]) -> str:
        return steps[-1].title(self._drafts.numbers(steps[-1].place[0])) if steps else ""

    def _tell(self) -> None:
        self.indexChanged.emit(self.index())
