"""Letters: in which language a text is, told by them alone; which of them are one for a reader."""

import re
from functools import cache
from typing import Final
from unicodedata import combining

_SELECTORS: Final = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_HALF_WIDTH_MARKS: Final = "\uff9e\uff9f"
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_LEAST_JAPANESE_SHARE = 0.2
_HAN: Final = re.compile(r"[㐀-䶿一-鿿豈-﫿]")
_KANA: Final = re.compile(r"[ぁ-ゟァ-ヺー-ヿㇰ-ㇿｦ-ﾟ]")
_LEAST_CHINESE: Final = 20
"""Headlines of Japanese papers often have no kana, sentences of this length hardly ever."""


@cache
def _japanese_letters() -> re.Pattern[str]:
    """Returns what finds kana and kanji; to make it takes longer than most texts take."""
    return re.compile(r"[぀-ヿㇰ-ㇿ㐀-䶿一-鿿豈-﫿ｦ-ﾟ々]")


def has_japanese_letters(text: str) -> bool:
    """Returns whether there is any kana or kanji in the text."""
    return not text.isascii() and _japanese_letters().search(text) is not None


def detect_language(text: str) -> str:
    """Returns `ja` if at least a fifth of the letters are kana or kanji, otherwise `en`.

    >>> detect_language("TSC-3 のコーパス")
    'ja'
    """
    if text.isascii():
        return "en"
    n_japanese = len(_japanese_letters().findall(text))
    n_letters = n_japanese + len(_LATIN.findall(text))
    return "ja" if n_japanese and n_japanese >= _LEAST_JAPANESE_SHARE * n_letters else "en"


def is_chinese(text: str) -> bool:
    """Returns whether a text of some length has Chinese characters and no kana among them."""
    return len(_HAN.findall(text)) >= _LEAST_CHINESE and _KANA.search(text) is None


def without_selectors(text: str) -> str:
    """Returns the text without variation selectors, which choose a glyph and no other character."""
    return text if text.isascii() else _SELECTORS.sub("", text)


def clusters(text: str) -> list[tuple[int, int]]:
    """Returns (start, end) of each character with the marks and selectors that belong to it.

    >>> clusters("か\u3099ﾃﾞ")
    [(0, 2), (2, 4)]
    """
    starts = [
        at for at, letter in enumerate(text)
        if at == 0 or not (
            combining(letter) or letter in _HALF_WIDTH_MARKS or _SELECTORS.match(letter)
        )
    ]  # fmt: skip
    return list(zip(starts, [*starts[1:], len(text)], strict=False))


_SEPARATOR: Final = re.compile(r"</?t>|<q>|<n>|</s>|<S_SEP>|\[SEP\]", re.IGNORECASE)
_OPENING: Final = re.compile(r"<s>", re.IGNORECASE)


class Separators:
    """Whether tags part sentences, and which did.

    Attributes:
        found: Those that did, in the order in which they were met; not `<t> … </t>`, which are
            this program's own.
    """

    def __init__(self, *, is_on: bool = True) -> None:
        """Has met none."""
        self.is_on = is_on
        self.found: dict[str, None] = {}
        self.joins_lines = False

    def note_lines(self) -> None:
        """Takes note that line feeds parted sentences."""
        self.found[r"\n"] = None

    def parts(self, text: str) -> tuple[str, ...] | None:
        """Returns the sentences of a text that tags part; None = none does.

        >>> Separators().parts("a b <q> c"), Separators().parts("<q>a</q>")
        (('a b', 'c'), None)
        """
        if not self.is_on or ("<" not in text and "[" not in text):
            return None
        met = dict.fromkeys(_SEPARATOR.findall(text))
        if "</q>" in text:
            met.pop("<q>", None)  # HTML's quotations
        if not met:
            return None
        self.found |= {tag: None for tag in met if tag not in ("<t>", "</t>")}
        if "</s>" in met:
            text = _OPENING.sub(" ", text)
        pieces = re.split("|".join(map(re.escape, met)), text)
        return tuple(filter(None, map(str.strip, pieces)))
