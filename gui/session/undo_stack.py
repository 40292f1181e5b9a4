"""The undo stack of an open corpus: one command for each edit.

The store has the log; a command only moves through it. The first `redo()` writes the edit, later
ones and `undo()` step through the store's history, so a rebuilt stack behaves as the original.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand, QUndoStack
from shiboken6 import isValid

from awase.core.records.alignment import EditEffort
from awase.core.records.edit import Edit
from awase.core.records.identifiers import SentenceRef
from awase.gui.session.edit_titles import title_of

if TYPE_CHECKING:  # The store brings SQLAlchemy, which loads after the first paint.
    from awase.storage.rows.log import History

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
            self.blockSignals(True)  # whoever listens may be gone already
            self.clear()

    def do(self, edit: Edit, effort: EditEffort) -> None:
        """Writes an edit and pushes it."""
        text = title_of(edit, self._steps.numbers(edit.topic))
        self.push(EditCommand(edit, self._steps, text, effort=effort))

    def rebuild(self, history: "History") -> None:
        """Rebuilds the stack from the log."""
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
