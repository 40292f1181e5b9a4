"""Texts of widgets: they follow language and direction; moments, screen readers."""

from collections.abc import Callable, Iterable
from html import escape
from typing import TYPE_CHECKING, Final, TypeVar
from unicodedata import bidirectional

from PySide6.QtCore import QDateTime, QEvent, QObject, Qt
from PySide6.QtWidgets import QLabel, QWidget

from awase.core.errors import FieldValue, Problem
from awase.gui.kit.i18n import problem_text, tr

if TYPE_CHECKING:
    Base = QLabel
else:
    Base = object


def announce(widget: QWidget, text: str, *, is_urgent: bool = False) -> None:
    """Announces a translated text to screen readers, unless empty or of a hidden window."""
    if not text or not widget.window().isVisible():
        return
    # Nothing is read out before the first paint, which need not wait for these.
    from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

    event = QAccessibleAnnouncementEvent(widget, text)
    kinds = QAccessible.AnnouncementPoliteness
    event.setPoliteness(kinds.Assertive if is_urgent else kinds.Polite)
    QAccessible.updateAccessibility(event)


class ReadOut(Base):
    """Mixin for a label: `setText` is announced, urgently if its look is `danger`."""

    def setText(self, text: str) -> None:
        is_new = text != self.text()
        super().setText(text)
        if is_new:
            announce(self, text, is_urgent=self.property("look") == "danger")


class LiveLabel(ReadOut, QLabel):
    """A label that announces changes of its text."""


_Target = TypeVar("_Target", bound=QObject)
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
    """Calls `write`, instead of one under the same `key`, now and on each change of language."""
    own = Qt.FindChildOption.FindDirectChildrenOnly
    mine = next(iter(widget.findChildren(_Followers, options=own)), None) or _Followers(widget)
    mine.write_by_key[write if key is None else key] = write
    write()


def shown(message: Message, **fields: FieldValue) -> str:
    return tr(message, **fields) if isinstance(message, str) else message()


def bind(target: _Target, name: str, message: Message, /, **fields: FieldValue) -> _Target:
    """Keeps a text of a widget or action, by the name of Qt's property, translated; returns it."""
    owner = target if isinstance(target, QWidget) else target.parent()
    if not isinstance(owner, QWidget) or target.metaObject().indexOfProperty(name) < 0:
        raise AttributeError(f"{type(target).__name__} has no text “{name}” that can be bound")

    def write() -> None:
        target.setProperty(name, shown(message, **fields))

    follow(owner, write, key=(id(target), name))
    return target


def bind_problems(label: QLabel, problems: Iterable[Problem]) -> None:
    """Shows problems and hints in a label, a line each, and announces them."""
    told = tuple(problems)
    bind(label, "text", lambda: "\n".join(map(problem_text, told)))
    announce(label, label.text(), is_urgent=True)


_FIRST_STRONG_ISOLATE: Final = "\u2068"
_RIGHT_TO_LEFT_ISOLATE: Final = "\u2067"
_POP: Final = "\u2069"
_LEFT_TO_RIGHT_MARK: Final = "\u200e"
_RIGHT_TO_LEFT_MARK: Final = "\u200f"
_MARKS: Final = (_LEFT_TO_RIGHT_MARK, _RIGHT_TO_LEFT_MARK)
_STRONG: Final = {"L": False, "R": True, "AL": True}


def is_right_to_left(text: str) -> bool:
    """Returns whether most letters with a direction run from right to left."""
    # Not the first one alone, as in Qt: an Arabic sentence may begin with a Latin name. A direction
    # mark at the beginning decides.
    if text.isascii():
        return False
    if text[0] in _MARKS:
        return text[0] == _RIGHT_TO_LEFT_MARK
    found = [_STRONG.get(bidirectional(character)) for character in text]
    n_right, n_left = found.count(True), found.count(False)
    if n_right == n_left:
        return n_right > 0 and found.index(True) < found.index(False)
    return n_right > n_left


def isolated(text: str) -> str:
    """Isolates a text's direction from the rest of its line."""
    begin = _RIGHT_TO_LEFT_ISOLATE if is_right_to_left(text) else _FIRST_STRONG_ISOLATE
    return f"{begin}{text}{_POP}"


def following(text: str) -> str:
    """Isolates a text that follows other words, such as an address."""
    return isolated(text) if is_right_to_left(text) else text


def inline(text: str) -> str:
    return escape(following(text))


def mark_for_part(part: str, whole: str) -> str:
    """Returns the direction mark that a part of a text needs to run as the whole."""
    runs_right_to_left = is_right_to_left(whole)
    if is_right_to_left(part) is runs_right_to_left:
        return ""
    return _RIGHT_TO_LEFT_MARK if runs_right_to_left else _LEFT_TO_RIGHT_MARK


def beside(label: str, text: str, style: str = "") -> str:
    """Returns a paragraph of a text behind other words, aligned by its direction."""
    if not is_right_to_left(text):
        return f'<p style="{style}">{label} {escape(text)}</p>'
    return f'<p dir="rtl" style="{style}">{isolated(label)} {escape(text)}</p>'


def below(text: str, html: str, style: str) -> str:
    """Returns HTML of a text on a line of its own, aligned by its direction."""
    if not is_right_to_left(text):
        return f"<br>{html}</p>"
    return f'</p><p dir="rtl" style="{style}">{html}</p>'


def local_time(moment: str) -> str:
    """Returns an ISO 8601 moment, of any offset, as a date and time here."""
    time = QDateTime.fromString(moment, Qt.DateFormat.ISODateWithMs).toLocalTime()
    return time.toString("yyyy-MM-dd HH:mm")
