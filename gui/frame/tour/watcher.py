"""Notices what happens in a workspace, in the words of the tour's steps."""

from PySide6.QtCore import QObject, Signal, SignalInstance

from awase.core.records.edits.edit import AlignmentEdit, Edit
from awase.gui.pages.annotate.page import AnnotatePage
from awase.gui.session.session import CorpusSession


class TourWatcher(QObject):
    """Says what the user has just done."""

    happened = Signal(str)
    """As in `Step.signal`."""

    def __init__(
        self,
        session: CorpusSession,
        page: AnnotatePage,
        page_changed: SignalInstance,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._n_undoable = self._session.undo_stack.index()
        page.annotation.sentenceChanged.connect(self._on_sentence_changed)
        page.annotation.othersChanged.connect(self._on_others_changed)
        page.guidelinesToggled.connect(self._on_guidelines_toggled)
        page_changed.connect(self._on_page_changed)
        self._session.edited.connect(self._on_edited)
        self._session.undo_stack.indexChanged.connect(self._on_index_changed)

    def _on_sentence_changed(self) -> None:
        self.happened.emit("sentence")

    def _on_others_changed(self) -> None:
        self.happened.emit("others")

    def _on_guidelines_toggled(self) -> None:
        self.happened.emit("guidelines")

    def _on_page_changed(self, page_id: str) -> None:
        self.happened.emit(f"page:{page_id}")

    def _on_edited(self, edit: Edit) -> None:
        self.happened.emit(f"edit:{edit.verb}")
        if isinstance(edit, AlignmentEdit):
            n_old, n_new = len(edit.old.alternatives), len(edit.new.alternatives)
            if 0 < n_old < n_new:
                self.happened.emit("alternative")

    def _on_index_changed(self, index: int) -> None:
        was, self._n_undoable = self._n_undoable, index
        if index < was:
            self.happened.emit("undo")
