"""The widgets of a form, laid out."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar, cast

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QLabel,
    QLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from awase.gui.kit.forms.building import put
from awase.gui.kit.forms.controls import fill, named_part, set_value, value_of, watch
from awase.gui.kit.forms.parts import ChoiceField, Part
from awase.gui.kit.look.style_states import set_look
from awase.gui.kit.texts.binding import Message, bind

_Widget = TypeVar("_Widget", bound=QWidget)


@dataclass(slots=True)
class _Control:
    """A widget of the form, its label, and when it is enabled."""

    widget: QWidget
    label: QLabel | None = None
    is_live: bool = True
    is_wanted: bool = True


class FormPanel(QWidget):
    """Shows parts from top to bottom; fields, buttons and texts have names."""

    changed = Signal(str)  # name of the field whose value is another one

    def __init__(self, parts: Sequence[Part], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._controls: dict[str, _Control] = {}
        self._spaced: list[tuple[QLayout, float, float]] = []
        self._is_busy = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.space(layout, 0.5)
        put(parts, layout, self)
        self._fit()

    # What is asked

    def names(self) -> tuple[str, ...]:
        """Returns the names of fields, buttons, bodies and texts, in order."""
        return tuple(self._controls)

    def __getitem__(self, name: str) -> QWidget:
        return self._controls[name].widget

    def widget_as(self, name: str, kind: type[_Widget]) -> _Widget:
        """Returns a widget of the form, typed."""
        widget = self._controls[name].widget
        if not isinstance(widget, kind):
            raise TypeError(f"{name} is no {kind.__name__}")
        return widget

    def box(self, name: str) -> QComboBox:
        """Returns the widget of a choice."""
        return self.widget_as(name, QComboBox)

    def button(self, name: str) -> QPushButton:
        return self.widget_as(name, QPushButton)

    def value(self, name: str) -> object:
        """Returns a field's value; see `value_of`."""
        return value_of(self[name])

    def text(self, name: str) -> str:
        """Returns a field's stripped text, or a choice's data."""
        value = self.value(name)
        return "" if value is None else str(value)

    def number(self, name: str) -> int:
        """Returns the number in a field."""
        return cast("int", self.value(name))

    def is_checked(self, name: str) -> bool:
        """Returns whether a box is checked."""
        return self.value(name) is True

    # What is shown

    def set(self, name: str, value: object) -> None:
        """Writes a value into a field or a text into a note."""
        set_value(self[name], value)

    def choose(self, name: str, value: str | None) -> None:
        """Selects a text in a field, adding it if missing; None = nothing."""
        if value is not None:
            box = self.box(name)
            if box.findData(value) < 0:
                box.addItem(value, value)
            self.set(name, value)

    def offer(self, name: str, choice: ChoiceField, *, keeps: bool = True) -> None:
        """Offers something else in a field: see `fill`."""
        fill(self.box(name), choice, keeps=keeps)

    def write(self, name: str, text: str, look: str = "") -> None:
        """Writes a named text; empty takes no room."""
        label = self.widget_as(name, QLabel)
        if look:
            set_look(label, look)
        label.setText(text)
        self.show_part(name, bool(text))

    def retitle(self, name: str, title: Message) -> None:
        control = self._controls[name]
        if control.label is not None:
            bind(control.label, "text", title)
        is_button = isinstance(control.widget, QAbstractButton)
        bind(named_part(control.widget), "text" if is_button else "accessibleName", title)

    def show_part(self, name: str, is_shown: bool) -> None:
        """Shows or hides a part with its title."""
        control = self._controls[name]
        for widget in (control.label, control.widget):
            if widget is not None:
                widget.setVisible(is_shown)

    def enable(self, name: str, is_wanted: bool) -> None:
        """Enables a part while idle."""
        self._controls[name].is_wanted = is_wanted
        self._show_enabled(self._controls[name])

    def tab_after(self, widget: QWidget) -> None:
        """Orders Tab so that the controls follow `widget`, which must be focusable."""
        for name in self.names():
            QWidget.setTabOrder(widget, self[name])
            widget = self[name]

    def set_busy(self, is_busy: bool) -> None:
        """Disables everything that is unusable during work."""
        self._is_busy = is_busy
        for control in self._controls.values():
            self._show_enabled(control)

    # Qt

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.FontChange and hasattr(self, "_spaced"):
            self._fit()

    # For the builder

    def add(self, name: str, control: QWidget, label: QLabel | None, *, is_live: bool) -> None:
        """Registers a widget under a name."""
        if name in self._controls:
            raise ValueError(f"two parts are called {name}")
        self._controls[name] = _Control(control, label, is_live)
        watch(control, partial(self.changed.emit, name))

    def space(self, layout: QLayout, down: float, across: float | None = None) -> None:
        """Sets a layout's spacing, in heights of a line of text."""
        self._spaced.append((layout, down, down if across is None else across))

    def _fit(self) -> None:
        """Scales the layouts with the font."""
        line_px = self.fontMetrics().height()
        for layout, down, across in self._spaced:
            if isinstance(layout, QFormLayout | QGridLayout):
                layout.setVerticalSpacing(round(line_px * down))
                layout.setHorizontalSpacing(round(line_px * across))
            else:
                layout.setSpacing(round(line_px * down))

    def _show_enabled(self, control: _Control) -> None:
        is_enabled = control.is_wanted and (control.is_live or not self._is_busy)
        for widget in (control.label, control.widget):
            if widget is not None:
                widget.setEnabled(is_enabled)
