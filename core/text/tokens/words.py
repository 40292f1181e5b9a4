"""Tokens of text in any script: words between blanks and punctuation, or single characters.

Text that was tokenised before is parted at its blanks and folded in case, no more. The other two
put the text into Unicode's form NFKC first, so that ＡＢＣ, ｶﾞ and é count the same however they
were typed, and fold case. They take letters, marks and digits and leave the rest. All leave out
variation selectors, which choose a glyph and no other character.
A change that moves a token needs a new version, as it changes scores.
"""

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

from awase.core.text.script import without_selectors

TOKENISER_IDS: Mapping[str, str] = MappingProxyType(
    {"unicode": "unicode-2", "chars": "chars-2", "blanks": "blanks-2"}
)
"""Version of the rules of each tokeniser, as signatures spell it."""

_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
    r"\u3005\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f]"
)
"""Thai, Lao, Burmese, Khmer, kana and kanji."""

_KANA = re.compile(r"[\u3041-\u309f\u30a1-\u30ff\u31f0-\u31ff]")

_TAKEN = "LMN"
_MARK = "M"


class _Gaps(dict[int, str]):
    """Code point -> itself, or a blank where it parts words; filled as characters are met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        kept = self[code] = char if unicodedata.category(char)[0] in _TAKEN else " "
        return kept


_GAPS = _Gaps()

_ASCII = bytes(ord(_GAPS[code].lower()) if code < 0x80 else code for code in range(0x100))
"""The same for ASCII, capitals made small: bytes are looked up several times faster."""


def unicode_tokens(text: str) -> tuple[str, ...]:
    """Returns the words: runs of letters, marks and digits. For ASCII those of ROUGE-1.5.5.

    >>> unicode_tokens("The café's well-known ３.5%")
    ('the', 'café', 's', 'well', 'known', '3', '5')
    """
    return tuple(_normal(text).split())


def unicode_words(text: str) -> tuple[str, ...]:
    """Returns the tokens of `unicode_tokens` as they are written, after NFKC."""
    return tuple(unicodedata.normalize("NFKC", without_selectors(text)).translate(_GAPS).split())


def char_tokens(text: str) -> tuple[str, ...]:
    """Returns the letters and digits one by one, each with the marks that follow it.

    >>> char_tokens("ｶﾞ、３D")
    ('ガ', '3', 'd')
    """
    tokens: list[str] = []
    for word in _normal(text).split():
        first = len(tokens)
        for char in word:
            if len(tokens) > first and unicodedata.category(char)[0] == _MARK:
                tokens[-1] += char
            else:
                tokens.append(char)
    return tuple(tokens)


def blank_tokens(text: str) -> tuple[str, ...]:
    """Returns what stands between blanks, folded in case; punctuation counts like any token.

    >>> blank_tokens("ＮＨＫ が 報じ た 。")
    ('ｎｈｋ', 'が', '報じ', 'た', '。')
    """
    return tuple(without_selectors(text).casefold().split())


def blank_words(text: str) -> tuple[str, ...]:
    """Returns the tokens of `blank_tokens` as they are written."""
    return tuple(without_selectors(text).split())


def _normal(text: str) -> str:
    if text.isascii():
        return text.encode("ascii").translate(_ASCII).decode("ascii")
    return unicodedata.normalize("NFKC", without_selectors(text)).casefold().translate(_GAPS)


def has_kana(text: str) -> bool:
    """Returns whether any of the text is in hiragana or katakana, that is, Japanese."""
    return not text.isascii() and _KANA.search(text) is not None


def has_unspaced_script(text: str) -> bool:
    """Returns whether any of the text is in a script that sets no blanks between words."""
    return not text.isascii() and _UNSPACED.search(text) is not None


def is_mostly_unspaced(text: str) -> bool:
    """Returns whether most letters and digits are of scripts that set no blanks between words."""
    if text.isascii():
        return False
    return 2 * len(_UNSPACED.findall(text)) > sum(map(str.isalnum, text))


def lacks_blanks(text: str) -> bool:
    """Returns whether it is mostly of such a script and has no blank, so that it is one token."""
    return len(text.split()) == 1 and is_mostly_unspaced(text)
