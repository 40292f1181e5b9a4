"""The tokenisers by the names that `tokens=` has for them, for every metric of words.

| name | tokens |
|---|---|
| `ascii` | of ROUGE-1.5.5: runs of ASCII letters and digits |
| `unicode` | runs of letters, marks and digits of any script |
| `ja` | words of Japanese |
| `chars` | letters and digits one by one |
| `blanks` | what stands between blanks: of text that was tokenised before |
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NoReturn

from awase.core.errors import InputError, Listing
from awase.core.text.script import detect_language
from awase.core.text.tokens.ascii import ascii_tokens, ascii_words, lost_letters
from awase.core.text.tokens.japanese import (
    japanese_content_tokens,
    japanese_content_words,
    japanese_marked_tokens,
    japanese_marked_words,
    japanese_tokeniser_id,
    japanese_tokens,
    japanese_words,
)
from awase.core.text.tokens.words import (
    TOKENISER_IDS,
    blank_tokens,
    blank_words,
    char_tokens,
    has_unspaced_script,
    unicode_tokens,
    unicode_words,
)

ASCII, UNICODE, JAPANESE, CHARS, BLANKS = "ascii", "unicode", "ja", "chars", "blanks"
_LETTERS_SHOWN = 5
_KANA = re.compile(r"[ぁ-ヿ]")

Cut = Callable[[str], tuple[str, ...]]
"""A text to its tokens in reading order; pure, and the same for equal text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokeniser:
    """A way to cut text into tokens.

    Attributes:
        words: The same tokens as they are written; each folds to its token.
        counts_words: Whether limits in words count its words, not what blanks part.
        marked: The same with an empty word in the place of each that it drops; None = it drops
            none.
    """

    name: str
    tokens: Cut
    words: Cut
    drops_function_words: bool = False
    counts_words: bool = False
    marked: "Tokeniser | None" = None

    @property
    def for_limits(self) -> "Tokeniser":
        """Returns the tokeniser whose words limits in words count, dropped ones among them."""
        return self.marked or self

    @property
    def id(self) -> str:
        """Returns the name with the version of its rules, as signatures spell it."""
        if self.name == JAPANESE:
            return japanese_tokeniser_id()
        return TOKENISER_IDS.get(self.name, self.name)


_TOKENISERS: Mapping[str, Tokeniser] = MappingProxyType(
    {
        one.name: one
        for one in (
            Tokeniser(name=ASCII, tokens=ascii_tokens, words=ascii_words),
            Tokeniser(name=UNICODE, tokens=unicode_tokens, words=unicode_words),
            Tokeniser(
                name=JAPANESE, tokens=japanese_tokens, words=japanese_words, counts_words=True
            ),
            Tokeniser(name=CHARS, tokens=char_tokens, words=char_tokens),
            Tokeniser(name=BLANKS, tokens=blank_tokens, words=blank_words),
        )
    }
)
_JAPANESE_CONTENT = Tokeniser(
    name=JAPANESE,
    tokens=japanese_content_tokens,
    words=japanese_content_words,
    drops_function_words=True,
    counts_words=True,
    marked=Tokeniser(
        name=JAPANESE,
        tokens=japanese_marked_tokens,
        words=japanese_marked_words,
        counts_words=True,
    ),
)


def tokeniser_called(text: str, *, stem: bool = False, stop: bool = False) -> Tokeniser:
    """Returns the tokeniser with this name, or with this version of its rules.

    Args:
        text: Such as `unicode` or `unicode-2`.
        stop: Whether stop words are to be dropped; those of Japanese are particles and auxiliary
            verbs, which the tokeniser then drops itself.
    """
    tokeniser = _TOKENISERS.get(text) or _with_id(text)
    if tokeniser is None:
        _refuse(text)
    if tokeniser.name == CHARS and (stem or stop):
        raise InputError.of(
            "Characters have neither stems nor stop words.",
            "Choose stem=no and stop=no, or other tokens.",
        )
    if tokeniser.name == JAPANESE and stem:
        raise InputError.of(
            "There is no stemmer for Japanese words.", "Choose stem=no, or other tokens."
        )
    return _JAPANESE_CONTENT if tokeniser.name == JAPANESE and stop else tokeniser


def _with_id(text: str) -> Tokeniser | None:
    """Asks only those that it may be for their id: that of Japanese needs a dictionary."""
    of_name = (one for one in _TOKENISERS.values() if text.startswith(f"{one.name}-"))
    return next((one for one in of_name if one.id == text), None)


def _refuse(text: str) -> NoReturn:
    if text.startswith(f"{JAPANESE}-"):
        raise InputError.of(
            "tokens={value} is another version of the Japanese tokeniser than this one, {own}.",
            "Use tokens=ja to score with this version; the number may differ.",
            value=text,
            own=japanese_tokeniser_id(),
        )
    raise InputError.of(
        "tokens={value} is no tokeniser of this version.", "Use one of {known}.",
        value=text, known=Listing(f"tokens={name}" for name in _TOKENISERS),
    )  # fmt: skip


def refuse_lost_letters(texts: Iterable[str], *, metric: str, system: str, topic: str) -> None:
    """Does nothing when the ASCII tokeniser loses no letter of the texts."""
    joined = "\n".join(texts)
    lost = lost_letters(joined)
    if lost:
        raise InputError.of(
            "{metric} with tokens=ascii, the tokeniser of ROUGE-1.5.5, would delete letters of "
            "system “{system}” or its references in topic “{topic}”: {letters}.",
            _remedy(joined),
            metric=metric,
            system=system,
            topic=topic,
            letters=" ".join(lost[:_LETTERS_SHOWN]) + (" …" if len(lost) > _LETTERS_SHOWN else ""),
        )


def _remedy(text: str) -> str:
    is_japanese = detect_language(text) == "ja"
    if is_japanese and _KANA.search(text):
        hint = "Choose tokens=ja for words of Japanese, or tokens=chars for single characters."
    elif is_japanese:
        hint = "Choose tokens=ja if this is Japanese, else tokens=chars."
    elif has_unspaced_script(text):
        hint = "Choose tokens=chars: this script sets no blanks between words."
    else:
        hint = "Choose tokens=unicode."
    return hint
