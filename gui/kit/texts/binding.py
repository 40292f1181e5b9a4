"""Texts that follow the window's language."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QLabel, QWidget

from awase.core.errors import FieldValue, Problem
from awase.gui.kit.announcing import announce
from awase.gui.kit.texts.i18n import problem_text, tr

# An English message marked for translation, or what makes a text in the window's language.
Message = str | Callable[[], str]


class _Followers(QObject):
    """Texts to rewrite when the language of their widget changes."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.write_by_key: dict[object, Callable[[], None]] = {}

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LanguageChange:  # Qt sends it to every child of a widget
            for write in tuple(self.write_by_key.values()):
                write()
            return True
        return super().event(event)


def follow(widget: QWidget, write: Callable[[], None], *, key: object = None) -> None:
    """Calls `write` now and on every change of language, while `widget` lives.

    Args:
        key: Replaces an earlier `write` under the same key.
    """
    own = Qt.FindChildOption.FindDirectChildrenOnly
    mine = next(iter(widget.findChildren(_Followers, options=own)), None) or _Followers(widget)
    mine.write_by_key[write if key is None else key] = write
    write()


def shown(message: Message, **fields: FieldValue) -> str:
    """Returns a message in the window's language."""
    return tr(message, **fields) if isinstance(message, str) else message()


def bind(target: QObject, name: str, message: Message, /, **fields: FieldValue) -> None:
    """Keeps a text of a widget or action translated.

    Args:
        name: Qt's property, such as `text`, `toolTip`, `accessibleName`, `windowTitle`; else
            AttributeError.
        message: Replaces an earlier one.
        fields: Fill the message's `{names}`.
    """
    owner = target if isinstance(target, QWidget) else target.parent()
    if not isinstance(owner, QWidget) or target.metaObject().indexOfProperty(name) < 0:
        raise AttributeError(f"{type(target).__name__} has no text “{name}” that can be bound")

    def write() -> None:
        target.setProperty(name, shown(message, **fields))

    follow(owner, write, key=(id(target), name))


def bind_problems(label: QLabel, problems: Iterable[Problem]) -> None:
    """Shows problems and hints in a label, a line each, and announces them."""
    told = tuple(problems)
    bind(label, "text", lambda: "\n".join(map(problem_text, told)))
    announce(label, label.text(), is_urgent=True)
