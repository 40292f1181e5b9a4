"""The stemmer of ROUGE-1.5.5: WordNet's irregular forms, then a Porter stemmer of its own."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

_C = "[^aeiou][^aeiouy]*"
_V = "[aeiouy][aeiou]*"
_MEASURE_OVER_0 = re.compile(f"(?:{_C})?{_V}{_C}").match
_MEASURE_IS_1 = re.compile(f"(?:{_C})?{_V}{_C}(?:{_V})?$").match
_MEASURE_OVER_1 = re.compile(f"(?:{_C})?{_V}{_C}{_V}{_C}").match
_HAS_VOWEL = re.compile(f"(?:{_C})?[aeiouy]").match
_IS_SHORT = re.compile(f"{_C}[aeiouy][^aeiouwxy]$").match

_DOUBLE = re.compile(r"([^aeiouylsz])\1$").search

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize",
    "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful",
    "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP_3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip

_SUFFIXES_2, _SUFFIXES_3 = tuple(_STEP_2), tuple(_STEP_3)


_Search = Callable[[str], re.Match[str] | None]


def _ending(suffixes: Mapping[str, str] | tuple[str, ...]) -> _Search:
    """Returns a regular expression of the longest of the suffixes."""
    return re.compile(f"(?:{'|'.join(suffixes)})$").search


_ENDS_2, _ENDS_3, _ENDS_4 = _ending(_STEP_2), _ending(_STEP_3), _ending(_STEP_4)


@cache
def wordnet_exceptions() -> Mapping[str, str]:
    """Returns irregular form -> base form, 5,930 pairs (provenance: resources/rouge/README.md)."""
    text = files("awase.resources").joinpath("rouge", "wordnet_exceptions.tsv").read_text("utf-8")
    pairs = (line.split("\t") for line in text.splitlines())
    return MappingProxyType({form: base for form, base in pairs})


class RougeStemmer:
    """Stems lower-case words as ROUGE-1.5.5 does under `-m`.

    Every word is stemmed; tokens of up to three characters are exempt in the program's tokeniser,
    not in the fields of basic elements.
    """

    def __init__(self, exceptions: Mapping[str, str] | None = None) -> None:
        """`exceptions` are irregular forms; None = WordNet's."""
        self._exceptions = wordnet_exceptions() if exceptions is None else exceptions

    def __call__(self, word: str) -> str:
        """Returns the stem of `word`."""
        base = self._exceptions.get(word)
        return porter_variant(word) if base is None else base


def porter_variant(word: str) -> str:
    """Returns the stem of a lower-case word, without irregular forms.

    Source: Porter (1980), with Martin Porter's later `bli` and `logi`.
    Differs: from Porter's step 4 as ROUGE-1.5.5 does: `ment` and then `ent` are tried after the
        other suffixes, each on what the former left, so that agreement becomes agreem.
    """
    if len(word) < 3:
        return word
    begins_with_y = word[0] == "y"
    stem = "Y" + word[1:] if begins_with_y else word
    stem = _step_1(stem)
    # Few words have such an ending, and this is the cheapest way to see it.
    if stem.endswith(_SUFFIXES_2):
        stem = _replaced(stem, _ENDS_2(stem), _STEP_2)
    if stem.endswith(_SUFFIXES_3):
        stem = _replaced(stem, _ENDS_3(stem), _STEP_3)
    stem = _step_5(_step_4(stem))
    return "y" + stem[1:] if begins_with_y else stem


def _step_1(word: str) -> str:
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word[-1] == "s" and word[-2] != "s":
        word = word[:-1]
    if word.endswith("eed"):
        if _MEASURE_OVER_0(word[:-3]):
            word = word[:-1]
    elif word.endswith(("ed", "ing")):
        stem = word[:-2] if word[-1] == "d" else word[:-3]
        if _HAS_VOWEL(stem):
            word = _mended(stem)
    if word.endswith("y") and _HAS_VOWEL(word[:-1]):
        word = word[:-1] + "i"
    return word


def _mended(stem: str) -> str:
    """Returns the stem after removal of -ed or -ing, spelled as the verb."""
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if _DOUBLE(stem):
        return stem[:-1]
    return stem + "e" if _IS_SHORT(stem) else stem


def _replaced(word: str, ending: re.Match[str] | None, table: Mapping[str, str]) -> str:
    if ending is None or not _MEASURE_OVER_0(word[: ending.start()]):
        return word
    return word[: ending.start()] + table[ending[0]]


def _step_4(word: str) -> str:
    if word.endswith(_STEP_4):
        ending = _ENDS_4(word)
        word = _without(word, len(ending[0])) if ending else word
    if word.endswith("ment"):
        word = _without(word, 4)
    if word.endswith("ent"):
        return _without(word, 3)
    return _without(word, 3) if word.endswith(("sion", "tion")) else word


def _without(word: str, n_letters: int) -> str:
    """Returns `word` without its last letters if enough remains, else the word."""
    stem = word[:-n_letters]
    return stem if _MEASURE_OVER_1(stem) else word


def _step_5(word: str) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        if _MEASURE_OVER_1(stem) or (_MEASURE_IS_1(stem) and not _IS_SHORT(stem)):
            word = stem
    return word[:-1] if word.endswith("ll") and _MEASURE_OVER_1(word) else word
