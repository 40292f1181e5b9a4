"""From the parts of a form to its widgets, laid out, and scrolled where letters are large."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Final, TypeVar, cast

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFontDatabase, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from awase.gui.kit.forms.controls import control_for, fill, named_part, set_value, value_of, watch
from awase.gui.kit.forms.parts import (
    Body,
    Button,
    Check,
    ChoiceField,
    Columns,
    Field,
    Gap,
    Note,
    Pairs,
    Part,
    Row,
    Tabs,
)
from awase.gui.kit.i18n import LiveLabel, Message, bind
from awase.gui.kit.look.flow import (
    FlowLayout,
    label_for,
    push_button,
    scroll_area,
    styled,
    titled_tabs,
)
from awase.gui.kit.look.stylesheet import set_look

_SMALLER: Final = 0.9


def put(parts: Sequence[Part], layout: QBoxLayout, owner: "FormPanel") -> None:
    # Widgets are created in order, which is the order of Tab. Room that no part takes stays below.
    is_row = layout.direction() is QBoxLayout.Direction.LeftToRight
    for is_form, group in groupby(parts, lambda part: not is_row and _is_line(part)):
        fields = [part for part in group if isinstance(part, Field)] if is_form else []
        if any(not isinstance(field.kind, Check) for field in fields):
            _put_lines(fields, layout, owner)
            continue
        for part in fields or group:
            _put_part(part, layout, owner)
    if not is_row and not takes_room(parts):
        layout.addStretch(1)


def takes_room(parts: Sequence[Part]) -> bool:
    return any(part.share for part in parts if not isinstance(part, Button))


def make_button(button: Button) -> QPushButton:
    return push_button(button.title, lambda _is_checked=False: button.does(), button.tip)


def make_note(note: Note) -> QLabel:
    label = styled(LiveLabel(), note.look, wraps=note.wraps)
    if note.is_selectable or note.is_code:
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if note.is_code:
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        fixed.setPointSizeF(label.font().pointSizeF() * _SMALLER)
        label.setFont(fixed)
        # A signature is longer than the window is wide, and has hardly a place to be broken.
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    if note.text:
        bind(label, "text", note.text)
    return label


def _is_line(part: Part) -> bool:
    return isinstance(part, Field) and not part.is_above and part.is_title_shown


def _put_part(part: Part, layout: QBoxLayout, owner: "FormPanel") -> None:
    match part:
        case Field():
            _put_field(part, layout, owner)
        case Note():
            label = make_note(part)
            layout.addWidget(label, part.share)
            if part.name:
                owner.add(part.name, label, None, is_live=True)
        case Button():
            button = make_button(part)
            layout.addWidget(button)
            owner.add(part.name, button, None, is_live=part.is_live)
        case Body():
            _put_body(part, layout, owner)
        case Gap(share):
            layout.addStretch(share)
        case Row(wraps=True):
            _put_flow(part.parts, layout, owner)
        case Row():
            put(part.parts, _inner(QHBoxLayout(), layout, owner, part.share, 0.5), owner)
        case Columns(columns, share):
            side_by_side = _inner(QHBoxLayout(), layout, owner, share, 1)
            for width, parts in columns:
                put(parts, _inner(QVBoxLayout(), side_by_side, owner, width, 0.4), owner)
        case Pairs():
            _put_pairs(part, layout, owner)
        case Tabs():
            _put_tabs(part, layout, owner)


def _inner(
    inner: QBoxLayout, layout: QBoxLayout, owner: "FormPanel", share: int, space: float
) -> QBoxLayout:
    layout.addLayout(inner, share)
    owner.space(inner, space)
    return inner


def _put_flow(parts: Sequence[Part], layout: QBoxLayout, owner: "FormPanel") -> None:
    flow = FlowLayout()
    layout.addLayout(flow)
    owner.space(flow, 0.5)
    for part in parts:
        group = QWidget()
        row = QHBoxLayout(group)
        row.setContentsMargins(0, 0, 0, 0)
        put((part,), _inner(QHBoxLayout(), row, owner, 0, 0.5), owner)
        flow.addWidget(group)


def _put_lines(fields: Sequence[Field], layout: QBoxLayout, owner: "FormPanel") -> None:
    form = QFormLayout()
    layout.addLayout(form)
    owner.space(form, 0.45, 1)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    for field in fields:
        widget = control_for(field)
        label = None if isinstance(widget, QCheckBox) else label_for(field.title, widget)
        row = _with_what_is_beside(field, widget, label, owner)
        if label is None:
            form.addRow("", row)
        else:
            form.addRow(label, row)


def _with_what_is_beside(
    field: Field, widget: QWidget, label: QLabel | None, owner: "FormPanel"
) -> QWidget | QHBoxLayout:
    owner.add(field.name, widget, label, is_live=field.is_live)
    if field.beside is None:
        return widget
    row = QHBoxLayout()
    owner.space(row, 0.5)
    other = control_for(field.beside)
    for control in (widget, other):
        row.addWidget(control, 1)
    owner.add(field.beside.name, other, None, is_live=field.is_live)
    return row


def _put_field(field: Field, layout: QBoxLayout, owner: "FormPanel") -> None:
    widget = control_for(field)
    label = None
    if field.is_title_shown and not isinstance(widget, QCheckBox):
        label = label_for(field.title, widget)
        layout.addWidget(label)
        if field.is_above:
            label.setWordWrap(True)
    if isinstance(widget, QComboBox) and layout.direction() is QBoxLayout.Direction.LeftToRight:
        widget.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        widget.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    layout.addWidget(widget, field.share)
    owner.add(field.name, widget, label, is_live=field.is_live)


def _put_body(body: Body, layout: QBoxLayout, owner: "FormPanel") -> None:
    heading = None
    if body.has_heading:
        heading = styled(label_for(body.title, body.widget), "heading")
        layout.addWidget(heading)
    if body.title:
        bind(body.widget, "accessibleName", body.title)
    layout.addWidget(scroll_area(body.widget) if body.scrolls else body.widget, body.share)
    owner.add(body.name, body.widget, heading, is_live=body.is_live)


def _put_pairs(pairs: Pairs, layout: QBoxLayout, owner: "FormPanel") -> None:
    grid = QGridLayout()
    layout.addLayout(grid, pairs.share)
    owner.space(grid, 0.45, 0.8)
    for row, line in enumerate(pairs.lines):
        for side, field in enumerate(line):
            if field is None:
                continue
            widget = control_for(field)
            label = label_for(field.title, widget)
            is_whole = line[1] is None
            grid.addWidget(label, row, side * 2)
            shown, across = _with_what_is_beside(field, widget, label, owner), 3 if is_whole else 1
            if isinstance(shown, QWidget):
                grid.addWidget(shown, row, side * 2 + 1, 1, across)
            else:
                grid.addLayout(shown, row, side * 2 + 1, 1, across)
    for column in (1, 3):
        grid.setColumnStretch(column, 1)


def _put_tabs(tabs: Tabs, layout: QBoxLayout, owner: "FormPanel") -> None:
    widget = QTabWidget()
    layout.addWidget(widget, tabs.share)
    owner.add("tabs", widget, None, is_live=True)
    for _, parts in tabs.pages:
        page = QWidget()
        column = QVBoxLayout(page)
        owner.space(column, 0.5)
        widget.addTab(page, "")
        put(parts, column, owner)
    titled_tabs(widget, *(title for title, _ in tabs.pages))


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

    changed = Signal(str)  # name of the changed field

    def __init__(self, parts: Sequence[Part]) -> None:
        super().__init__()
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
        widget = self._controls[name].widget
        if not isinstance(widget, kind):
            raise TypeError(f"{name} is no {kind.__name__}")
        return widget

    def box(self, name: str) -> QComboBox:
        return self.widget_as(name, QComboBox)

    def button(self, name: str) -> QPushButton:
        return self.widget_as(name, QPushButton)

    def value(self, name: str) -> object:
        return value_of(self[name])

    def text(self, name: str) -> str:
        """Returns a field's stripped text, or a choice's data."""
        value = self.value(name)
        return "" if value is None else str(value)

    def number(self, name: str) -> int:
        return cast("int", self.value(name))

    def is_checked(self, name: str) -> bool:
        return self.value(name) is True

    # What is shown

    def set(self, name: str, value: object) -> None:
        set_value(self[name], value)

    def choose(self, name: str, value: str | None) -> None:
        """Selects a text in a field, adding it if missing; None = nothing."""
        if value is not None:
            box = self.box(name)
            if box.findData(value) < 0:
                box.addItem(value, value)
            self.set(name, value)

    def offer(self, name: str, choice: ChoiceField, *, keeps: bool = True) -> None:
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
        widget = named_part(control.widget)
        if isinstance(widget, QAbstractButton):
            bind(widget, "text", title)
        if not isinstance(widget, QPushButton):  # whose text is its name
            bind(widget, "accessibleName", title)

    def show_part(self, name: str, is_shown: bool) -> None:
        control = self._controls[name]
        for widget in (control.label, control.widget):
            if widget is not None:
                widget.setVisible(is_shown)

    def enable(self, name: str, is_wanted: bool) -> None:
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
        if name in self._controls:
            raise ValueError(f"two parts are called {name}")
        self._controls[name] = _Control(control, label, is_live)
        watch(control, partial(self.changed.emit, name))

    def space(self, layout: QLayout, down: float, across: float | None = None) -> None:
        """Sets a layout's spacing, in heights of a line of text."""
        self._spaced.append((layout, down, down if across is None else across))

    def _fit(self) -> None:
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


