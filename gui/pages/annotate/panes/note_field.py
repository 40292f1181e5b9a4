"""The remark on the selected abstract sentence; the one place on the page with an input method."""

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QWidget

from awase.core.text.cleaning import cleaned
from awase.gui.kit.texts.binding import bind
from awase.gui.kit.texts.editor import TextEditor
from awase.gui.kit.texts.i18n import mark
from awase.gui.pages.annotate.state.annotation_actions import AnnotationActions
from awase.gui.pages.annotate.state.annotation_state import AnnotationState

_LINES, _LEAST_LINES = 3, 1


class NoteField(TextEditor):
    """Writes the note when it is left, by Enter, Esc or the mouse; Shift+Enter breaks the line."""

    left = Signal()
    """The annotator has finished writing, so the keyboard belongs to the panes again."""

    def __init__(
        self, annotation: AnnotationState, actions: AnnotationActions, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent=parent)
        self._annotation = annotation
        self._actions = actions
        self._n = 0
        # What could not be stored, as when the disk was full; it must not be typed again.
        self._kept: dict[tuple[str, str, int], str] = {}
        self.setTabChangesFocus(True)
        self._fit()
        annotation.placeChanged.connect(self._show_entry)
        annotation.sentenceChanged.connect(self._on_sentence_changed)
        annotation.entryChanged.connect(self._on_entry_changed)
        self._bind_texts()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        with_shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_Escape or (is_enter and not with_shift):
            self.store()
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        self.insertPlainText(cleaned(source.text()).text)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        if self._kept.get(self._place()) != self._text():  # once for each text that is refused
            self.store()
        super().focusOutEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit()

    def store(self) -> None:
        """Writes what stands in the field."""
        if self._n and self.document().isModified():
            self.document().setModified(False)
            text, place = self._text(), self._place()
            self._kept.pop(place, None)
            if not self._actions.set_note(self._n, text):
                self._kept[place] = text
                self.document().setModified(self._place() == place)

    def _text(self) -> str:
        return cleaned(self.toPlainText()).text

    def _place(self) -> tuple[str, str, int]:
        topic, abstract = self._annotation.place.topic, self._annotation.place.abstract
        return (topic.id if topic else "", abstract.id if abstract else "", self._n)

    def _fit(self) -> None:
        margins = round(2 * self.document().documentMargin())
        line_px = self.fontMetrics().lineSpacing()
        # Part of a line for the style's frame and padding, and for lines in a font that stands in.
        self.setMaximumHeight(round(line_px * (_LINES + 0.75)) + margins)
        self.setMinimumHeight(round(line_px * (_LEAST_LINES + 0.75)) + margins)

    def _on_sentence_changed(self) -> None:
        self.store()
        self._show_entry()

    def _show_entry(self) -> None:
        self._n = self._annotation.n
        self.setPlainText(self._annotation.entry.note or "" if self._n else "")
        self.document().setModified(False)
        kept = self._kept.pop(self._place(), None)
        if kept is not None:
            self.setPlainText(kept)
            self.document().setModified(True)
        self.setEnabled(self._n > 0)
        session = self._annotation.session
        self.setReadOnly(session is None or session.read_only)

    def _on_entry_changed(self, n: int) -> None:
        if n == self._n and not self.document().isModified():
            note = (
                self._annotation.entry.note
                if self._annotation.n == n
                else self._annotation.place.entry(n).note
            )
            if (note or "") != self.toPlainText().strip():
                self.setPlainText(note or "")
                self.document().setModified(False)

    def _bind_texts(self) -> None:
        bind(self, "accessibleName", mark("Note on the sentence"))
        bind(self, "placeholderText", mark("Note"))
