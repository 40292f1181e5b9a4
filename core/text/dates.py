"""Dates as newspapers and their corpora write them, as ISO 8601."""

import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from typing import Final

_MONTHS: Final = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
        start=1,
    )
}
# What is added to a year of an era.
_ERAS: Final = {
    "明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018,
    "M": 1867, "T": 1911, "S": 1925, "H": 1988, "R": 2018,
}  # fmt: skip
_KANJI: Final = {char: value for value, char in enumerate("〇一二三四五六七八九")}
_NUMBER: Final = r"([0-9]+|[〇一二三四五六七八九十]+|元)"

_ISO: Final = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}.*)?")
_PARTIAL: Final = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2]))?")
_YEAR_FIRST: Final = re.compile(r"(\d{4})\s?[-/. ]\s?(\d{1,2})\s?[-/. ]\s?(\d{1,2})")
_THREE: Final = re.compile(r"(\d{1,2})\s?[-/. ]\s?(\d{1,2})\s?[-/. ]\s?(\d{4}|\d{2})")
_DIGITS: Final = re.compile(r"(\d{4}|\d{2})(\d{2})(\d{2})")
_JAPANESE: Final = re.compile(
    rf"(明治|大正|昭和|平成|令和)?\s?{_NUMBER}\s?年\s?{_NUMBER}\s?月\s?{_NUMBER}\s?日"
)
_ERA_LETTER: Final = re.compile(r"([MTSHR])\s?(\d{1,2})[-/.](\d{1,2})[-/.](\d{1,2})")
_NAMED: Final = re.compile(
    r"(?:(\d{1,2})(?:st|nd|rd|th)?[ .-]*)?([A-Za-z]{3,9})\.?[ ,.-]*"
    r"(?:(\d{1,2})(?:st|nd|rd|th)?[ ,.-]+)?(\d{4}|'?\d{2})"
)
_WEEKDAY: Final = re.compile(
    r"(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?\b[,. ]*"
    r"|\s*[(（][日月火水木金土](?:曜日?)?[)）]|[日月火水木金土]曜日?",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(r"[ ,T]*(?:\d{1,2}:\d{2}(?::\d{2})?(?: ?[A-Za-z]{2,4})?)?|朝刊|夕刊")


def readings_of_date(text: str) -> tuple[str, ...]:
    """Returns every day that a date may mean, as ISO 8601; empty for unknown forms.

    ISO 8601 stays unchanged, with its time. Years of two digits are 1950 to 2049.

    >>> readings_of_date("1998年9月30日"), readings_of_date("16 Sep 91")
    (('1998-09-30',), ('1991-09-16',))
    >>> readings_of_date("09/08/1998"), readings_of_date("yesterday")
    (('1998-09-08', '1998-08-09'), ())
    """
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    if _PARTIAL.fullmatch(plain):
        return (plain,)
    if _ISO.fullmatch(plain):
        return (plain,) if _days(*map(int, plain[:10].split("-"))) else ()
    bare = _WEEKDAY.sub("", plain).strip(" ,.")
    return tuple(dict.fromkeys(_readings(bare)))


def _readings(text: str) -> Iterator[str]:
    for pattern, read in (
        (_YEAR_FIRST, _of_numbers),
        (_JAPANESE, _of_japanese),
        (_ERA_LETTER, _of_era),
        (_NAMED, _of_name),
        (_THREE, _of_any_order),
        (_DIGITS, _of_numbers),
    ):
        match = pattern.match(text)
        rest = text[match.end() :] if match else ""
        if match is not None and _BEHIND.fullmatch(rest):
            yield from read(*match.groups())
            return


def _of_numbers(year: str, month: str, day: str) -> list[str]:
    return _days(_year(year), int(month), int(day))


def _of_japanese(era: str | None, year: str, month: str, day: str) -> list[str]:
    number = _number(year)
    full = number + _ERAS[era] if era else _year(str(number).zfill(2))
    return _days(full, _number(month), _number(day))


def _of_era(era: str, year: str, month: str, day: str) -> list[str]:
    return _days(int(year) + _ERAS[era], int(month), int(day))


def _of_name(before: str | None, month: str, behind: str | None, year: str) -> list[str]:
    number = _MONTHS.get(month[:3].lower())
    day = before or behind
    if number is None or day is None or (before and behind):
        return []
    return _days(_year(year.lstrip("'")), number, int(day))


def _of_any_order(first: str, second: str, third: str) -> Iterator[str]:
    """Yields the valid days of three numbers as m/d/y, d/m/y and y/m/d."""
    yield from _days(_year(third), int(first), int(second))
    yield from _days(_year(third), int(second), int(first))
    if len(third) == 2 and len(first) == 2:
        yield from _days(_year(first), int(second), int(third))


def _number(text: str) -> int:
    if text == "元":
        return 1
    if text.isascii():
        return int(text)
    if "十" not in text:
        return int("".join(str(_KANJI[char]) for char in text))
    tens, _, ones = text.partition("十")
    return (_KANJI.get(tens, 1)) * 10 + _KANJI.get(ones, 0)


def _year(text: str) -> int:
    year = int(text)
    if len(text) > 2:
        return year
    return year + (1900 if year >= 50 else 2000)


def _days(year: int, month: int, day: int) -> list[str]:
    try:
        return [date(year, month, day).isoformat()]
    except ValueError:
        return []