_FEWEST_LINES: Final = 10  # a form is never lower than this, or than all of it


def height_for(layout: QLayout, width: int, *, is_least: bool) -> int:
    layout.activate()
    if layout.hasHeightForWidth():
        measure = layout.totalMinimumHeightForWidth if is_least else layout.totalHeightForWidth
        return measure(width)
    return (layout.totalMinimumSize() if is_least else layout.totalSizeHint()).height()


class ScrolledPanel(QScrollArea):
    """A panel as high as possible, scrolled beyond."""

    # `setWidgetResizable` would scroll where editors and lists could still shrink.

    needsChanged = Signal()  # the panel's preferred height may have changed

    def __init__(self, panel: FormPanel) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the focus is inside
        self.setSizePolicy(panel.sizePolicy())
        self.setWidget(panel)

    @property
    def _panel(self) -> QWidget:
        """Looked up in Qt: events still come when Python's collector has cleared this object."""
        return cast("QWidget", self.widget())

    def height_for(self, width: int, *, is_least: bool) -> int:
        layout = self._panel.layout()
        assert layout is not None
        return height_for(layout, width, is_least=is_least)

    def sizeHint(self) -> QSize:
        return self._panel.sizeHint()

    def minimumSizeHint(self) -> QSize:
        least = self._panel.minimumSizeHint()
        fewest = self.fontMetrics().height() * _FEWEST_LINES
        bar = self.verticalScrollBar()
        is_scrolled = self._panel.height() > self.maximumViewportSize().height()
        across = bar.sizeHint().width() if is_scrolled else 0
        return QSize(least.width() + across, min(least.height(), fewest))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._panel and event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._fit()
            self.needsChanged.emit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        room = self.maximumViewportSize()
        least = self._panel.minimumSizeHint().width()
        width = max(room.width(), least)
        height = self.height_for(width, is_least=True)
        if height > room.height():
            width = max(room.width() - self.verticalScrollBar().sizeHint().width(), least)
            height = self.height_for(width, is_least=True)
        self._panel.resize(width, max(room.height(), height))
