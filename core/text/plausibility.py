"""How plausible a decoded text is, so that the right one of several encodings is chosen.

Each text is weighed as if its characters were drawn one by one from what newspapers print: the
share of a class of characters over its size. All candidates explain the same bytes, so that the
sums compare; what separates EUC-JP from CP932 is that each read as the other is half-width katakana
and rare kanji.

The shares are rounded counts, not fitted: a class is off by a factor of two at most, and the
margins asked for are thousands.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

_ASCII = math.log(0.03)
_HIRAGANA = math.log(0.45 / 83)
_KATAKANA = math.log(0.08 / 87)
_KANJI_1 = math.log(0.30 / 2965)
_KANJI_2 = math.log(0.004 / 3390)
_STOP = math.log(0.08 / 4)
_BRACKET = math.log(0.04 / 20)
_WIDE = math.log(0.03 / 62)
_SIGN = math.log(0.005 / 100)
_VENDOR = math.log(0.0005 / 100)
_HALF_KANA = math.log(0.0005 / 63)
_RARE = math.log(0.0001 / 6000)
_BESIDE_LOWER_CASE = -2.5

_LETTER = math.log(0.05 / 40)
_ODD_LETTER = math.log(0.003 / 40)
_QUOTE = math.log(0.02 / 12)
_ODD_SIGN = math.log(0.0005 / 40)
_BESIDE_HIGH = -3.0
_INSIDE_WORD = -6.0

_LEAST_MARGIN = 6.0
_LEAST_JAPANESE = -10.0
_LEAST_WESTERN = -8.5
_N_WITHOUT_KANA = 10

_COMMON_LETTERS = frozenset("àáâãäåæçèéêëìíîïñòóôõöøùúûüßœÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜŒŠšŽž")
_COMMON_SIGNS = frozenset("‘’“”«»–—…°€£§·•©®\xa0\xad¿¡×½")
_BETWEEN_JAPANESE_AND_WORD = re.compile(r"[a-z][^\x00-\x7f]|[^\x00-\x7f][a-z]")
_HIGH_BESIDE_HIGH = re.compile(r"(?=[^\x00-\x7f‘’“”«»–—…\xa0\xad]{2})")
_SIGN_INSIDE_WORD = re.compile(
    r"(?=[^\W\d_][^\w\s\x00-\x7f‘’–—·\xad][^\W\d_])|(?=[a-z][¹²³ªº][a-z])"
)
_CAPITAL_INSIDE_WORD = re.compile(r"(?=[a-zß-ÿ][À-ÖØ-ÞŠŒŽ])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A way to read the bytes.

    Attributes:
        text: What the bytes would say.
        log_likelihood: How plausible that is, in nats; higher is better.
    """

    encoding: str
    text: str
    log_likelihood: float


def best_of(candidates: Iterable[Candidate]) -> Candidate | None:
    """Returns the candidate that is far more plausible than any other, None when none is."""
    ranked = sorted(candidates, key=lambda candidate: -candidate.log_likelihood)
    if not ranked:
        return None
    if len(ranked) > 1:
        margin = ranked[0].log_likelihood - ranked[1].log_likelihood
        if margin < _LEAST_MARGIN:
            return None
    return ranked[0]


def japanese_plausibility(text: str) -> float | None:
    """Returns the log likelihood of `text` as Japanese, None when it is out of the question."""
    counts = Counter(text)
    high = {char: n for char, n in counts.items() if not char.isascii()}
    n_high = sum(high.values())
    if not n_high:
        return None
    sum_high = sum(_japanese_character(char) * n for char, n in high.items())
    sum_high += _BESIDE_LOWER_CASE * len(_BETWEEN_JAPANESE_AND_WORD.findall(text))
    n_kana = sum(n for char, n in high.items() if "ぁ" <= char <= "ヾ")
    if sum_high / n_high < _LEAST_JAPANESE or (n_high >= _N_WITHOUT_KANA and not n_kana):
        return None
    return sum_high + _ASCII * (len(text) - n_high)


@lru_cache(maxsize=20000)
def _japanese_character(char: str) -> float:
    if char in "、。，．":
        return _STOP
    if "ぁ" <= char <= "ゟ":
        return _HIRAGANA
    if "゠" <= char <= "ヿ":
        return _KATAKANA
    if char in "「」『』（）・〜～―？！々〇　％":
        return _BRACKET
    if "０" <= char <= "ｚ":
        return _WIDE
    if "｡" <= char <= "ﾟ":
        return _HALF_KANA
    return _by_place(char)


def _by_place(char: str) -> float:
    """Returns the weight of a character by its row in JIS X 0208."""
    try:
        place = char.encode("cp932")
    except UnicodeEncodeError:
        return _RARE
    lead = place[0]
    if lead == 0x81:
        return _SIGN
    if 0x88 <= lead <= 0x97 or (lead == 0x98 and place[1] <= 0x72):
        return _KANJI_1
    if 0x98 <= lead <= 0x9F or 0xE0 <= lead <= 0xEA:
        return _KANJI_2
    return _VENDOR


def western_plausibility(text: str) -> float | None:
    """Returns the log likelihood of `text` as French, German, … in CP1252, None when hopeless."""
    high = {char: n for char, n in Counter(text).items() if not char.isascii()}
    n_high = sum(high.values())
    if not n_high:
        return None
    sum_high = sum(_western_character(char) * n for char, n in high.items())
    sum_high += _BESIDE_HIGH * len(_HIGH_BESIDE_HIGH.findall(text))
    sum_high += _INSIDE_WORD * len(_SIGN_INSIDE_WORD.findall(text))
    sum_high += _INSIDE_WORD * len(_CAPITAL_INSIDE_WORD.findall(text))
    if sum_high / n_high < _LEAST_WESTERN:
        return None
    return sum_high + _ASCII * (len(text) - n_high)


def _western_character(char: str) -> float:
    if char in _COMMON_LETTERS:
        return _LETTER
    if char in _COMMON_SIGNS:
        return _QUOTE
    return _ODD_LETTER if char.isalpha() else _ODD_SIGN
