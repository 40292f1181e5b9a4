"""In which language a text is, told by its letters alone."""

import re
from typing import Final

JAPANESE_LETTERS: Final = re.compile(r"[぀-ヿㇰ-ㇿ㐀-䶿一-鿿豈-﫿ｦ-ﾟ々]")
"""Kana and kanji."""

_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_LEAST_JAPANESE_SHARE = 0.2


def detect_language(text: str) -> str:
    """Returns `ja` if at least a fifth of the letters are kana or kanji, otherwise `en`.

    >>> detect_language("TSC-3 のコーパス")
    'ja'
    """
    n_japanese = len(JAPANESE_LETTERS.findall(text))
    n_letters = n_japanese + len(_LATIN.findall(text))
    return "ja" if n_japanese and n_japanese >= _LEAST_JAPANESE_SHARE * n_letters else "en"
