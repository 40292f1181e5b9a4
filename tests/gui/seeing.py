"""Looks at a window as a person does, or hears it: what can be read, what can be pressed, names.

Names of fields are those that screen readers read out, or the words of the label beside them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAction,
    QGuiApplication,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialogButtonBox,
    QLabel,
    QTableView,
    QWidget,
)

Kind = TypeVar("Kind", bound=QWidget)

Heard = list[tuple[str, bool]]
"""Texts, and whether each interrupts what is being read."""


def hearing(patch: pytest.MonkeyPatch) -> Heard:
    """Returns the list that grows by each announcement from now on."""
    heard: Heard = []

    def take(event: QAccessibleEvent) -> None:
        if isinstance(event, QAccessibleAnnouncementEvent):
            urgent = QAccessible.AnnouncementPoliteness.Assertive
            heard.append((event.message(), event.politeness() == urgent))

    patch.setattr(QAccessible, "updateAccessibility", take)
    return heard


@contextmanager
def copies_once() -> Iterator[None]:
    """Fails where what is done within copies nothing, or copies more than once."""
    copied: list[None] = []
    clipboard = QGuiApplication.clipboard()
    heard = clipboard.dataChanged.connect(lambda: copied.append(None))
    yield
    clipboard.disconnect(heard)
    assert len(copied) == 1


def resize(widget: QWidget, *size_px: int) -> None:
    """Gives a widget a width and height, and what stands in it its place."""
    widget.resize(*size_px)
    QApplication.processEvents()


def plain(text: str) -> str:
    """Returns the words of a button without the mark of its key and the dots behind them."""
    return text.split("(&")[0].replace("&", "").rstrip("…").strip()


def labels(inside: QWidget) -> list[QLabel]:
    return [label for label in inside.findChildren(QLabel) if _is_seen(label, inside)]


def texts(inside: QWidget) -> list[str]:
    """Returns what the labels say; those that say nothing are left out."""
    return [label.text() for label in labels(inside) if label.text()]


def says(inside: QWidget, words: str) -> bool:
    return any(words in text for text in texts(inside))


def label_with(inside: QWidget, words: str) -> QLabel:
    found = [label for label in labels(inside) if words in label.text()]
    assert found, f"nothing says “{words}”: {texts(inside)}"
    return found[0]


def buttons(inside: QWidget) -> Iterator[QAbstractButton]:
    for button in inside.findChildren(QAbstractButton):
        if _is_seen(button, inside):
            yield button


def button(inside: QWidget, words: str) -> QAbstractButton:
    """Returns the button with these words, or with a name that begins with them."""
    found = [one for one in buttons(inside) if plain(one.text()) == words]
    found += [one for one in buttons(inside) if one.accessibleName().startswith(words)]
    assert found, f"no button says “{words}”: {[plain(one.text()) for one in buttons(inside)]}"
    return found[0]


def has_button(inside: QWidget, words: str) -> bool:
    return any(plain(one.text()) == words for one in buttons(inside))


def press(inside: QWidget, words: str) -> None:
    """Presses the button with these words, which has to be enabled."""
    pressed = button(inside, words)
    assert pressed.isEnabled(), f"“{words}” cannot be pressed"
    pressed.click()


def press_keys(window: QWidget, *keys: Any) -> None:
    """Presses keys, on the Annotate page where nothing has the keyboard."""
    for key in keys:
        QTest.keyClick(QApplication.focusWidget() or window.workspace.annotate.centre.view, key)


def accept(dialog: QWidget) -> None:
    """Presses the button that does what the dialog is for, as Enter would; it has to be enabled."""
    accepting = accept_button(dialog)
    assert accepting.isEnabled(), f"“{accepting.text()}” cannot be pressed: {texts(dialog)}"
    accepting.click()


def accept_button(dialog: QWidget) -> QAbstractButton:
    (box,) = dialog.findChildren(QDialogButtonBox)
    role = QDialogButtonBox.ButtonRole.AcceptRole
    (accepting,) = [one for one in box.buttons() if box.buttonRole(one) == role]
    return accepting


def field(inside: QWidget, name: str, kind: type[Kind] = QComboBox) -> Kind:  # type: ignore[assignment]
    found = [one for one in inside.findChildren(kind) if plain(one.accessibleName()) == name]
    for label in inside.findChildren(QLabel):
        if plain(label.text()).rstrip(":：") == name and isinstance(label.buddy(), kind):
            found.append(label.buddy())
    names = sorted({one.accessibleName() for one in inside.findChildren(kind)})
    assert found, f"no {kind.__name__} is called “{name}”: {names}"
    return found[0]


def choose(inside: QWidget, name: str, value: object) -> None:
    """Chooses an item of the list of this name by its value, or by its words."""
    pick(field(inside, name), value)


def pick(box: QComboBox, value: object) -> None:
    idx = box.findData(value)
    idx = box.findText(str(value)) if idx < 0 else idx
    assert idx >= 0, f"“{box.accessibleName()}” has no {value!r}"
    box.setCurrentIndex(idx)
    box.activated.emit(idx)


def action(inside: QObject, words: str) -> QAction:
    found = [one for one in inside.findChildren(QAction) if plain(one.text()) == words]
    assert found, f"no action is called “{words}”"
    return found[0]


def column(view: QTableView, at: int) -> list[Any]:
    """Returns what the cells of a column show."""
    model = view.model()
    return [model.index(row, at).data() for row in range(model.rowCount())]


def _is_seen(widget: QWidget, inside: QWidget) -> bool:
    return widget.isVisibleTo(inside)
