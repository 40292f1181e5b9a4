"""Translations of the window, and texts of widgets, which follow language and direction.

The active catalogue is the only global state of the window: Qt's translators are installed for the
whole process, and ours must change in the same moment.
"""

import gettext
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Final, TypeVar
from unicodedata import bidirectional

from PySide6.QtCore import (
    QCoreApplication,
    QDateTime,
    QEvent,
    QLibraryInfo,
    QLocale,
    QObject,
    Qt,
    QTranslator,
)
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from awase.core.errors import FieldValue, Listing, Missing, Problem, filled

# Language code to its name in the language itself.
LANGUAGES: Final[Mapping[str, str]] = {"en": "English", "ja": "日本語"}

_SOURCE_LANGUAGE: Final = "en"


class _Active:
    language: str = _SOURCE_LANGUAGE
    catalogue: gettext.NullTranslations = gettext.NullTranslations()
    qt_translators: tuple[QTranslator, ...] = ()


def tr(message: str, /, **fields: FieldValue) -> str:
    """Returns `message` in the window's language, its `{names}` filled from `fields`."""
    text = _Active.catalogue.gettext(message) if message else ""
    return text.format_map(_worded(fields)) if fields else text


def ntr(singular: str, plural: str, n: int, /, **fields: FieldValue) -> str:
    """Returns the form that fits `n` in the window's language; `{n}` is filled, too."""
    text = _Active.catalogue.ngettext(singular, plural, n)
    return text.format_map(_worded({"n": n, **fields}))


def mark(message: str) -> str:
    """Returns `message` as it is; marks it for the catalogue where `tr` meets it only later."""
    return message


# Where the window accepts what is missing.
_HOW_TO_GIVE: Final[Mapping[Missing, str]] = {
    Missing.VECTORS: mark("Name them with the button of the metrics, here or on the Scores page."),
    Missing.MODEL: mark("Name one with the button of the metrics, here or on the Scores page."),
    Missing.PARSES: mark("Corpus > Parse sentences… does both."),
    Missing.EDUS: mark(
        "In the window only Corpus > Pseudo-pyramid explained takes one, with its metric."
    ),
    Missing.ORACLES: mark("Only the command line writes them: awase oracle CORPUS -o FILE."),
    Missing.TIME: mark("Only the command line does: awase score --time-limit, or --settle."),
    Missing.HUMAN_SCORES: mark("File > Import… does it."),
    Missing.STUDY_OF_METRICS: mark("Only the command line reads them: awase correlate --scores."),
    Missing.PART_OF_FOLDER: mark("Only the command line can name one: awase import --part."),
    Missing.FREE_NAME: mark("The extractors dialog has a field for both."),
    Missing.LEAVE_TO_REPLACE: mark("The window asks before it replaces a file."),
    Missing.SIZE: mark("The extractors dialog has a field for it."),
    Missing.COLUMNS: mark("File > Import… has a field for each."),
    Missing.COLUMN_OF_OUTPUTS: mark("File > Import… has a field for each."),
    Missing.COLUMN_OF_REFERENCES: mark("File > Import… has a field for each."),
    Missing.ALIASES: mark("Only the command line renames on the way: awase import --aliases."),
    Missing.BACKUP: mark("File > Restore a backup… does it."),
    Missing.REFERENCES: mark("File > Import… adds them."),
}


def in_every_language(message: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_catalogue(code).gettext(message) for code in LANGUAGES))


def what_of(problem: Problem) -> str:
    return _filled(problem, problem.what)


def hint_of(problem: Problem) -> str:
    hint = _filled(problem, problem.hint)
    how = "" if problem.missing is None else tr(_HOW_TO_GIVE[problem.missing])
    return joined_sentences(hint, how)


def problem_text(problem: Problem) -> str:
    return joined_sentences(what_of(problem), hint_of(problem))


def placed_text(problem: Problem) -> str:
    where, text = problem.where(), problem_text(problem)
    return labelled(where, text) if where else text


def _filled(problem: Problem, message: str) -> str:
    text = tr(message)
    fields = _worded(problem.fields)
    if shows_codes() or "=" not in text:
        return joined_sentences(filled(text, fields))
    # All metrics are loaded only where one of their options is spelled.
    from awase.gui.kit.spelled_options import in_words

    return in_words(text, f"{tr(problem.what)} {tr(problem.hint)}", fields, tr)


def _worded(fields: Mapping[str, FieldValue]) -> dict[str, FieldValue]:
    """Translates the fields that are more than a name or a number."""
    return {name: _word(value) for name, value in fields.items()}


def _word(value: FieldValue) -> FieldValue:
    match value:
        case Listing():
            return listed(value.parts)
        case Problem():
            return placed_text(value)
    return value


def joined_sentences(*texts: str) -> str:
    """Joins sentences; no blank follows a wide full stop.

    >>> joined_sentences("One.", "", "Two."), joined_sentences("一つ。", "二つ。")
    ('One. Two.', '一つ。二つ。')
    """
    return " ".join(filter(None, texts)).replace("。 ", "。")


def aside(text: str, more: str | int) -> str:
    """Appends a remark in the language's brackets."""
    return tr("{text} ({more})", text=text, more=more)


def labelled(name: str, what: str) -> str:
    """Returns “name: what” with the language's colon."""
    return tr("{name}: {what}", name=name, what=what)


def listed(parts: Iterable[object], *, most: int | None = None) -> str:
    """Joins the first `most` parts with the language's comma."""
    # Text that outlives the language uses a `Listing`, which `tr` joins likewise.
    return tr(", ").join(Listing(parts, most=most).parts)


def language() -> str:
    return _Active.language


def shows_codes() -> bool:
    """Whether options are shown in command line syntax; in English only."""
    return language() == _SOURCE_LANGUAGE


def system_language() -> str:
    for name in QLocale.system().uiLanguages():
        code = name.partition("-")[0]
        if code in LANGUAGES:
            return code
    return _SOURCE_LANGUAGE


def set_language(code: str) -> None:
    """Switches the language of all texts, Qt's and open widgets' included."""
    if code not in LANGUAGES:
        raise ValueError(f"no language {code}")
    _Active.language = code
    _Active.catalogue = _catalogue(code)
    QLocale.setDefault(QLocale(code))
    _exchange_qt_translator(code)


@cache
def _catalogue(code: str) -> gettext.NullTranslations:
    if code == _SOURCE_LANGUAGE:
        return gettext.NullTranslations()
    place = files("awase.resources").joinpath("i18n", code, "LC_MESSAGES", "awase.mo")
    with place.open("rb") as file:
        return gettext.GNUTranslations(file)


def _exchange_qt_translator(code: str) -> None:
    """Installs Qt's translations, which sends LanguageChange to every widget; else sends it."""
    if QCoreApplication.instance() is None:
        return
    for old in _Active.qt_translators:
        QCoreApplication.removeTranslator(old)
    _Active.qt_translators = ()
    qt, lacking = QTranslator(), QTranslator()
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if qt.load(f"qtbase_{code}", folder):
        QCoreApplication.installTranslator(qt)
        if lacking.load("qt", str(files("awase.resources").joinpath("i18n", code))):
            QCoreApplication.installTranslator(lacking)
        _Active.qt_translators = (lacking, qt)
    else:
        for widget in QApplication.topLevelWidgets():
            QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.LanguageChange))


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
