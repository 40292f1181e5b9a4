"""Find bar of the topic, and its matches."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit

from awase.core.records.source import SentenceRef
from awase.core.text.script import folded
from awase.gui.kit.commands import ENTER
from awase.gui.kit.i18n import LiveLabel, follow, mark, ntr, tr
from awase.gui.kit.keys import KeyMap
from awase.gui.kit.look.flow import called, label_for, push_button, spaced
from awase.gui.kit.look.stylesheet import set_look
from awase.gui.pages.annotate.abstract_pane import AbstractPane
from awase.gui.pages.annotate.annotation_state import AnnotationState
from awase.gui.pages.annotate.rows.sources import Sources
from awase.gui.pages.annotate.sources_pane import SourcesPane

Place = int | SentenceRef  # an abstract sentence by its number, or a source sentence


class FindInTopic(QFrame):
    """Find in the topic: marks matches in the panes, abstract first, then the documents.

    Hidden until opened; its field supports input methods.
    """

    linkChosen = Signal(object)  # `SentenceRef` of the match, to be linked or unlinked

    def __init__(
        self,
        annotation: AnnotationState,
        sources: Sources,
        abstract: AbstractPane,
        centre: SourcesPane,
        keys: KeyMap,
    ) -> None:
        super().__init__()
        self.setProperty("look", "strip")
        self._annotation, self._sources, self._keys = annotation, sources, keys
        self._abstract, self._centre = abstract, centre
        self.places: tuple[Place, ...] = ()  # where the words are in the topic shown
        self._at = -1
        self._count = LiveLabel()
        self._field = called(QLineEdit(), mark("Words to find in this topic"))
        self._label = label_for(mark("Find in topic"), self._field)
        self._run: Mapping[str, Callable[[], object]] = {
            "find-next": lambda: self.step(1),
            "find-previous": lambda: self.step(-1),
            "end-find": self.end,
        }
        self._link = push_button(mark("Link"), self._link_match)
        self._previous = push_button("↑", self._run["find-previous"])
        self._next = push_button("↓", self._run["find-next"])
        self._close = push_button(mark("Done"), self.end)
        for button in (self._link, self._previous, self._next, self._close):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._field.textChanged.connect(self._on_text_changed)
        annotation.placeChanged.connect(self._on_place_changed)
        self._lay_out()
        follow(self, self._write_texts)
        self.hide()

    def begin(self) -> None:
        """Shows the bar with the last words selected."""
        self.show()
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()
        self._mark()

    def look_for(self, words: str) -> None:
        """Marks `words`, without taking the keyboard."""
        with QSignalBlocker(self._field):
            self._field.setText(words)
        self.show()
        self._mark()

    def end(self) -> None:
        """Clears the marks and focuses the panes."""
        if not self.isHidden():
            self.hide()
            self._show_marks("")
            self._centre.setFocus()

    def step(self, by: int) -> None:
        """Goes to the next or previous match, wrapping around."""
        if self.isHidden():
            self.begin()
        elif self.places:
            at = self._at + by if self._at >= 0 else (0 if by > 0 else -1)
            self._go_to(at % len(self.places))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Accepts every key: one that the field ignored must not link a sentence."""
        command = self._keys.command_of(event) or ""
        is_ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() in ENTER and is_ctrl:
            self._link_match()
        elif event.key() in ENTER:
            is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._run["find-previous" if is_back else "find-next"]()
        elif command in self._run:
            self._run[command]()
        event.accept()

    def _lay_out(self) -> None:
        self._field.setMinimumWidth(self.fontMetrics().height() * 8)
        self._field.setClearButtonEnabled(True)
        search = (self._label, self._field, self._previous, self._next, self._link, self._count)
        spaced(QHBoxLayout(self), self, *search, None, self._close, across=1 / 2, down=1 / 4)

    def _write_texts(self) -> None:
        self._link.setAccessibleName(tr("Link or unlink the sentence found"))
        self._link.setToolTip(f"{self._link.accessibleName()}  (Ctrl+Enter)")
        for button, name, command in (
            (self._previous, tr("Previous place"), "find-previous"),
            (self._next, tr("Next place"), "find-next"),
            (self._close, tr("End finding"), "end-find"),
        ):
            keys = self._keys.text(command)
            button.setAccessibleName(name)
            button.setToolTip(f"{name}  ({keys})" if keys else name)
        self._show_count()

    def _link_match(self) -> None:
        place = self.places[self._at] if 0 <= self._at < len(self.places) else None
        if isinstance(place, SentenceRef):
            self.linkChosen.emit(place)
        else:
            self._write_count(tr("go to a source sentence first"), is_missing=True)

    def _on_text_changed(self) -> None:
        self._mark()
        first = next((at for at, place in enumerate(self.places) if not isinstance(place, int)), 0)
        # Going to an abstract sentence selects it: too much for a letter typed.
        if self.places and not isinstance(self.places[first], int):
            self._go_to(first)

    def _on_place_changed(self) -> None:
        if not self.isHidden():
            self._mark()

    def _mark(self) -> None:
        needle = folded(self._field.text().strip())
        topic, abstract = self._annotation.place.topic, self._annotation.place.abstract
        sentences = abstract.sentences if abstract else ()
        sources = topic.sentences() if topic else ()
        numbers = (sentence.n for sentence in sentences if needle in folded(sentence.text))
        refs = (ref for ref, source in sources if needle in folded(source.text))
        self.places = (*numbers, *refs) if needle else ()
        self._at = -1
        self._show_marks(needle)
        self._show_count()

    def _show_marks(self, needle: str) -> None:
        self._sources.set_needle(needle)
        self._abstract.model.set_needle(needle)
        for view in (self._abstract.view, self._centre.candidates, self._centre.documents):
            view.viewport().update()

    def _go_to(self, at: int) -> None:
        self._at = at
        place = self.places[at]
        if isinstance(place, int):
            self._annotation.select(place)
        else:
            self._centre.show_ref(place)
        self._show_count()

    def _show_count(self) -> None:
        text, is_missing = "", False
        if self._field.text().strip():
            is_missing = not self.places
            if is_missing:
                text = tr("not in this topic")
            elif self._at < 0:
                text = ntr("in {n} sentence", "in {n} sentences", len(self.places))
            else:
                text = tr("{at} of {total}", at=self._at + 1, total=len(self.places))
        self._write_count(text, is_missing=is_missing)

    def _write_count(self, text: str, *, is_missing: bool) -> None:
        set_look(self._count, "warning" if is_missing else "muted")
        self._count.setText(text)
