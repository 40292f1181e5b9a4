"""The undo stack of an open corpus: one command for each edit.

The store keeps the log; a command only says which way to go in it. The first `redo()` writes the
edit, later ones and `undo()` step through the store's own history, so a stack that was rebuilt
after a restart and one that grew during the session do the same.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoStack
from shiboken6 import isValid

from awase.core.records.assist import EditEffort
from awase.core.records.edits.edit import Edit
from awase.core.records.identifiers import SentenceRef
from awase.gui.session.edit_titles import title_of

if TYPE_CHECKING:  # The store brings SQLAlchemy, which loads after the first paint.
    from awase.storage.log.operations import History

_NO_EFFORT: Final = EditEffort()
# Steps that the undo menu reaches back to after a restart; the store's log has all of them.
_MOST_STEPS: Final = 500


class Steps(Protocol):
    """Who writes what a command asks for; each step returns whether it was written."""

    def numbers(self, topic_id: str) -> Mapping[SentenceRef, int]:
        """Returns the running numbers of the topic's source sentences."""
        ...

    def write(self, edit: Edit, effort: EditEffort) -> bool:
        """Writes an edit for the first time."""
        ...

    def step_back(self, edit: Edit) -> bool:
        """Takes the last edit back."""
        ...

    def step_forward(self, edit: Edit) -> bool:
        """Makes the edit that was taken back last, again."""
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
        """What the command does."""
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
    """What the person at work can undo and redo.

    Attributes:
        is_replaying: Whether commands only take their places, as what they do is stored already.
    """

    def __init__(self, steps: Steps, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps = steps
        self.is_replaying = False

    def __del__(self) -> None:
        """Lets Qt delete its commands before Python's collector takes apart what is left.

        A command that the collector comes to before the stack is given back to Python and freed,
        and the stack, when it goes, deletes it once more: the program crashes.
        """
        if isValid(self):
            self.blockSignals(True)  # whoever listens may be gone already
            self.clear()

    def do(self, edit: Edit, effort: EditEffort) -> None:
        """Writes an edit, which stands on the stack then."""
        text = title_of(edit, self._steps.numbers(edit.topic))
        self.push(EditCommand(edit, self._steps, text, effort=effort))

    def rebuild(self, history: "History") -> None:
        """Puts what the log has in the place of what there was."""
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
