"""Translations of the window: English source messages and gettext catalogues.

The active catalogue is the only global state of the window: Qt's translators are installed for the
whole process, and ours must change in the same moment.
"""

import gettext
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

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
    Missing.HUMAN_SCORES: mark("File > Import… takes it in."),
    Missing.STUDY_OF_METRICS: mark("Only the command line reads them: awase correlate --scores."),
    Missing.PART_OF_FOLDER: mark("Only the command line can name one: awase import --part."),
    Missing.FREE_NAME: mark("The window of extractors has a field for both."),
    Missing.LEAVE_TO_REPLACE: mark("The window asks before it replaces a file."),
    Missing.SIZE: mark("The window of extractors has a field for it."),
    Missing.COLUMNS: mark("File > Import… has a field for each."),
    Missing.COLUMN_OF_OUTPUTS: mark("File > Import… has a field for each."),
    Missing.COLUMN_OF_REFERENCES: mark("File > Import… has a field for each."),
    Missing.ALIASES: mark("Only the command line renames on the way: awase import --aliases."),
    Missing.BACKUP: mark("File > Restore a backup… does it."),
    Missing.REFERENCES: mark("File > Import… takes them in."),
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
