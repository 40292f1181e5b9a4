"""Japanese words: short units of the morphological analyser Sudachi (mode A).

NFKC before the analysis and case folding after it, so that ＡＢＣ and ｶﾞ count as in the other
tokenisers. Words without a letter or digit are left out. A change that moves a token needs a new
version, as it changes scores; so does another dictionary, whose version is therefore part of the
tokeniser's.
"""

import re
import threading
import unicodedata
from collections.abc import Iterator
from functools import cache, cached_property
from typing import TYPE_CHECKING

from awase.core.extras import check_installed
from awase.core.text.script import without_selectors

if TYPE_CHECKING:
    from sudachipy import Dictionary, Morpheme, Tokenizer

_RULES = "ja-2"
_MOST_BYTES = 49_149
_LONGEST_PIECE = _MOST_BYTES // 4  # code points, at most four bytes each

_FUNCTION_WORDS = frozenset(["助詞", "助動詞"])
_WORD = re.compile(r"[^\W_]")
_TAKEN = "LMN"


@cache
def japanese_tokeniser_id() -> str:
    """Returns the version of the rules, the analyser and its dictionary, as signatures spell it."""
    from importlib.metadata import version

    _check_installed()
    return f"{_RULES}-sudachi-{version('SudachiPy')}-core-{version('SudachiDict-core')}"


def japanese_words(text: str) -> tuple[str, ...]:
    """Returns the words as they are written, after NFKC."""
    return tuple(m.surface() for m in _morphemes(text))


def japanese_content_words(text: str) -> tuple[str, ...]:
    """Returns the words as they are written, without particles and auxiliary verbs."""
    return tuple(
        m.surface() for m in _morphemes(text) if m.part_of_speech()[0] not in _FUNCTION_WORDS
    )


def japanese_marked_words(text: str) -> tuple[str, ...]:
    """Returns the words as written, with empty strings for stop words."""
    return tuple(
        "" if m.part_of_speech()[0] in _FUNCTION_WORDS else m.surface() for m in _morphemes(text)
    )


def japanese_marked_tokens(text: str) -> tuple[str, ...]:
    """Returns the marked words, case-folded.

    >>> japanese_marked_tokens("ＡＢＣの雪。")
    ('abc', '', '雪')
    """
    return tuple(word.casefold() for word in japanese_marked_words(text))


def japanese_tokens(text: str) -> tuple[str, ...]:
    """Returns the words, case-folded.

    >>> japanese_tokens("東京都で３.5mの雪。")
    ('東京', '都', 'で', '3.5', 'm', 'の', '雪')
    """
    return tuple(word.casefold() for word in japanese_words(text))


def japanese_content_tokens(text: str) -> tuple[str, ...]:
    """Returns the words without particles and auxiliary verbs, folded in case."""
    return tuple(word.casefold() for word in japanese_content_words(text))


def _morphemes(text: str) -> "Iterator[Morpheme]":
    # What UTF-8 cannot hold parts tokens, as in `as_bytes` of ROUGE.
    whole = without_selectors(text.encode("utf-8", "replace").decode())
    normal = unicodedata.normalize("NFKC", whole)
    tokenizer = analyser.tokenizer()
    for piece in _pieces(normal):
        for morpheme in tokenizer.tokenize(piece):
            if _has_letter(morpheme.surface()):
                yield morpheme


def _has_letter(word: str) -> bool:
    return bool(_WORD.search(word)) or any(unicodedata.category(c)[0] in _TAKEN for c in word)


def _pieces(text: str) -> Iterator[str]:
    """Yields the text whole, or by sentence when it exceeds the analyser's limit."""
    if len(text.encode()) <= _MOST_BYTES:
        yield text
        return
    from awase.core.text.sentences import split_sentences  # seldom needed

    for sentence in split_sentences(text, "ja"):
        for start in range(0, len(sentence.text), _LONGEST_PIECE):
            yield sentence.text[start : start + _LONGEST_PIECE]


class _Analyser:
    """The shared dictionary, and a tokenizer a thread, as they are not thread-safe."""

    def __init__(self) -> None:
        self._by_thread = threading.local()
        self.was_asked = False

    def tokenizer(self) -> "Tokenizer":
        self.was_asked = True
        known: Tokenizer | None = getattr(self._by_thread, "tokenizer", None)
        if known is None:
            from sudachipy import SplitMode

            known = self._by_thread.tokenizer = self._dictionary.create(mode=SplitMode.A)
        return known

    @cached_property
    def _dictionary(self) -> "Dictionary":
        _check_installed()
        from sudachipy import Dictionary

        return Dictionary()


analyser = _Analyser()


def forget_if_unused() -> None:
    """Unloads the dictionary, 80 MB, if unused since the last call."""
    # Threads in the middle of a text keep it to the end. Loading it again takes 25 ms.
    if analyser.was_asked:
        analyser.was_asked = False
    else:
        forget()


def forget() -> None:
    """Unloads the dictionary, before something else needs as much memory."""
    global analyser
    analyser = _Analyser()


def _check_installed() -> None:
    check_installed("sudachipy", "sudachidict_core", extra="ja", needed_for="tokens=ja")
