"""Find in the topic: where the words are, and going from one place to the next."""

from typing import Final

from PySide6.QtCore import QObject, Signal

from awase.core.records.identifiers import SentenceRef
from awase.core.text.text_search import folded
from awase.gui.kit.texts.binding import follow
from awase.gui.kit.texts.i18n import ntr, tr
from awase.gui.pages.annotate.bars.find_bar import FindBar
from awase.gui.pages.annotate.panes.abstract_pane import AbstractPane
from awase.gui.pages.annotate.panes.sources_pane import SourcesPane
from awase.gui.pages.annotate.rows.sources import Sources
from awase.gui.pages.annotate.state.annotation_state import AnnotationState

Place = int | SentenceRef
"""An abstract sentence by its number, or a source sentence."""


class FindInTopic(QObject):
    """Marks what is found in the panes and goes there; abstract first, then the documents."""

    linkChosen = Signal(object)
    """`SentenceRef` of the place found, to be linked or unlinked."""

    def __init__(
        self,
        annotation: AnnotationState,
        sources: Sources,
        abstract: AbstractPane,
        centre: SourcesPane,
        bar: FindBar,
    ) -> None:
        super().__init__(bar)
        self._annotation = annotation
        self._sources = sources
        self._abstract, self._centre = abstract, centre
        self.bar: Final = bar
        self._places: tuple[Place, ...] = ()
        self._at = -1
        bar.textEdited.connect(self._on_text_edited)
        bar.nextChosen.connect(lambda: self.step(1))
        bar.previousChosen.connect(lambda: self.step(-1))
        bar.closed.connect(self.end)
        bar.linkChosen.connect(self._on_link_chosen)
        annotation.placeChanged.connect(self._on_place_changed)
        follow(bar, self._show_count)

    @property
    def places(self) -> tuple[Place, ...]:
        """Where the words are in the topic shown."""
        return self._places

    def begin(self) -> None:
        """Opens the bar, with the words looked for last."""
        self.bar.open()
        self._mark()

    def look_for(self, words: str) -> None:
        """Marks `words`, without taking the keyboard."""
        self.bar.set_text(words)
        self.bar.show()
        self._mark()

    def end(self) -> None:
        """Takes the marks away and gives the keyboard back to the panes."""
        if not self.bar.isHidden():
            self.bar.hide()
            self._show_marks("")
            self._centre.setFocus()

    def step(self, by: int) -> None:
        """Goes to the next place, or the one before, around the ends."""
        if self.bar.isHidden():
            self.begin()
            return
        if self._places:
            at = self._at + by if self._at >= 0 else (0 if by > 0 else -1)
            self._go_to(at % len(self._places))

    def _on_link_chosen(self) -> None:
        place = self._places[self._at] if 0 <= self._at < len(self._places) else None
        if isinstance(place, SentenceRef):
            self.linkChosen.emit(place)
        else:
            self.bar.show_count(tr("go to a source sentence first"), is_missing=True)

    def _on_text_edited(self) -> None:
        self._mark()
        first = next((at for at, place in enumerate(self._places) if not isinstance(place, int)), 0)
        # Going to an abstract sentence selects it: too much for a letter typed.
        if self._places and not isinstance(self._places[first], int):
            self._go_to(first)

    def _on_place_changed(self) -> None:
        if not self.bar.isHidden():
            self._mark()

    def _mark(self) -> None:
        needle = folded(self.bar.text().strip())
        topic, abstract = self._annotation.place.topic, self._annotation.place.abstract
        sentences = abstract.sentences if abstract else ()
        sources = topic.sentences() if topic else ()
        numbers = (sentence.n for sentence in sentences if needle in folded(sentence.text))
        refs = (ref for ref, source in sources if needle in folded(source.text))
        self._places = (*numbers, *refs) if needle else ()
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
        place = self._places[at]
        if isinstance(place, int):
            self._annotation.select(place)
        else:
            self._centre.show_ref(place)
        self._show_count()

    def _show_count(self) -> None:
        if not self.bar.text().strip():
            self.bar.show_count("", is_missing=False)
        elif not self._places:
            self.bar.show_count(tr("not in this topic"), is_missing=True)
        elif self._at < 0:
            text = ntr("in {n} sentence", "in {n} sentences", len(self._places))
            self.bar.show_count(text, is_missing=False)
        else:
            text = tr("{at} of {total}", at=self._at + 1, total=len(self._places))
            self.bar.show_count(text, is_missing=False)
