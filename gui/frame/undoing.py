"""Undo and Redo over the visible page's own steps and the corpus's edits."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from awase.gui.session.pages import OwnSteps
from awase.gui.session.session import CorpusSession


class Undoing(QObject):
    """Chooses between the visible page's steps and the edits of the corpus."""

    # What is undone should be visible: the page's steps come first, except for edits made after
    # them.

    changed = Signal()  # something else is undone or redone next

    def __init__(self, session: CorpusSession) -> None:
        super().__init__(session)
        self._session = session
        self._own: OwnSteps | None = None
        self._index = session.undo_stack.index()
        # Edits since the page was shown or its last step; negative for undone ones.
        self._n_edits = 0
        session.undo_stack.indexChanged.connect(self._on_corpus_changed)

    def look_at(self, page: QWidget) -> None:
        """Uses the visible page's attribute `own_steps`, if any."""
        if self._own is not None:
            self._own.indexChanged.disconnect(self._on_own_changed)
        own: OwnSteps | None = getattr(page, "own_steps", None)
        self._own = own
        if own is not None:
            own.indexChanged.connect(self._on_own_changed)
        self._on_own_changed()

    def can_undo(self) -> bool:
        """Returns whether there is anything to undo."""
        return self._own_to_undo() is not None or self._session.undo_stack.canUndo()

    def can_redo(self) -> bool:
        """Returns whether there is anything to redo."""
        return self._own_to_redo() is not None or self._session.undo_stack.canRedo()

    def undo_text(self) -> str:
        """Returns what is undone next, translated; empty = nothing."""
        return (self._own_to_undo() or self._session.undo_stack).undoText()

    def redo_text(self) -> str:
        """Returns what is redone next, translated; empty = nothing."""
        return (self._own_to_redo() or self._session.undo_stack).redoText()

    def undo(self) -> None:
        (self._own_to_undo() or self._session).undo()

    def redo(self) -> None:
        (self._own_to_redo() or self._session).redo()

    def _own_to_undo(self) -> OwnSteps | None:
        own = self._own
        return own if own is not None and self._n_edits <= 0 and own.canUndo() else None

    def _own_to_redo(self) -> OwnSteps | None:
        own = self._own
        return own if own is not None and self._n_edits >= 0 and own.canRedo() else None

    def _on_own_changed(self, _index: int = 0) -> None:
        self._n_edits = 0
        self.changed.emit()

    def _on_corpus_changed(self, index: int) -> None:
        if not self._session.undo_stack.is_replaying:
            self._n_edits += index - self._index
        self._index = index
        self.changed.emit()
