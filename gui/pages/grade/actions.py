"""What can be done to the extract under way: the row of buttons."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSpinBox, QWidget

from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import Button, Choice, Field, Number, Part, Row
from awase.gui.kit.texts.i18n import mark

_MOST = 999
_GOAL = mark("What “best” means")
_TAKE_OVER = mark("Take over a system's extract")


class Actions(FormPanel):
    """Buttons for the best next sentence, the best extract, and where extracts come from."""

    nextChosen = Signal()
    bestChosen = Signal(int)
    """How many sentences are allowed."""
    clearChosen = Signal()
    systemChosen = Signal(str)
    """Take this system's extract over."""
    pasteChosen = Signal()
    openChosen = Signal()
    saveChosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__((Row((*self._best(), *self._sources()), wraps=True),), parent)
        self.best, self.paste = self.button("best"), self.button("paste")
        self.most, self.systems = self.widget_as("most", QSpinBox), self.box("systems")
        line_px = self.fontMetrics().height()
        self.setContentsMargins(line_px, line_px // 3, line_px, line_px // 3)
        self.systems.activated.connect(self._on_system_activated)

    @property
    def is_weighted(self) -> bool:
        """Whether Weighted coverage decides what is best."""
        return self.value("goal") is True

    def offer_systems(self, systems: list[str], h: int | None) -> None:
        """Offers these systems, and h as the size of the best extract."""
        self.offer("systems", _systems(systems), keeps=False)
        self.enable("systems", bool(systems))
        if h:
            self.most.setValue(h)
        for name in ("next", "best"):
            self.enable(name, h is not None)

    def _best(self) -> tuple[Part, ...]:
        goals = Choice(messages=((False, mark("Coverage")), (True, mark("Weighted coverage"))))
        best_tip = mark(
            "Replace the extract by one of at most so many sentences that covers most, proved."
        )
        allowed = Number(1, 1, _MOST)
        return (
            Field("goal", _GOAL, goals, tip=_GOAL, is_title_shown=False),
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
        )

    def _sources(self) -> tuple[Part, ...]:
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


def _systems(names: Sequence[str]) -> Choice:
    return Choice([(name, name) for name in names], messages=((None, _TAKE_OVER),))
