"""A field for each option of a metric: a list of known values, or validated text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QScrollArea, QVBoxLayout, QWidget

from awase.core.metrics.kit.metric import Option
from awase.core.metrics.registry import options_of
from awase.core.records.corpus import Corpus
from awase.gui.kit.forms.panel import FormPanel
from awase.gui.kit.forms.parts import ChoiceField, Field, Line
from awase.gui.kit.texts.binding import follow
from awase.gui.kit.texts.i18n import aside, labelled, listed, shows_codes, tr
from awase.gui.session.metrics.drafts import Draft, names_for

_CHARACTERS = 24


@dataclass(frozen=True, slots=True)
class _Asked:
    """An option, and the names that the corpus offers for it."""

    option: Option[Any]
    names: Sequence[str]

    @property
    def name(self) -> str:
        return self.option.name


class OptionFields(QWidget):
    """Fields of one draft's options."""

    changed = Signal(object)  # mapping of option to value, as the fields stand

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
        options = options_of(draft.name) if draft is not None else ()
        values = {one.name: draft.value(one.name) for one in options} if draft is not None else {}
        self.show_options(options, values, corpus, parsers)

    def show_options(
        self,
        options: Sequence[Option[Any]],
        values: Mapping[str, str],
        corpus: Corpus,
        parsers: Sequence[str] = (),
    ) -> None:
        """Replaces the fields."""
        self._asked = tuple(_Asked(one, names_for(one, corpus, parsers)) for one in options)
        self._show(values)

    def values(self) -> Mapping[str, str]:
        return {asked.name: self.panel.text(asked.name) for asked in self._asked}

    def reveal(self, option: str) -> None:
        """Scrolls to an option's field, once shown."""
        QTimer.singleShot(0, self, lambda: self._reveal(option))

    def _reveal(self, option: str) -> None:
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        if area is not None and option in self.values():
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
            area.ensureWidgetVisible(self.panel[option])

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
            widget.setToolTip(one.name)
            if isinstance(widget, QComboBox):
                widget.setMinimumContentsLength(_CHARACTERS)
                for at, choice in enumerate(one.option.choices):
                    tip = aside(tr(choice.what), f"{one.name}={choice.value}")
                    widget.setItemData(at, tip, Qt.ItemDataRole.ToolTipRole)
                if widget.isEditable():  # Qt writes the item's text over what was typed
                    self.panel.set(one.name, values[one.name])
        self.panel.tab_after(self)
        self.panel.changed.connect(lambda _: self.changed.emit(self.values()))


def _label(asked: _Asked) -> str:
    option = asked.option
    what = tr(option.what)
    text = labelled(asked.name, what) if shows_codes() else what  # codes are English words
    return aside(text, tr(option.form_what)) if option.form_what else text


def _kind(asked: _Asked, value: str) -> Line | ChoiceField:
    option = asked.option
    if not (option.choices or option.of_corpus):
        return Line(value, hint=listed(option.examples))
    before = "{}  –  " if shows_codes() else ""
    texts = {
        choice.value: before.format(choice.value) + tr(choice.what) for choice in option.choices
    }
    for name in (*(option.examples if option.form_what else ()), *asked.names):
        texts.setdefault(name, name)
    if not option.form_what:
        texts.setdefault(value, value)  # a name that the corpus no longer has
    return ChoiceField([*texts.items()], value, is_open=bool(option.form_what))
