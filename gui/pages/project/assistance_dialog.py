"""Dialog of the project's assistance."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from awase.core.assist.suggestion import AssistLevel
from awase.core.records.alignment import MOST_DECOYS, AssistSettings
from awase.gui.kit.forms.dialog import FormDialog, Verdict
from awase.gui.kit.forms.parts import ChoiceField, Field, Form, Note, Number
from awase.gui.kit.texts.i18n import mark, tr

LEVELS: Final = (
    (0, mark("0: sentences in the documents' order")),
    (1, mark("1: the likeliest first")),
    (2, mark("2: marks on what is left out")),
    (3, mark("3: suggestions beside what is linked")),
    (4, mark("4: suggestions first")),
)


class AssistanceDialog(FormDialog):
    """Level, and shares of controls and decoys for evaluating assistance."""

    chosen = Signal(dict)  # changed settings by their names

    def __init__(self, settings: AssistSettings, parent: QWidget | None = None) -> None:
        form = Form(
            title=mark("Help for annotators"),
            parts=(
                Note(mark("Everybody sees the same. Suggestions never become gold by themselves.")),
                Field(
                    "level", mark("Level of help"),
                    ChoiceField(messages=LEVELS, value=settings.level),
                ),
                Field(
                    "control_percent", mark("Without help"),
                    Number(settings.control_percent, 0, 90, unit=mark(" %")),
                    tip=mark("This share of sentences is shown at level 1, to compare with"),
                ),
                Field(
                    "decoy_percent", mark("Wrong on purpose"),
                    Number(settings.decoy_percent, 0, MOST_DECOYS, unit=mark(" %")),
                    tip=mark("This share of suggestions shows whether they are read; "
                             "annotators are told that there are some"),
                ),
                Field("seed", mark("Seed"), Number(settings.seed, 0, 999_999)),
            ),
            accept=mark("Change"),
            leave=mark("Cancel"),
            focus="level",
            width=36,
        )  # fmt: skip
        super().__init__(form, parent)
        self.show_state()

    def refresh(self) -> None:
        self.fields.enable("decoy_percent", self._number("level") >= AssistLevel.SUGGESTIONS)
        compares = bool(self._number("control_percent") or self._number("decoy_percent"))
        self.fields.enable("seed", compares)

    def verdict(self) -> Verdict:
        if self._number("control_percent"):
            return Verdict(tr("Keys are counted, and awase assist-report compares."))
        return Verdict()

    def submit(self) -> None:
        names = ("level", "control_percent", "decoy_percent", "seed")
        self.chosen.emit({name: self._number(name) for name in names})
        self.accept()

    def _number(self, name: str) -> int:
        return int(self.fields.value(name))  # type: ignore[call-overload,no-any-return]  # a number
