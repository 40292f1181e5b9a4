"""Right-to-left texts, such as Arabic and Hebrew, among the window's own."""

from html import escape
from typing import Final
from unicodedata import bidirectional

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
    """Returns the same as HTML."""
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
