"""The remark on the selected abstract sentence; the one place on the page with an input method."""

from collections.abc import Mapping

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
NotePlace = tuple[str, str, str, int]
"""Annotator, topic, abstract and number of the sentence."""


class NoteField(TextEditor):
    """Writes the note when it is left, by Enter, Esc or the mouse; Shift+Enter breaks the line."""

    left = Signal()
    """The annotator has finished writing, so the keyboard belongs to the panes again."""
    pendingChanged = Signal()
    """There is text that is not stored, or none any more."""

    def __init__(
        self, annotation: AnnotationState, actions: AnnotationActions, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent=parent)
        self._annotation = annotation
        self._actions = actions
        self._at: NotePlace = ("", "", "", 0)
        # What could not be stored, as when the disk was full; it must not be typed again.
        self._refused: dict[NotePlace, str] = {}
        self.setTabChangesFocus(True)
        self._fit()
        annotation.placeChanged.connect(self._show_entry)
        annotation.sentenceChanged.connect(self._show_entry)
        annotation.entryChanged.connect(self._on_entry_changed)
        self.document().modificationChanged.connect(self.pendingChanged)
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
        if self._refused.get(self._at) != self._text():  # once for each text that is refused
            self.store()
        super().focusOutEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange:
            self._fit()

    @property
    def pending(self) -> Mapping[NotePlace, str]:
        """What was typed and is not stored, by its place."""
        shown = {self._at: self._text()} if self.document().isModified() else {}
        return {**self._refused, **shown}

    def store(self) -> None:
        """Writes what stands in the field."""
        if self.document().isModified():
            self._store(self._at, self._text())

    def store_pending(self) -> None:
        """Writes what is not stored yet, here and elsewhere; one stays at the sentence."""
        for place, text in self.pending.items():
            self._store(place, text)

    def forget(self) -> None:
        """Forgets what is not stored."""
        self._refused.clear()
        self.document().setModified(False)

    def _store(self, place: NotePlace, text: str) -> None:
        if place == self._at:
            self.document().setModified(False)  # or what is stored would not be shown
        self._refused.pop(place, None)
        if not self._actions.set_note(*place, text):
            self._refused[place] = text
            if place == self._at:
                self.document().setModified(True)
        self.pendingChanged.emit()

    def _text(self) -> str:
        return cleaned(self.toPlainText()).text

    def _place(self) -> NotePlace:
        place = self._annotation.place
        topic, abstract = place.topic, place.abstract
        ids = topic.id if topic else "", abstract.id if abstract else ""
        return (place.who, *ids, self._annotation.n)

    def _fit(self) -> None:
        margins = round(2 * self.document().documentMargin())
        line_px = self.fontMetrics().lineSpacing()
        # Part of a line for the style's frame and padding, and for lines in a font that stands in.
        self.setMaximumHeight(round(line_px * (_LINES + 0.75)) + margins)
        self.setMinimumHeight(round(line_px * (_LEAST_LINES + 0.75)) + margins)

    def _show_entry(self) -> None:
        at, n = self._place(), self._annotation.n
        if at != self._at:
            self.store()
            self._at = at
            self._show(self._annotation.entry.note or "" if n else "")
            typed = self._refused.pop(at, None)
            if typed is not None:
                self._show(typed, is_stored=False)
        elif not self.document().isModified():  # what is being typed stays
            self._show(self._annotation.entry.note or "" if n else "")
        self.setEnabled(n > 0)
        session = self._annotation.session
        self.setReadOnly(session is None or session.read_only)

    def _show(self, text: str, *, is_stored: bool = True) -> None:
        self.setPlainText(text)
        self.document().setModified(not is_stored)
        self.pendingChanged.emit()  # Qt says that setting a text modifies it, and not that it ends

    def _on_entry_changed(self, n: int) -> None:
        if n == self._at[-1] and not self.document().isModified():
            note = self._annotation.place.entry(n).note or ""
            if note != self.toPlainText().strip():
                self._show(note)

    def _bind_texts(self) -> None:
        bind(self, "accessibleName", mark("Note on the sentence"))
        bind(self, "placeholderText", mark("Note"))
