"""Buttons of the draft extract."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSpinBox, QWidget

from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import Button, ChoiceField, Field, Note, Number, Part, Row
from awase.gui.kit.texts.i18n import mark

_MOST = 999
_GOAL = mark("What “best” means")
_MORE, _FEWER = mark("More…"), mark("Fewer")
_TAKE_OVER = mark("Take over a system's extract")


class Actions(FormPanel):
    """Buttons for the next best sentence, the best extract, import and export."""

    # On low pages they fold into a menu.

    nextChosen = Signal()
    bestChosen = Signal(int)  # how many sentences are allowed
    clearChosen = Signal()
    systemChosen = Signal(str)  # take this system's extract over
    pasteChosen = Signal()
    openChosen = Signal()
    saveChosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        sources = self._sources()
        more = Button("more", _MORE, self._on_more)
        super().__init__((Row((*self._best(), more, *sources), wraps=True),), parent)
        self._sources_names = [part.name for part in sources]
        self._is_low = self._is_open = False
        self.best, self.paste = self.button("best"), self.button("paste")
        self.most, self.systems = self.widget_as("most", QSpinBox), self.box("systems")
        line_px = self.fontMetrics().height()
        self.setContentsMargins(line_px, line_px // 3, line_px, line_px // 3)
        self.systems.activated.connect(self._on_system_activated)
        self._show_sources()

    @property
    def is_weighted(self) -> bool:
        """Whether to maximise Weighted coverage."""
        return self.value("goal") is True

    def offer_systems(self, systems: list[str], h: int | None) -> None:
        """Offers these systems, and h as the size of the best extract."""
        self.offer("systems", _systems(systems), keeps=False)
        self.enable("systems", bool(systems))
        if h:
            self.most.setValue(h)
        for name in ("next", "best"):
            self.enable(name, h is not None)

    def fold(self, is_low: bool) -> None:
        """Folds import and export into a menu."""
        if is_low is not self._is_low:
            self._is_low = is_low
            self._show_sources()

    def _on_more(self) -> None:
        self._is_open = not self._is_open
        self._show_sources()

    def _show_sources(self) -> None:
        self.show_part("more", self._is_low)
        self.retitle("more", _FEWER if self._is_open else _MORE)
        is_all = self._is_open or not self._is_low
        for name in self._sources_names:
            self.show_part(name, is_all)
        for name in ("by", "goal"):
            self.show_part(name, is_all or self.is_weighted)

    def _best(self) -> tuple[Part, ...]:
        goals = ChoiceField(messages=((False, mark("Coverage")), (True, mark("Weighted coverage"))))
        goal = Field("goal", _GOAL, goals, tip=_GOAL, is_title_shown=False)
        best_tip = mark(
            "Replace the extract by one of at most so many sentences that covers most, proved."
        )
        allowed = Number(1, 1, _MOST)
        return (
            Button(
                "next",
                mark("Best next"),
                lambda: self.nextChosen.emit(),
                tip=mark("Add the sentence that adds most (N)"),
            ),
            Button(
                "best",
                mark("Best extract of"),
                lambda: self.bestChosen.emit(self.most.value()),
                tip=best_tip,
            ),
            Field("most", mark("Sentences allowed"), allowed, is_title_shown=False),
            Row((Note(mark("by"), name="by", look=""), goal)),
        )

    def _sources(self) -> tuple[Field | Button, ...]:
        paste_tip = mark("Take the sentences that the clipboard names (Ctrl+V)")
        open_tip = mark("Take the sentences that a text file names")
        return (
            Field("systems", _TAKE_OVER, _systems(()), is_title_shown=False),
            Button("paste", mark("Paste"), lambda: self.pasteChosen.emit(), tip=paste_tip),
            Button("open", mark("From a file…"), lambda: self.openChosen.emit(), tip=open_tip),
            Button("clear", mark("Clear"), lambda: self.clearChosen.emit()),
            Button("save", mark("Save as a system…"), lambda: self.saveChosen.emit()),
        )

    def _on_system_activated(self, at: int) -> None:
        if at > 0:
            self.systemChosen.emit(self.systems.itemText(at))


def _systems(names: Sequence[str]) -> ChoiceField:
    return ChoiceField([(name, name) for name in names], messages=((None, _TAKE_OVER),))
