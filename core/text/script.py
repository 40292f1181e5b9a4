"""In which language a text is, told by its letters alone."""

import re
from functools import cache

_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_LEAST_JAPANESE_SHARE = 0.2


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
