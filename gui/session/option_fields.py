"""A field for each option of a metric: a choice where the values are known, else a checked text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QVBoxLayout, QWidget

from awase.core.metrics.kit.options import Option
from awase.core.records.corpus import Corpus
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import Choice, Field, Line
from awase.gui.kit.texts.binding import follow
from awase.gui.kit.texts.i18n import tr
from awase.gui.session.drafts import Draft, names_for, options_of

_CHARACTERS = 24


@dataclass(frozen=True, slots=True)
class _Asked:
    """An option, what is known of it, and the names that the corpus offers for it."""

    name: str
    option: Option | None
    names: Sequence[str]


class OptionFields(QWidget):
    """Shows the options of one draft."""

    changed = Signal(object)
    """Mapping of option to value, as the fields stand."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._asked: tuple[_Asked, ...] = ()
        self.panel = FormPanel(())
        # Not by Tab, but Qt places what is made later behind such a widget only.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._rows.addWidget(self.panel)
        follow(self, lambda: self._show(self.values()))

    def show_draft(self, draft: Draft | None, corpus: Corpus, parsers: Sequence[str] = ()) -> None:
        """Replaces the fields; `parsers` are the models that parsed the corpus."""
        options = options_of(draft.name) if draft is not None else []
        values = {name: draft.value(name) for name, _ in options} if draft is not None else {}
        self.show_options(options, values, corpus, parsers)

    def show_options(
        self,
        options: Sequence[tuple[str, Option | None]],
        values: Mapping[str, str],
        corpus: Corpus,
        parsers: Sequence[str] = (),
    ) -> None:
        """Replaces the fields.

        Args:
            options: Names, and what is known of them.
            values: What the fields say.
            corpus: Whose annotators are offered.
            parsers: Models that parsed it.
        """
        self._asked = tuple(
            _Asked(name, option, names_for(option, corpus, parsers)) for name, option in options
        )
        self._show(values)

    def values(self) -> Mapping[str, str]:
        """Returns what the fields say."""
        return {asked.name: self.panel.text(asked.name) for asked in self._asked}

    def _show(self, values: Mapping[str, str]) -> None:
        fields = [
            Field(one.name, partial(_label, one), _kind(one, values[one.name]), is_above=True)
            for one in self._asked
        ]
        old, self.panel = self.panel, FormPanel(fields)
        self._rows.removeWidget(old)
        self._rows.addWidget(self.panel)
        old.hide()
        old.deleteLater()
        for label in self.panel.findChildren(QLabel):
            label.setProperty("look", "muted")
        for one in self._asked:
            widget = self.panel[one.name]
            if isinstance(widget, QComboBox):
                widget.setMinimumContentsLength(_CHARACTERS)
                for at, choice in enumerate(one.option.choices if one.option else ()):
                    widget.setItemData(at, tr(choice.what), Qt.ItemDataRole.ToolTipRole)
                if widget.isEditable():  # Qt writes the item's text over what was typed
                    widget.setEditText(values[one.name])
        self.panel.tab_after(self)
        self.panel.changed.connect(lambda _: self.changed.emit(self.values()))


def _label(asked: _Asked) -> str:
    option = asked.option
    if option is None:
        return asked.name
    parts = [f"{asked.name}: {tr(option.what)}"]
    if option.form:
        parts.append(f"({tr(option.form_what)})")
    return " ".join(parts)


def _kind(asked: _Asked, value: str) -> Line | Choice:
    option = asked.option
    if option is None or not (option.choices or option.of_corpus):
        return Line(value, hint=", ".join(option.examples) if option is not None else "")
    texts = {
        choice.value: choice.value if option.form else f"{choice.value}  –  {tr(choice.what)}"
        for choice in option.choices
    }
    for name in (*(option.examples if option.form else ()), *asked.names):
        texts.setdefault(name, name)
    if not option.form:
        texts.setdefault(value, value)  # a name that the corpus no longer has
    return Choice([*texts.items()], value, is_open=bool(option.form))
