"""From the parts of a form to its widgets, in the order in which they are read."""

from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import Final, Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from awase.gui.kit.announcing import LiveLabel
from awase.gui.kit.flow import FlowLayout
from awase.gui.kit.forms.controls import control_for
from awase.gui.kit.forms.parts import (
    Body,
    Button,
    Check,
    Columns,
    Field,
    Gap,
    Note,
    Pairs,
    Part,
    Row,
    Split,
    Tabs,
)
from awase.gui.kit.texts.binding import bind, follow
from awase.gui.kit.texts.i18n import tr

_SMALLER: Final = 0.9


class Owner(Protocol):
    """The receiver of widgets."""

    def add(self, name: str, control: QWidget, label: QLabel | None, *, is_live: bool) -> None:
        """Registers a widget under a name."""
        ...

    def space(self, layout: QLayout, down: float, across: float | None = None) -> None:
        """Sets a layout's spacing, in heights of a line of text."""
        ...


def put(parts: Sequence[Part], layout: QBoxLayout, owner: Owner) -> None:
    """Adds the widgets of parts to a layout that is already in a window."""
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
    """Returns whether any of the parts becomes higher where there is room."""
    return any(part.share for part in parts if not isinstance(part, Button))


def make_button(button: Button) -> QPushButton:
    """Returns a push button that Enter in a field does not press."""
    widget = QPushButton()
    widget.setAutoDefault(False)
    bind(widget, "text", button.title)
    if button.tip:
        bind(widget, "toolTip", button.tip)
    widget.clicked.connect(lambda _is_checked=False: button.does())
    return widget


def make_note(note: Note) -> QLabel:
    """Returns the widget of a text."""
    label = LiveLabel()
    label.setWordWrap(note.wraps)
    label.setProperty("look", note.look)
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


def _put_part(part: Part, layout: QBoxLayout, owner: Owner) -> None:
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
        case Row(parts, wraps=True):
            _put_flow(parts, layout, owner)
        case Row(parts, share):
            put(parts, _inner(QHBoxLayout(), layout, owner, share, 0.5), owner)
        case Columns(columns, share):
            _put_columns(columns, _inner(QHBoxLayout(), layout, owner, share, 1), owner)
        case Pairs():
            _put_pairs(part, layout, owner)
        case Split():
            _put_split(part, layout, owner)
        case Tabs():
            _put_tabs(part, layout, owner)


def _inner(
    inner: QBoxLayout, layout: QBoxLayout, owner: Owner, share: int, space: float
) -> QBoxLayout:
    layout.addLayout(inner, share)
    owner.space(inner, space)
    return inner


def _put_flow(parts: Sequence[Part], layout: QBoxLayout, owner: Owner) -> None:
    flow = FlowLayout()
    layout.addLayout(flow)
    owner.space(flow, 0.5)
    for part in parts:
        group = QWidget()
        row = QHBoxLayout(group)
        row.setContentsMargins(0, 0, 0, 0)
        put((part,), _inner(QHBoxLayout(), row, owner, 0, 0.5), owner)
        flow.addWidget(group)


def _put_columns(
    columns: Sequence[tuple[int, Sequence[Part]]], layout: QBoxLayout, owner: Owner
) -> None:
    for width, parts in columns:
        put(parts, _inner(QVBoxLayout(), layout, owner, width, 0.4), owner)


def _label_for(field: Field, widget: QWidget) -> QLabel:
    label = QLabel()
    label.setBuddy(widget)
    bind(label, "text", field.title)
    return label


def _put_lines(fields: Sequence[Field], layout: QBoxLayout, owner: Owner) -> None:
    """Lays fields out below each other, with a column of titles."""
    form = QFormLayout()
    layout.addLayout(form)
    owner.space(form, 0.45, 1)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    for field in fields:
        widget = control_for(field)
        label = None if isinstance(widget, QCheckBox) else _label_for(field, widget)
        row = _with_what_is_beside(field, widget, label, owner)
        if label is None:
            form.addRow("", row)
        else:
            form.addRow(label, row)


def _with_what_is_beside(
    field: Field, widget: QWidget, label: QLabel | None, owner: Owner
) -> QWidget | QHBoxLayout:
    """Returns the widget, or a line of it and the field beside it."""
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


def _put_field(field: Field, layout: QBoxLayout, owner: Owner) -> None:
    widget = control_for(field)
    label = None
    if field.is_title_shown and not isinstance(widget, QCheckBox):
        label = _label_for(field, widget)
        layout.addWidget(label)
        if field.is_above:
            label.setWordWrap(True)
    if isinstance(widget, QComboBox) and layout.direction() is QBoxLayout.Direction.LeftToRight:
        widget.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        widget.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    layout.addWidget(widget, field.share)
    owner.add(field.name, widget, label, is_live=field.is_live)


def _put_body(body: Body, layout: QBoxLayout, owner: Owner) -> None:
    heading = None
    if body.has_heading:
        heading = QLabel()
        heading.setProperty("look", "heading")
        heading.setBuddy(body.widget)
        bind(heading, "text", body.title)
        layout.addWidget(heading)
    if body.title:
        bind(body.widget, "accessibleName", body.title)
    shown: QWidget = body.widget
    if body.scrolls:
        scroll = QScrollArea()
        scroll.setWidget(body.widget)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what stands in it is walked through
        shown = scroll
    layout.addWidget(shown, body.share)
    owner.add(body.name, body.widget, heading, is_live=body.is_live)


def _put_pairs(pairs: Pairs, layout: QBoxLayout, owner: Owner) -> None:
    grid = QGridLayout()
    layout.addLayout(grid, pairs.share)
    owner.space(grid, 0.45, 0.8)
    for row, line in enumerate(pairs.lines):
        for side, field in enumerate(line):
            if field is None:
                continue
            widget = control_for(field)
            label = _label_for(field, widget)
            is_whole = line[1] is None
            grid.addWidget(label, row, side * 2)
            shown, across = _with_what_is_beside(field, widget, label, owner), 3 if is_whole else 1
            if isinstance(shown, QWidget):
                grid.addWidget(shown, row, side * 2 + 1, 1, across)
            else:
                grid.addLayout(shown, row, side * 2 + 1, 1, across)
    for column in (1, 3):
        grid.setColumnStretch(column, 1)


def _put_split(split: Split, layout: QBoxLayout, owner: Owner) -> None:
    splitter = QSplitter(Qt.Orientation.Horizontal)
    layout.addWidget(splitter, split.share)
    for _, body in split.bodies:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        splitter.addWidget(page)
        _put_body(body, column, owner)
    splitter.setChildrenCollapsible(False)
    line_px = splitter.fontMetrics().height()
    splitter.setSizes([width * line_px for width, _ in split.bodies])


def _put_tabs(tabs: Tabs, layout: QBoxLayout, owner: Owner) -> None:
    widget = QTabWidget()
    layout.addWidget(widget, tabs.share)
    owner.add("tabs", widget, None, is_live=True)
    for at, (title, parts) in enumerate(tabs.pages):
        page = QWidget()
        column = QVBoxLayout(page)
        owner.space(column, 0.5)
        widget.addTab(page, "")
        follow(widget, partial(_write_tab, widget, at, title), key=at)
        put(parts, column, owner)


def _write_tab(tabs: QTabWidget, at: int, title: str) -> None:
    tabs.setTabText(at, tr(title))
